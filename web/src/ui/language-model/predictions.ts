// What a language model expects: after one word, after every word, and layer by layer.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { fixed, significant } from '../../lib/format.ts';
import { chance } from '../../text/numbers.ts';

export interface Guess { id: number; word: string; probability: number; trained: number | null }

export interface Expected {
  guesses: readonly Guess[];
  /** The first guess without any change; null while nothing is changed. */
  trainedFirst: { word: string; probability: number } | null;
}

const bdi = (word: string) => html`<bdi lang="">${word}</bdi>`;

/** What `after` a word follows it. */
export const afterWords = (after: string, isLast: boolean): TemplateResult => (isLast
  ? msg(html`<b>After <span class="accent">${bdi(after)}</span></b> it expects`)
  : msg(html`<b>After <span class="accent">${bdi(after)}</span></b> it expects, not knowing what you wrote`));

/** What puts a guess into the text; null where the reader may not. */
export interface Writes {
  title: string;
  can(guess: Guess): boolean;
  write(guess: Guess): void;
}

/** @param drawn the share of each token that is drawn from; null where none is */
export function expects(heading: TemplateResult, { guesses, trainedFirst }: Expected, { changed, writes, drawn = null }: { changed: boolean; writes: Writes | null; drawn?: Float32Array | null }): TemplateResult {
  const most = Math.max(...guesses.map(({ probability, trained }) => Math.max(probability, trained ?? 0)), 0.01);
  const bar = (share: number, kind: string) => html`<i class=${kind} .style=${`width: ${((100 * share) / most).toFixed(1)}%`}></i>`;
  const named = (guess: Guess) => (writes?.can(guess) ? html`<button type="button" class="plain" title=${writes.title} @click=${() => writes.write(guess)}>${bdi(guess.word)}</button>` : bdi(guess.word));
  return html`
    <div class="expects" part="expects">
      <h3 class="small-heading">${heading}</h3>
      <table class=${changed ? '' : 'as-trained'}>
        <thead class=${changed || drawn ? '' : 'unseen'}><tr><th scope="col">${msg('word')}</th><th scope="col">${msg('now')}</th>${changed ? html`<th scope="col">${msg('as trained')}</th>` : html`<td></td>`}${drawn ? html`<th scope="col">${msg('to draw')}</th>` : nothing}<td></td></tr></thead>
        <tbody>${guesses.map((guess) => html`
          <tr data-guess><th scope="row">${named(guess)}</th><td>${chance(guess.probability)}</td><td class="muted">${guess.trained === null ? nothing : chance(guess.trained)}</td>${drawn ? html`<td data-drawn>${drawn[guess.id] ? chance(drawn[guess.id] as number) : '–'}</td>` : nothing}
            <td class="bars" aria-hidden="true">${bar(guess.probability, 'now')}${guess.trained === null ? nothing : bar(guess.trained, 'was')}</td></tr>`)}
        </tbody>
      </table>
      ${trainedFirst ? html`<p class="muted">${msg(html`As trained, its first guess was <b>${bdi(trainedFirst.word)}</b> (${chance(trainedFirst.probability)}).`)}</p>` : nothing}
    </div>
  `;
}

export interface WordRow {
  word: string;
  guess: string;
  probability: number;
  /** The reader's next word, and how likely it was to the model: now, and as trained. */
  next: string | null;
  own: number | null;
  trained: number | null;
}

interface EveryWord { words: readonly WordRow[]; query: number; changed: boolean; loss: number; trainedLoss: number }

export function everyWord({ words, query, changed, loss, trainedLoss }: EveryWord, select: (row: number) => void): TemplateResult {
  return html`
    <div class="every-word" part="every-word">
      <h3 class="small-heading">${msg(html`<b>After every word</b> at once: its first guess, and your next word’s chance`)}</h3>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('What it expects after every word')}>
        <table>
          <thead><tr><th scope="col">${msg('after')}</th><th scope="col">${msg('first guess')}</th><th scope="col">${msg('your word')}</th><th scope="col">${msg('chance')}</th>${changed ? html`<th scope="col">${msg('as trained')}</th>` : nothing}</tr></thead>
          <tbody>${words.map(({ word, guess, probability, next, own, trained }, row) => html`
            <tr class=${row === query ? 'chosen' : ''} @click=${() => select(row)}><th scope="row">${bdi(word)}</th><td>${bdi(guess)} ${chance(probability)}</td>
              <td>${next === null ? html`<span class="muted">${msg('yours to write')}</span>` : bdi(next)}</td><td>${own === null ? nothing : chance(own)}</td>${changed ? html`<td class="muted">${trained === null ? nothing : chance(trained)}</td>` : nothing}</tr>`)}
          </tbody>
        </table>
      </div>
      ${Number.isNaN(loss) ? nothing : html`<p>${changed
        ? msg(html`It reads your sentence at <b data-loss>${fixed(loss, 2)}</b> nats a token; as trained, at <b data-trained-loss>${fixed(trainedLoss, 2)}</b>.`)
        : msg(html`It reads your sentence at <b data-loss>${fixed(loss, 2)}</b> nats a token.`)} <span class="muted">${msg('The mean of −ln chance: 0 would be certainty.')}</span></p>`}
    </div>
  `;
}

