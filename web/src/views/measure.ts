// Lengths of a view's own, as its style sheet reads them.

/** Sets a property of an element's style; one that is as it was costs no style anew. */
export function setMeasure(host: HTMLElement, name: string, value: string): void {
  if (host.style.getPropertyValue(name) !== value) host.style.setProperty(name, value);
}
