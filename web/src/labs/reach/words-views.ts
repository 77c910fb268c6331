// What each row predicts, which words it hears under each mask, and what a full context still holds.
import { msg, str } from '@lit/localize';
import { html, nothing } from 'lit';
import type { Trace } from '../../engine/engine.ts';
import { count, percent } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { ownWord } from '../../text/word.ts';
import { bars } from '../kit/plot.ts';
import { slider, wordField } from '../kit/controls.ts';
import { smallMatrix } from '../kit/small-matrix.ts';
import type { Figure, ReachData, ReachEvents } from './data.ts';

const MOST_NAMED = 6;

export function nextFigure({ words, next, width }: ReachData, _events: ReachEvents): Figure {
  const { apart, last } = next as NonNullable<ReachData['next']>;
  const n = words.length;
  const most = Math.max(...apart);
  const beginning = (row: number) => words.slice(Math.max(0, row + 1 - MOST_NAMED), row + 1).join(' ');
  const final = html`<b>${words[n - 1]}</b>`;
  return {
    said: msg(html`One run trains n − 1 = <b>${n - 1}</b> pairs at once. Run alone, each beginning gives the same row: the largest difference is <b>${short(most)}</b>. Only the last row, ${final}, goes on to the next word: its ${width} numbers carry all that was read.`),
    figure: html`
      <div class="lab-columns">
        <div class="lab-scroll lab-tall" tabindex="0" role="region" aria-label=${msg('Training pairs')}><table class="lab-table">
          <caption class="small-heading">${msg('What each row has read, and what it is asked for')}</caption>
          <thead><tr><th scope="col">${msg('Row')}</th><th scope="col" class="lab-words">${msg('has read')}</th><th scope="col" class="lab-words">${msg('is asked for')}</th><th scope="col">${msg('difference when run alone')}</th></tr></thead>
          <tbody>${words.map((_, row) => html`
            <tr ?data-chosen=${row === n - 1} data-pair=${row}>
              <th scope="row">${row + 1}</th>
              <td class="lab-words" dir="auto" lang="">${row + 1 > MOST_NAMED ? '… ' : ''}${beginning(row)}</td>
              <td class="lab-words" dir="auto" lang="">${row === n - 1 ? html`<b>${msg('the next word')}</b>` : words[row + 1]}</td>
              <td data-apart>${short(apart[row] ?? NaN)}</td>
            </tr>
          `)}</tbody>
        </table></div>
        ${bars({
          title: msg('What the last row takes from each word'), note: msg('head 1, random parameters'), columns: [msg('Word'), msg('weight')], domain: ['0', '1'],
          bars: words.map((word, i) => ({ name: html`<bdi lang="">${word}</bdi>`, share: last[i] ?? 0, words: percent(last[i] ?? NaN), chosen: i === n - 1 })),
        })}
      </div>
      <p class="lab-note">${msg(str`Without the causal mask, row 1 could look at word 2, which it is asked for, and there would be nothing to learn. With it, ${n} rows cost one run instead of ${n}.`)}</p>
    `,
  };
}

// Encoder, decoder and cross-attention side by side.

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
      <div class="lab-columns">
        ${matrix(encoder, msg('Encoder'), msg('every word sees every word'))}
        ${matrix(decoder, msg('Decoder'), msg('no word sees a later one'))}
        ${cross ? matrix(cross, msg('Cross-attention'), msg('your queries, the other’s keys')) : html`<p class="muted">${msg('Type another sentence.')}</p>`}
      </div>
      <p class="lab-note">${T < words.length ? msg(str`The first ${T} of your ${words.length} words are shown.`) : nothing} ${msg('Weights of head 1, with random parameters: rows differ, but each sums to 1. A translator has all three: its encoder reads one language whole, its decoder writes the other word by word and looks at what the encoder made.')}</p>
    `,
  };
}

// What "the context is full" means: the words that the last row still sees.

export function contextFigure({ knobs, words, context, parameters, width }: ReachData, events: ReachEvents): Figure {
  const { all, first, read, weights } = context as NonNullable<ReachData['context']>;
  const word = html`<b>${ownWord(all[read - 1])}</b>`;
  const cells = (read - first) ** 2;
  return {
    controls: html`
      ${slider(msg('Words in the context'), { least: 1, most: 64, value: knobs.context, words: String(knobs.context) }, (holds) => events.set({ context: holds }))}
      ${slider(msg('Your sentence, repeated'), { least: 1, most: 8, value: knobs.repeat, words: `${knobs.repeat} ×` }, (repeat) => events.set({ repeat }))}
      ${slider(msg('Read up to word'), { least: 1, most: all.length, value: read, words: msg(str`${read} of ${all.length}`) }, (to) => events.set({ read: to }))}
    `,
    said: first === 0
      ? msg(html`At word ${read}, ${word}, all that was read fits. Places left: <b>${knobs.context - read}</b>.`)
      : msg(html`At word ${read}, ${word}, the context is full: the row is made of words ${first + 1} to ${read}. All up to word <b>${first}</b> is gone and cannot reach it any more.`),
    figure: html`
      <ol class="lab-context" aria-label=${msg('Words, with the last row’s share of each')}>${all.map((each, i) => {
        const state = i < first ? 'gone' : i >= read ? 'later' : 'seen';
        return html`<li data-state=${state} ?data-last=${i === read - 1}><bdi lang="">${each}</bdi><small class=${state === 'gone' ? 'unseen' : ''}>${state === 'seen' ? percent(weights[i - first] ?? NaN) : state === 'gone' ? msg('gone') : ''}</small></li>`;
      })}</ol>
      <p class="lab-note">${msg(html`The matrices do not limit the context: 4 · ${width}² = ${count(parameters)} numbers here, whether it holds 1 word or 64. What grows is the table, ${read - first} × ${read - first} = ${count(cells)} cells in each head, and the places that a model was trained on. The shares are head 1’s, of a run on exactly these words.`)}</p>
    `,
    tries: [
      { label: msg('Read one word further'), act: () => events.set({ read: Math.min(all.length, read + 1) }) },
      { label: msg('Go back to the first word'), act: () => events.set({ read: 1 }) },
      { label: msg('Make the context as long as your sentence'), act: () => events.set({ context: Math.min(64, words.length), read: 128 }) },
    ],
  };
}
