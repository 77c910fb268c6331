// Makes the data for the walk's cards, tools and explanation from its state, without changing it.
import { msg } from '@lit/localize';
import type { TemplateResult, nothing } from 'lit';
import type { ArrayId, Edit, Explanation, ParameterId, RowMeasures, StageId, StageInfo, Trace } from '../../engine/engine.ts';
import { type Focus, extent, indexOf, placeOf, wordsAt } from '../../engine/places.ts';
import { isStage, side } from '../../engine/stages.ts';
import type { Selection } from '../../engine/types.ts';
import { exact, short } from '../../text/numbers.ts';
import { type Pinned, isSamePlace } from '../../state/comparison.ts';
import { type Picture, isCross } from '../../state/result.ts';
import { GROUPS, cardOf, parametersOf, stagesOf } from '../../state/stage-groups.ts';
import type { LockedRanges, Mode, Only } from '../../state/state.ts';
import { type Told, ruleWords } from '../../text/explanation.ts';
import type { FormulaData } from '../../text/formulas.ts';
import { nameIn, readsOf } from '../../text/stages.ts';
import { lineOf } from '../../text/stage-lines.ts';
import { type Card, Comparison, type Matrix, Ranges, cards, headHues, inLockedRange, matrix } from './matrices.ts';
import type { Paint } from '../kit/paint.ts';
import type { CardView } from './card.ts';
import type { DrawingInput } from './drawing.ts';
import { editOf, readEdit } from './edits.ts';
import { type ExplanationEvents, explanation } from './explanation.ts';
import type { FocusState } from './focus.ts';
import { type Measures, alone, lines, measures, runs } from './layout.ts';
import { type Line, type SectionView, type ToolsEvents, tools } from './template.ts';

export interface WalkInput {
  picture: Picture;
  selection: Selection;
  stages: readonly StageInfo[];
  edits: readonly Edit[];
  /** Whether numbers may be set by hand. */
  mayEdit: boolean;
  paint: Paint;
  pinned: Pinned | null;
  /** Whether matrices show now, the pinned state or the difference. */
  mode: Mode;
  /** Colour ranges that the reader has locked. */
  lockedRanges: LockedRanges | null;
}

/** The reader's state of the walk: opened, folded, typed, looked at. */
export interface WalkState {
  readonly focus: FocusState;
  hover: Focus | null;
  readonly closed: Set<StageId>;
  readonly opened: Set<ParameterId>;
  readonly allHeads: Set<StageId>;
  termsOpen: boolean;
  /** Null until the reader has gone to a number, or said: until then no number is asked for in all its digits. */
  folded: boolean | null;
  draft: { value: string; problem: string } | null;
  playing: boolean;
  /** On paper, where everything is open and whole. */
  printing: boolean;
  /** The only part shown; null for everything. */
  only: Only | null;
}

/** Not wider than this, the explanation is a sheet over the foot of the screen: it stays small until it is asked for. */
const SHEET = 1052;

/** Whose words and shapes stand beside the matrices. */
const shownPicture = ({ picture, pinned, mode }: WalkInput): Picture => (mode === 'pinned' && pinned ? pinned.picture : picture);
const about = (picture: Picture): FormulaData => ({ settings: picture.trace.settings, shape: picture.trace.shape, cross: isCross(picture), reads: readsOf(picture) });

export class WalkView {
  readonly #ranges = new Ranges();
  readonly #comparison = new Comparison();
  readonly #explained = new Map<string, Explanation>();
  #of: Trace | null = null;
  #measured: { trace: Trace; head: number; rows: RowMeasures } | null = null;

  constructor(private readonly state: WalkState, private readonly isSeen: (id: ArrayId) => boolean) {}

  /** The number that is looked at: under the mouse, or else chosen. */
  active(trace: Trace): Focus {
    return this.state.hover ?? this.state.focus.focus(trace);
  }

  explain(trace: Trace, { array, index }: Focus): Explanation {
    if (this.#of !== trace || this.#explained.size > 500) this.#explained.clear();
    this.#of = trace;
    const key = `${array} ${index}`;
    const known = this.#explained.get(key) ?? trace.explain(array, index);
    this.#explained.set(key, known);
    return known;
  }

  /** Content once shown stays while it is out of view, so that nothing below moves. */
  #isKnown(trace: Trace, { array, index }: Focus): boolean {
    return this.#of === trace && this.#explained.has(`${array} ${index}`);
  }

