// Bars, numbers and streams of many words: on a canvas, since a browser takes longer to lay out as many elements than to paint them.
import { FLIP, setMeasure } from '../../lib/dom.ts';
import { type Paint, openCanvas } from '../kit/paint.ts';
import { type Drawn, type Put, type Stream, hasMix, isReached, numbersOn, streamPath, streamsOf } from './drawing.ts';
import type { Bar, PlacedStrip, Rect } from './layout.ts';
import { MIX, type Motion, PLAY, type Places } from './motion.ts';
import { type StripId, indexOf, isShare } from './row.ts';

const LONG = { flip: FLIP.duration, drop: PLAY.duration, pour: MIX.duration };
/** Into shares bars fall together for this part of the way, then they part. */
const FALL = 0.6;

const easeOut = (t: number): number => 1 - (1 - t) ** 3;
const between = (from: Rect, to: Rect, t: number): Rect => {
  const mixed = (name: keyof Rect) => from[name] + (to[name] - from[name]) * t;
  return { x: mixed('x'), y: mixed('y'), width: mixed('width'), height: mixed('height') };
};

export class RowsCanvas {
  #frame = 0;
  #places: Places = new Map();
  #moving: { motion: Motion; before: Places; start: number | null } | null = null;

  /** `again` draws once more what the browser has lost. */
  constructor(private readonly canvas: HTMLCanvasElement, again: () => void) {
    canvas.addEventListener('contextrestored', again);
  }

  /** Without a motion, one that is under way goes on to what is drawn now. */
  draw(drawn: Drawn, paint: Paint, motion: Motion | null): void {
    cancelAnimationFrame(this.#frame);
    if (motion) this.#moving = { motion, before: this.#places, start: null };
    this.#places = new Map(drawn.layout.strips.flatMap(({ strip: { id }, bars }) => bars.map((bar) => [`${id} ${bar.key}`, bar] as const)));
    const strips = drawn.layout.strips.filter(({ strip: { id } }) => isReached(drawn, id));
    const numbers = strips.flatMap((strip) => numbersOn(strip, drawn).map((number) => ({ ...number, opacity: opacityOf(strip, drawn) })));
    const streams = hasMix(drawn) ? streamsOf(drawn) : [];
    const frame = (now: number): void => {
      const moving = this.#moving;
      if (moving) moving.start ??= now;
      const t = moving ? Math.min(1, Math.max(0, now - (moving.start ?? now)) / LONG[moving.motion.kind]) : 1;
      if (t === 1) this.#moving = null;
      const painter = this.#open(drawn, paint);
      if (!painter) return;
      for (const strip of strips) paintBars(painter, strip, (bar) => along(bar, strip.strip.id, moving, easeOut(t)));
      paintNumbers(painter, numbers);
      paintStreams(painter, streams, moving?.motion.kind ?? null, easeOut(t));
      if (t < 1) this.#frame = requestAnimationFrame(frame);
    };
    frame(performance.now());
  }

  /** As high as the rows that are drawn. */
  #open(drawn: Drawn, paint: Paint): Painter | null {
    const { places, drawn: { from, to }, width, height } = drawn.layout;
    const top = from === 0 ? 0 : places[from]?.from ?? 0;
    const bottom = to === places.length ? height : places[to]?.from ?? height;
    const context = openCanvas(this.canvas, width, Math.max(1, bottom - top), true);
    if (!context) return null;
    setMeasure(this.canvas, 'top', `${top}px`);
    context.clearRect(0, 0, width, bottom - top);
    context.translate(0, -top);
    return { context, drawn, paint };
  }
}

interface Painter { context: CanvasRenderingContext2D; drawn: Drawn; paint: Paint }

/** Where a bar is on its way. */
function along(bar: Bar, id: StripId, moving: { motion: Motion; before: Places } | null, t: number): Rect {
  if (!moving) return bar;
  const { motion, before } = moving;
  if (motion.kind === 'flip') return between(before.get(`${id} ${bar.key}`) ?? bar, bar, t);
  if (motion.kind !== 'drop' || motion.id !== id) return bar;
  const from = before.get(`${motion.before} ${bar.key}`);
  if (!from) return bar;
  if (!isShare(id) || isShare(motion.before)) return between(from, bar, t);
  const landed = { ...from, x: bar.x };
  return t < FALL ? between(from, landed, t / FALL) : between(landed, bar, (t - FALL) / (1 - FALL));
}

/** While it plays, strips that are done with are pale. */
const opacityOf = ({ strip: { id } }: PlacedStrip, { row, reached }: Drawn): number => (reached !== null && indexOf(row, id) < reached ? 0.22 : 1);

function paintBars({ context, drawn, paint }: Painter, strip: PlacedStrip, place: (bar: Bar) => Rect): void {
  const { row } = drawn;
  const { bars, ghosts } = strip;
  const whole = opacityOf(strip, drawn);
  context.save();
  for (const bar of bars) {
    const { x, y, width, height } = place(bar);
    context.globalAlpha = whole * (bar.key !== row.key && row.isHidden[bar.key] ? 0.5 : 1);
    context.fillStyle = bar.key === row.key ? paint.accent : paint.arcs;
    context.fillRect(x, y, width, height);
  }
  context.globalAlpha = whole;
  context.strokeStyle = paint.muted;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  for (const { x, y, width, height } of ghosts) context.strokeRect(x - 2, y - 2, width + 4, height + 2);
  context.restore();
}

/** Those of one font together: another font takes longer than many numbers. */
function paintNumbers({ context, drawn: { row, layout: { digits } }, paint }: Painter, numbers: readonly (Put & { opacity: number })[]): void {
  const were: [said: string, x: number, y: number, opacity: number][] = [];
  for (const weight of [700, 400]) {
    context.font = `${weight} ${digits}px ${paint.font}`;
    for (const { bar: { key }, text, said, isStrong, place: { x, y }, opacity } of numbers) {
      if (isStrong !== (weight === 700)) continue;
      context.globalAlpha = opacity;
      context.fillStyle = key === row.key ? paint.accent : isStrong ? paint.ink : paint.muted;
      context.fillText(text, x, y);
      if (said !== null) were.push([said, x + context.measureText(text).width + 7, y, opacity]);
    }
  }
  context.fillStyle = paint.muted;
  for (const [said, x, y, opacity] of were) {
    context.globalAlpha = opacity;
    context.fillText(said, x, y);
  }
}

function paintStreams({ context, drawn, paint }: Painter, streams: readonly Stream[], motion: Motion['kind'] | null, t: number): void {
  for (const stream of streams) {
    const isChosen = stream.key === drawn.row.key;
    const { path, length } = streamPath(stream, drawn);
    context.globalAlpha = (isChosen ? 0.22 : 0.35) * (motion === 'flip' ? t : 1);
    context.strokeStyle = isChosen ? paint.accent : paint.arcs;
    context.lineWidth = stream.thick;
    context.setLineDash(motion === 'pour' ? [length * t, length] : []);
    context.stroke(new Path2D(path));
  }
}
