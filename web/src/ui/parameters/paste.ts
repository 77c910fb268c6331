// The reader's own parameters: a box to paste a matrix, a list of those in use, and a button to remove them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { GivenId, Settings, Trace } from '../../engine/engine.ts';
import { ANSWERS } from '../../lib/dropped.ts';
import { clipped, count, percentOf, plural } from '../../lib/format.ts';
import { shortest } from '../../lib/parse.ts';
import { type Given, PASTABLE, type Sizes, extentsOf, fitting, isSettable } from '../../parameters/given.ts';
import { MAX_CHARACTERS, type Matrix, parseMatrix, toCsv } from '../../parameters/matrix-text.ts';
import type { ModelReader } from '../../parameters/language-model/reader.ts';
import type { LanguageModels } from '../../parameters/sources.ts';
import { MOST_LEARNT, decodeReplay, fitsLink } from '../../parameters/trained-here.ts';
import { arrange, isNpy, nameOf, readNpy, settingsFor } from '../../parameters/pasted.ts';
import type { Change, State } from '../../state/state.ts';
import { withSubs } from '../../text/word.ts';
import { goesRound } from '../kit/text-box.ts';

/** Read as a model, or refused as one. */
const MODEL_FILE = /\.(?:safetensors|bin|pt|pth|ckpt|gguf|h5|msgpack|onnx|ot|model)\b|^(?:config|tokenizer|vocab|merges)\b.*\.(?:json|txt)$/i;

export interface YoursHost {
  /** A language model from files that lie side by side. Rejects with a sentence. */
  openModel(files: readonly File[], progress: (share: number) => void): Promise<void>;
  closeModel(): void;
  /** The one that is open, or ready weights. */
  model(): ReturnType<LanguageModels['of']>;
  wanted(): State;
  sizes(): Sizes;
  trace(): Trace | null;
  /** The model that was trained in the page. */
  here(): ReturnType<LanguageModels['of']>;
  change(part: Change): void;
  update(): void;
}

/** What may be chosen in the list: a matrix of the layer, or the weights of any model. */
type Chosen = GivenId | 'attention';

export class Yours implements YoursEvents {
  #chosen: Chosen = 'W_Q';
  #text = '';
  #problem = '';
  #done = '';
  #offer: { matrix: Matrix; settings: Partial<Settings> } | null = null;
  /** Files whose sizes the reader is asked for. */
  #asked: { files: readonly File[]; asks: Asks } | null = null;

  constructor(private readonly host: YoursHost) {}

  get data(): YoursData {
    const { given, settings, keyText } = this.host.wanted();
    const sizes = this.host.sizes();
    const cross = keyText !== null;
    const waits = fitting(given ?? {}, sizes, cross).waits;
    const choices = PASTABLE.filter((id) => isSettable(id, settings, cross)).map((id) => ({ id, extents: extentsOf(id, sizes) }));
    if (this.#chosen !== 'attention' && !choices.some(({ id }) => id === this.#chosen)) this.#chosen = 'W_Q';
    return {
      model: modelWords(this.host.model(), this.host.wanted()), choices, chosen: this.#chosen, text: this.#text, problem: this.#problem, done: this.#done,
      offer: this.#offer ? offerWords(this.#offer.settings) : '', asks: this.#asked?.asks ?? null,
      inUse: Object.keys(given ?? {}).map((key) => {
        const id = key as GivenId;
        return { id, waits: waits.includes(id), extents: isSettable(id, settings, cross) ? `[${extentsOf(id, sizes).join(' × ')}]` : msg('none', { id: 'no-numbers', desc: 'as many numbers does a matrix need that these settings leave out' }) };
      }),
    };
  }

  get here(): HereData {
    const { replay } = this.host.wanted();
    const reader = this.host.here();
    const model = reader && 'model' in reader ? reader : null;
    return { of: replay === null ? null : decodeReplay(replay), model: model && { words: sizesOf(model.configuration), notes: model.notes, isCausal: model.configuration.causal !== false, isScaled: model.configuration.scaled !== false } };
  }

  #say(part: { problem?: string; done?: string; asked?: { files: readonly File[]; asks: Asks } | null }): void {
    this.#asked = part.asked ?? null;
    this.#problem = part.problem ?? '';
    this.#done = part.done ?? '';
    this.host.update();
  }

