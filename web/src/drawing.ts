// The parts of the figure that are drawn by hand instead of by template: the sentence, the heads and the matrix.
import type { Selection } from './fragment.ts';
import { type Picture, headOf, rowOf } from './picture.ts';
import { maskedForAll } from './sum.ts';
import type { Token } from './tokenize.ts';
import { cellLabel } from './views/caption.ts';
import { HeadsView } from './views/heads.ts';
import { MatrixView } from './views/matrix.ts';
import type { Paint } from './views/paint.ts';
import { SentenceView } from './views/sentence.ts';

/** Narrower than this, arcs stand beside the row instead of over the sentence. */
const NARROW = 689;

export interface DrawingEvents {
  selectHead(head: number): void;
  selectCell(query: number, key: number): void;
  /** A width has changed: everything is to be drawn again. */
  resize(): void;
}

export class Drawing {
  readonly #sentence: SentenceView;
  readonly #heads: HeadsView;
  readonly #matrix: MatrixView;
  readonly #widths = { sentence: 0, matrix: 0 };
  readonly #resizes: ResizeObserver;
  readonly #measured: Element[];

  constructor(root: DocumentFragment | HTMLElement, events: DrawingEvents) {
    const find = (selector: string) => root.querySelector(selector) as HTMLElement;
    this.#sentence = new SentenceView(find('.sentence-box'));
    this.#heads = new HeadsView(find('.heads-scroll'), 'head', events.selectHead);
    this.#matrix = new MatrixView(find('.matrix'), { select: events.selectCell });
    this.#measured = [find('.mirror'), find('.matrix')];
    this.#resizes = new ResizeObserver((entries) => {
      const before = { ...this.#widths };
      for (const { target, contentRect } of entries) this.#widths[target === this.#measured[0] ? 'sentence' : 'matrix'] = contentRect.width;
      if (before.sentence !== this.#widths.sentence || before.matrix !== this.#widths.matrix) events.resize();
    });
    this.#widths.sentence = find('.mirror').clientWidth;
    this.connect();
  }

  connect(): void {
    for (const element of this.#measured) this.#resizes.observe(element);
  }

  disconnect(): void {
    this.#resizes.disconnect();
  }

  get narrow(): boolean {
    return this.#widths.sentence < NARROW;
  }

  /** `picture` only when it is of this very text: shares of other words would be wrong here. */
  drawSentence(text: string, tokens: readonly Token[], picture: Picture | null, { head, query, key }: Selection, paint: Paint, queries: readonly number[]): void {
    const together = picture && queries.length > 0;
    const row = picture && {
      weights: together ? picture.trace.summed(head, queries) : rowOf(picture, picture.weights, head, query),
      masked: together ? maskedForAll(picture, picture.masked, head, queries) : rowOf(picture, picture.masked, head, query),
      queries: together ? queries : [query], key,
    };
    this.#sentence.update({ text, tokens, row, paint, width: this.#widths.sentence });
  }

  drawFigure(picture: Picture, selection: Selection, paint: Paint): void {
    const { weights, masked, trace } = picture;
    const { head, query, key } = selection;
    // The first figure comes out of hiding, where nothing has a width.
    this.#widths.matrix ||= this.#measured[1]?.clientWidth ?? 0;
    this.#heads.update({ heads: trace.shape.H, chosen: head, words: trace.shape.T, weights, masked, paint });
    this.#matrix.update({
      words: picture.tokens.map(({ text }) => text),
      weights: headOf(picture, weights, head),
      masked: headOf(picture, masked, head),
      query, key, paint,
      width: this.#widths.matrix,
      label: cellLabel(picture, selection),
      gridLabel: `Weights of head ${head + 1}: rows are queries, columns are keys`,
    });
  }
}
