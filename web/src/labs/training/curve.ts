// The curve of each run, which is the timeline, too: what is past is solid, what is still to come is pale, and the handle is dragged.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { count } from '../../lib/format.ts';
import { Space } from '../../lib/space.ts';
import { type Axis, type Field, across, roomFor, sized, ticks, up } from '../kit/plot.ts';
import type { Values } from './film.ts';
import type { Chance } from './lesson.ts';

export interface Line {
  name: string;
  /** What is measured after 0, 1, 2 … steps, as far as it is known. */
  values: Values;
  /** The value at the step that is read, in words. */
  words: string;
}

export interface CurveData {
  label: string;
  y: Axis;
  lines: readonly Line[];
  chance: Chance;
  step: number;
  /** The step that all words are of, which may be some frames behind. */
  read: number;
  steps: number;
  /** So many steps are computed. */
  known: number;
  isLocked: boolean;
  seek(step: number): void;
}

/** A narrow one is higher: there it stands beside maps. On a phone all stands on one screen. */
const heightAt = (width: number): number => (width < PHONE ? 102 : width < 640 ? 144 : 128);
const PHONE = 420;
const [TOP, BOTTOM] = [24, 28];
const LINE = 20;
/** Half the handle: the track of a range ends that far before its box. */
const HANDLE = 11;

/** @param changed when axes are drawn again */
export function curve(data: CurveData, changed: readonly unknown[]): TemplateResult {
  return html`<div class="training-curve">${sized((width) => drawn(data, width, changed))}</div>`;
}

function drawn(data: CurveData, width: number, changed: readonly unknown[]): TemplateResult {
  const { lines, chance, step, read, steps, known, y, label, seek, isLocked } = data;
  const height = heightAt(width);
  const x: Axis = { label: msg('step'), least: 0, most: steps, words: count };
  const names = [...lines.map(({ name, words }) => `${name}: ${words}`), chance.words];
  const room = Math.min(Math.max(...names.map((name) => roomFor(name, 9.3))) + 22, 320);
  const beside = room < 0.32 * width;
  const field: Field = { left: Math.max(...ticks(y, 4).map((at) => roomFor(y.words(at), 10))) + 10, right: width - (beside ? room : HANDLE + 4), top: TOP, bottom: height - BOTTOM };
  const at = across(x, field, step);
  return html`
    <svg class="training-lines" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true"
      @pointerdown=${(event: PointerEvent) => drag(event, x, field, isLocked ? null : seek)} @pointermove=${(event: PointerEvent) => drag(event, x, field, isLocked ? null : seek)}>
      ${guard([...changed, width, field.right], () => axesOf(x, y, field))}
      <text x="0" y=${TOP - 9}>${label}</text>
      <line class="training-chance" x1=${field.left} x2=${field.right} y1=${up(y, field, chance.value)} y2=${up(y, field, chance.value)}></line>
      ${lines.map((line, i) => lineOf(line, i, x, y, field, Math.min(step, known)))}
      <line class="training-head-line" x1=${at} x2=${at} y1=${TOP - 6} y2=${field.bottom}></line>
      ${lines.map((line, i) => dot(line, i, at, y, field, step))}
      <text class="training-step" x=${at > field.right - 90 ? Math.max(at + 4, roomFor(label, 8.6) + 88) : Math.max(at - 4, roomFor(label, 8) + 12)} y=${TOP - 9} text-anchor=${at > field.right - 90 ? 'end' : 'start'}>${msg(str`step ${count(read)}`)}</text>
      ${beside ? besideNames(data, y, field, step) : nothing}
    </svg>
    <input type="range" class="training-handle" min="0" max=${steps} step="1" .value=${live(String(step))} ?disabled=${isLocked}
      .style=${`left: ${field.left - HANDLE}px; width: ${field.right - field.left + 2 * HANDLE}px; top: ${field.bottom - 22}px`}
      aria-label=${msg('Step of the training')} aria-valuetext=${[msg(str`step ${count(read)}`), ...lines.map(({ name, words }) => `${name}: ${words}`)].join(', ')}
      @input=${(event: Event) => seek(Number((event.target as HTMLInputElement).value))}>
    ${beside ? nothing : html`<ul class="training-names">${lines.map(({ name, words }, i) => html`<li data-run=${i}><i></i>${name}: <b>${words}</b></li>`)}<li class="muted"><i class="chance"></i>${chance.words}</li></ul>`}
  `;
}

