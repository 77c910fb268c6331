// Everything that stands where a figure or its caption would, when there is none to show.
import { type TemplateResult, html, nothing } from 'lit';
import type { Outcome } from '../calculation.ts';
import type { Selection } from '../fragment.ts';
import { count, plural } from '../format.ts';
import { caption } from './caption.ts';

interface CaptionData {
  outcome: Outcome;
  computing: boolean;
  selection: Selection;
  tokens: number;
  heads: number;
}

export function captionArea(data: CaptionData): TemplateResult {
  const { outcome } = data;
  const problem = outcome.kind === 'refused' || outcome.kind === 'failed' ? outcome.message : '';
  return html`<p id="problem" class="problem" role="alert">${problem}</p>${words(data)}`;
}

function words({ outcome, computing, selection, tokens, heads }: CaptionData): TemplateResult | typeof nothing {
  if (computing) {
    return html`
      <p class="row-caption muted">computing…</p>
      <p class="row-rest">${plural(tokens, 'token')}, ${count(tokens * tokens * heads)} weights</p>
    `;
  }
  if (outcome.kind === 'ready') return caption(outcome.picture, selection);
  if (outcome.kind !== 'empty') return nothing;
  if (outcome.which === 'keyText') return html`<p class="row-caption muted">Type a word into the second sentence, too.</p><p class="row-rest">Or remove it: then your sentence looks at itself.</p>`;
  return html`<p class="row-caption muted">Type a word.</p><p class="row-rest">Every number below follows what you type.</p>`;
}

export function stateWords(outcome: Outcome): TemplateResult | typeof nothing {
  switch (outcome.kind) {
    case 'empty':
      return html`<p class="state-title">Nothing to look at yet</p><p>Type a word in the box above: its attention is drawn here.</p>`;
    case 'refused':
      return html`<p class="state-title">No figure for this text</p><p>Your text is kept in the box. Do what the line below it says, and the figure comes back.</p>`;
    case 'failed':
      return html`<p class="state-title">No figure</p><p>The engine did not start, so there is nothing true to show.</p>`;
    case 'loading':
      return html`<p class="state-late">Loading the engine…</p>`;
    case 'ready':
      return nothing;
  }
}
