// The attention of every head on the shown text, as small pictures of one dot a cell, with one row marked in all of them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { gap, percent } from '../../lib/format.ts';
import { Space } from '../../lib/space.ts';
import { headPlace, letters } from '../../text/word.ts';
import { type Grid, type Place, allOf, dots, placeAfter } from '../../ui/kit/grid.ts';
import type { Paint } from '../../ui/kit/paint.ts';

export interface MapData {
  /** Of the run, from 0, and its name. */
  run: number;
  name: string;
  layer: number;
  head: number;
  /** Of the whole: a model of one layer has its heads numbered, one of one head none. */
  layers: number;
  heads: number;
  length: number;
  /** The weight that a row gives to a key; null before there are any. */
  weight: ((row: number, key: number) => number) | null;
  /** The same in 255ths, row after row, where no more is known. */
  bytes: Uint8Array | null;
  isCausal: boolean;
  /** What the head gives, on average over a batch, to the place that it serves most; null where a lesson names none. */
  aim(): { name: string; weight: number } | null;
  /** Words of the shown text. */
  tokens: readonly string[];
  place: Place;
  /** Whether its place is the one that keys move. */
  isChosen: boolean;
  isFirst: boolean;
  pick(place: Place, map: Chosen): void;
}

/** A map by its place. */
export interface Chosen { run: number; layer: number; head: number }

export function mapName({ layer, head, layers, heads }: Pick<MapData, 'layer' | 'head' | 'layers' | 'heads'>): string {
  const place = headPlace(head, layer, layers);
  return layers > 1 || heads > 1 ? msg(str`Head ${place}`) : '';
}

/** The keys of the marked row that take most, most first. */
export function mostSeen({ weight, length, place: { row } }: MapData, many = 2, least = 0.15): { key: number; weight: number }[] {
  if (!weight) return [];
  return Array.from({ length }, (_, key) => ({ key, weight: weight(row, key) })).sort((a, b) => b.weight - a.weight).slice(0, many).filter(({ weight }, i) => i === 0 || weight >= least);
}

/** “from O: 42 % to A · 44 % to L”. */
export function rowWords(data: MapData): string {
  const { tokens, place } = data;
  const from = tokens[place.row] ?? '';
  const seen = mostSeen(data);
  const [first, second] = seen.map(({ key, weight }) => [percent(weight), tokens[key] ?? ''] as const);
  if (!first) return '';
  return second ? msg(str`from ${from}: ${first[0]} to ${first[1]} · ${second[0]} to ${second[1]}`) : msg(str`from ${from}: ${first[0]} to ${first[1]}`);
}

/** “animal 99 %”. */
function mostWords(data: MapData): string {
  const [most] = mostSeen(data, 1);
  return most ? `${data.tokens[most.key] ?? ''} ${percent(most.weight)}` : '';
}

