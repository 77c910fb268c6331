// What is shown instead of a figure or its caption when there is none.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { STARTING } from '../../engine/instantiate.ts';
import type { Selection } from '../../engine/types.ts';
import { comma, count } from '../../lib/format.ts';
import type { Outcome } from '../../state/result.ts';
import { caption } from '../../text/caption.ts';
import { tokenCount } from '../../text/word.ts';

/** Why there is no figure. The sentences of the core come after the first one. */
const problemWords = ({ code, message }: { code: string; message: string }): string =>
  STARTING[code as keyof typeof STARTING]?.() ?? (message || msg(str`The engine refused this (${code}). Change back what was changed last.`));

interface CaptionData {
  outcome: Outcome;
  computing: boolean;
  selection: Selection;
  tokens: number;
  heads: number;
}

export function captionArea(data: CaptionData): TemplateResult {
  const { outcome } = data;
  const problem = outcome.kind === 'refused' || outcome.kind === 'failed' ? problemWords(outcome) : '';
  return html`<p id="problem" class="problem" role="alert">${problem}</p>${words(data)}`;
}

function words({ outcome, computing, selection, tokens, heads }: CaptionData): TemplateResult | typeof nothing {
  if (computing) {
    return html`
      <p class="row-caption muted">${msg('computing…')}</p>
      <p class="row-rest">${tokenCount(tokens)}${comma()}${msg(str`${count(tokens * tokens * heads)} weights`)}</p>
    `;
  }
  if (outcome.kind === 'ready') return caption(outcome.picture, selection);
  if (outcome.kind !== 'empty') return nothing;
  if (outcome.which === 'keyText') return html`<p class="row-caption muted">${msg('Type a word into the second sentence, too.')}</p><p class="row-rest">${msg('Or remove it: then your sentence looks at itself.')}</p>`;
  return html`<p class="row-caption muted">${msg('Type a word.')}</p><p class="row-rest">${msg('Every number below follows what you type.')}</p>`;
}

/** `isAlone`: nothing above says what is wrong. */
export function stateWords(outcome: Outcome, isAlone: boolean): TemplateResult | typeof nothing {
  switch (outcome.kind) {
    case 'empty':
      return html`<p class="state-title">${msg('Nothing to look at yet')}</p><p>${msg('Type a word in the box above: its attention is drawn here.')}</p>`;
    case 'refused':
      return html`<p class="state-title">${msg('No figure for this text')}</p><p>${isAlone ? problemWords(outcome) : msg('Your text is kept in the box. Do what the line below it says, and the figure comes back.')}</p>`;
    case 'failed':
      return html`<p class="state-title">${msg('No figure')}</p><p>${isAlone ? problemWords(outcome) : msg('The engine did not start, so there is nothing true to show.')}</p><slot></slot>`;
    case 'loading':
      // On paper there is no waiting: the author's fallback text is printed.
      return html`<p class="state-late">${msg('Loading the engine…')}</p><slot class="paper"></slot>`;
    case 'ready':
      return nothing;
  }
}
