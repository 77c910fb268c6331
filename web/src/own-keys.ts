// Keys that the figure takes for itself. Seen from the page around it their target is the element, not the field in it:
// there a typed "s" would open the search of MkDocs Material, a space would turn the slide.

const FIELD = 'textarea, select, input:not([type=radio], [type=checkbox], [type=button])';
const PRESSED = ['Enter', ' '];
/** Left to the page even by fields: ways out. */
const OUT = ['Escape', 'Tab'];

function keep(event: Event): void {
  const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
  const at = event.composedPath()[0];
  if (ctrlKey || metaKey || altKey || OUT.includes(key) || !(at instanceof Element)) return;
  if (at.matches(FIELD) || PRESSED.includes(key)) event.stopPropagation();
}

/** After everything inside has heard them. */
export function keepOwnKeys(root: EventTarget): void {
  for (const kind of ['keydown', 'keypress', 'keyup']) root.addEventListener(kind, keep);
}
