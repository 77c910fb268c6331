// The way from an embedded figure to the whole playground, with the same state.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { isOwnAddress } from '../lib/parse.ts';

const SAFE: ReadonlySet<string> = new Set(['http:', 'https:', 'file:']);

/** The address with that fragment; null where the author named none, or none that is a page's. */
export function playgroundAddress(playground: unknown, fragment: string, page = ''): string | null {
  if (typeof playground !== 'string' || playground === '') return null;
  try {
    const address = new URL(page, new URL(playground, document.baseURI));
    return SAFE.has(address.protocol) ? `${address.href.split('#')[0]}${fragment}` : null;
  } catch {
    return null;
  }
}

/** `fragment`: null until what writes it is there; its line is kept free. */
export function openLink({ playground, isConfined }: { playground: unknown; isConfined: boolean }, fragment: () => string | null, page = ''): TemplateResult | typeof nothing {
  // Whoever has set it: one click would hand the reader's text over.
  if (isConfined && !isOwnAddress(String(playground), document.baseURI)) return nothing;
  const written = playground ? fragment() : null;
  const address = playground ? playgroundAddress(playground, written ?? '', page) : null;
  if (address === null) return nothing;
  return written === null ? html`<p class="open-link">\u00a0</p>` : html`<p class="open-link" part="link"><a href=${address} target="_blank" rel="noopener">${msg('Open in the playground')}</a></p>`;
}
