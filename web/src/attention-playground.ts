// The element: its attributes and events, and the way from a keystroke to the views. Importing it defines nothing.
import { LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { Calculation, type Outcome } from './calculation.ts';
import type { Theme } from './colour.ts';
import type { Settings, StageId, Trace } from './engine.ts';
import type { LinkState, Reading, Selection } from './fragment.ts';
import { count, percent, plural, significant } from './format.ts';
import { type Picture, fit, headOf, largestOtherKey, rowOf, tokenAt } from './picture.ts';
import { DEFAULTS, DEFAULT_TEXT, SETTINGS, type SettingName, parseNumber, setting } from './settings.ts';
import { styles } from './styles/index.ts';
import { type Token, normalizeLines, tokenize } from './tokenize.ts';
import { caption } from './views/caption.ts';
import { headsFrame, matrixFrame, sentenceBox } from './views/figure.ts';
import { HeadsView } from './views/heads.ts';
import { inspector } from './views/inspector.ts';
import { MatrixView } from './views/matrix.ts';
import { type Paint, readPaint } from './views/paint.ts';
import { ROW_HEIGHT, type RowWindow, listedKeys } from './views/row-table.ts';
import { SentenceView } from './views/sentence.ts';
import { switches } from './views/switches.ts';
import { weightsTable } from './views/weights-table.ts';
import { wordText } from './views/word.ts';

type Raw = string | number | boolean | null | undefined;

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
    coreSrc: { attribute: 'core-src' },
    ...Object.fromEntries(SETTINGS.map(({ name, attribute }) => [name, { attribute }])),
  };

  declare text: string;
  declare theme: Theme | 'auto';
  declare coreSrc: string;
  declare mask: Raw;
  declare scale: Raw;
  declare heads: Raw;
  declare dModel: Raw;
  declare positions: Raw;
  declare biases: Raw;
  declare seed: Raw;

  readonly #calculation = new Calculation();
  #outcome: Outcome = { kind: 'loading' };
  #settings: Settings = { ...DEFAULTS };
  #notices: string[] = [];
  #problems: Partial<Record<SettingName, string>> = {};
  #drafts: Partial<Record<SettingName, string>> = {};
  #tokens: readonly Token[] = [];
  #selection: Selection = { head: 0, query: -1, key: -1 };
  /** A text's own word boundaries, and the cell to select, when a link gave them. */
  #given: Reading | null = null;
  #caret: number | null = null;
  #stale = true;
  #computing = false;
  #announce: string[] = [];
  #spoken = '';
  #moreOpen = false;
  #termsOpen = false;
  #tableOpen = false;
  #rows: RowWindow = { from: 0, to: 60 };
  #paint: Paint | null = null;
  #sentenceView: SentenceView | null = null;
  #headsView: HeadsView | null = null;
  #matrixView: MatrixView | null = null;
  #resizes: ResizeObserver | null = null;
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
    return this.#picture?.trace ?? null;
  }

  /** A copy of one stage's numbers, row-major; empty when nothing is computed. */
  stage(id: StageId): Float32Array {
    return this.trace?.stage(id).slice() ?? new Float32Array();
  }

  get state(): LinkState {
    return { text: this.text, tokens: this.#tokens, settings: { ...this.#settings }, selection: { ...this.#selection } };
  }

  /** Takes up a state read from a link; what it does not say stays as it is. */
  restore(reading: Reading): void {
    this.#notices = reading.notice === null ? [] : [reading.notice];
    this.#given = reading;
    if (reading.text !== undefined) this.text = reading.text;
    this.#wish(reading.settings);
    this.#retokenize();
  }

  override focus(options?: FocusOptions): void {
    this.#textarea?.focus(options);
  }

  get #picture(): Picture | null {
    return this.#outcome.kind === 'ready' ? this.#outcome.picture : null;
  }

  get #textarea(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector('textarea') ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#dark = matchMedia('(prefers-color-scheme: dark)');
    this.#dark.addEventListener('change', this.#recolour);
    document.addEventListener('selectionchange', this.#moveCaret);
    this.#resizes = new ResizeObserver(() => this.#resize());
    if (this.hasUpdated) this.#watch();
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#dark?.removeEventListener('change', this.#recolour);
    document.removeEventListener('selectionchange', this.#moveCaret);
    this.#resizes?.disconnect();
    this.#calculation.free();
    this.#outcome = { kind: 'loading' };
    this.#stale = true;
  }

  async #start(): Promise<void> {
    const outcome = await this.#calculation.load(this.coreSrc);
    if (!this.isConnected) return;
    this.#outcome = outcome;
    if (outcome.kind === 'failed') this.#report(outcome);
    this.requestUpdate();
  }

  // From a change to a picture.

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('text')) this.#retokenize();
    for (const { name } of SETTINGS) if (changed.has(name)) this.#readProperty(name);
    if (this.#stale && this.#calculation.loaded && !this.#computing) this.#compute();
  }

  #readProperty(name: SettingName): void {
    const raw = this[name];
    if (raw === null || raw === undefined) return;
    const { parse, rule, format } = setting(name);
    const parsed = parse(String(raw));
    if (parsed) this.#settings = { ...this.#settings, ...parsed };
    else this.#notices = [...this.#notices, `“${String(raw)}” is not understood: ${rule}. It is ${format(this.#settings)} now.`];
    this.#stale = true;
  }

  #wish(wanted: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...wanted };
    this.#stale = true;
    this.requestUpdate();
  }

  #retokenize(): void {
    const text = normalizeLines(String(this.text ?? ''));
    if (text !== this.text) this.text = text;
    this.#tokens = this.#given?.text === text && this.#given.tokens ? this.#given.tokens : tokenize(text);
    this.#stale = true;
  }

  #compute(): void {
    const { settings, notices } = this.#calculation.clamp(this.#settings);
    this.#settings = settings;
    this.#notices = [...this.#notices, ...notices];
    if (!this.#calculation.isLong(this.#tokens, settings)) {
      this.#run();
      return;
    }
    this.#computing = true;
    // Two frames: the first paints the keystroke, the second is surely after it.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.#computing = false;
      if (!this.isConnected) return;
      this.#run();
      this.requestUpdate();
    }));
  }

  #run(): void {
    this.#stale = false;
    const first = this.#outcome.kind === 'loading';
    const before = this.#picture?.text;
    this.#outcome = this.#calculation.run(this.text, this.#tokens, this.#settings);
    const picture = this.#picture;
    if (this.#outcome.kind === 'refused') this.#report(this.#outcome);
    if (picture) this.#keepSelection(picture, picture.text !== before);
    this.#announce.push('attention-change', ...(first && picture ? ['attention-ready'] : []));
  }

  #keepSelection(picture: Picture, otherText: boolean): void {
    const given = this.#given?.selection;
    if (otherText) {
      const caret = this.#caret === null ? -1 : tokenAt(picture.tokens, this.#caret);
      const opening = picture.text === DEFAULT_TEXT ? picture.tokens.findIndex(({ text }) => text === 'it') : picture.tokens.length - 1;
      this.#selection = { ...this.#selection, query: given?.query ?? (caret >= 0 ? caret : opening), key: -1 };
    }
    if (given?.head !== undefined) this.#selection.head = given.head;
    const { key } = this.#selection;
    const wanted = fit(this.#selection, picture);
    wanted.key = given?.key ?? (key < 0 ? largestOtherKey(picture, wanted.head, wanted.query) : wanted.key);
    this.#selection = fit(wanted, picture);
    this.#given = this.#given && { ...this.#given, selection: {} };
  }

  #report({ code, message }: { code: string; message: string }): void {
    this.dispatchEvent(new CustomEvent('attention-error', { bubbles: true, composed: true, detail: { code, message } }));
  }

  // What the reader does.

  readonly #input = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.#caret = area.selectionStart;
    this.text = area.value;
  };

  readonly #moveCaret = (): void => {
    const area = this.#textarea;
    const picture = this.#picture;
    if (!area || this.shadowRoot?.activeElement !== area || area.selectionStart === this.#caret) return;
    this.#caret = area.selectionStart;
    if (!picture || picture.text !== this.text) return;
    const query = tokenAt(picture.tokens, this.#caret);
    if (query >= 0 && query !== this.#selection.query) {
      this.#select({ query, key: largestOtherKey(picture, this.#selection.head, query) });
    }
  };

  #select(part: Partial<Selection>, aloud = false): void {
    const picture = this.#picture;
    if (!picture) return;
    this.#selection = fit({ ...this.#selection, ...part }, picture);
    if (aloud) this.#spoken = this.#cellLabel(picture);
    this.#announce.push('attention-select');
    this.requestUpdate();
  }

  #change(wanted: Partial<Settings>): void {
    this.#notices = [];
    this.#problems = {};
    this.#drafts = {};
    this.#wish(wanted);
  }

  #type(name: SettingName, text: string): void {
    const parsed = setting(name).parse(text);
    if (parsed && (name !== 'scale' || parseNumber(text) !== null)) {
      this.#change(parsed);
    } else {
      const inUse = name === 'scale' ? `× ${significant(this.trace?.factor ?? this.#settings.scale_factor)}` : setting(name).format(this.#settings);
      const kind = name === 'scale' ? 'a finite number' : 'a whole number';
      this.#problems = { ...this.#problems, [name]: text.trim() === '' ? `Type ${kind}. Still ${inUse}.` : `“${text.slice(0, 20)}” is not ${kind}. Still ${inUse}.` };
    }
    this.#drafts = { ...this.#drafts, [name]: text };
    this.requestUpdate();
  }

  #settle(name: SettingName): void {
    if (this.#problems[name]) return;
    delete this.#drafts[name];
    this.requestUpdate();
  }

  readonly #scrollRows = (event: Event): void => {
    const { scrollTop } = event.target as HTMLElement;
    const from = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - 20);
    if (Math.abs(from - this.#rows.from) < 10) return;
    this.#rows = { from, to: from + 60 };
    this.requestUpdate();
  };

  // What the reader sees.

  get #scheme(): Theme {
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    return this.#dark?.matches ? 'dark' : 'light';
  }

  protected override render(): TemplateResult {
    const picture = this.#picture;
    return html`
      <div class="root" data-theme=${this.#scheme} part="root">
        <section class="sentence" aria-label="Sentence" part="sentence">
          <div class="sentence-title"><label for="text">Your sentence</label><span class="muted">${plural(this.#tokens.length, 'token')}</span></div>
          ${sentenceBox({ input: this.#input, caret: this.#moveCaret })}
          <div class="caption" part="caption">${this.#caption()}</div>
        </section>
        <section class="switches" aria-label="Settings" part="switches">
          ${switches(
            {
              settings: this.#settings,
              effect: picture && { settings: picture.trace.settings, shape: picture.trace.shape, factor: picture.trace.factor, hidden: picture.hidden },
              problems: this.#problems, drafts: this.#drafts, moreOpen: this.#moreOpen,
            },
            {
              change: (wanted) => this.#change(wanted),
              type: (name, text) => this.#type(name, text),
              settle: (name) => this.#settle(name),
              more: () => this.#toggle(() => { this.#moreOpen = !this.#moreOpen; }),
            },
          )}
          <p class="notices" role="status">${this.#notices.join(' ')}</p>
        </section>
        <section class="figure" aria-label="Attention weights" part="figure">
          ${picture ? nothing : html`<div class="state">${this.#stateWords()}</div>`}
          <div class="figure-grid" ?hidden=${!picture}>
            ${headsFrame()}
            <div class="middle">
              ${matrixFrame(html`<b>Weights</b>, head ${this.#selection.head + 1} of ${picture?.trace.shape.H ?? this.#settings.num_heads}, random parameters`, (picture?.hidden ?? 0) > 0)}
              <p class="honest">The parameters are random numbers drawn from seed ${this.#settings.seed}. Patterns here teach how attention works, not what words mean.</p>
              <details class="as-table" ?open=${this.#tableOpen} @toggle=${(event: Event) => this.#toggle(() => { this.#tableOpen = (event.target as HTMLDetailsElement).open; })}>
                <summary>Read these numbers as a table</summary>
                ${picture && this.#tableOpen ? weightsTable(picture, this.#selection) : nothing}
              </details>
            </div>
            <div class="inspector" part="inspector">${picture ? this.#inspector(picture) : nothing}</div>
          </div>
        </section>
        <p class="unseen" role="status">${this.#spoken}</p>
      </div>
    `;
  }

  #toggle(change: () => void): void {
    change();
    this.requestUpdate();
  }

  #caption(): TemplateResult {
    const outcome = this.#outcome;
    const failed = outcome.kind === 'refused' || outcome.kind === 'failed';
    const words =
      this.#computing ? html`<p class="row-caption muted">computing…</p><p class="row-rest">${plural(this.#tokens.length, 'token')}, ${count(this.#tokens.length ** 2 * this.#settings.num_heads)} weights</p>`
      : outcome.kind === 'ready' ? caption(outcome.picture, this.#selection)
      : outcome.kind === 'empty' ? html`<p class="row-caption muted">Type a word.</p><p class="row-rest">Every number below follows what you type.</p>`
      : nothing;
    return html`<p id="problem" class="problem" role="alert">${failed ? outcome.message : ''}</p>${words}`;
  }

  #stateWords(): TemplateResult | typeof nothing {
    switch (this.#outcome.kind) {
      case 'empty': return html`<p class="state-title">Nothing to look at yet</p><p>Type a word in the box above: its attention is drawn here.</p>`;
      case 'refused': return html`<p class="state-title">No figure for this text</p><p>Your text is kept in the box. Mend what the line above it says, and the figure comes back.</p>`;
      case 'failed': return html`<p class="state-title">No figure</p><p>The engine did not start, so there is nothing true to show.</p>`;
      case 'loading': return html`<p class="state-late">Loading the engine…</p>`;
      default: return nothing;
    }
  }

  #inspector(picture: Picture): TemplateResult {
    const cell = picture.trace.cell(this.#selection);
    return inspector(
      { picture, selection: this.#selection, cell, rows: this.#rows, termsOpen: this.#termsOpen },
      {
        terms: (open) => this.#toggle(() => { this.#termsOpen = open; }),
        selectKey: (key) => this.#select({ key }),
        scrollRows: this.#scrollRows,
      },
    );
  }

  #cellLabel(picture: Picture): string {
    const { head, query, key } = this.#selection;
    const hidden = rowOf(picture, picture.masked, head, query)[key] === -Infinity;
    const value = rowOf(picture, picture.weights, head, query)[key] ?? 0;
    return `query ${wordText(picture, query)}, key ${wordText(picture, key)}, ${hidden ? 'masked, weight 0' : `weight ${value >= 0.005 || value === 0 ? Number(value.toFixed(2)) : 'less than 0.01'}, ${percent(value)}`}`;
  }

  protected override firstUpdated(): void {
    const find = (selector: string) => this.renderRoot.querySelector(selector) as HTMLElement;
    this.#sentenceView = new SentenceView(find('.sentence-box'));
    this.#headsView = new HeadsView(find('.heads-scroll'), 'head', (head) => this.#select({ head }));
    this.#matrixView = new MatrixView(find('.matrix'), { select: (query, key) => this.#select({ query, key }, true) });
    this.#watch();
  }

  #watch(): void {
    const root = this.renderRoot.querySelector('.root');
    if (root) this.#resizes?.observe(root);
  }

  protected override updated(changed: PropertyValues): void {
    const area = this.#textarea;
    if (area && area.value !== this.text) area.value = this.text;
    if (!this.#paint || changed.has('theme')) this.#paint = readPaint(this.renderRoot.querySelector('.root') as HTMLElement, this.#scheme);
    this.#draw(this.#paint);
    const sent = new Set(this.#announce.splice(0));
    for (const name of sent) {
      const detail = name === 'attention-select' ? { ...this.#selection } : this.state;
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
    }
  }

  #draw(paint: Paint): void {
    const picture = this.#picture;
    const { head, query, key } = this.#selection;
    const current = picture !== null && picture.text === this.text;
    this.#sentenceView?.update({
      text: this.text,
      tokens: this.#tokens,
      row: current ? { weights: rowOf(picture, picture.weights, head, query), masked: rowOf(picture, picture.masked, head, query), query, key } : null,
      ramp: paint.ramp,
    });
    if (!picture) return;
    const { weights, masked, trace } = picture;
    this.#headsView?.update({ heads: trace.shape.H, chosen: head, words: trace.shape.T, weights, masked, paint });
    this.#matrixView?.update({
      words: picture.tokens.map(({ text }) => text),
      weights: headOf(picture, weights, head),
      masked: headOf(picture, masked, head),
      query, key, paint,
      label: this.#cellLabel(picture),
      gridLabel: `Weights of head ${head + 1}: rows are queries, columns are keys`,
    });
    this.#showRow(picture);
  }

  #shownRow = '';

  /** Keeps the selected key in view inside a long row. */
  #showRow(picture: Picture): void {
    const shown = `${this.#selection.query} ${this.#selection.key} ${picture.tokens.length}`;
    if (shown === this.#shownRow) return;
    this.#shownRow = shown;
    const scroller = this.renderRoot.querySelector('.row-scroll');
    if (!scroller || scroller.scrollHeight <= scroller.clientHeight) return;
    const at = (listedKeys(picture, this.#selection).indexOf(this.#selection.key) + 1) * ROW_HEIGHT;
    if (at < scroller.scrollTop + ROW_HEIGHT || at > scroller.scrollTop + scroller.clientHeight - 2 * ROW_HEIGHT) scroller.scrollTop = at - scroller.clientHeight / 2;
  }

  #resize(): void {
    if (!this.#paint || !this.hasUpdated) return;
    this.#draw(this.#paint);
  }

  readonly #recolour = (): void => {
    this.#paint = null;
    this.requestUpdate();
  };
}
