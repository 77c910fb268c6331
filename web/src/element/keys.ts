// Keys that the figure takes for itself. Slides, notebooks and docs systems have shortcuts on plain keys, and see from outside
// that the element has the focus, not the field or the matrix in it: a typed "s" would open a search, a space turn the slide.

const TAKEN = /^(?:.|Enter|Backspace|Delete|Home|End|Page(?:Up|Down)|Arrow(?:Up|Down|Left|Right))$/u;

/** Escape, Tab and what is typed with Ctrl, Alt or Meta goes on to the page, unless the figure has used it. */
function keep(event: Event): void {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event as KeyboardEvent;
  if (defaultPrevented || (TAKEN.test(key) && !ctrlKey && !metaKey && !altKey)) event.stopPropagation();
}

/** After everything inside has heard them. */
export function keepOwnKeys(root: EventTarget): void {
  for (const kind of ['keydown', 'keypress', 'keyup']) root.addEventListener(kind, keep);
}

/** Undo or redo, outside of fields, where they are the browser's own; null for any other key. */
export function wayBack(event: KeyboardEvent): 'undo' | 'redo' | null {
  const at = event.composedPath()[0];
  const isField = at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'file'].includes(at.type));
  const letter = event.key.toLowerCase();
  if (isField || event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return null;
  return letter === 'y' || event.shiftKey ? 'redo' : 'undo';
}