  section(input: WalkInput, width: number, events: ExplanationEvents & ToolsEvents): { view: SectionView; drawing: DrawingInput } {
    const { picture, selection, paint, stages } = input;
    const { trace } = picture;
    const rows = Math.max(trace.shape.T, trace.shape.S);
    const sizes = this.state.only ? alone(measures(width, rows), width, rows) : measures(width, rows, this.state.printing);
    const hues = headHues(trace.shape.H, paint.theme);
    const { only } = this.state;
    const every = cards(picture, stages, (id) => this.#matrix(input, id));
    // A stage that the run does not have cannot be shown alone.
    const wanted = only && every.filter(({ id }) => id === cardOf(trace, only.array));
    const isAlone = wanted !== null && wanted.length > 0;
    const all = isAlone ? wanted : every;
    const active = this.active(trace);
    const parameters = [...this.state.opened].filter((id) => trace.present(id)).map((id) => this.#matrix(input, id));
    const groups = GROUPS.map((group) => ({ group, lines: this.#lines(input, all.filter(({ id }) => group.stages.includes(id)), sizes, active) }))
      .filter(({ lines: shown }) => shown.length > 0);
    return {
      view: {
        only: isAlone ? (only?.sum ? 'sum' : 'stage') : null,
        isLocked: input.lockedRanges !== null, outside: all.some(({ matrix: { outside = 0 } }) => outside > 0),
        picture, query: selection.query, head: selection.head, heads: trace.shape.H, hues,
        groups, tokensOpen: !this.state.closed.has('tokens'),
        tools: this.#tools(input, all, events),
        explanation: this.#explanation(input, width, active, events),
      },
      drawing: {
        picture, shown: shownPicture(input), selection, paint, sizes, hues, active, explanation: this.explain(trace, active),
        matrices: [...all.map(({ matrix: own }) => own), ...parameters], cards: all, allHeads: this.state.allHeads,
        beside: new Map(groups.flatMap((group) => group.lines).flatMap(({ cards: line }) => line.map(({ card: { id } }) => [id, line.length] as const))),
      },
    };
  }

  /** As it is shown: now, as it was pinned, or the difference. */
  #matrix(input: WalkInput, id: ArrayId): Matrix {
    const { picture: { trace }, selection, pinned } = input;
    const now = this.#now(input, id);
    return inLockedRange(pinned ? this.#comparison.matrix(input.mode, trace, pinned, now, this.#within(trace, id, selection)) : now, input.lockedRanges, input.mode);
  }

  #now({ picture: { trace }, selection }: WalkInput, id: ArrayId): Matrix {
    const { hover, focus } = this.state;
    const own = hover?.array === id ? hover : this.#made(trace, id);
    const place = own ? placeOf(trace, own) : focus.shownIn(trace, id, selection.head);
    return matrix(trace, id, this.#within(trace, id, selection), place, this.#ranges);
  }

  /** A hovered number of concat comes from one head's context, which may be another than the chosen head's. */
  #made(trace: Trace, id: ArrayId): Focus | undefined {
    const { hover } = this.state;
    return id === 'context' && hover?.array === 'concat' ? this.explain(trace, hover).terms[0]?.left : undefined;
  }

  #within(trace: Trace, id: ArrayId, selection: Selection): Selection {
    const own = this.#made(trace, id);
    return own ? { ...selection, head: placeOf(trace, own).head } : selection;
  }

  #lines(input: WalkInput, group: readonly Card[], sizes: Measures, active: Focus): Line[] {
    const cross = isCross(input.picture);
    const whose = ({ id }: Card) => ((cross && side(id) === 'key') || (input.picture.rows === 'keys' && side(id) === 'pair') ? 'key' : 'query');
    const { closed } = this.state;
    // A folded card has its line to itself; open ones stand side by side.
    return runs(group, (card) => (closed.has(card.id) ? card.id : whose(card))).flatMap((run) => lines(run, sizes.perLine)).map((line) => ({
      whose: line.some((card) => whose(card) === 'key') ? 'key' : 'query', pairs: line.some(({ id }) => side(id) === 'pair'), open: line.some(({ id }) => !closed.has(id)),
      width: sizes.card(line.length), cards: line.map((card) => this.#card(input, card, active)),
    }));
  }

  #card(input: WalkInput, card: Card, active: Focus): CardView {
    const { picture, selection, paint, mode } = input;
    const { trace } = picture;
    const { id, matrix: { place, head, heads } } = card;
    const { closed, opened, allHeads } = this.state;
    const shown = shownPicture(input);
    const hued = (id === 'context' || id === 'concat') && trace.shape.H > 1;
    const plain = mode === 'now';
    const at = { array: id, index: indexOf(trace, id, place) };
    return {
      card: shown.trace.present(id) ? { ...card, extents: shown.trace.extents(id) } : card, picture: shown, about: about(shown), mode,
      open: !closed.has(id), line: lineOf(shown, id),
      explanation: plain && (this.isSeen(id) || this.#isKnown(trace, at)) ? this.explain(trace, at) : null,
      focused: active.array === id,
      hue: hued ? (headHues(trace.shape.H, paint.theme)[id === 'context' ? head : selection.head] ?? null) : null,
      parameters: parametersOf(trace, id).map((parameter) => {
        const open = opened.has(parameter);
        return { id: parameter, open, extents: trace.extents(parameter), matrix: open ? this.#matrix(input, parameter) : null };
      }),
      measures: id === 'weights' && plain ? (this.isSeen(id) || this.#measured?.trace === trace ? this.#measures(trace, selection) : null) : undefined,
      allHeads: heads > 1 && mode !== 'difference' ? allHeads.has(id) : undefined,
    };
  }

  #measures(trace: Trace, { head, query }: Selection) {
    if (this.#measured?.trace !== trace || this.#measured.head !== head) this.#measured = { trace, head, rows: trace.measures(head) };
    const { entropy, largest, largestKey } = this.#measured.rows;
    return { entropy: entropy[query] ?? NaN, largest: largest[query] ?? NaN, largestKey: largestKey[query] ?? -1 };
  }

  #tools({ picture, stages }: WalkInput, all: readonly Card[], events: ToolsEvents): TemplateResult {
    const { trace } = picture;
    const focus = this.state.focus.focus(trace);
    const card = cardOf(trace, focus.array);
    const step = Math.max(0, stagesOf(trace).findIndex((id) => id === card));
    const view = { ...this.#about(picture, focus, stages), explanation: this.explain(trace, focus) };
    return tools({
      names: all.map(({ label }) => label), step, playing: this.state.playing, sentence: ruleWords(view),
    }, events);
  }

  #about(picture: Picture, focus: Focus, stages: readonly StageInfo[]): Omit<Told, 'explanation'> {
    const { trace } = picture;
    const { array } = focus;
    return {
      picture, focus, place: placeOf(trace, focus), heads: extent(trace, array).heads,
      about: about(picture),
      label: isStage(array) ? nameIn(picture, array, stages) : array.startsWith('b') ? msg('Bias') : msg('Parameter'),
      placeOf: (at) => placeOf(trace, at),
    };
  }

  #explanation(input: WalkInput, width: number, focus: Focus, events: ExplanationEvents): TemplateResult | typeof nothing {
    const { picture, edits, stages, pinned, selection } = input;
    const { trace } = picture;
    const { hover, draft, termsOpen, folded } = this.state;
    const { array } = focus;
    const place = placeOf(trace, focus);
    const editable = input.mayEdit && hover === null && typeof readEdit(trace, array, place, '0') !== 'string';
    const explained = this.explain(trace, focus);
    return explanation({
      ...this.#about(picture, focus, stages),
      explanation: explained, termsOpen, say: hover === null && folded === null ? short : exact, folded: width <= SHEET && !this.state.printing && (folded ?? true),
      trail: hover === null ? this.state.focus.trail : [],
      pinned: pinned && isSamePlace(picture, pinned.picture, wordsAt(array, place)) ? this.#comparison.both(trace, pinned, this.#now(input, array), selection) : null,
      edit: !editable ? null : {
        value: draft?.value ?? String(explained.result), problem: draft?.problem ?? '', edited: editOf(trace, array, place, edits) !== undefined,
        isWord: array === 'content' || array === 'key_content',
      },
    }, events);
  }
}
