// Under the switches: what stands behind parameters that are not simply random.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Edit } from '../../engine/engine.ts';
import { clipped, count, listed, percent, plural, short } from '../../lib/format.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Picture } from '../../state/result.ts';
import { withSubs } from '../../text/subscripts.ts';

/** Of the words that are not known. */
const SHOWN = 12;

/** What each designed head is meant to find, and how often it does. */
export function designedPanel({ designed, tokens, keyTokens }: Picture): TemplateResult | typeof nothing {
  if (!designed) return nothing;
  const unknown = new Set([...tokens.filter((_, i) => !designed.known[i]), ...keyTokens.filter((_, i) => !designed.keysKnown[i])].map(({ text }) => text));
  return html`
    <div class="designed" part="designed">
      <p>${msg(html`These parameters were <b>designed</b> by hand, not learnt: each of the ${designed.dimensions.length} numbers of a word has a name, and each head looks for one thing.`)}</p>
      ${unknown.size > 0
        ? html`<p class="unknown-words">${unknownWords([...unknown])}</p>`
        : nothing}
      <details>
        <summary>${msg('What the heads look for, and how often they are right')}</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('Designed heads')}>
          <table class="designed-heads">
            <thead><tr><th scope="col">${msg('head')}</th><th scope="col">${msg('looks for')}</th><th scope="col">${msg('right')}</th><th scope="col">${msg('best fixed distance')}</th><th scope="col">${msg('of cases')}</th></tr></thead>
            <tbody>${designed.heads.map(({ name, about, measured }, h) => html`
              <tr><th scope="row">${h + 1}&nbsp;${name}</th><td>${about}</td>
                ${measured
                  ? html`<td>${percent(measured.accuracy)}</td><td>${msg(str`${percent(measured.baseline)}, always ${measured.back} back`)}</td><td>${count(measured.cases)}</td>`
                  : html`<td colspan="3" class="muted">${msg('not measured')}</td>`}
              </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="muted">${msg(html`Measured on 2,001 English sentences that others have marked; the design was adjusted while looking at them; <a href="docs/designed.md">how</a>.`)}</p>
        <details>
          <summary>${msg(str`The names of a word’s ${designed.dimensions.length} numbers`)}</summary>
          <ol class="dimensions">${designed.dimensions.map(({ words, groupWords }) => html`<li>${words} <span class="muted">${groupWords}</span></li>`)}</ol>
        </details>
      </details>
    </div>
  `;
}

function unknownWords(unknown: readonly string[]): TemplateResult {
  const shown = listed(unknown.slice(0, SHOWN).map((text) => html`<b><bdi lang="">${text}</bdi></b>`));
  if (unknown.length > SHOWN) return msg(html`Don’t know these words: ${shown} and ${count(unknown.length - SHOWN)} more. Only letters and place tell them from others.`);
  return unknown.length === 1
    ? msg(html`Don’t know this word: ${shown}. Only letters and place tell it from others.`)
    : msg(html`Don’t know these words: ${shown}. Only letters and place tell them from others.`);
}

/** What the model is, and where more is said of it. */
export function trainedPanel({ reader }: Reading): TemplateResult {
  const { layers, heads, d_model, vocabulary, context } = reader.configuration;
  return html`<p class="trained" part="trained">${msg(str`A small language model, trained for this page: ${layers} layers of ${heads} heads, d_model ${d_model}, ${count(vocabulary)} words and pieces, at most ${count(context)} at once.`)}
    ${msg(html`It guesses next words well enough for its heads to have work to do, and writes no sensible story. <a href="docs/model.md">What it learnt from, and what was measured</a>.`)}</p>`;
}

export interface EditLine {
  edit: Edit;
  /** As the number would be without; null while this run has no such number. */
  from: number | null;
}

export interface EditsEvents {
  toggle(open: boolean): void;
  putBack(edit: Edit): void;
  putAllBack(): void;
}

/** Numbers set by hand: `lines` only while they are looked at. */
export function editsPanel(edits: readonly Edit[], lines: readonly EditLine[] | null, events: EditsEvents): TemplateResult | typeof nothing {
  if (edits.length === 0) return nothing;
  return html`
    <details class="edits" part="edits" ?open=${lines !== null} @toggle=${(event: Event) => events.toggle((event.target as HTMLDetailsElement).open)}>
      <summary>${plural(edits.length, msg('1 number is set by hand'), msg(str`${count(edits.length)} numbers are set by hand`))}</summary>
      <ul class="yours-list">
        ${lines?.map(({ edit, from }) => html`
          <li>${place(edit)}: ${from === null ? html`<span class="muted">${msg('not in this run')}</span>` : html`${short(from)} → <b>${short(edit.value)}</b>`}
            <button type="button" class="quiet" @click=${() => events.putBack(edit)}>${msg('Put back')}</button></li>
        `)}
        <li><button type="button" class="quiet" data-put-all-back @click=${events.putAllBack}>${msg('Put all back')}</button></li>
      </ul>
    </details>
  `;
}

function place(edit: Edit): TemplateResult {
  return 'token' in edit
    ? msg(html`every <bdi lang="">${clipped(edit.token)}</bdi>, number ${edit.column + 1}`)
    : msg(html`${withSubs(edit.array)}, row ${edit.row + 1}, column ${edit.column + 1}`);
}
