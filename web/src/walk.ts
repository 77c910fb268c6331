// The walk: every stage of the run, one number of it looked at, and the way that number came about.
// It draws itself after the figure above has been painted, and only when it is near the screen or the page is idle.
import { type TemplateResult, html, nothing, render } from 'lit';
import type { ArrayId, Edit, Explanation, ParameterId, StageId, StageInfo, Trace } from './engine.ts';
import type { Selection } from './fragment.ts';
import type { Picture } from './picture.ts';
import { explanation } from './views/explanation.ts';
import type { Paint } from './views/paint.ts';
import type { CardView } from './views/walk/card.ts';
import { headHues } from './views/walk/hues.ts';
import { type Measures, lines, measures } from './views/walk/layout.ts';
import { type Line, section } from './views/walk/section.ts';
import { type Card, Ranges, cards, matrix } from './walk-cards.ts';
import { WalkDrawing } from './walk-drawing.ts';
import { editOf, readEdit } from './walk-edit.ts';
import { FocusState, wayDown } from './walk-focus.ts';
import { type Focus, type Place, extent, indexOf, isStage, placeOf, selects, side } from './walk-places.ts';
import { GROUPS, cardOf, parametersOf } from './walk-stages.ts';

export interface WalkInput {
  picture: Picture;
  selection: Selection;
  stages: readonly StageInfo[];
  edits: readonly Edit[];
  paint: Paint;
}

export interface WalkEvents {
  select(part: Partial<Selection>): void;
  edit(edits: readonly Edit[]): void;
  /** The reader has gone to another number. */
  focused(): void;
}

export class Walk {
  readonly #host: HTMLElement;
  readonly #events: WalkEvents;
  readonly #focus = new FocusState();
  readonly #ranges = new Ranges();
  readonly #drawing: WalkDrawing;
  readonly #closed = new Set<StageId>();
  readonly #opened = new Set<ParameterId>();
  readonly #allHeads = new Set<StageId>();
  readonly #explained = new Map<string, Explanation>();
  #input: WalkInput | null = null;
  #hover: Focus | null = null;
  #termsOpen = false;
  #folded = false;
  #draft: { value: string; problem: string } | null = null;
  #near = false;
  #stale = false;
  #timer = 0;
  #width = 0;
  readonly #watch: IntersectionObserver;
  readonly #resize: ResizeObserver;

