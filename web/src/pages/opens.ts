// Where a returning reader's next visit opens. Storage may be forbidden: each visit is then a first one.

const KEPT = 'attention-page-opens';

/** The playground, or a step of the lesson by its id; empty on a first visit. */
export function opensAt(): string {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export function opensNext(at: string): void {
  try {
    localStorage.setItem(KEPT, at);
  } catch {
    // Nothing is kept.
  }
}
