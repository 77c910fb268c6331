// The figure: heads, the large matrix, the arithmetic of a cell; and the pinned state.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Selection } from '../../engine/types.ts';
import { comma } from '../../lib/format.ts';
import { Work } from '../../lib/schedule.ts';
import type { Pin } from '../../state/comparison.ts';
import { type Picture, type Shown, readOf, shownNow } from '../../state/result.ts';
import type { Mode } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { FIGURE_PARTS, type Part } from '../../state/views.ts';
import { axes, cellWords } from '../../text/caption.ts';
import { honestWords, sourceWords } from '../../text/sources.ts';
import { headOf, headsOf } from '../../text/word.ts';
import type { Late } from '../late.ts';
import { stateWords } from '../sentence/status.ts';
import { headsFrame, legend, maskedNote, matrixFrame } from './template.ts';

const TITLES: Record<Mode, (head: string, heads: number) => TemplateResult> = {
  now: (head, heads) => msg(html`<b>Weights</b>, head ${head} of ${heads}`),
  pinned: (head, heads) => msg(html`<b>Weights</b>, as they were pinned, head ${head} of ${heads}`),
  difference: (head, heads) => msg(html`<b>Weights</b>, now − pinned, head ${head} of ${heads}`),
};

export interface FigureEvents {
  /** The part loaded after the first figure; null until then. */
  late(): Late | null;
  /** Whether it is still loading. */
  isWaiting(): boolean;
  /** Whether the reader types, and this is off the screen. */
  mayWait(part: HTMLElement): boolean;
  update(): void;
  select(part: Partial<Selection>): void;
  /** Whether arcs stand over the sentence, and not beside the row. */
  isArched(): boolean;
  /** Scrolls the list of the row's keys, once it is drawn. */
  scrollRow(top: number): void;
}

export class FigurePart {
  #pin: Pin | null = null;
  #present: Shown | null = null;
  /** Whether a click masks or unmasks a cell. */
  masking = false;
  #termsOpen = false;
  #tableOpen = false;
  #rowsFrom = 0;
  /** The chosen place, but with the cell that the mouse is over; of which picture and choice. */
  #looked: { at: Selection; picture: Picture | null; chosen: Selection } | null = null;

  constructor(private readonly store: Store, private readonly events: FigureEvents) {}

  /** Comes after the first figure. */
  get pin(): Pin | null {
    const late = this.events.late();
    return (this.#pin ??= late && new late.Pin(this.store, late.pinnedWords));
  }

  /** The same object while its picture and head are. */
  shown(picture: Picture, head: number): Shown {
    if (this.pin) return this.pin.shown(picture, head);
    const now = shownNow(picture, head);
    if (this.#present?.picture !== picture || this.#present.head !== now.head) this.#present = now;
    return this.#present;
  }

  /** Shows a cell's arithmetic without choosing it, until called with null or another cell is chosen. */
  look(at: Selection | null): void {
    const { picture, selection } = this.store;
    this.#change(() => { this.#looked = at && { at, picture, chosen: selection }; });
  }

  get #seen(): Selection {
    const { picture, selection } = this.store;
    const looked = this.#looked;
    return looked?.picture === picture && looked.chosen === selection ? looked.at : selection;
  }

  #change(act: () => void): void {
    act();
    this.events.update();
  }

  pinBar(): TemplateResult | typeof nothing {
    const { picture, outcome } = this.store;
    const late = this.events.late();
    const { pin } = this;
    if (!late || !pin) return html`<div class="pin-room"></div>`;
    return picture || pin.state || outcome.kind === 'loading' ? late.pin(pin.state, pin.mode, {
          pin: () => this.store.pin(),
          unpin: () => this.store.unpin(),
          mode: (mode) => this.#change(() => { pin.mode = mode; }),
        }) : nothing;
  }

  #inspectorAt: HTMLElement | undefined;
  /** Until typing stops. */
  readonly #waiting = new Work(() => this.events.update());

  /** The cell whose arithmetic was shown last. */
  #written: TemplateResult | typeof nothing = nothing;

  /** Off the screen, the arithmetic is updated when typing stops. */
  #cell(picture: Picture): TemplateResult | typeof nothing {
    if (this.#inspectorAt && this.events.mayWait(this.#inspectorAt)) this.#waiting.at('pause');
    else {
      this.#waiting.stop();
      this.#written = this.#inspector(picture, this.events.late());
    }
    return this.#written;
  }