function axesOf(x: Axis, y: Axis, field: Field): SVGTemplateResult {
  const { left, right, bottom } = field;
  return svg`
    ${ticks(y, 4).map((value) => svg`
      <line class="plot-grid" x1=${left} x2=${right} y1=${up(y, field, value)} y2=${up(y, field, value)}></line>
      <text x=${left - 10} y=${up(y, field, value) + 5} text-anchor="end">${y.words(value)}</text>
    `)}
    ${ticks(x, Math.max(2, (right - left) / 90)).map((value, i) => svg`<text x=${across(x, field, value)} y=${bottom + 22} text-anchor="middle">${i === 0 && left > 40 ? msg(str`step ${count(value)}`) : count(value)}</text>`)}
  `;
}

/** A path, and the step before which it ends; of one field. */
interface Drawn { of: string; next: number; path: string }
/** Of all that is known, and of what is past. */
const known = new WeakMap<Values, Drawn>(), past = new WeakMap<Values, Drawn>();

/** In one path each: the pale one as far as it is known, the solid one up to the handle. What is past stays as it is: only what is new is written down. */
function lineOf({ values, name }: Line, i: number, x: Axis, y: Axis, field: Field, step: number): SVGTemplateResult {
  const every = Math.max(1, Math.floor((2 * values.length) / Math.max(1, field.right - field.left)));
  const of = [every, x.most, y.least, y.most, ...Object.values(field)].join();
  const on = (path: string, at: number) => {
    const value = values.at(at);
    return Number.isFinite(value) ? `${path}${path ? 'L' : 'M'}${across(x, field, at).toFixed(1)} ${up(y, field, value).toFixed(1)}` : path;
  };
  const path = (all: typeof known, most: number) => {
    let done = all.get(values);
    if (done?.of !== of || done.next > most + every) all.set(values, (done = { of, next: 0, path: '' }));
    for (; done.next <= most; done.next += every) done.path = on(done.path, done.next);
    return (done.next - every < most ? on(done.path, most) : done.path) || 'M0 0';
  };
  const last = values.length - 1;
  return svg`
    <g data-run=${i} data-name=${name}>
      ${last > step ? svg`<path class="training-line to-come" d=${path(known, last)}></path>` : nothing}
      <path class="training-line" d=${last < 0 ? 'M0 0' : path(past, Math.min(step, last))}></path>
    </g>`;
}

const finite = (value: number, otherwise: number): number => (Number.isFinite(value) ? value : otherwise);

const dot = ({ values }: Line, i: number, at: number, y: Axis, field: Field, step: number): SVGTemplateResult | typeof nothing => {
  const value = values.at(Math.min(step, values.length - 1));
  return !Number.isFinite(value) ? nothing : svg`<circle class="training-dot" data-run=${i} cx=${at} cy=${up(y, field, value)} r="4.5"></circle>`;
};

/** At the right, each at its line's height and none on another. */
function besideNames({ lines, chance }: CurveData, y: Axis, field: Field, step: number): SVGTemplateResult {
  const names = [
    ...lines.map(({ name, words, values }, i) => ({ words: `${name}: ${words}`, run: String(i), at: up(y, field, finite(values.at(Math.min(step, values.length - 1)), chance.value)) })),
    { words: chance.words, run: 'chance', at: up(y, field, chance.value) + 1 },
  ].sort((a, b) => a.at - b.at);
  names.forEach((name, i) => { name.at = Math.max(name.at, (names[i - 1]?.at ?? -Infinity) + LINE); });
  for (let i = names.length - 1, most = field.bottom + 4; i >= 0; i -= 1, most -= LINE) {
    const name = names[i];
    if (name) name.at = Math.min(name.at, most);
  }
  return svg`${names.map(({ words, run, at }) => svg`<text class="training-name" data-run=${run} x=${field.right + 14} y=${at + 5}>${words}</text>`)}`;
}

function drag(event: PointerEvent, x: Axis, field: Field, seek: ((step: number) => void) | null): void {
  if (!seek || (event.type === 'pointermove' && event.buttons !== 1)) return;
  const picture = event.currentTarget as SVGSVGElement;
  if (event.type === 'pointerdown') picture.setPointerCapture(event.pointerId);
  const at = (new Space(picture).point(event).x - field.left) / (field.right - field.left);
  seek(Math.round(Math.max(0, Math.min(1, at)) * x.most));
}