  choose = (id: Chosen): void => {
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
    if (this.#chosen === 'attention' || isWeights(this.#text)) return this.#open([new File([this.#text], 'pasted.json')]);
    const matrix = parseMatrix(this.#text);
    if ('message' in matrix) return this.#say({ problem: msg(str`Line ${matrix.line}, column ${matrix.column}: ${matrix.message}`) });
    this.#fit(matrix);
  };

  /** Uses it if it fits, or says what is needed. */
  #fit(matrix: Matrix): void {
    const id = this.#chosen as GivenId;
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
    const id = this.#chosen as GivenId;
    const numbers = arrange(id, matrix, { ...this.host.sizes(), settings: changed });
    if (numbers) this.#take(id, numbers, settings);
  };

  #take(id: GivenId, numbers: Float32Array, part: Change, named = false): void {
    const given: Given = { ...this.host.wanted().given, [id]: numbers };
    this.#offer = null;
    this.host.change({ ...part, given, source: 'yours' });
    const said = msg(str`${nameOf(id)} is yours now.`);
    this.#say({ done: named ? `${said} ${msg('Names of rows or columns were left out.')}` : said });
  }

  present = (): void => {
    const id = this.#chosen;
    const trace = this.host.trace();
    if (!trace || id === 'attention') return;
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
    if (files.length > 1 || this.host.model() || this.#chosen === 'attention' || MODEL_FILE.test(file.name)) return this.#open(files);
    if (/\.npz$/i.test(file.name) || (/\.npy$/i.test(file.name) && file.size > MAX_CHARACTERS)) return this.#open(files);
    if (file.size > MAX_CHARACTERS) return this.#say({ problem: msg(str`“${file.name}” is larger than any matrix could be. Choose a file with the numbers of one matrix.`) });
    void file.arrayBuffer().then((buffer) => this.#read(file.name, new Uint8Array(buffer), file), () => this.#say({ problem: msg(str`“${file.name}” could not be read. Open it, and paste its numbers.`) }));
  };

  #read(name: string, bytes: Uint8Array, file: File): void {
    if (isNpy(bytes)) return this.#readNpy(bytes, file);
    // As a workbook is.
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return this.#say({ problem: msg(str`“${clipped(name)}” is an archive, as workbooks are. Save one sheet as CSV, and drop that.`) });
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const text = new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
    if (isWeights(text)) return this.#open([file]);
    this.#text = text;
    this.use();
  }

  /** One matrix, or weights: of four extents and more, or of rows that are shares and do not fit the matrix that is chosen. */
  #readNpy(bytes: Uint8Array, file: File): void {
    if (extentsIn(bytes) > 3) return this.#open([file]);
    try {
      const matrix = readNpy(bytes);
      if (!arrange(this.#chosen as GivenId, matrix, this.host.sizes()) && isShares(matrix)) return this.#open([file]);
      this.#text = toCsv(matrix.values, matrix.extents.at(-1) ?? 1, shortest);
      this.#fit(matrix);
    } catch (error) {
      this.#say({ problem: (error as Error).message });
    }
  }

  /** Nothing changes until it is open, or if it fails. */
  #open(files: readonly File[], answered: { files: readonly File[]; asks: Asks } | null = null): void {
    const said = (share: number) => this.#say({ done: msg(str`Reading the file: ${percentOf(share)}…`) });
    said(0);
    void this.host.openModel(files, said).then(() => this.#say({}), (error: unknown) => this.#say({
      problem: error instanceof Error ? error.message : String(error),
      asked: error instanceof Error && 'asks' in error ? { files, asks: error.asks as Asks } : answered,
    }));
  }

  /** The sizes that a model lacks, as its config.json would say them. */
  answer = (sizes: Readonly<Record<string, number>>): void => {
    if (!this.#asked) return;
    const { files } = this.#asked;
    this.#open([...files, new File([JSON.stringify(sizes)], ANSWERS)], { files, asks: sizes });
  };

  closeModel = (): void => {
    this.host.closeModel();
    this.#say({ done: msg('The file is closed.') });
  };

  /** The words of ready weights, instead of others that were typed. */
  ownWords = (): void => {
    const reader = this.host.model();
    if (reader && 'attention' in reader) this.host.change(reader.opening);
    this.#say({});
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

/** Whether a text says that it holds weights, or is a list of four levels or more. */
const isWeights = (text: string): boolean => /^\s*\{\s*"/.test(text) || /^\s*(?:\[\s*){4}/.test(text);

/** As the header of a .npy file says. */
const extentsIn = (bytes: Uint8Array): number => (/'shape':\s*\(([^)]*)\)/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 1024)))?.[1] ?? '').split(',').filter((each) => each.trim()).length;

