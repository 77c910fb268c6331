// Parameters of the reader's own: a place to paste one matrix, a list of those in use, and the way back.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { GivenId, Settings, Trace } from '../../engine/engine.ts';
import { droppedFiles } from '../../lib/dropped.ts';
import { clipped, count, percentOf, plural } from '../../lib/format.ts';
import { shortest } from '../../lib/parse.ts';
import { type Given, PASTABLE, type Sizes, extentsOf, fitting, isSettable } from '../../parameters/given.ts';
import { MAX_CHARACTERS, type Matrix, parseMatrix, toCsv } from '../../parameters/matrix-text.ts';
import type { ModelReader } from '../../parameters/language-model/reader.ts';
import type { Replay } from '../../parameters/trained-here.ts';
import { arrange, isNpy, nameOf, readNpy, settingsFor } from '../../parameters/pasted.ts';
import type { State } from '../../state/state.ts';
import { withSubs } from '../../text/subscripts.ts';
import { goesRound } from '../kit/text-box.ts';

/** Read as a model, or refused as one. */
const MODEL_FILE = /\.(?:safetensors|bin|pt|pth|ckpt|gguf|h5|msgpack|onnx)\b|^(?:config|tokenizer|vocab|merges)\b.*\.(?:json|txt)$/i;

export interface YoursHost {
  /** A language model from files that lie side by side. Rejects with a sentence. */
  openModel(files: readonly File[], progress: (share: number) => void): Promise<void>;
  closeModel(): void;
  /** The one that is open. */
  model(): ModelReader | null;
  wanted(): State;
  sizes(): Sizes;
  trace(): Trace | null;
  change(part: Partial<State>): void;
  update(): void;
}

export class Yours implements YoursEvents {
  #chosen: GivenId = 'W_Q';
  #text = '';
  #problem = '';
  #done = '';
  #offer: { matrix: Matrix; settings: Partial<Settings> } | null = null;

  constructor(private readonly host: YoursHost) {}

