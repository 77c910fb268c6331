// Earlier sentences, the latest first.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';

export function earlierList(past: readonly { text: string }[], present: string, back: (text: string) => void): TemplateResult {
  const earlier = earlierTexts(past, present);
  if (earlier.length === 0) return html`<p class="earlier muted">${msg('No other sentence was here before.')}</p>`;
  return html`
    <ul class="earlier" aria-label=${msg('Earlier sentences')}>
      ${earlier.map((text) => html`<li><button type="button" class="quiet" @click=${() => back(text)}><bdi lang="">${text.length > 90 ? `${text.slice(0, 88)}…` : text}</bdi></button></li>`)}
    </ul>
  `;
}

const MOST = 12;

/** Sentences as they were left: not the present one, none twice, and no beginnings of what was typed on. */
function earlierTexts(past: readonly { text: string }[], present: string): string[] {
  const texts: string[] = [];
  for (const { text } of past) {
    if (text.trim() === '' || text === present || texts.includes(text)) continue;
    if (present.startsWith(text) || texts.some((later) => later.startsWith(text))) continue;
    texts.push(text);
    if (texts.length === MOST) break;
  }
  return texts;
}