/** Whether each row adds up to 1 and holds nothing below 0. */
function isShares({ extents, values }: Matrix): boolean {
  const columns = extents.at(-1) ?? 1;
  if (extents.length < 2 || values.some((value) => value < 0)) return false;
  return Array.from({ length: values.length / columns }, (_, row) => values.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0)).every((sum) => Math.abs(sum - 1) < 0.01);
}

function modelWords(reader: ReturnType<LanguageModels['of']>, { text, keyText }: State): YoursData['model'] {
  if (!reader) return null;
  if ('attention' in reader) {
    const { attention: { name, layers, heads, T, S }, opening, hasWords } = reader;
    const notes = hasWords ? [] : [msg('The file has no words, so rows are numbered. Type the words in the box of the sentence, with spaces between, or choose the file together with a file of its words.')];
    return { words: msg(str`${clipped(name)}: ${layersOfHeads(layers, heads)}, ${T} × ${S} weights each`), notes, hasOwnWords: text !== opening.text || keyText !== opening.keyText };
  }
  return { words: sizesOf(reader.configuration), notes: reader.notes, hasOwnWords: false };
}

function sizesOf({ name, layers, heads, d_model, vocabulary, context }: ModelReader['configuration']): string {
  return msg(str`${name}: ${layersOfHeads(layers, heads)}, d_model ${d_model}, ${count(vocabulary)} tokens, ${count(context)} at once`);
}

const layersOfHeads = (layers: number, heads: number): string => msg(str`${plural(layers, msg('1 layer'), msg(str`${layers} layers`))} of ${plural(heads, msg('1 head'), msg(str`${heads} heads`))}`, { id: 'layers-of-heads' });

/** Names of config.json, each with the number that is usual. */
type Asks = Readonly<Record<string, number>>;

export interface YoursData {
  /** A language model of the reader's own or ready weights, in words, and sentences on how it was opened; null without one. */
  model: { words: string; notes: readonly string[]; hasOwnWords: boolean } | null;
  /** What may be pasted now, with how many numbers it needs. */
  choices: readonly { id: GivenId; extents: readonly number[] }[];
  chosen: Chosen;
  text: string;
  /** What is wrong with the text, and what was done with it. */
  problem: string;
  done: string;
  /** Settings that would make the pasted numbers fit, in words. */
  offer: string;
  /** Sizes that the chosen file does not say. */
  asks: Asks | null;
  inUse: readonly { id: GivenId; extents: string; waits: boolean }[];
}

export interface YoursEvents {
  choose(id: Chosen): void;
  type(text: string): void;
  use(): void;
  accept(): void;
  answer(sizes: Readonly<Record<string, number>>): void;
  present(): void;
  files(files: readonly File[]): void;
  closeModel(): void;
  ownWords(): void;
  remove(id: GivenId): void;
  reset(): void;
}

