// Each row predicts the word after its own, all in one run; and the last row carries everything on.
import { msg, str } from '@lit/localize';
import { html } from 'lit';
import { percent, short } from '../../format.ts';
import { bars } from '../views/bars.ts';
import type { Figure, ReachData, ReachEvents } from './view.ts';

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
