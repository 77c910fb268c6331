// The model writes on: how each word is chosen, the words that it has written, and the way back to each of them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Selection } from '../../engine/types.ts';
import { count, plural } from '../../lib/format.ts';
import { chance } from '../../text/numbers.ts';
import { parseNumber, parseWhole } from '../../lib/parse.ts';
import { DRAWING } from '../../parameters/language-model/edits.ts';
import { type End, type Manner, type Step, Written, continued, nextStep } from '../../parameters/language-model/writing.ts';
import { type Picture, weightsRow } from '../../state/result.ts';
import type { Sentence } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { radioGroup } from '../kit/controls.ts';

/** Between two words, in ms: long enough to see what the new one looks at. */
const PAUSE = 400;
/** Words in one go. */
const MOST = 64;
/** Words that are shown before the first that was written. */
const SHOWN_BEFORE = 40;
/** How dark a word is that gets the whole of a row, in percent. */
const DARKEST = 60;

export class Writing {
  readonly #fields: MannerFields;
  readonly #written = new Written();
  /** Words that are still to come, all that is wanted, the text before the first and with the last, and the picture that was waited for. */
  #going: { left: number; wanted: string; from: string; text: string; picture: Picture | null } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The text at which it stopped, what of it was written, and why it stopped. */
  #ended: { text: string; said: string; why: Sentence | null } | null = null;

