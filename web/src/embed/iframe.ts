// The page for iframes. Its query says what an author wants, by the attributes' names; its fragment holds the reader's text.
import { msg, str } from '@lit/localize';
import type { AttentionPlayground } from '../element/element.ts';
import { listed } from '../lib/format.ts';
import { onLanguage } from '../lib/language.ts';
import { Space } from '../lib/space.ts';
import { type Query, readMessage, readQuery } from './iframe-query.ts';

const TAG = 'attention-playground';
const SCRIPT = `${TAG}.js`;

/** Where the page has an origin, only files from there may run. Of a frame without one WebKit says that no file is its own. */
function tightenPolicy(): void {
  if (self.origin === 'null') return;
  document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'Content-Security-Policy', content: "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'" }));
}

function sentences({ texts, foreign, unknown }: Query): string {
  return [
    ...(texts.length > 0 ? [msg(str`${listed([...texts]).join('')} in the query is left out: a text belongs behind the #, as in #text=…, so that it stays in the browser.`)] : []),
    ...(foreign.length > 0 ? [msg(str`${listed([...foreign]).join('')} in the query is left out: it leads to another site.`)] : []),
    // A name from an untrusted link is never shown as the page's own text.
    ...(unknown ? [msg('The query holds a name that is not an attribute of a figure; it is left out. The guide for authors lists the attributes.')] : []),
  ].join(' ');
}

function say(words: () => string): void {
  const line = document.querySelector('#said') as HTMLElement;
  line.textContent = words();
  onLanguage(() => { line.textContent = words(); });
}

/** So that the page around may give the frame its height; embed-host.js does. */
function tellHeight(id: string): void {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(new Space(document.body).height);
    if (height !== told) parent.postMessage({ type: `${TAG}:resize`, id, height: told = height }, '*');
  }).observe(document.body);
}

/** The page around may change what it asked for, and nobody else. */
function obey(figure: HTMLElement, names: ReadonlySet<string>): void {
  addEventListener('message', ({ source, data }) => {
    if (parent === window || source !== parent) return;
    const { attributes, foreign } = readMessage(data, names, document.baseURI);
    for (const [name, value] of attributes) {
      if (value === null) figure.removeAttribute(name);
      else figure.setAttribute(name, value);
    }
    if (foreign.length > 0) say(() => msg(str`${listed([...foreign]).join('')} in the message is left out: it leads to another site.`));
  });
}

function open(element: typeof AttentionPlayground): void {
  const names = new Set(element.observedAttributes);
  const query = readQuery(location.search, names, document.baseURI);
  const figure = document.createElement(TAG);
  figure.setAttribute('loading', 'eager');
  // Addresses in a configuration are untrusted, too.
  figure.isConfined = true;
  for (const [name, value] of query.attributes) figure.setAttribute(name, value);
  figure.follow(location.hash);
  addEventListener('hashchange', () => figure.follow(location.hash));
  document.querySelector('#figure')?.replaceChildren(figure);
  if (query.texts.length + query.foreign.length > 0 || query.unknown) say(() => sentences(query));
  obey(figure, names);
  if (query.resize !== null) tellHeight(query.resize);
}

tightenPolicy();
// The element's script, behind this one, has run by then.
addEventListener('DOMContentLoaded', () => {
  const element = customElements.get(TAG);
  if (element) open(element as unknown as typeof AttentionPlayground);
  else say(() => msg(str`The figure could not be loaded: ${SCRIPT} must lie beside this page.`));
});