export interface LayerRow {
  /** −1 = before the first. */
  layer: number;
  guess: string;
  probability: number;
  /** How likely the last layer's first guess is here already. */
  final: number;
  /** Of the word's row, and of what this layer added to it. */
  length: number;
  added: number | null;
}

export function stream(rows: readonly LayerRow[], word: string, isPostNorm: boolean): TemplateResult {
  const final = rows.at(-1)?.guess ?? '';
  return html`
    <div class="stream" part="stream">
      <h3 class="small-heading">${msg(html`<b>The row of <span class="accent">${bdi(word)}</span></b>, as each layer adds to it`)}</h3>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('What each layer adds')}>
        <table>
          <thead><tr><th scope="col">${msg('row after')}</th><th scope="col">${msg('length')}</th><th scope="col">${msg('added')}</th><th scope="col">${msg('would guess')}</th><th scope="col">${msg(html`chance of ${bdi(final)}`)}</th></tr></thead>
          <tbody>${rows.map(({ layer, guess, probability, final: likely, length, added }) => html`
            <tr><th scope="row">${layer < 0 ? msg('the word alone') : msg(str`layer ${layer + 1}`)}</th><td>${significant(length, 3)}</td><td>${added === null ? nothing : significant(added, 3)}</td><td>${bdi(guess)} ${chance(probability)}</td><td>${chance(likely)}</td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="muted">${isPostNorm
        ? msg('Every layer reads the row, adds to it and norms the sum, twice. If the model ended there, this would be its guess: what guesses words at its end, applied to the row as it is.')
        : msg('Every layer reads the row and adds to it. If the model ended there, this would be its guess: the last norm and the vocabulary applied to the row as it is.')}</p>
    </div>
  `;
}

/** A hidden word: counted, from 0, where there are several. */
export const labelOf = (hides: string, i: number, count: number): string => (count > 1 ? `${hides} ${i + 1}` : hides);

export const atWords = (hidden: string): TemplateResult => msg(html`<b>At <span class="accent">${bdi(hidden)}</span></b> it expects`);

/** Where no word is hidden. `hide` hides the one that is looked at; null where the reader may not, or it is none of the text. */
export function nothingHidden(hides: string, word: string, hide: (() => void) | null): TemplateResult {
  return html`
    <div class="expects" part="expects" data-no-next>
      <p>${msg(html`It reads the whole sentence at once, the words behind as well as those before, so it has no next word to guess. It learnt to guess hidden words: type <b>${bdi(hides)}</b> in place of a word.`)}
        ${hide ? html`<button type="button" class="plain" data-hide @click=${hide}>${msg(html`Hide ${bdi(word)}`)}</button>` : ''}</p>
    </div>
  `;
}

/** A model whose file ends before the part that guesses. */
export function noGuesses(): TemplateResult {
  return html`<div class="expects" part="expects" data-no-guess><p>${msg('This file has no part that guesses words, so only its attention is shown. Save the model with its head (…ForCausalLM or …ForMaskedLM) to see what it expects.')}</p></div>`;
}

export interface HiddenRow {
  row: number;
  guess: string;
  probability: number;
  trained: number | null;
}

export function everyHidden(rows: readonly HiddenRow[], { hides, query, changed }: { hides: string; query: number; changed: boolean }, select: (row: number) => void): TemplateResult {
  return html`
    <div class="every-word" part="every-word">
      <h3 class="small-heading">${msg(html`<b>At every <span class="accent">${bdi(hides)}</span></b>: its first guess`)}</h3>
      <table>
        <thead><tr><th scope="col">${msg('hidden')}</th><th scope="col">${msg('first guess')}</th><th scope="col">${msg('chance')}</th>${changed ? html`<th scope="col">${msg('as trained')}</th>` : ''}</tr></thead>
        <tbody>${rows.map(({ row, guess, probability, trained }, i) => html`
          <tr data-hidden class=${row === query ? 'chosen' : ''} @click=${() => select(row)}><th scope="row">${bdi(labelOf(hides, i, rows.length))}</th><td>${bdi(guess)}</td><td>${chance(probability)}</td>${changed ? html`<td class="muted">${trained === null ? '' : chance(trained)}</td>` : ''}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
}