  render(parts: ReadonlySet<Part>): TemplateResult {
    const { picture, outcome, selection, settings, knobs, state } = this.store;
    const shown = picture && this.shown(picture, selection.head);
    const mode = this.pin?.mode ?? 'now';
    return html`
      <section class="figure" ?hidden=${picture !== null && !FIGURE_PARTS.some((part) => parts.has(part))} data-state=${outcome.kind} aria-label=${msg('Attention weights')} part="figure">
        ${picture ? nothing : html`<div class="state">${stateWords(outcome, !parts.has('sentence'))}</div>`}
        <div class="figure-grid" ?hidden=${!picture}>
          ${headsFrame(readOf(picture)?.layer ?? null, parts.has('heads'))}
          <div class="middle" ?hidden=${!parts.has('matrix')}>
            ${matrixFrame({
              shown, cell: shown && !shown.note ? cellWords(shown, selection) : nothing,
              title: html`${TITLES[mode](headOf(picture, selection.head), picture ? headsOf(picture) : settings.num_heads)}<span class=${picture?.designed ? '' : 'wide-only'}>${comma()}${sourceWords(picture, selection.head)}</span>`,
              axes: axes(knobs.rows, state.keyText !== null), note: picture && mode === 'now' ? maskedNote(picture) : null, tools: this.#maskTools(picture), nudge: this.events.late()?.nudge((rows, columns) => this.#nudge(rows, columns)) ?? html`<div class="nudge"></div>`,
              legend: (shown?.mode === 'difference' && this.events.late()?.differenceLegend(shown)) || legend(),
            })}
            <p class="honest">${honestWords(knobs.source, settings.seed, picture)}</p>
            <details class="as-table" ?open=${this.#tableOpen} @toggle=${(event: Event) => this.#change(() => { this.#tableOpen = (event.target as HTMLDetailsElement).open; })}>
              <summary>${msg('Read these numbers as a table')}</summary>
              ${(picture && this.#tableOpen && this.events.late()?.weightsTable(picture, selection)) || nothing}
            </details>
          </div>
          <div class="inspector" part="inspector" ?hidden=${!parts.has('cell')}>${parts.has('cell') && picture ? this.#cell(picture) : nothing}</div>
        </div>
      </section>
    `;
  }

  /** It may still show the previous picture. */
  markBusy(root: ParentNode, isBusy: boolean): void {
    const inspector = root.querySelector<HTMLElement>('.inspector');
    this.#inspectorAt = inspector ?? undefined;
    inspector?.setAttribute('aria-busy', String(!inspector.hidden && (isBusy || this.#waiting.isWaiting || this.events.isWaiting())));
  }

  #nudge(rows: number, columns: number): void {
    const { query, key } = this.store.selection;
    const [down, across] = this.store.knobs.rows === 'queries' ? [rows, columns] : [columns, rows];
    this.events.select({ query: query + down, key: key + across });
  }

  #maskTools(picture: Picture | null): TemplateResult | typeof nothing {
    if (!this.store.may('mask') || picture?.ready) return nothing;
    const late = this.events.late();
    if (!late) return html`<div class="mask-tools"></div>`;
    const within = picture?.edited.size ?? 0;
    return late.maskTools({ masking: this.masking, within, beyond: this.store.state.maskEdits.length - within }, {
      toggle: () => this.#change(() => { this.masking = !this.masking; }),
      clear: () => this.store.change({ maskEdits: [] }),
    });
  }

  #inspector(picture: Picture, late: Late | null): TemplateResult | typeof nothing {
    if (!late) return nothing;
    const selection = this.#seen;
    this.#showRow(picture, selection, late);
    const cell = picture.trace.cell(selection);
    return late.inspector(
      {
        picture, selection, cell, rowsFrom: this.#rowsFrom, arcs: !this.events.isArched(), termsOpen: this.#termsOpen,
        both: this.pin?.both(picture, selection) ?? null,
      },
      {
        terms: (open) => this.#change(() => { this.#termsOpen = open; }),
        selectKey: (key) => this.events.select({ key }),
        scrollRows: (event) => this.#scrollRows(late.fromAt((event.target as HTMLElement).scrollTop)),
      },
    );
  }

  #shownRow = '';

  /** Keeps the selected key in view inside a long row. */
  #showRow(picture: Picture, selection: Selection, { rowAtKey }: Late): void {
    const { head, query, key } = selection;
    const shown = `${head} ${query} ${key} ${picture.tokens.length}`;
    if (shown === this.#shownRow) return;
    this.#shownRow = shown;
    const { from, scrollTop } = rowAtKey(picture, selection);
    if (from === 0 && this.#rowsFrom === 0) return;
    this.#rowsFrom = from;
    this.events.scrollRow(scrollTop);
  }

  #scrollRows(from: number): void {
    if (from === this.#rowsFrom) return;
    this.#rowsFrom = from;
    this.events.update();
  }
}