/** A browser takes long to lay so much out: the box shows the beginning, and all of it is used. */
const isLongPaste = (text: string): boolean => text.length > 100_000;
const inPaste = (text: string): string => (isLongPaste(text) ? text.slice(0, 2000) : text);

const shape = (extents: readonly number[]) => `[${extents.join(' × ')}]`;

function sizesForm({ asks }: YoursData, { answer }: Pick<YoursEvents, 'answer'>): TemplateResult | typeof nothing {
  if (!asks) return nothing;
  const submit = (event: Event) => {
    event.preventDefault();
    answer(Object.fromEntries([...new FormData(event.target as HTMLFormElement)].map(([name, text]) => [name, Number(text)])));
  };
  return html`
    <form class="yours-line" data-asks @submit=${submit}>
      ${Object.entries(asks).map(([name, usual]) => html`<label><code>${name}</code> <input class="field" name=${name} type="number" min="0" step="any" required .value=${String(usual)}></label>`)}
      <button class="plain">${msg('Open it with these')}</button>
    </form>`;
}

/** The result of opening files that were dropped while other parameters are in use. */
export const dropWords = (data: YoursData, events: Pick<YoursEvents, 'answer'>): TemplateResult => html`
  <p class="problem" role="alert">${withSubs(data.problem)}</p>
  ${sizesForm(data, events)}
  <p class="muted" role="status">${withSubs(data.done)}</p>`;

// What was trained in the page.

/** The address of the page's playground; empty in other people's pages. */
declare const PLAYGROUND: string;

export interface HereData {
  /** What makes the model; null before one was trained. */
  of: ReturnType<typeof decodeReplay>;
  /** Null while it is made. */
  model: { words: string; notes: readonly string[]; isCausal: boolean; isScaled: boolean } | null;
}

export function trainedHere({ of, model }: HereData, { closeModel }: Pick<YoursEvents, 'closeModel'>): TemplateResult {
  const to = (words: unknown) => (PLAYGROUND === '' ? html`<b>${words}</b>` : html`<a href="training.html">${words}</a>`);
  return html`
    <div class="trained-here" part="trained-here" role="group" aria-label=${msg('Trained here')}>
      ${!of ? html`<p>${msg(html`Nothing was trained here yet, so the parameters are random. Train a model in ${to(msg('a lesson on training'))}, and choose there: <b>Open this model in the playground</b>.`)}</p>` : nothing}
      ${of && model ? html`
        <p><b><bdi>${model.words}</bdi></b></p>
        <p data-recipe>${msg(html`Lesson <b>${of.lesson}</b>, run <b>${of.run}</b>, seed <b>${of.seed}</b>, step <b>${count(of.step)}</b>.`)}
          ${model.isCausal ? (model.isScaled ? msg('In the end it was trained with the causal mask and with ÷ √d.') : msg('In the end it was trained with the causal mask and without ÷ √d.')) : model.isScaled ? msg('In the end it was trained without a mask and with ÷ √d.') : msg('In the end it was trained without a mask and without ÷ √d.')}
          ${of.rules ? msg(html`Changed on the way: <code>${of.rules}</code>.`) : nothing}
          ${fitsLink(of.learnt) ? msg('A link to this page trains it again, to the same numbers.') : msg(str`A link holds a text of ${count(MOST_LEARNT)} characters at most, and what this model learnt is longer: keep its file to open it again.`)}</p>
        ${model.notes.map((note) => html`<p class="muted" data-note="opened">${note}</p>`)}
        <div class="yours-line"><button type="button" class="plain" data-close-model @click=${closeModel}>${msg('Close it')}</button></div>` : nothing}
    </div>
  `;
}

