// Keys of a lesson, and of a clicker, which sends Page Up and Page Down. What stands in a field or a figure keeps its own.

export type Act = 'forward' | 'back' | 'present' | 'leave';

const ACTS: Readonly<Record<string, Act>> = { ArrowRight: 'forward', PageDown: 'forward', ArrowLeft: 'back', PageUp: 'back', p: 'present', P: 'present' };
const OWN = 'input, textarea, select, [role="radio"], [role="slider"], [contenteditable], attention-playground';

export function lessonKey(event: KeyboardEvent, isPresenting: boolean): Act | null {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey) return null;
  const at = event.composedPath()[0];
  if (at instanceof Element && at.closest(OWN) && !key.startsWith('Page')) return null;
  if (key === 'Escape') return isPresenting ? 'leave' : null;
  return ACTS[key] ?? null;
}
