// Parameters of the reader's own: a place to paste one matrix, a list of those in use, and the way back.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { GivenId } from '../engine.ts';
import { nameOf } from '../pasted.ts';
import { withSubs } from './subs.ts';

export interface YoursData {
  /** A language model of the reader's own, in words; null without one. */
  model: string | null;
  /** What may be pasted now, with how many numbers it needs. */
  choices: readonly { id: GivenId; extents: readonly number[] }[];
  chosen: GivenId;
  text: string;
  /** What is wrong with the text, and what was done with it. */
  problem: string;
  done: string;
  /** Settings that would make the pasted numbers fit, in words. */
  offer: string;
  inUse: readonly { id: GivenId; extents: string; waits: boolean }[];
}

export interface YoursEvents {
  choose(id: GivenId): void;
  type(text: string): void;
  use(): void;
  accept(): void;
  present(): void;
  files(files: readonly File[]): void;
  closeModel(): void;
  remove(id: GivenId): void;
  reset(): void;
}

const shape = (extents: readonly number[]) => `[${extents.join(' × ')}]`;

export function yours(data: YoursData, events: YoursEvents): TemplateResult {
  if (data.model !== null) {
    return html`
      <div class="yours" part="yours" role="group" aria-label=${msg('Your own model')}>
        <p>${msg(html`<b><bdi>${data.model}</bdi></b>, opened from your file. It stays in this browser.`)}</p>
        <div class="yours-line"><button type="button" class="plain" data-close-model @click=${events.closeModel}>${msg('Close it')}</button></div>
        <p class="problem" role="alert">${data.problem}</p>
      </div>
    `;
  }
  const chosen = data.choices.find(({ id }) => id === data.chosen);
  const file = html`<label class="quiet">${msg('file')}<input class="unseen" type="file" multiple accept=".csv,.tsv,.txt,.json,.safetensors" @change=${(event: Event) => events.files([...((event.target as HTMLInputElement).files ?? [])])}></label>`;
  return html`
    <div class="yours" part="yours" role="group" aria-label=${msg('Your own parameters')}>
      <div class="yours-line">
        <label>${msg('Matrix')} <select data-matrix @change=${(event: Event) => events.choose((event.target as HTMLSelectElement).value as GivenId)}>
          ${data.choices.map(({ id, extents }) => html`<option value=${id} .selected=${live(id === data.chosen)}>${nameOf(id)} ${shape(extents)}</option>`)}
        </select></label>
        <span class="muted">${msg(html`Row = input, one line a row. CSV, TSV or JSON, pasted, dropped or from a ${file}.`)}
          ${msg('Or a whole GPT-2-style model: a .safetensors file, with config.json, vocab.json and merges.txt where you have them.')}</span>
      </div>
      <textarea class="paste" rows="5" spellcheck="false" autocomplete="off" aria-label=${msg(str`Numbers of ${nameOf(data.chosen)}`)} aria-describedby="paste-problem"
        aria-invalid=${data.problem ? 'true' : 'false'} placeholder=${chosen ? msg(str`${shape(chosen.extents)} numbers`) : ''} .value=${live(data.text)}
        @input=${(event: Event) => events.type((event.target as HTMLTextAreaElement).value)}
        @dragover=${(event: DragEvent) => event.preventDefault()}
        @drop=${(event: DragEvent) => {
          const files = [...(event.dataTransfer?.files ?? [])];
          if (files.length === 0) return;
          event.preventDefault();
          events.files(files);
        }}></textarea>
      <div class="yours-line">
        <button type="button" class="plain" data-use @click=${events.use}>${msg('Use these numbers')}</button>
        <button type="button" class="plain" data-present @click=${events.present}>${msg(html`Copy the present ${withSubs(nameOf(data.chosen))} as CSV`)}</button>
        ${data.offer ? html`<button type="button" class="plain" data-offer @click=${events.accept}>${withSubs(data.offer)}</button>` : nothing}
      </div>
      <p id="paste-problem" class="problem" role="alert">${withSubs(data.problem)}</p>
      <p class="muted" role="status">${withSubs(data.done)}</p>
      ${data.inUse.length > 0
        ? html`
            <ul class="yours-list">
              ${data.inUse.map(({ id, extents, waits }) => html`
                <li>${waits
                  ? msg(html`<b>${withSubs(nameOf(id))}</b> waits: these settings need <b>${extents}</b>, so random numbers stand in for it`)
                  : msg(html`<b>${withSubs(nameOf(id))}</b> ${extents} is yours`)}
                  <button type="button" class="quiet" @click=${() => events.remove(id)}>${msg('Remove')}</button></li>
              `)}
              <li><button type="button" class="quiet" data-reset @click=${events.reset}>${msg('Remove all')}</button></li>
            </ul>
          `
        : html`<p class="muted">${msg('Nothing of yours is in use yet: all parameters are random.')}</p>`}
    </div>
  `;
}
