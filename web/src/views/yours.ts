// Parameters of the reader's own: a place to paste one matrix, a list of those in use, and the way back.
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { GivenId } from '../engine.ts';
import { nameOf } from '../given.ts';
import { withSubs } from './controls.ts';

export interface YoursData {
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
  file(file: File | undefined): void;
  remove(id: GivenId): void;
  reset(): void;
}

const shape = (extents: readonly number[]) => `[${extents.join(' × ')}]`;

export function yours(data: YoursData, events: YoursEvents): TemplateResult {
  const chosen = data.choices.find(({ id }) => id === data.chosen);
  return html`
    <div class="yours" part="yours" role="group" aria-label="Your own parameters">
      <div class="yours-line">
        <label>Matrix <select data-matrix @change=${(event: Event) => events.choose((event.target as HTMLSelectElement).value as GivenId)}>
          ${data.choices.map(({ id, extents }) => html`<option value=${id} .selected=${live(id === data.chosen)}>${nameOf(id)} ${shape(extents)}</option>`)}
        </select></label>
        <span class="muted">Row = input, one line a row. CSV, TSV or JSON, pasted, dropped or from a
          <label class="quiet">file<input class="unseen" type="file" accept=".csv,.tsv,.txt,.json" @change=${(event: Event) => events.file((event.target as HTMLInputElement).files?.[0])}></label>.</span>
      </div>
      <textarea class="paste" rows="5" spellcheck="false" autocomplete="off" aria-label="Numbers of ${nameOf(data.chosen)}" aria-describedby="paste-problem"
        aria-invalid=${data.problem ? 'true' : 'false'} placeholder=${chosen ? `${shape(chosen.extents)} numbers` : ''} .value=${live(data.text)}
        @input=${(event: Event) => events.type((event.target as HTMLTextAreaElement).value)}
        @dragover=${(event: DragEvent) => event.preventDefault()}
        @drop=${(event: DragEvent) => {
          const file = event.dataTransfer?.files[0];
          if (!file) return;
          event.preventDefault();
          events.file(file);
        }}></textarea>
      <div class="yours-line">
        <button type="button" class="plain" data-use @click=${events.use}>Use these numbers</button>
        <button type="button" class="plain" data-present @click=${events.present}>Copy the present ${withSubs(nameOf(data.chosen))} as CSV</button>
        ${data.offer ? html`<button type="button" class="plain" data-offer @click=${events.accept}>${withSubs(data.offer)}</button>` : nothing}
      </div>
      <p id="paste-problem" class="problem" role="alert">${withSubs(data.problem)}</p>
      <p class="muted" role="status">${withSubs(data.done)}</p>
      ${data.inUse.length > 0
        ? html`
            <ul class="yours-list">
              ${data.inUse.map(({ id, extents, waits }) => html`
                <li><b>${withSubs(nameOf(id))}</b>${waits ? html` waits: these settings need <b>${extents}</b>, so random numbers stand in for it` : html` ${extents} is yours`}
                  <button type="button" class="quiet" @click=${() => events.remove(id)}>Remove</button></li>
              `)}
              <li><button type="button" class="quiet" data-reset @click=${events.reset}>Remove all</button></li>
            </ul>
          `
        : html`<p class="muted">Nothing of yours is in use yet: all parameters are random.</p>`}
    </div>
  `;
}
