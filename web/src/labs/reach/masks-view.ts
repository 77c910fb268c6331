// Encoder, decoder and cross-attention side by side.
import { msg, str } from '@lit/localize';
import { html, nothing } from 'lit';
import type { Trace } from '../../engine.ts';
import { smallMatrix } from '../views/small-matrix.ts';
import { wordField } from '../views/controls.ts';
import type { Figure, ReachData, ReachEvents } from './view.ts';

/** Cells of one head that may be used. */
const open = (trace: Trace): number => trace.head('masked_scores', 0).reduce((sum, score) => sum + (score === -Infinity ? 0 : 1), 0);

export function masksFigure({ knobs, words, masks, paint }: ReachData, events: ReachEvents): Figure {
  const { encoder, decoder, cross } = masks as NonNullable<ReachData['masks']>;
  const { T } = encoder.shape;
  const matrix = (trace: Trace, title: string, note: string) => {
    const { S } = trace.shape;
    const [weights, scores] = [trace.head('weights', 0), trace.head('masked_scores', 0)];
    const shape = `${trace.shape.T} × ${S}`;
    return smallMatrix({
      title, note, paint, kind: 'weights', legend: trace === encoder, rows: trace.tokens, columns: trace.keyTokens,
      axes: { down: msg('query'), across: msg('key') },
      summary: msg(str`${shape} cells, of which ${open(trace)} may be used.`),
      value: (row, column) => (scores[row * S + column] === -Infinity ? null : (weights[row * S + column] ?? NaN)),
    });
  };
  const seen = cross ? msg(html` The decoder’s words look at the other sentence: ${cross.shape.T} × ${cross.shape.S} = <b>${open(cross)}</b> cells, none masked.`) : nothing;
  return {
    controls: wordField(msg('The other sentence, for cross-attention'), knobs.second, (second) => events.set({ second })),
    said: html`${msg(html`An encoder may use all ${T} × ${T} = <b>${open(encoder)}</b> cells, a decoder ${T} · (${T} + 1) ÷ 2 = <b>${open(decoder)}</b>.`)}${seen}`,
    figure: html`
      <div class="lab-columns lab-three">
        ${matrix(encoder, msg('Encoder'), msg('every word sees every word'))}
        ${matrix(decoder, msg('Decoder'), msg('no word sees a later one'))}
        ${cross ? matrix(cross, msg('Cross-attention'), msg('your queries, the other’s keys')) : html`<p class="muted">${msg('Type another sentence.')}</p>`}
      </div>
      <p class="lab-note">${T < words.length ? msg(str`The first ${T} of your ${words.length} words are shown.`) : nothing} ${msg('Weights of head 1, with random parameters: rows differ, but each sums to 1. A translator has all three: its encoder reads one language whole, its decoder writes the other word by word and looks at what the encoder made.')}</p>
    `,
  };
}