  /** @param again shows all of it again */
  constructor(private readonly host: HTMLElement, private readonly store: Store, private readonly again: () => void) {
    this.#fields = new MannerFields(() => store.state.drawing, (drawing, kind) => {
      this.stop();
      store.change({ drawing }, { kind });
    }, again);
  }

  /** Null while the likeliest is chosen. */
  get manner(): Manner | null {
    return this.store.state.drawing;
  }

  /** A word that the reader has chosen. */
  choose(id: number): void {
    const { text } = this.store.state;
    const reader = this.store.picture?.reading?.reader;
    const whole = reader ? continued(reader, text, id) : null;
    if (!whole) return;
    this.stop();
    this.#put(whole.from, { text: whole.text, by: 'reader', share: 0, among: 0, passed: 0 });
  }

  stop(why: Sentence | null = null): void {
    clearTimeout(this.#timer);
    removeEventListener('keydown', this.#escape, true);
    if (!this.#going) return;
    const { from, text } = this.#going;
    this.#going = null;
    this.#ended = { text, said: text.slice(from.length).trim(), why };
  }

  /** The picture is there, or another one: the next word may be due. */
  update(picture: Picture | null): void {
    if (!this.#going) return;
    if (this.#isOtherwise()) return this.stop();
    if (!picture || picture === this.#going.picture || !this.#isOfThis(picture)) return;
    this.#going.picture = picture;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step(), PAUSE);
  }

  #start(words: number): void {
    this.stop();
    const { picture, state: { text } } = this.store;
    if (!picture || !this.#isOfThis(picture)) return;
    this.#ended = null;
    this.#going = { left: words, wanted: this.#wanted(), from: text, text, picture };
    addEventListener('keydown', this.#escape, true);
    this.#step();
  }

  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    this.stop();
    this.again();
  };

  #step(): void {
    const { picture, state: { text } } = this.store;
    if (!this.#going) return;
    if (!this.host.isConnected || this.#isOtherwise()) return this.#end(null);
    // The layer that is looked at may have changed meanwhile: its picture comes.
    if (!picture?.reading || !this.#isOfThis(picture)) return;
    const going = this.#going;
    const step = nextStep(picture.reading, text, this.manner ?? { ...this.#fields.manner, temperature: 0 });
    if (step instanceof Promise) void step.then((found) => { if (going === this.#going && !this.#isOtherwise()) this.#go(text, found); });
    else this.#go(text, step);
  }

  #go(text: string, step: Step | End): void {
    if (!this.#going) return;
    const isFirst = text === this.#going.from;
    if (isFirst && text !== text.trimEnd() && (step === 'nothing' || (typeof step !== 'string' && step.passed > 0))) return this.#trim(text.trimEnd());
    if (typeof step === 'string') return this.#end(step);
    this.#going.left -= 1;
    this.#put(text, step);
    if (this.#going.left === 0) this.#end(null);
  }

  /** Spaces behind the text are in the way of most words. */
  #trim(text: string): void {
    this.#change(text);
    if (this.#going) this.#going.from = text;
  }

  #put(from: string, step: Step): void {
    this.#written.add(from, step);
    this.#change(step.text);
  }

  #change(text: string): void {
    this.store.caret = null;
    this.store.change({ text });
    if (this.#going) Object.assign(this.#going, { wanted: this.#wanted(), text });
  }

  #end(end: End | null): void {
    const most = this.store.picture?.reading?.reader.model.mostTokens ?? 0;
    const why: Record<End, Sentence> = {
      context: () => msg(str`It reads at most ${count(most)} tokens at once, and the text has as many.`),
      end: () => msg('It ended the text here.'),
      nothing: () => msg('No text goes on with any of the tokens that it expects here.'),
      long: () => msg('The text is as long as it can be here.'),
    };
    this.stop(end && why[end]);
    this.again();
  }

  #isOfThis(picture: Picture): boolean {
    return this.store.isCurrent && !this.store.computing && picture.text === this.store.state.text;
  }

  /** Whether anything but what is looked at has been changed by another hand. */
  #isOtherwise(): boolean {
    return this.#going?.wanted !== this.#wanted();
  }

  #wanted(): string {
    const { text, keyText, settings, maskEdits, edits, source, replay, actsOn, silenced, patches } = this.store.state;
    return JSON.stringify([text, keyText, settings, maskEdits, edits, source, replay, actsOn, silenced, patches]);
  }

  /** @param chanceOf how likely the model held the token in a row, as the table after every word has it */
  render(picture: Picture, { head, query }: Selection, { select, chanceOf }: { select(query: number): void; chanceOf(row: number): number | null }): TemplateResult {
    const steps = this.#written.of(picture.text);
    const first = picture.tokens.length - steps.length;
    const going = this.#going !== null;
    return html`
      <div class="writing" part="writing" role="group" aria-labelledby="writing-title">
        <h3 class="small-heading" id="writing-title">${msg(html`<b>Let it write</b>, each new word read with all before it`)}</h3>
        <div class="write-line">
          <button type="button" class="outlined" data-write=${going ? 'stop' : 'go'} title=${going ? msg('Stop (Escape)') : msg(str`Up to ${MOST} words`)} @click=${() => this.#press(going ? 0 : MOST)}>${going ? msg('Stop') : msg('Write')}</button>
          <button type="button" class="outlined" data-write="one" ?disabled=${going} @click=${() => this.#press(1)}>${msg('One word')}</button>
        </div>
        ${this.#fields.render()}
        ${steps.length === 0 ? nothing : this.#text(picture, { head, query, first, steps }, select)}
        ${query >= first ? this.#chosen(picture, query, steps[query - first], chanceOf(query - 1)) : nothing}
        ${steps.length === 0 ? nothing : this.#ways(picture, steps[query - first], query)}
        <p class="muted" role="status">${this.#ended?.text === picture.text ? this.#last(this.#ended) : nothing}</p>
      </div>
    `;
  }

  /** Why it stopped, and aloud what it wrote. */
  #last({ said, why }: { said: string; why: Sentence | null }): TemplateResult {
    return html`${why?.() ?? nothing} <span class="unseen">${said === '' ? nothing : msg(str`It wrote: ${said}`)}</span>`;
  }

  #press(words: number): void {
    if (words === 0) this.stop();
    else this.#start(words);
    this.again();
  }

  #back(text: string): void {
    this.stop();
    this.#change(text);
  }

  /** The text, each word as dark as the chosen head's row has it; words that were written can be chosen. */
  #text(picture: Picture, { head, query, first, steps }: { head: number; query: number; first: number; steps: readonly Step[] }, select: (query: number) => void): TemplateResult {
    const { text, tokens, reading } = picture;
    const named = `${(reading?.layer ?? 0) + 1}.${head + 1}`;
    const row = weightsRow(picture, head, query);
    const from = Math.max(0, first - SHOWN_BEFORE);
    const words = tokens.slice(from).map((token, i) => {
      const [t, at] = [from + i, Math.max(token.start, tokens[from + i - 1]?.end ?? 0)];
      const whole = text.slice(at, Math.max(at, token.end));
      const word = whole.trim();
      const space = text.slice(tokens[t - 1]?.end ?? 0, at) + (word === '' ? whole : whole.slice(0, whole.indexOf(word)));
      const style = `--share: ${(DARKEST * (row[t] ?? 0)).toFixed(1)}%`;
      if (word === '' && t < first) return space;
      const by = steps[t - first]?.by;
      return html`${space}${t < first
        ? html`<span .style=${style}>${word}</span>`
        : html`<button type="button" class="word" data-written=${by ?? 'model'} aria-current=${t === query ? 'true' : nothing} .style=${style} @click=${() => select(t)}>${word || '␣'}</button>`}`;
    });
    return html`
      <p class="written" part="written" lang="" dir="auto">${from > 0 ? '… ' : ''}${words}</p>
      <p class="muted">${msg(html`Underlined: what was written. Shaded: what <b><bdi lang="">${tokens[query]?.text ?? ''}</bdi></b> looks at in head ${named}.`)}</p>
    `;
  }

  /** How a written word came to be chosen. */
  #chosen({ tokens }: Picture, query: number, step: Step | undefined, likely: number | null): TemplateResult | typeof nothing {
    if (!step) return nothing;
    const word = html`<b><bdi lang="">${tokens[query]?.text ?? ''}</bdi></b>`;
    const { share, among, passed } = step;
    return html`
      <p class="write-facts">${likely === null ? nothing : msg(html`${word} had a chance of ${chance(likely)}.`)}
        ${among > 1 ? msg(html`It was drawn from ${count(among)} tokens, where its share was ${chance(share)}.`) : nothing}
        ${passed > 0 ? plural(passed, msg('1 token was passed over: no text is read as going on with it.'), msg(str`${count(passed)} tokens were passed over: no text is read as going on with them.`)) : nothing}
      </p>
    `;
  }

  /** Back to the chosen word, and to before all. */
  #ways({ tokens }: Picture, step: Step | undefined, query: number): TemplateResult {
    return html`
      <div class="change-line">
        ${step && query < tokens.length - 1 ? html`<button type="button" class="plain" data-write="back" @click=${() => this.#back(step.text)}>${msg('Back to here')}</button>` : nothing}
        <button type="button" class="plain" data-write="back-all" @click=${() => this.#back(this.#written.first)}>${msg('Take back all that was written')}</button>
      </div>
    `;
  }
}

type Name = keyof Manner;
type Field = (typeof DRAWING)[number];

const WORDS: Readonly<Record<Name, { label(): string; effect(value: number): string }>> = {
  temperature: { label: () => msg('temperature'),
    effect: (value) => (value < 1 ? msg('below 1: likely words become likelier') : value > 1 ? msg('above 1: unlikely words become likelier') : msg('1: as the model has them')) },
  topK: { label: () => 'top-k', effect: (value) => (value === 0 ? msg('0: all tokens') : msg(str`the ${count(value)} likeliest tokens`)) },
  topP: { label: () => 'top-p', effect: (value) => (value === 1 ? msg('1: all of these') : msg(str`of these, the fewest likeliest that make up ${value}`)) },
  seed: { label: () => msg('seed'), effect: () => msg('the same seed draws the same words') },
};

/** What is drawn by where nothing else was said. */
const USUAL: Manner = { temperature: 0.8, topK: 40, topP: 1, seed: 1 };

export class MannerFields {
  /** The numbers that were drawn by last. */
  #last = USUAL;
  #drafts: Partial<Record<Name, string>> = {};
  #problems: Partial<Record<Name, Sentence>> = {};

  /** @param drawing as the state has it; null = the likeliest */
  constructor(private readonly drawing: () => Manner | null, private readonly change: (drawing: Manner | null, kind?: string) => void, private readonly again: () => void) {}

  get isDrawn(): boolean {
    return this.drawing() !== null;
  }

  get manner(): Manner {
    return (this.#last = this.drawing() ?? this.#last);
  }

  render(): TemplateResult {
    const { temperature, topK, topP, seed } = this.manner;
    const way = (isDrawn: boolean, words: string) => html`
      <label class="segment"><input type="radio" ${radioGroup('manner')} value=${isDrawn ? 'drawn' : 'likeliest'} .checked=${live(this.isDrawn === isDrawn)} @change=${() => this.#choose(isDrawn)}><span>${words}</span></label>`;
    return html`
      <details class="manner">
        <summary>${this.isDrawn ? msg(str`How it chooses: drawn, with temperature ${temperature}, top-k ${topK}, top-p ${topP}, seed ${seed}`) : msg('How it chooses: the likeliest')}</summary>
        <div class="segments" role="radiogroup" aria-label=${msg('How it chooses')}>${way(false, msg('the likeliest'))}${way(true, msg('drawn'))}</div>
        ${this.isDrawn ? html`<div class="manner-fields">${DRAWING.map((field) => this.#field(field))}</div>` : nothing}
      </details>
    `;
  }

  #field(field: Field): TemplateResult {
    const { name, isWhole } = field;
    const { label, effect } = WORDS[name];
    const problem = this.#problems[name];
    return html`
      <label class="manner-field" data-manner=${name}><span>${label()}</span>
        <span class="segments"><input class="field" inputmode=${isWhole ? 'numeric' : 'decimal'} autocomplete="off" spellcheck="false" size="6" aria-label=${label()} aria-describedby="manner-${name}" aria-invalid=${problem ? 'true' : 'false'}
          .value=${live(this.#drafts[name] ?? String(this.manner[name]))} @input=${(event: Event) => this.#type(field, (event.target as HTMLInputElement).value)} @change=${() => this.#settle(name)}></span>
        <span id="manner-${name}" class=${problem ? 'effect problem' : 'effect'}>${problem?.() ?? effect(this.manner[name])}</span>
      </label>
    `;
  }

  #choose(isDrawn: boolean): void {
    this.change(isDrawn ? this.manner : null);
  }

  #type({ name, least, most, isWhole }: Field, text: string): void {
    const { label } = WORDS[name];
    const value = isWhole ? parseWhole(text) : parseNumber(text);
    const now = this.manner[name];
    this.#drafts = { ...this.#drafts, [name]: text };
    if (value !== null && value >= least && value <= most) {
      this.#problems = { ...this.#problems, [name]: undefined };
      this.change({ ...this.manner, [name]: value }, `drawing ${name}`);
    } else {
      const range = [count(least), count(most)] as const;
      this.#problems = { ...this.#problems, [name]: () => (isWhole
        ? msg(str`${label()} is a whole number from ${range[0]} to ${range[1]}. Still ${now}.`)
        : msg(str`${label()} is a number from ${range[0]} to ${range[1]}. Still ${now}.`)) };
      this.again();
    }
  }

  /** "0." must not turn into "0" under the reader's hands, and does so once the field is left. */
  #settle(name: Name): void {
    if (this.#problems[name]) return;
    this.#drafts = { ...this.#drafts, [name]: undefined };
    this.again();
  }
}
