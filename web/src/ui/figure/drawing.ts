// The parts of the figure that are drawn by hand instead of by template: the sentence, the heads and the matrix.
import { msg, str } from '@lit/localize';
import type { Token } from '../../engine/tokens.ts';
import type { Selection } from '../../engine/types.ts';
import { FLIP, isStill, leave, setMeasure, widthProbe } from '../../lib/dom.ts';
import { count } from '../../lib/format.ts';
import { Work } from '../../lib/schedule.ts';
import { Space } from '../../lib/space.ts';
import { type Picture, fit, isCross, maskedOf, maskedRow, weightsOf, weightsRow, type Shown } from '../../state/result.ts';
import { maskedForAll } from '../../state/row-selection.ts';
import type { Mode } from '../../state/state.ts';
import type { Part } from '../../state/views.ts';
import { axes, cellLabel, differenceLabel, summary } from '../../text/caption.ts';
import { headNames } from '../../text/sources.ts';
import { headOf } from '../../text/word.ts';
import type { Place } from '../kit/grid.ts';
import type { Paint } from '../kit/paint.ts';
import { BESIDE_MATRIX, ONE_COLUMN, WIDE } from '../styles/measures.ts';
import { SentenceView } from '../sentence/text-view.ts';
import { HeadsView } from './heads-view.ts';
import { isOtherShare } from './matrix-canvas.ts';
import { MatrixView } from './matrix-view.ts';

const NOTHING = new Float32Array();
/** Whose widths are known without asking for a layout. */
const MEASURED = ['sentence', 'matrix', 'root'] as const;
/** Paddings of a figure that stands alone, in CSS pixels. */
const FRAME = 36;
/** Of the figure, in CSS pixels; as in the style sheet. */
const NARROW = 720;
/** Where a finger needs wider segments. */
const FINGERS = 960;
/** The matrix is not lower than this, however low the screen is. */
const LEAST_BESIDE = 300;
/** What is said of a second sentence over the matrix, in CSS pixels. */
const KEYS_LINES = 40;

export interface DrawingEvents {
  selectHead(head: number): void;
  selectCell(query: number, key: number): void;
  /** The mouse is over another cell than the chosen one; null when it is no longer. */
  look(at: { query: number; key: number } | null): void;
  /** Masks a cell by hand, or shows it again. */
  flip(query: number, key: number): void;
  /** A width has changed: everything is to be drawn again. */
  resize(): void;
}

export interface SentencesData {
  text: string;
  tokens: readonly Token[];
  /** Whether arcs may stand over the words. */
  arcs: boolean | 'always';
  /** How small words become before they stand on two lines; 0 where they do not. */
  smallest: number;
  /** The second sentence, where keys come from; null without one. */
  keys: { text: string; tokens: readonly Token[] } | null;
  picture: Picture | null;
  selection: Selection;
  /** Rows that are read together. */
  queries: readonly number[];
  paint: Paint;
}

export class Drawing {
  readonly #root: DocumentFragment | HTMLElement;
  #keys: { box: HTMLElement; view: SentenceView } | null = null;
  #queriesAcross = true;
  readonly #sentence: SentenceView;
  readonly #heads: HeadsView;
  readonly #matrix: MatrixView;
  readonly #widths = { sentence: 0, matrix: 0, root: 0 };
  readonly #resizes: ResizeObserver;
  #wasPrinted = false;
  #whole = false;
  readonly #measured: Element[];

