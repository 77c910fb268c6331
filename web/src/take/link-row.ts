// A link to what the reader sees: what it holds, what it cannot, and the link itself where it must be copied by hand.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';

export interface Link {
  address: string;
  /** What of the state does not go into an address. */
  without: readonly ('text' | 'matrices' | 'model')[];
}

export function linkRow(button: TemplateResult, { without }: Link, shown: string): TemplateResult {
  return html`
    <dt>${msg('A link to what you see')}</dt>
    <dd>${button}
      ${shown ? html`<input class="field take-link" readonly dir="ltr" aria-label=${msg('The link')} .value=${shown} @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>` : nothing}
      <p class="muted">${msg('It holds your sentences, the switches, what you set by hand and the number you look at, all after the #, which browsers send to no server. A pinned state is not in it.')}
        ${without.map((what) => html` <b>${WITHOUT[what]()}</b>`)}</p></dd>
  `;
}

const WITHOUT: Record<Link['without'][number], () => string> = {
  text: () => msg('Your text is too long for an address and is left out.'),
  matrices: () => msg('Your matrices are too large for an address and are left out.'),
  model: () => msg('The model that you opened stays with you: whoever follows the link sees the page without it.'),
};