export function yours(data: YoursData, events: YoursEvents): TemplateResult {
  if (data.model !== null) {
    return html`
      <div class="yours" part="yours" role="group" aria-label=${msg('Your own file')}>
        <p>${msg(html`<b><bdi>${data.model.words}</bdi></b>, opened from your file. It stays in this browser.`)}</p>
        ${data.model.notes.map((note) => html`<p class="muted" data-note="opened">${note}</p>`)}
        <div class="yours-line"><button type="button" class="plain" data-close-model @click=${events.closeModel}>${msg('Close it')}</button>
          ${data.model.hasOwnWords ? html`<button type="button" class="plain" data-own-words @click=${events.ownWords}>${msg('Put the file’s own words back')}</button>` : nothing}</div>
        <p class="problem" role="alert">${data.problem}</p>
        ${sizesForm(data, events)}
      </div>
    `;
  }
  const chosen = data.choices.find(({ id }) => id === data.chosen);
  const chosenFiles = (event: Event) => events.files([...((event.target as HTMLInputElement).files ?? [])]);
  const file = html`<label class="quiet">${msg('file')}<input class="unseen" type="file" multiple accept=".csv,.tsv,.txt,.json,.bpe,.npy,.npz,.safetensors,.gguf,.bin,.model" @change=${chosenFiles}></label>`;
  const folder = html`<label class="quiet">${msg('folder')}<input class="unseen" type="file" webkitdirectory @change=${chosenFiles}></label>`;
  return html`
    <div class="yours" part="yours" role="group" aria-label=${msg('Your own parameters')}>
      <div class="yours-line">
        <label>${msg('Matrix')} <select data-matrix @change=${(event: Event) => events.choose((event.target as HTMLSelectElement).value as Chosen)}>
          ${data.choices.map(({ id, extents }) => html`<option value=${id} .selected=${live(id === data.chosen)}>${nameOf(id)} ${shape(extents)}</option>`)}
          <option value="attention" .selected=${live(data.chosen === 'attention')}>${msg('attention weights of any model')}</option>
        </select></label>
        <span class="muted">${msg(html`Row = input, one line a row. CSV, TSV, JSON or what NumPy, PyTorch, pandas, R or MATLAB print, pasted, dropped or from a ${file}; .npy, too.`)}
          ${msg(html`Or a whole model of the kind of GPT-2, GPT-Neo, Llama, GPT-NeoX or BERT: a .safetensors file, with config.json and tokenizer.json where you have them, a .gguf file, or its whole ${folder}.`)}
          ${msg(html`Or the attention weights of any model, which you saved as JSON, .npy or .npz with their tokens; <a href="docs/models.md">how</a>.`)}</span>
      </div>
      <textarea class="paste" rows="5" spellcheck="false" autocomplete="off" aria-label=${data.chosen === 'attention' ? msg('Attention weights as JSON') : msg(str`Numbers of ${nameOf(data.chosen)}`)} aria-describedby="paste-problem"
        aria-invalid=${data.problem ? 'true' : 'false'} placeholder=${chosen ? msg(str`${shape(chosen.extents)} numbers`) : '{"tokens": […], "attention": [[[[…]]]]}'} .value=${live(inPaste(data.text))}
        @beforeinput=${(event: Event) => goesRound(event, events.type, isLongPaste)}
        @input=${(event: Event) => events.type((event.target as HTMLTextAreaElement).value)}></textarea>
      <div class="yours-line">
        <button type="button" class="plain" data-use @click=${events.use}>${msg('Use these numbers')}</button>
        ${data.chosen === 'attention' ? nothing : html`<button type="button" class="plain" data-present @click=${events.present}>${msg(html`Copy the present ${withSubs(nameOf(data.chosen))} as CSV`)}</button>`}
        ${data.offer ? html`<button type="button" class="plain" data-offer @click=${events.accept}>${withSubs(data.offer)}</button>` : nothing}
      </div>
      ${isLongPaste(data.text) ? html`<p class="muted" data-long>${msg(str`The box shows the beginning of ${count(data.text.length)} characters. All of them are used; what you type there takes their place.`)}</p>` : nothing}
      <p id="paste-problem" class="problem" role="alert">${withSubs(data.problem)}</p>
      ${sizesForm(data, events)}
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