  get data(): YoursData {
    const { given, settings, keyText } = this.host.wanted();
    const sizes = this.host.sizes();
    const cross = keyText !== null;
    const waits = fitting(given ?? {}, sizes, cross).waits;
    const choices = PASTABLE.filter((id) => isSettable(id, settings, cross)).map((id) => ({ id, extents: extentsOf(id, sizes) }));
    if (!choices.some(({ id }) => id === this.#chosen)) this.#chosen = 'W_Q';
    return {
      model: modelWords(this.host.model()), choices, chosen: this.#chosen, text: this.#text, problem: this.#problem, done: this.#done,
      offer: this.#offer ? offerWords(this.#offer.settings) : '',
      inUse: Object.keys(given ?? {}).map((key) => {
        const id = key as GivenId;
        return { id, waits: waits.includes(id), extents: isSettable(id, settings, cross) ? `[${extentsOf(id, sizes).join(' × ')}]` : msg('none', { id: 'no-numbers', desc: 'as many numbers does a matrix need that these settings leave out' }) };
      }),
    };
  }

  #say(part: { problem?: string; done?: string }): void {
    this.#problem = part.problem ?? '';
    this.#done = part.done ?? '';
    this.host.update();
  }

  choose = (id: GivenId): void => {
    this.#chosen = id;
    this.#offer = null;
    this.#say({});
  };

  type = (text: string): void => {
    this.#text = text;
    this.#offer = null;
    this.#say({});
  };

  use = (): void => {
    const matrix = parseMatrix(this.#text);
    if ('message' in matrix) return this.#say({ problem: msg(str`Line ${matrix.line}, column ${matrix.column}: ${matrix.message}`) });
    this.#fit(matrix);
  };

  /** Uses it where it fits, or says what is needed. */
  #fit(matrix: Matrix): void {
    const id = this.#chosen;
    const sizes = this.host.sizes();
    const numbers = arrange(id, matrix, sizes) ?? (matrix.other ? arrange(id, matrix.other, sizes) : null);
    if (!numbers) {
      const settings = settingsFor(id, matrix, sizes.settings);
      this.#offer = settings && { matrix, settings };
      const [name, wanted, here] = [nameOf(id), extentsOf(id, sizes).join(' × '), matrix.extents.join(' × ')];
      return this.#say({
        problem: this.#offer
          ? msg(str`${name} needs [${wanted}] numbers, and here are [${here}]. Paste as many, or change the settings.`)
          : msg(str`${name} needs [${wanted}] numbers, and here are [${here}]. Paste as many, or a sentence of as many words.`),
      });
    }
    this.#take(id, numbers, {}, matrix.named);
  }

  accept = (): void => {
    if (!this.#offer) return;
    const { matrix, settings } = this.#offer;
    const changed = { ...this.host.wanted().settings, ...settings };
    const numbers = arrange(this.#chosen, matrix, { ...this.host.sizes(), settings: changed });
    if (numbers) this.#take(this.#chosen, numbers, { settings: changed });
  };

  #take(id: GivenId, numbers: Float32Array, part: Partial<State>, named = false): void {
    const given: Given = { ...this.host.wanted().given, [id]: numbers };
    this.#offer = null;
    this.host.change({ ...part, given, source: 'yours' });
    const said = msg(str`${nameOf(id)} is yours now.`);
    this.#say({ done: named ? `${said} ${msg('Names of rows or columns were left out.')}` : said });
  }

  present = (): void => {
    const id = this.#chosen;
    const trace = this.host.trace();
    if (!trace) return;
    const values = id.startsWith('W_') || id.startsWith('b_') ? trace.parameter(id as 'W_Q') : trace.stage(id as 'query');
    this.#text = toCsv(values, trace.extents(id).at(-1) ?? 1, shortest);
    this.#offer = null;
    const said = msg(str`This is ${nameOf(id)} as it is now. Change what you like, and use it.`);
    this.#say({ done: said });
    // Without leave to write there, the text in the box is still there to be copied.
    void navigator.clipboard?.writeText(this.#text).then(() => this.#say({ done: msg(str`${said} It is copied, too.`) }), () => {});
  };

  files = (files: readonly File[]): void => {
    const [file] = files;
    if (!file) return;
    if (files.length > 1 || MODEL_FILE.test(file.name)) return this.#open(files);
    if (file.size > MAX_CHARACTERS) return this.#say({ problem: msg(str`“${file.name}” is larger than any matrix could be. Choose a file with the numbers of one matrix.`) });
    void file.arrayBuffer().then((buffer) => this.#read(file.name, new Uint8Array(buffer)), () => this.#say({ problem: msg(str`“${file.name}” could not be read. Open it, and paste its numbers.`) }));
  };

  #read(name: string, bytes: Uint8Array): void {
    if (isNpy(bytes)) return this.#readNpy(bytes);
    // A workbook and NumPy's .npz are archives.
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return this.#say({ problem: msg(str`“${clipped(name)}” is an archive, as workbooks and .npz files are. Save one sheet as CSV, or one array as .npy, and drop that.`) });
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    this.#text = new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
    this.use();
  }

  #readNpy(bytes: Uint8Array): void {
    try {
      const matrix = readNpy(bytes);
      this.#text = toCsv(matrix.values, matrix.extents.at(-1) ?? 1, shortest);
      this.#fit(matrix);
    } catch (error) {
      this.#say({ problem: (error as Error).message });
    }
  }

  /** Until it is open, everything stays as it was; and after a failure, too. */
  #open(files: readonly File[]): void {
    const said = (share: number) => this.#say({ done: msg(str`Reading the model: ${percentOf(share)}…`) });
    said(0);
    void this.host.openModel(files, said).then(() => this.#say({}), (error: unknown) => this.#say({ problem: error instanceof Error ? error.message : String(error) }));
  }

  closeModel = (): void => {
    this.host.closeModel();
    this.#say({ done: msg('The model is closed.') });
  };

  remove = (id: GivenId): void => {
    const { [id]: _, ...given } = this.host.wanted().given ?? {};
    this.host.change({ given: Object.keys(given).length > 0 ? given : null });
    this.#say({ done: msg(str`${nameOf(id)} is random again.`) });
  };

  reset = (): void => {
    this.host.change({ given: null });
    this.#say({ done: msg('All parameters are random again.') });
  };
}

function offerWords({ d_model, num_heads, d_k }: Partial<Settings>): string {
  return d_k
    ? msg(str`Set d_model ${d_model}, heads ${num_heads}, d_k and d_v ${d_k}, and use it`)
    : msg(str`Set d_model ${d_model}, heads ${num_heads}, and use it`);
}