  constructor(host: HTMLElement, events: WalkEvents) {
    this.#host = host;
    this.#events = events;
    this.#drawing = new WalkDrawing(host, {
      hover: (array, place) => this.#hoverAt(array, place),
      choose: (array, place) => this.#choose(array, place),
      chooseHead: (head) => events.select({ head }),
      seen: () => this.#show(),
    });
    this.#watch = new IntersectionObserver((entries) => {
      this.#near = entries.at(-1)?.isIntersecting === true;
      if (this.#near && this.#stale) this.#show();
    }, { rootMargin: '200px' });
    this.#resize = new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.#later();
    });
  }

  connect(): void {
    this.#watch.observe(this.#host);
    this.#resize.observe(this.#host);
  }

  disconnect(): void {
    this.#watch.disconnect();
    this.#resize.disconnect();
    this.#drawing.disconnect();
    clearTimeout(this.#timer);
  }

  get focus(): { array: ArrayId; place: Place } {
    return { array: this.#focus.array, place: this.#focus.place };
  }

  /** A new picture or selection; null while there is none. */
  update(wanted: WalkInput | null): void {
    const before = this.#input;
    const input = wanted && answers(wanted.picture.trace) ? wanted : null;
    this.#input = input;
    if (!input) {
      this.#host.hidden = true;
      return;
    }
    this.#host.hidden = false;
    const { picture: { trace }, selection } = input;
    if (before?.picture !== input.picture) {
      this.#explained.clear();
      this.#hover = null;
    }
    const same = before && before.picture === input.picture && before.selection === selection && before.paint === input.paint && before.edits === input.edits;
    if (same) return;
    this.#draft = null;
    this.#focus.follow(trace, selection);
    this.#later();
  }

  /** Opens the card of a number and brings it on the screen. */
  reveal(array: ArrayId, place: Place | null, smooth = false): void {
    const trace = this.#input?.picture.trace;
    const card = trace && cardOf(trace, array);
    if (!trace || !card) return;
    this.#closed.delete(card);
    if (!isStage(array)) this.#opened.add(array);
    this.#go(array, place);
    this.#host.querySelector(`[data-stage-card=${card}]`)?.scrollIntoView({ block: 'center', behavior: smooth ? 'smooth' : 'auto' });
  }

  // The time of drawing.

  #later(): void {
    this.#stale = true;
    this.#host.setAttribute('aria-busy', 'true');
    clearTimeout(this.#timer);
    // After the paint of what is above; and when nobody looks, when nothing else is to be done.
    if (this.#near) requestAnimationFrame(() => { this.#timer = window.setTimeout(() => this.#catchUp()); });
    else if (typeof requestIdleCallback === 'function') requestIdleCallback(() => this.#catchUp(), { timeout: 1500 });
    else this.#timer = window.setTimeout(() => this.#catchUp(), 300);
  }

  #catchUp(): void {
    if (this.#stale) this.#show();
  }

  // What the reader does.

  #hoverAt(array: ArrayId, place: Place | null): void {
    const trace = this.#input?.picture.trace;
    if (!trace) return;
    this.#hover = place && { array, index: indexOf(trace, array, place) };
    this.#show();
  }

  #choose(array: ArrayId, place: Place): void {
    this.#hover = null;
    this.#go(array, place);
  }

  /** Looks at another number, and selects what it is about. */
  #go(array: ArrayId, place: Place | null, { trail = [] as readonly Focus[], selecting = true } = {}): void {
    const input = this.#input;
    if (!input) return;
    const { picture: { trace }, selection } = input;
    this.#draft = null;
    this.#focus.go(trace, array, place, trail);
    const wanted = selects(trace, array, this.#focus.place, selection);
    // An operand is looked at where it stands; the row and key that led there stay chosen.
    const next = selecting || side(array) === 'pair' ? wanted : { ...selection, head: wanted.head };
    const changed = next.head !== selection.head || next.query !== selection.query || next.key !== selection.key;
    if (changed) {
      this.#focus.expect(next);
      this.#events.select(next);
      this.#input = { ...input, selection: next };
    }
    this.#show();
    this.#events.focused();
  }

  #follow(array: ArrayId, index: number, trail = this.#focus.trail): void {
    const trace = this.#input?.picture.trace;
    if (!trace) return;
    const steps = [...trail, this.#focus.focus(trace)];
    this.#hover = null;
    const card = cardOf(trace, array);
    if (card) this.#closed.delete(card);
    if (!isStage(array)) this.#opened.add(array);
    this.#go(array, placeOf(trace, { array, index }), { trail: steps, selecting: false });
    this.#bringIntoView(array);
  }

  #bringIntoView(array: ArrayId): void {
    this.#host.querySelector(`[data-array=${array}]`)?.scrollIntoView({ block: 'nearest' });
  }

  #back(to: number): void {
    const trace = this.#input?.picture.trace;
    const step = this.#focus.trail[to];
    if (!trace || !step) return;
    this.#go(step.array, placeOf(trace, step), { trail: this.#focus.trail.slice(0, to), selecting: false });
    this.#bringIntoView(step.array);
  }

  #down(): void {
    const trace = this.#input?.picture.trace;
    if (!trace) return;
    const from = this.#focus.focus(trace);
    const way = wayDown(trace, from);
    const last = way.at(-1);
    if (!last) return;
    this.#go(last.array, placeOf(trace, last), { trail: [...this.#focus.trail, from, ...way.slice(0, -1)], selecting: false });
    this.#bringIntoView(last.array);
  }

  #edit(text: string): void {
    const { picture, edits } = this.#input ?? {};
    if (!picture || !edits) return;
    const read = readEdit(picture.trace, this.#focus.array, this.#focus.place, text);
    if (typeof read === 'string') {
      this.#draft = { value: text, problem: read };
      this.#show();
      return;
    }
    this.#events.edit([...edits.filter((edit) => edit !== editOf(picture.trace, this.#focus.array, this.#focus.place, edits)), read]);
  }

  #unedit(): void {
    const { picture, edits } = this.#input ?? {};
    if (!picture || !edits) return;
    const own = editOf(picture.trace, this.#focus.array, this.#focus.place, edits);
    this.#events.edit(edits.filter((edit) => edit !== own));
  }

  #toggle<Id>(set: Set<Id>, id: Id, wanted = !set.has(id)): void {
    if (set.has(id) === wanted) return;
    if (wanted) set.add(id);
    else set.delete(id);
    this.#show();
  }

  // What the reader sees.

  #show(): void {
    const input = this.#input;
    if (!input || this.#width === 0) return;
    this.#stale = false;
    const { picture, selection, paint } = input;
    const { trace } = picture;
    const sizes = measures(this.#width, Math.max(trace.shape.T, trace.shape.S));
    const hues = headHues(trace.shape.H, paint.theme);
    const all = cards(trace, input.stages, (id) => this.#matrix(trace, id, selection));
    const active = this.#hover ?? this.#focus.focus(trace);
    render(
      section(
        {
          picture, query: selection.query, head: selection.head, heads: trace.shape.H, hues, signed: true,
          groups: GROUPS.map((group) => ({ group, lines: this.#lines(all.filter(({ id }) => group.stages.includes(id)), sizes, active) }))
            .filter(({ lines: shown }) => shown.length > 0),
          tools: html``,
          explanation: this.#explanation(active),
        },
        {
          toggle: (id, open) => this.#toggle(this.#closed, id, !open),
          toggleParameter: (id, open) => this.#toggle(this.#opened, id, open),
          toggleHeads: (id) => this.#toggle(this.#allHeads, id),
          follow: (array, index) => this.#follow(array, index),
          chooseHead: (head) => this.#events.select({ head }),
        },
      ),
      this.#host,
    );
    this.#drawing.draw({
      picture, selection, paint, sizes, hues, active,
      explanation: this.#explain(trace, active),
      matrices: [...all.map(({ matrix: own }) => own), ...[...this.#opened].filter((id) => trace.present(id)).map((id) => this.#matrix(trace, id, selection))],
      cards: all,
      allHeads: this.#allHeads,
      ranges: this.#ranges,
    });
    this.#host.removeAttribute('aria-busy');
  }

  #matrix(trace: Trace, id: ArrayId, selection: Selection) {
    const hovered = this.#hover?.array === id ? placeOf(trace, this.#hover) : null;
    return matrix(trace, id, selection, hovered ?? this.#focus.shownIn(trace, id, selection.head), this.#ranges);
  }

  #lines(group: readonly Card[], sizes: Measures, active: Focus): Line[] {
    const cross = this.#input && this.#input.picture.keyTokens !== this.#input.picture.tokens;
    const whose = (card: Card) => (cross && side(card.id) === 'key' ? 'key' : 'query');
    const halves = (['query', 'key'] as const).map((one) => ({ one, cards: group.filter((card) => whose(card) === one) }));
    return halves.flatMap(({ one, cards: half }) => lines(half, sizes.perLine).map((line) => ({ whose: one, width: sizes.width(line.length), cards: line.map((each) => this.#cardView(each, active)) })));
  }

  #cardView(card: Card, active: Focus): CardView {
    const { picture, selection, paint } = this.#input as WalkInput;
    const { trace } = picture;
    const { id } = card;
    const place = card.matrix.place;
    const hued = id === 'context' || id === 'concat';
    return {
      card, picture, about: { settings: trace.settings, shape: trace.shape },
      open: !this.#closed.has(id),
      explanation: this.#drawing.isSeen(id) ? this.#explain(trace, { array: id, index: indexOf(trace, id, place) }) : null,
      focused: active.array === id,
      hue: hued && trace.shape.H > 1 ? (headHues(trace.shape.H, paint.theme)[selection.head] ?? null) : null,
      parameters: parametersOf(trace, id).map((parameter) => {
        const open = this.#opened.has(parameter);
        return { id: parameter, open, extents: trace.extents(parameter), matrix: open ? this.#matrix(trace, parameter, selection) : null };
      }),
      allHeads: card.matrix.heads > 1 ? this.#allHeads.has(id) : undefined,
    };
  }

  #explain(trace: Trace, { array, index }: Focus): Explanation {
    const key = `${array} ${index}`;
    let found = this.#explained.get(key);
    if (!found) {
      found = trace.explain(array, index);
      if (this.#explained.size > 500) this.#explained.clear();
      this.#explained.set(key, found);
    }
    return found;
  }

  #explanation(focus: Focus): TemplateResult | typeof nothing {
    const { picture, stages, edits } = this.#input as WalkInput;
    const { trace } = picture;
    const { array } = focus;
    const place = placeOf(trace, focus);
    const own = this.#hover === null ? editOf(trace, array, place, edits) : null;
    const editable = this.#hover === null ? readEdit(trace, array, place, '0') : '';
    const explained = this.#explain(trace, focus);
    return explanation(
      {
        picture, focus, place, heads: extent(trace, array).heads,
        about: { settings: trace.settings, shape: trace.shape },
        label: stages.find(({ id }) => id === array)?.label ?? (array.startsWith('b') ? 'Bias' : 'Parameter'),
        explanation: explained,
        placeOf: (at) => placeOf(trace, at),
        trail: this.#hover === null ? this.#focus.trail : [],
        termsOpen: this.#termsOpen, folded: this.#folded, pinned: null,
        edit: typeof editable === 'string' ? null : {
          value: this.#draft?.value ?? String(explained.result), edited: own !== undefined && own !== null, problem: this.#draft?.problem ?? '',
          about: array === 'content' || array === 'key_content' ? 'this word wherever it stands' : '',
        },
      },
      {
        follow: (to, index) => this.#follow(to, index),
        back: (to) => this.#back(to),
        down: () => this.#down(),
        terms: (open) => { this.#termsOpen = open; this.#show(); },
        fold: () => { this.#folded = !this.#folded; this.#show(); },
        edit: (text) => this.#edit(text),
        unedit: () => this.#unedit(),
      },
    );
  }
}


/** Until the engine explains its numbers there is nothing true to show. */
function answers(trace: Trace): boolean {
  try {
    return trace.explain('weights', 0).terms.length > 0;
  } catch {
    return false;
  }
}
