// What the reader pastes: from text to a matrix in use, or a sentence on why not. Holds the text until it is used or replaced.
import { msg, str } from '@lit/localize';
import type { GivenId, Settings, Trace } from './engine.ts';
import { shortest } from './setting-values.ts';
import { type Given, PASTABLE, type Sizes, extentsOf, fitting, isSettable } from './given.ts';
import { MAX_CHARACTERS, type Matrix, parseMatrix, toCsv } from './matrix-text.ts';
import type { Wanted } from './model.ts';
import { arrange, nameOf, settingsFor } from './pasted.ts';
import type { YoursData, YoursEvents } from './views/yours.ts';

export interface YoursHost {
  /** A language model from files that lie side by side. Rejects with a sentence. */
  openModel(files: readonly File[], progress: (share: number) => void): Promise<void>;
  closeModel(): void;
  /** The one that is open. */
  model(): YoursData['model'];
  wanted(): Wanted;
  sizes(): Sizes;
  trace(): Trace | null;
  change(part: Partial<Wanted>): void;
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
      model: this.host.model(), choices, chosen: this.#chosen, text: this.#text, problem: this.#problem, done: this.#done,
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
    const id = this.#chosen;
    const matrix = parseMatrix(this.#text);
    if ('message' in matrix) return this.#say({ problem: msg(str`Line ${matrix.line}, column ${matrix.column}: ${matrix.message}`) });
    const sizes = this.host.sizes();
    const numbers = arrange(id, matrix, sizes);
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
    this.#take(id, numbers, {});
  };

  accept = (): void => {
    if (!this.#offer) return;
    const { matrix, settings } = this.#offer;
    const changed = { ...this.host.wanted().settings, ...settings };
    const numbers = arrange(this.#chosen, matrix, { ...this.host.sizes(), settings: changed });
    if (numbers) this.#take(this.#chosen, numbers, { settings: changed });
  };

  #take(id: GivenId, numbers: Float32Array, part: Partial<Wanted>): void {
    const given: Given = { ...this.host.wanted().given, [id]: numbers };
    this.#offer = null;
    this.host.change({ ...part, given, source: 'yours' });
    this.#say({ done: msg(str`${nameOf(id)} is yours now.`) });
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
    if (files.length > 1 || file.name.endsWith('.safetensors')) return this.#open(files);
    if (file.size > MAX_CHARACTERS) return this.#say({ problem: msg(str`“${file.name}” is larger than any matrix could be. Choose a file with the numbers of one matrix.`) });
    void file.text().then((text) => {
      this.#text = text;
      this.use();
    }, () => this.#say({ problem: msg(str`“${file.name}” could not be read. Open it, and paste its numbers.`) }));
  };

  /** Until it is open, everything stays as it was; and after a failure, too. */
  #open(files: readonly File[]): void {
    const said = (share: number) => this.#say({ done: msg(str`Reading the model: ${Math.round(100 * share)} %…`) });
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