function modelWords(reader: ModelReader | null): YoursData['model'] {
  if (!reader) return null;
  const { name, layers, heads, d_model, vocabulary, context } = reader.configuration;
  const sizes = msg(str`${plural(layers, msg('1 layer'), msg(str`${layers} layers`))} of ${plural(heads, msg('1 head'), msg(str`${heads} heads`))}`, { id: 'layers-of-heads' });
  const words = msg(str`${name}: ${sizes}, d_model ${d_model}, ${count(vocabulary)} tokens, ${count(context)} at once`);
  return { words, notes: reader.notes, replay: reader.replay };
}

export interface YoursData {
  /** A language model of the reader's own, in words, and sentences on how it was opened; null without one. */
  model: { words: string; notes: readonly string[]; replay: Replay | null } | null;
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

/** A browser takes long to lay so much out: the box shows the beginning, and all of it is used. */
const isLongPaste = (text: string): boolean => text.length > 100_000;
const inPaste = (text: string): string => (isLongPaste(text) ? text.slice(0, 2000) : text);

const shape = (extents: readonly number[]) => `[${extents.join(' × ')}]`;

export function yours(data: YoursData, events: YoursEvents): TemplateResult {
  if (data.model !== null) {
    return html`
      <div class="yours" part="yours" role="group" aria-label=${msg('Your own model')}>
        <p>${data.model.replay
          ? msg(html`<b><bdi>${data.model.words}</bdi></b>, trained here. A link to this page trains it again, to the same numbers.`)
          : msg(html`<b><bdi>${data.model.words}</bdi></b>, opened from your file. It stays in this browser.`)}</p>
        ${data.model.notes.map((note) => html`<p class="muted" data-note="opened">${note}</p>`)}
        <div class="yours-line"><button type="button" class="plain" data-close-model @click=${events.closeModel}>${msg('Close it')}</button></div>
        <p class="problem" role="alert">${data.problem}</p>
      </div>
    `;
  }
  const chosen = data.choices.find(({ id }) => id === data.chosen);
  const file = html`<label class="quiet">${msg('file')}<input class="unseen" type="file" multiple accept=".csv,.tsv,.txt,.json,.bpe,.npy,.safetensors" @change=${(event: Event) => events.files([...((event.target as HTMLInputElement).files ?? [])])}></label>`;
  return html`
    <div class="yours" part="yours" role="group" aria-label=${msg('Your own parameters')}>
      <div class="yours-line">
        <label>${msg('Matrix')} <select data-matrix @change=${(event: Event) => events.choose((event.target as HTMLSelectElement).value as GivenId)}>
          ${data.choices.map(({ id, extents }) => html`<option value=${id} .selected=${live(id === data.chosen)}>${nameOf(id)} ${shape(extents)}</option>`)}
        </select></label>
        <span class="muted">${msg(html`Row = input, one line a row. CSV, TSV, JSON or what NumPy, PyTorch, pandas, R or MATLAB print, pasted, dropped or from a ${file}; .npy, too.`)}
          ${msg('Or a whole model of the kind of GPT-2, Llama, GPT-NeoX or BERT: a .safetensors file, with config.json and tokenizer.json where you have them, or its whole folder.')}</span>
      </div>
      <textarea class="paste" rows="5" spellcheck="false" autocomplete="off" aria-label=${msg(str`Numbers of ${nameOf(data.chosen)}`)} aria-describedby="paste-problem"
        aria-invalid=${data.problem ? 'true' : 'false'} placeholder=${chosen ? msg(str`${shape(chosen.extents)} numbers`) : ''} .value=${live(inPaste(data.text))}
        @beforeinput=${(event: Event) => goesRound(event, events.type, isLongPaste)}
        @input=${(event: Event) => events.type((event.target as HTMLTextAreaElement).value)}
        @dragover=${(event: DragEvent) => event.preventDefault()}
        @drop=${(event: DragEvent) => {
          if (!event.dataTransfer?.files.length) return;
          event.preventDefault();
          void droppedFiles(event.dataTransfer).then(events.files);
        }}></textarea>
      <div class="yours-line">
        <button type="button" class="plain" data-use @click=${events.use}>${msg('Use these numbers')}</button>
        <button type="button" class="plain" data-present @click=${events.present}>${msg(html`Copy the present ${withSubs(nameOf(data.chosen))} as CSV`)}</button>
        ${data.offer ? html`<button type="button" class="plain" data-offer @click=${events.accept}>${withSubs(data.offer)}</button>` : nothing}
      </div>
      ${isLongPaste(data.text) ? html`<p class="muted" data-long>${msg(str`The box shows the beginning of ${count(data.text.length)} characters. All of them are used; what you type there takes their place.`)}</p>` : nothing}
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
