// The element: its attributes and events, and the way from a keystroke to the views. Importing it defines nothing.
import { LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { Below } from './below.ts';
import type { Theme } from './colour.ts';
import { Drawing } from './drawing.ts';
import type { StageId, Trace } from './engine.ts';
import { Model } from './model.ts';
import type { LinkState, Reading, Selection } from './fragment.ts';
import { readArray } from './walk-link.ts';
import { plural, short } from './format.ts';
import { NumberFields } from './number-fields.ts';
import { Past } from './past.ts';
import { type Mode, Pin } from './pinned.ts';
import { type Picture, isCross, largestOtherKey, weightsRow, tokenAt } from './picture.ts';
import { DEFAULT_TEXT, type Effect, KNOBS, SETTINGS, type SettingName, setting } from './settings.ts';
import { styles } from './styles/index.ts';
import { Sum } from './sum.ts';
import { axes } from './views/axes.ts';
import { cellLabel } from './views/caption.ts';
import { headsFrame, maskedNote, matrixFrame, sentenceBox } from './views/figure.ts';
import { inspector } from './views/inspector.ts';
import { maskTools } from './views/mask-tools.ts';
import { type Paint, readPaint } from './views/paint.ts';
import { pin } from './views/pin.ts';
import { fromAt, rowAtKey } from './views/row-table.ts';
import { FIRST_KEY_TEXT, secondSentence } from './views/second-sentence.ts';
import { honestWords, sourceWords } from './views/source-words.ts';
import { captionArea, stateWords } from './views/states.ts';
import { type SumEvents, addRow, summedCaption } from './views/summed.ts';
import { switches } from './views/switches.ts';
import { addingRows, markRows } from './views/summed-rows.ts';
import { weightsTable } from './views/weights-table.ts';

const MODE_WORDS: Record<Mode, string> = { now: '', pinned: ', as they were pinned', difference: ', now − pinned' };

type Raw = string | number | boolean | null | undefined;

/** Each setting is a property, too, which takes strings and says what is in use. */
export interface AttentionPlayground extends Record<SettingName, Raw> {}

/**
 * @fires attention-ready - the first picture is drawn
 * @fires attention-change - a new picture is computed; detail is the state, ready to be kept
 * @fires attention-select - another cell or head is selected; detail is { head, query, key }
 * @fires attention-error - detail is { code, message }
 */
export class AttentionPlayground extends LitElement {
  static override styles = styles;

  static override properties: PropertyDeclarations = {
    text: { type: String },
    theme: { type: String },
    step: { type: String },
    coreSrc: { attribute: 'core-src' },
    ...Object.fromEntries(SETTINGS.map(({ name, attribute }) => [name, { attribute }])),
  };

  declare text: string;
  declare theme: Theme | 'auto';
  /** The stage that the walk opens at. */
  declare step: string | null | undefined;
  declare coreSrc: string;

  readonly #model = new Model({
    changed: () => this.requestUpdate(),
    computed: (first) => {
      this.#announce.push('attention-change', ...(first ? ['attention-ready'] : []));
    },
    failed: ({ code, message }) => {
      this.dispatchEvent(new CustomEvent('attention-error', { bubbles: true, composed: true, detail: { code, message } }));
    },
  });
  readonly #fields = new NumberFields();
  #announce: string[] = [];
  #spoken = '';
  #moreOpen = false;
  #termsOpen = false;
  #tableOpen = false;
  #masking = false;
  #rowsFrom = 0;
  #paint: Paint | null = null;
  #drawing: Drawing | null = null;
  readonly #settle = (): void => {
    this.#reflect();
    this.requestUpdate();
  };
  readonly #past = new Past(this.#model, () => this.requestUpdate(), this.#settle);
  readonly #below = new Below(this.#model, {
    select: (part) => this.#select(part),
    edit: (edits) => this.#model.change({ edits }),
    focused: () => this.#toggle(() => this.#announce.push('attention-select')),
    update: () => this.requestUpdate(),
    settle: this.#settle,
  });
  readonly #pin = new Pin(this.#model);
  readonly #sum = new Sum();
  #dark: MediaQueryList | null = null;

  constructor() {
    super();
    this.text = DEFAULT_TEXT;
    this.theme = 'auto';
    this.coreSrc = '';
  }

  // What other code may read.

  /** The last run, or null when there is none for the text as it stands. */
  get trace(): Trace | null {
    return this.#model.computing ? null : (this.#model.picture?.trace ?? null);
  }

  /** A copy of one stage's numbers, row-major; empty when nothing is computed. */
  stage(id: StageId): Float32Array {
    return this.trace?.stage(id).slice() ?? new Float32Array();
  }

  get state(): LinkState {
    const { tokens, keyTokens, wanted, selection } = this.#model;
    return {
      ...wanted, tokens, keyTokens, settings: { ...wanted.settings }, selection: { ...selection }, focus: this.#below.visited,
    };
  }

  /** Takes up a state read from a link; what it does not say stays as it is. */
  restore(reading: Reading): void {
    this.#model.restore(reading);
    if (reading.focus) this.#below.goTo(reading.focus, true);
    this.#reflect();
  }

  override focus(options?: FocusOptions): void {
    this.#textarea?.focus(options);
  }

  get #textarea(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector<HTMLTextAreaElement>('#text') ?? null;
  }

  get #keyTextarea(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector<HTMLTextAreaElement>('#key-text') ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#dark = matchMedia('(prefers-color-scheme: dark)');
    this.#dark.addEventListener('change', this.#recolour);
    document.addEventListener('selectionchange', this.#moveCaret);
    this.#drawing?.connect();
    this.#below.connect();
    void this.#model.connect(this.coreSrc);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#dark?.removeEventListener('change', this.#recolour);
    document.removeEventListener('selectionchange', this.#moveCaret);
    this.#drawing?.disconnect();
    this.#below.disconnect();
    this.#model.disconnect();
  }

  // Properties and the model.

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('text') && this.text !== this.#model.wanted.text) this.#model.set({ text: String(this.text ?? '') });
    if (changed.has('theme')) this.#paint = null;
    const step = changed.has('step') && readArray(String(this.step ?? ''));
    if (step) this.#below.goTo({ array: step, cell: null }, false);
    for (const { name } of SETTINGS) if (changed.has(name)) this.#readProperty(name);
    this.#model.update();
    this.#reflect();
    // Its words must be measured, and a layout is cheap while nothing else has changed yet.
    if (this.hasUpdated) this.#drawSentence();
  }

  #readProperty(name: SettingName): void {
    const raw = this[name];
    const { parse, rule, format } = setting(name);
    const { knobs } = this.#model;
    // An attribute that is taken away leaves the default; one that never was says nothing.
    const wanted = raw === null ? format(KNOBS) : raw;
    if (wanted === undefined || String(wanted) === format(knobs)) return;
    const parsed = parse(String(wanted));
    if (!parsed) this.#model.notice(`“${String(raw)}” is not understood: ${rule}. It is ${format(knobs)} now.`);
    this.#model.setKnobs(parsed ?? {});
  }

  /** The properties say what is in use. */
  #reflect(): void {
    this.text = this.#model.wanted.text;
    if (this.#model.outcome.kind === 'loading') return;
    const { knobs } = this.#model;
    for (const { name, format } of SETTINGS) this[name] = format(knobs);
  }

  // What the reader does.

  readonly #input = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.#model.caret = area.selectionStart;
    this.#sum.typed();
    this.#model.change({ text: area.value }, 'text');
    this.#reflect();
  };

  readonly #inputKeys = (event: Event): void => {
    this.#model.change({ keyText: (event.target as HTMLTextAreaElement).value }, 'keyText');
  };

  /** The caret in the second sentence chooses the key. */
  readonly #moveKeyCaret = (): void => {
    const area = this.#keyTextarea;
    const { picture, selection } = this.#model;
    if (!area || !picture || this.shadowRoot?.activeElement !== area || picture.keyText !== area.value) return;
    const key = tokenAt(picture.keyTokens, area.selectionStart);
    if (key >= 0 && key !== selection.key) this.#select({ key });
  };

  readonly #moveCaret = (): void => {
    this.#moveKeyCaret();
    const area = this.#textarea;
    const { picture, selection, caret } = this.#model;
    if (!area || !picture || this.shadowRoot?.activeElement !== area) return;
    const { selectionStart, selectionEnd } = area;
    if (picture.text === area.value && this.#sum.select(picture.tokens, selectionStart, selectionEnd)) this.requestUpdate();
    if (selectionStart === caret) return;
    this.#model.caret = selectionStart;
    if (picture.text !== this.text) return;
    const query = tokenAt(picture.tokens, area.selectionStart);
    if (query >= 0 && query !== selection.query) this.#select({ query, key: largestOtherKey(picture, selection.head, query) });
  };

  #select(part: Partial<Selection>, aloud = false): void {
    const { picture } = this.#model;
    if (!picture) return;
    this.#model.select(part);
    if (aloud) this.#spoken = cellLabel(picture, this.#model.selection);
    this.#announce.push('attention-select');
  }

  #turn(name: SettingName, value: string, kind = ''): void {
    const wanted = setting(name).parse(value);
    if (!wanted) return;
    this.#model.clearNotices();
    this.#fields.clear();
    this.#model.turn(wanted, kind);
  }

  #flip(query: number, key: number): void {
    const { maskEdits } = this.#model.wanted;
    const others = maskEdits.filter((edit) => edit.query !== query || edit.key !== key);
    this.#model.change({ maskEdits: others.length < maskEdits.length ? others : [...maskEdits, { query, key }] });
    this.#select({ query, key });
  }

  #type(name: SettingName, text: string): void {
    const { knobs } = this.#model;
    const wanted = this.#fields.type(name, text, {
      settings: knobs,
      words: name === 'scale' ? `× ${short(this.trace?.factor ?? knobs.scale_factor)}` : setting(name).format(knobs),
      clamp: (other) => this.#model.clamp(other),
    });
    if (wanted) {
      this.#model.clearNotices();
      this.#model.turn(wanted, name);
    }
    this.requestUpdate();
  }

  readonly #scrollRows = (event: Event): void => {
    const { scrollTop } = event.target as HTMLElement;
    const from = fromAt(scrollTop);
    if (from === this.#rowsFrom) return;
    this.#rowsFrom = from;
    this.requestUpdate();
  };

  /** Undo, outside of fields, where it is the browser's own. */
  readonly #key = (event: KeyboardEvent): void => {
    const at = event.composedPath()[0];
    const isField = at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'file'].includes(at.type));
    const letter = event.key.toLowerCase();
    if (isField || event.altKey || !(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return;
    event.preventDefault();
    if (letter === 'y' || event.shiftKey) this.#past.redo();
    else this.#past.undo();
  };

  // What the reader sees.

  get #scheme(): Theme {
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    return this.#dark?.matches ? 'dark' : 'light';
  }

  protected override render(): TemplateResult {
    const { picture, outcome, selection, settings, knobs, computing, tokens, notices, wanted } = this.#model;
    const cross = wanted.keyText !== null;
    return html`
      <div class="root" data-theme=${this.#scheme} part="root" @keydown=${this.#key}>
        <section class="sentence" aria-label="Sentence" part="sentence">
          <div class="sentence-title">
            <label for="text">${cross ? 'Your sentence: who looks (queries)' : 'Your sentence'}</label>
            <span class="sentence-tools">
              ${this.#past.tools()}
              ${cross ? nothing : html`<button type="button" class="quiet" @click=${() => this.#model.change({ keyText: FIRST_KEY_TEXT })}>Add a second sentence</button>`}
              <span class="muted">${plural(tokens.length, 'token')}</span>
            </span>
          </div>
          ${this.#past.list()}
          ${sentenceBox({ input: this.#input, caret: this.#moveCaret })}
          ${cross ? this.#secondSentence(wanted.keyText ?? '') : nothing}
          <div class="caption" part="caption">${captionArea({ outcome, computing, selection, tokens: tokens.length, heads: settings.num_heads })}${picture && !computing ? this.#summed(picture) : nothing}</div>
        </section>
        <section class="switches" aria-label="Settings" part="switches">
          ${switches(
            {
              settings: knobs, effect: picture && this.#effect(picture), problems: this.#fields.problems, drafts: this.#fields.drafts,
              moreOpen: this.#moreOpen, changed: SETTINGS.filter(({ group, format }) => group !== 'Main' && format(knobs) !== format(KNOBS)).length,
            },
            {
              choose: (name, value) => this.#turn(name, value),
              slide: (name, value) => this.#turn(name, value, name),
              type: (name, text) => this.#type(name, text),
              settle: (name) => this.#toggle(() => this.#fields.settle(name)),
              more: () => this.#toggle(() => { this.#moreOpen = !this.#moreOpen; }),
            },
          )}
          ${this.#below.source(picture)}
          <p class="notices" role="status">${notices.join(' ')}</p>
        </section>
        ${picture || this.#pin.state || outcome.kind === 'loading' ? pin(this.#pin.state, this.#pin.mode, {
          pin: () => this.#model.pin(),
          unpin: () => this.#model.unpin(),
          mode: (mode) => this.#toggle(() => { this.#pin.mode = mode; }),
        }) : nothing}
        <section class="figure" data-state=${outcome.kind} aria-label="Attention weights" part="figure">
          ${picture ? nothing : html`<div class="state">${stateWords(outcome)}</div>`}
          <div class="figure-grid" ?hidden=${!picture}>
            ${headsFrame()}
            <div class="middle">
              ${matrixFrame({
                shown: picture && this.#pin.shown(picture, selection.head),
                title: html`<b>Weights</b>${MODE_WORDS[this.#pin.mode]}, head ${selection.head + 1} of ${picture?.trace.shape.H ?? settings.num_heads}<span class="wide-only">, ${sourceWords(picture, selection.head)}</span>`,
                axes: axes(knobs.rows, cross), note: picture && this.#pin.mode === 'now' ? maskedNote(picture) : null, tools: this.#maskTools(picture),
              })}
              <p class="honest">${honestWords(knobs.source, settings.seed)}</p>
              <details class="as-table" ?open=${this.#tableOpen} @toggle=${(event: Event) => this.#toggle(() => { this.#tableOpen = (event.target as HTMLDetailsElement).open; })}>
                <summary>Read these numbers as a table</summary>
                ${picture && this.#tableOpen ? weightsTable(picture, selection) : nothing}
              </details>
            </div>
            <div class="inspector" part="inspector">${picture ? this.#inspector(picture) : nothing}</div>
          </div>
        </section>
        <section class="walk" aria-label="The walk" part="walk" ?hidden=${!picture && outcome.kind !== 'loading'}></section>
        <section class="senses-section" aria-label="One word, two sentences" part="senses">${this.#below.senses(picture, selection.head)}</section>
        <p class="unseen" role="status">${this.#spoken}</p>
      </div>
    `;
  }

  #secondSentence(text: string): TemplateResult {
    return secondSentence(this.#model.keyTokens.length, {
      input: this.#inputKeys,
      caret: this.#moveKeyCaret,
      swap: () => {
        this.#model.change({ text, keyText: this.text });
        this.#reflect();
      },
      remove: () => this.#model.change({ keyText: null }),
    });
  }

  #maskTools(picture: Picture | null): TemplateResult {
    const within = picture?.edited.size ?? 0;
    return maskTools({ masking: this.#masking, within, beyond: this.#model.wanted.maskEdits.length - within }, {
      toggle: () => this.#toggle(() => { this.#masking = !this.#masking; }),
      clear: () => this.#model.change({ maskEdits: [] }),
    });
  }

  /** What a line under a switch does not ask for is not computed. */
  #effect(picture: Picture): Effect {
    const { trace, hidden } = picture;
    const { head, query } = this.#model.selection;
    const { source, rows } = this.#model.knobs;
    return {
      settings: { ...trace.settings, source, rows }, shape: trace.shape, factor: trace.factor, hidden, cross: isCross(picture),
      get largest() {
        return Math.max(...weightsRow(picture, head, query));
      },
      get dropped() {
        const kept = trace.head('dropped_weights', head);
        return trace.head('weights', head).reduce((gone, weight, i) => gone + Number(weight !== 0 && kept[i] === 0), 0);
      },
    };
  }

  #toggle(change: () => void): void {
    change();
    this.requestUpdate();
  }

  #inspector(picture: Picture): TemplateResult {
    this.#showRow(picture);
    const { selection } = this.#model;
    const { head, query, key } = selection;
    const cell = picture.trace.cell(selection);
    return inspector(
      {
        picture, selection, cell, rowsFrom: this.#rowsFrom, arcs: this.#drawing?.narrow === true, termsOpen: this.#termsOpen,
        both: this.#pin.both(picture, head, query, key),
      },
      {
        terms: (open) => this.#toggle(() => { this.#termsOpen = open; }),
        selectKey: (key) => this.#select({ key }),
        scrollRows: this.#scrollRows,
      },
    );
  }

  #shownRow = '';

  /** Several rows read together, and the way to add one. */
  #summed(picture: Picture): TemplateResult {
    const { head, query, key } = this.#model.selection;
    const queries = this.#sum.in(picture);
    const change = (act: () => void) => () => this.#toggle(act);
    const events: SumEvents = {
      clear: change(() => this.#sum.clear()), pick: change(() => { this.#sum.picking = true; }),
      add: (row) => this.#toggle(() => this.#sum.add(row, query)), remove: (row) => this.#toggle(() => this.#sum.remove(row)),
    };
    return html`${queries.length > 0 ? summedCaption({ picture, queries, key, sums: picture.trace.summed(head, queries) }, events) : nothing}${addRow(picture, queries, this.#sum.picking, events)}`;
  }

  /** Keeps the selected key in view inside a long row. */
  #showRow(picture: Picture): void {
    const { head, query, key } = this.#model.selection;
    const shown = `${head} ${query} ${key} ${picture.tokens.length}`;
    if (shown === this.#shownRow) return;
    this.#shownRow = shown;
    const { from, scrollTop } = rowAtKey(picture, this.#model.selection);
    if (from === 0 && this.#rowsFrom === 0) return;
    this.#rowsFrom = from;
    requestAnimationFrame(() => this.renderRoot.querySelector('.row-scroll')?.scrollTo(0, scrollTop));
  }

  protected override firstUpdated(): void {
    this.#drawing = new Drawing(this.renderRoot as ShadowRoot, {
      selectHead: (head) => this.#select({ head }),
      selectCell: (query, key) => this.#select({ query, key }, true),
      flip: (query, key) => this.#flip(query, key),
      resize: () => {
        this.#draw();
        this.requestUpdate();
      },
    });
    addingRows(this.renderRoot.querySelector('.matrix') as HTMLElement, (row, add) => {
      const { query, key } = this.#model.selection;
      if (add) this.#toggle(() => this.#sum.toggle(row, query));
      else this.#select({ query: row, key });
    }, () => this.#model.selection.query);
    this.#drawSentence();
  }

  protected override updated(): void {
    const area = this.#textarea;
    if (area && area.value !== this.text) area.value = this.text;
    const [keyArea, { keyText }] = [this.#keyTextarea, this.#model.wanted];
    if (keyArea && keyText !== null && keyArea.value !== keyText) keyArea.value = keyText;
    this.#placeCaret(area);
    this.#drawFigure();
    this.#updateBelow();
    this.#markRows();
    const sent = new Set(this.#announce.splice(0));
    for (const name of sent) {
      const detail = name === 'attention-select' ? { ...this.#model.selection } : this.state;
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
    }
  }

  #marked = false;

  #markRows(): void {
    const { picture } = this.#model;
    const queries = picture ? this.#sum.in(picture) : [];
    const matrix = this.renderRoot.querySelector('.matrix');
    if (matrix && (this.#marked || queries.length > 0)) markRows(matrix, queries);
    this.#marked = queries.length > 0;
  }

  #updateBelow(): void {
    const { picture, selection, stages, wanted } = this.#model;
    this.#below.update(this.renderRoot as ShadowRoot, picture && { picture, selection, stages, edits: wanted.edits, paint: this.#colours, pinned: this.#pin.state, mode: this.#pin.mode });
  }

  #drawFigure(): void {
    const { picture, selection } = this.#model;
    if (!picture) this.#drawing?.forget();
    else this.#drawing?.drawFigure(picture, selection, this.#pin.shown(picture, selection.head), this.#colours, this.#masking);
  }

  #drawSentence(): void {
    const { tokens, keyTokens, selection, wanted, picture } = this.#model;
    const { keyText } = wanted;
    const isOfThese = picture?.text === this.text && picture.keyText === keyText;
    this.#drawing?.drawSentences({
      text: this.text, tokens, keys: keyText === null ? null : { text: keyText, tokens: keyTokens },
      picture: isOfThese ? picture : null, selection, queries: isOfThese ? this.#sum.in(picture) : [], paint: this.#colours,
    });
  }

  #draw(): void {
    this.#drawSentence();
    this.#drawFigure();
  }

  /** The caret starts behind the word whose row is shown, as if the reader had put it there. */
  #placeCaret(area: HTMLTextAreaElement | null): void {
    const token = this.#model.picture?.tokens[this.#model.selection.query];
    if (!area || !token || this.#model.caret !== null) return;
    this.#model.caret = token.end;
    area.setSelectionRange(token.end, token.end);
  }

  get #colours(): Paint {
    if (this.#paint) return this.#paint;
    const root = this.renderRoot.querySelector('.root') as HTMLElement;
    // The template sets it, too, but a moment after the colours are read.
    root.dataset['theme'] = this.#scheme;
    this.#paint = readPaint(root, this.#scheme);
    return this.#paint;
  }

  readonly #recolour = (): void => {
    this.#paint = null;
    this.requestUpdate();
  };
}
