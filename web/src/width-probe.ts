/** Stands for its host's width to an observer. What is drawn changes the host's height, and the host would be observed in turn. */
export function widthProbe(host: Element): Element {
  const probe = document.createElement('div');
  host.prepend(probe);
  return probe;
}