  constructor(root: DocumentFragment | HTMLElement, events: DrawingEvents) {
    this.#root = root;
    const find = (selector: string) => root.querySelector(selector) as HTMLElement;
    this.#sentence = new SentenceView(find('.sentence-box'));
    this.#heads = new HeadsView(find('.heads-scroll'), 'head', events.selectHead);
    this.#matrix = new MatrixView(find('.matrix'), {
      choose: (place) => events.selectCell(...this.#asked(place)),
      look: (place) => {
        const [query, key] = place ? this.#asked(place) : [];
        events.look(query === undefined || key === undefined ? null : { query, key });
      },
      flip: (place) => events.flip(...this.#asked(place)),
    });
    this.#measured = [widthProbe(find('.sentence-box')), widthProbe(find('.matrix')), find('.root')];
    const resize = new Work(() => events.resize());
    this.#resizes = new ResizeObserver((entries) => {
      const before = { ...this.#widths };
      for (const { target, contentRect } of entries) this.#widths[MEASURED[this.#measured.indexOf(target)] ?? 'root'] = contentRect.width;
      if (MEASURED.every((each) => before[each] === this.#widths[each])) return;
      // On paper and back, much changes its size more than once: each in a frame of its own, not within one round of sizes.
      if (this.#wasPrinted || matchMedia('print').matches) resize.at('frame');
      else events.resize();
    });
    this.#widths.sentence = find('.mirror').clientWidth;
    this.#widths.root = find('.root').clientWidth;
    this.connect();
  }

  /** Rows and columns of the matrix as query and key. */
  #asked({ row, column }: Place): [query: number, key: number] {
    return this.#queriesAcross ? [row, column] : [column, row];
  }

  connect(): void {
    for (const element of this.#measured) this.#resizes.observe(element);
  }

  disconnect(): void {
    this.#resizes.disconnect();
    this.forget();
  }

  /** On paper nothing scrolls: all of it is drawn, at the width that it has now. */
  print(on: boolean): void {
    this.#whole = on;
    this.#wasPrinted = true;
    MEASURED.forEach((each, i) => { this.#widths[each] = this.#measured[i]?.clientWidth ?? 0; });
  }

  /** Where the sentence's words stand on their one line, over the row; null where they take more, or the row has its own. */
  get places() {
    return this.isOver ? this.#sentence.places : null;
  }

  /** Whether arcs stand over the sentence. */
  get arched(): boolean {
    return this.#sentence.arched;
  }

  /** `picture` only when it is of these very texts: shares of other words would be wrong here. */
  drawSentences({ text, tokens, arcs, smallest, keys, picture, selection, queries, paint }: SentencesData): void {
    const width = this.#widths.sentence;
    this.#wantsKeys = keys !== null;
    if (this.#isDrawn('sentences', [text, tokens, keys?.text, keys?.tokens, this.missesKeys, picture, selection, queries.join(), arcs, paint, width, this.#whole, (this.#root as Partial<ShadowRoot>).adoptedStyleSheets?.length])) return;
    const stage = this.#root.querySelector<HTMLElement>('.row-stages');
    // It keeps room in one column alone, and a new value would have every bar of the stage styled again.
    if (stage && !this.isOver) setMeasure(stage, '--words', String((keys?.tokens ?? tokens).length));
    const { head, query, key } = selection;
    const together = picture && queries.length > 0;
    const shares = picture && {
      weights: together ? picture.trace.summed(head, queries) : weightsRow(picture, head, query),
      masked: together ? maskedForAll(picture, head, queries) : maskedRow(picture, head, query),
      key, rows: together ? queries.length : 1,
    };
    const looking = together ? queries : [query];
    const rowOf = (each: number) => ({ weights: picture ? weightsRow(picture, head, each) : NOTHING, masked: picture ? maskedRow(picture, head, each) : NOTHING });
    const designed = picture?.designed ?? null;
    const draw = () => this.#sentence.update({ text, tokens, known: designed && designed.known, row: picture && { queries: looking, shares: keys ? null : shares, rowOf }, arcs: !keys && arcs, smallest, paint, width, whole: this.#whole });
    const isFlip = this.isOver && flips(this.#arcsOf, picture);
    this.#arcsOf = picture;
    if (isFlip) fading(this.#root.querySelector('.arcs'), draw);
    else draw();
    this.#keySentence(keys !== null)?.update({ ...(keys ?? { text, tokens }), known: designed && designed.keysKnown, row: shares && { queries: [], shares, rowOf }, arcs: false, smallest, paint, width, whole: this.#whole });
  }

  /** What the arcs were last drawn of. */
  #arcsOf: Picture | null = null;
  #wantsKeys = false;

  /** Whether a second sentence has come since the last drawing. */
  get missesKeys(): boolean {
    return this.#wantsKeys && !this.#keys && this.#root.querySelector('[data-keys]') !== null;
  }

  /** Whether there is room for two switches side by side and no more. */
  get isNarrow(): boolean {
    const { root } = this.#widths;
    return root > 0 && root <= (matchMedia('(pointer: coarse)').matches ? FINGERS : NARROW);
  }

  /** Whether the sentence stands over its row, as the style sheet has it. */
  get isOver(): boolean {
    const root = this.#root.querySelector<HTMLElement>('.root');
    return !this.#whole && root !== null && !root.dataset['view'] && this.#widths.root > ONE_COLUMN;
  }

  /** Whether the matrix stands beside the row, on one screen with it. */
  get #isBeside(): boolean {
    const root = this.#root.querySelector<HTMLElement>('.root');
    return !this.#whole && root !== null && !root.dataset['view'] && this.#widths.root >= WIDE;
  }

  /** How high the matrix may be in a box of known height; Infinity where it takes what it needs. */
  #room(): number {
    const root = this.#root.querySelector<HTMLElement>('.root');
    const matrix = root?.querySelector<HTMLElement>('.matrix');
    if (this.#isBeside) return Math.max(LEAST_BESIDE, innerHeight - BESIDE_MATRIX - (this.#wantsKeys ? KEYS_LINES : 0));
    if (this.#whole || !root?.dataset['view'] || !matrix || getComputedStyle(root).getPropertyValue('--attention-height').trim() === 'auto') return Infinity;
    const figure = root.querySelector<HTMLElement>('.figure');
    const others = [...root.children].reduce((sum, child) => (child === figure ? sum : sum + new Space(child as HTMLElement).height), 0);
    const beside = (root.querySelector<HTMLElement>('.middle')?.offsetHeight ?? 0) - matrix.offsetHeight;
    return root.clientHeight - others - beside - FRAME;
  }

  /** Its box comes and goes with the second sentence. */
  #keySentence(wanted: boolean): SentenceView | null {
    const box = wanted ? this.#root.querySelector<HTMLElement>('[data-keys]') : null;
    if (this.#keys?.box !== box) this.#keys = box && { box, view: new SentenceView(box) };
    return this.#keys?.view ?? null;
  }

  readonly #drawn: Record<'sentences' | 'figure', readonly unknown[]> = { sentences: [], figure: [] };

  /** Whether this very thing was drawn last. */
  #isDrawn(what: 'sentences' | 'figure', of: readonly unknown[]): boolean {
    const before = this.#drawn[what];
    this.#drawn[what] = of;
    return before.length === of.length && of.every((each, i) => each === before[i]);
  }

  #last: { picture: Picture; head: number; numbers: Float32Array; were: Float32Array | null } | null = null;

  /** Shares before the last change: of other parameters, those of the head that was seen. Null when the words have changed, or the head alone, and in a figure alone. */
  #were(picture: Picture, head: number, numbers: Float32Array): Float32Array | null {
    const last = this.#last;
    if (last?.picture === picture && last.head === head) return last.were;
    const root = this.#root.querySelector<HTMLElement>('.root');
    const isSame = last !== null && last.picture !== picture && !root?.dataset['view'] && last.numbers.length === numbers.length && sameWords(last.picture, picture);
    const were = isSame ? last.numbers : null;
    this.#last = { picture, head, numbers, were };
    this.#count(were, numbers, picture, head);
    return were;
  }

  /** How many shares have changed, under the matrix. */
  #count(were: Float32Array | null, numbers: Float32Array, picture: Picture, head: number): void {
    const line = this.#root.querySelector('.changed-shares');
    if (!line) return;
    const changed = were ? numbers.reduce((sum, number, i) => sum + Number(isOtherShare(number, were[i] ?? 0)), 0) : 0;
    if (changed === 0) return void (line.textContent = '');
    const seen = maskedOf(picture, head).reduce((sum, score) => sum + Number(score !== -Infinity), 0);
    line.textContent = msg(str`${count(changed)} of ${count(Math.max(seen, changed))} shares changed`);
  }

  /** Of what is no longer there nothing may be drawn. */
  forget(): void {
    this.#drawn.figure = [];
    this.#last = this.#arcsOf = null;
    this.#heads.forget();
  }

  /** The large matrix may show another state, or a difference; the heads are always the present ones. */
  drawFigure(picture: Picture, selection: Selection, shown: Shown, paint: Paint, masking: boolean, parts: ReadonlySet<Part>): void {
    this.#queriesAcross = picture.rows === 'queries';
    if (parts.has('heads')) {
      // All heads have the same mask, and the chosen head's has been copied for the large matrix.
      const masked = maskedOf(picture, selection.head);
      const thumb = { ...lie(picture, picture.rows, selection), kind: 'weights', range: 1, paint } as const;
      this.#heads.update({
        heads: picture.trace.shape.H, chosen: selection.head, names: headNames(picture), place: (head) => headOf(picture, head), of: picture.trace, paint, turned: !this.#queriesAcross,
        rows: thumb.rows, columns: thumb.columns, grid: (each) => ({ ...thumb, numbers: weightsOf(picture, each), masked: picture.ready ? maskedOf(picture, each) : masked }),
      });
    }
    if (shown.note || !parts.has('matrix')) return;
    // The first figure comes out of hiding, where nothing has a width.
    this.#widths.matrix ||= this.#measured[1]?.clientWidth ?? 0;
    if (this.#isDrawn('figure', [picture, selection, shown, paint, masking, this.#widths.matrix, this.#whole])) return;
    const place = fit(selection, shown.picture);
    const isFlip = this.#isBeside && shown.mode === 'now' && flips(this.#last?.picture ?? null, picture);
    const before = isFlip && !isStill() ? cellsIn(this.#root) : null;
    this.#matrix.update({
      ...lie(shown.picture, picture.rows, place), queriesAcross: this.#queriesAcross, edited: shown.picture.edited, masking, paint,
      numbers: shown.numbers, masked: shown.masked, kind: shown.mode === 'difference' ? 'signed' : 'weights', range: shown.range,
      width: this.#widths.matrix, height: this.#room(), whole: this.#whole, fits: this.#isBeside, were: shown.mode === 'now' ? this.#were(picture, place.head, shown.numbers) : null,
      label: shown.mode === 'difference' ? differenceLabel(shown, place) : cellLabel(shown.picture, place),
      gridLabel: gridLabel(shown, axes(picture.rows, isCross(picture)).aloud, masking),
      summary: summary(shown.picture, { id: 'weights', numbers: shown.numbers, masked: shown.masked, columns: shown.picture.trace.shape.S, row: place.query, kind: shown.mode === 'difference' ? 'signed' : 'weights' }),
    });
    if (before) leave(before);
  }
}

// What cannot travel with the bars when a switch is flipped, arcs and cells, fades into what it has become.

const flips = (before: Picture | null, now: Picture | null): boolean => before !== null && now !== null && before !== now && sameWords(before, now);

function fading(arcs: Element | null, draw: () => void): void {
  const was = arcs && !isStill() ? (arcs.cloneNode(true) as Element) : null;
  draw();
  if (!arcs || !was || was.innerHTML === arcs.innerHTML) return;
  if (arcs.nextElementSibling?.matches('.arcs-before')) arcs.nextElementSibling.remove();
  was.setAttribute('class', 'arcs-before');
  arcs.after(was);
  arcs.animate({ opacity: [0, 1] }, FLIP);
  leave(was);
}

/** A copy of the matrix's cells, laid over them. */
function cellsIn(root: DocumentFragment | HTMLElement): Element | null {
  const [area, canvas] = [root.querySelector<HTMLElement>('.matrix-area'), root.querySelector<HTMLCanvasElement>('.matrix canvas')];
  if (!area || !canvas || canvas.width === 0) return null;
  const was = canvas.cloneNode() as HTMLCanvasElement;
  was.getContext('2d')?.drawImage(canvas, 0, 0);
  was.className = 'cells-before';
  const { left, top } = new Space(area).box(canvas);
  Object.assign(was.style, { left: `${left}px`, top: `${top}px` });
  area.querySelector('.cells-before')?.remove();
  area.append(was);
  return was;
}

const sameWords = (a: Picture, b: Picture): boolean => a.text === b.text && a.keyText === b.keyText;

const GRIDS: Record<Mode, (head: string, lie: string) => string> = {
  now: (head, lie) => msg(str`Weights of head ${head}: ${lie}`),
  pinned: (head, lie) => msg(str`Pinned weights of head ${head}: ${lie}`),
  difference: (head, lie) => msg(str`Weights now − pinned of head ${head}: ${lie}`),
};

function gridLabel({ mode, head, picture }: Shown, lie: string, masking: boolean): string {
  const label = GRIDS[mode](headOf(picture, head), lie);
  return masking ? msg(str`${label}; press m to mask or show a cell`) : label;
}

/** Which words and cells lie where, and the place that is selected. */
function lie({ tokens, keyTokens, trace: { shape: { T, S } } }: Picture, across: Picture['rows'], { query, key }: Selection) {
  const [asking, answering] = [tokens.map(({ text }) => text), keyTokens.map(({ text }) => text)];
  return across === 'queries'
    ? { rows: T, columns: S, rowWords: asking, columnWords: answering, rowStride: S, columnStride: 1, row: query, column: key }
    : { rows: S, columns: T, rowWords: answering, columnWords: asking, rowStride: 1, columnStride: S, row: key, column: query };
}