/** @param says of its marked row: all, what takes most of it, or nothing */
export function map(data: MapData, says: 'row' | 'most' | 'name'): TemplateResult {
  const { run, layer, head, length, place, tokens, isChosen, isFirst, name, isCausal } = data;
  const own = mapName(data);
  const isBrief = says !== 'row';
  const aim = data.aim();
  const short = own && headPlace(head, layer, data.layers);
  // Beneath a small map there is room for its number.
  const long = isBrief && (aim || data.layers > 1) ? short : own;
  const words = rowWords(data);
  const share = (rows: number) => `${(100 * rows) / length}%`;
  return html`
    <figure class="training-map">
      <div class=${isCausal ? 'training-cells hatched' : 'training-cells'} @pointerdown=${(event: PointerEvent) => drag(event, data)} @pointermove=${(event: PointerEvent) => drag(event, data)} @click=${(event: MouseEvent) => point(event, data)}>
        <canvas width=${length} height=${length} data-run=${run} data-layer=${layer} data-head=${head} aria-hidden="true"></canvas>
        <div class="training-row" .style=${`top: ${share(place.row)}; height: ${share(1)}`}></div>
        ${isFirst ? html`<bdi class="training-from" ?data-long=${letters(tokens[place.row] ?? '') > 1} aria-hidden="true" .style=${`top: ${share(place.row + 0.5)}`}>${tokens[place.row]}</bdi>` : nothing}
        <div class="training-grid" role="grid" aria-label=${[name, own, msg('attention on the shown text'), aim && `${aim.name}: ${percent(aim.weight)}`].filter(Boolean).join(', ')} aria-rowcount=${length} aria-colcount=${length}>
          <div role="row" aria-rowindex=${place.row + 1}>
            <div role="gridcell" tabindex=${isChosen ? 0 : -1} aria-colindex=${place.column + 1} aria-selected="true" aria-label=${cellWords(data, words)}
              .style=${`left: ${share(place.column)}; top: ${share(place.row)}; width: ${share(1)}; height: ${share(1)}`} @keydown=${(event: KeyboardEvent) => press(event, data)}></div>
          </div>
        </div>
      </div>
      <figcaption ?data-brief=${isBrief}>${long ? html`<span class="training-map-name"><span class="training-long">${long}</span>${isBrief ? html`<span class="training-short">${short}</span>` : nothing}</span>` : nothing}
        ${aim ? html`<span class="training-map-aim" title=${msg(str`What this head gives to that place (${aim.name}), on average over a batch`)}><b>${percent(aim.weight)}</b>${isBrief ? ' ' : ' → '}<span>${aim.name}</span></span>` : nothing}
        ${says === 'row' ? html`<span class="training-map-row">${words}</span><span class="training-map-most">${mostWords(data)}</span>` : aim ? nothing : html`<span class="training-map-brief">${says === 'most' ? mostWords(data) : ''}</span>`}</figcaption>
    </figure>
  `;
}

function cellWords({ weight, place, tokens }: MapData, row: string): string {
  if (!weight) return msg('Nothing is trained yet.');
  return `${msg(str`Row ${place.row + 1}, ${row}.`)}${gap()}${msg(str`Key ${place.column + 1}, ${tokens[place.column] ?? ''}: ${percent(weight(place.row, place.column))}`)}`;
}

/** A finger that moves scrolls the page; it picks a cell by a tap. */
function drag(event: PointerEvent, data: MapData): void {
  if (event.pointerType === 'touch' || (event.type === 'pointermove' ? event.buttons !== 1 : event.button !== 0)) return;
  if (event.type === 'pointerdown') (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  point(event, data);
}

function point(event: MouseEvent, data: MapData): void {
  const space = new Space(event.currentTarget as HTMLElement);
  const at = space.point(event);
  const cell = (share: number) => Math.max(0, Math.min(data.length - 1, Math.floor(share * data.length)));
  data.pick({ row: cell(at.y / space.height), column: cell(at.x / space.width) }, data);
}

function press(event: KeyboardEvent, data: MapData): void {
  const to = event.altKey ? null : placeAfter(event, data.place, { rows: data.length, columns: data.length });
  if (!to) return;
  event.preventDefault();
  data.pick(to, data);
}

/** Pictures that are used again. */
const images = new WeakMap<HTMLCanvasElement, ImageData>();

/** What a causal mask hides stays empty, and the hatching behind it is seen. */
export function paintMap(canvas: HTMLCanvasElement, { weight, bytes, length, isCausal }: MapData, paint: Paint): void {
  const context = canvas.getContext('2d');
  if (!weight) return context?.clearRect(0, 0, length, length);
  const numbers = new Float32Array(length * length).fill(-Infinity);
  for (let row = 0; row < length; row += 1) {
    for (let key = 0, last = isCausal ? row : length - 1, at = row * length; key <= last; key += 1, at += 1) numbers[at] = bytes ? (bytes[at] ?? 0) / 255 : weight(row, key);
  }
  const grid: Grid = { rows: length, columns: length, rowStride: length, columnStride: 1, numbers, masked: null, kind: 'weights', range: 1, paint };
  let image = images.get(canvas);
  if (image?.width !== length) images.set(canvas, (image = new ImageData(length, length)));
  dots(new Uint32Array(image.data.buffer), 0, grid, allOf(grid));
  context?.putImageData(image, 0, 0);
}
