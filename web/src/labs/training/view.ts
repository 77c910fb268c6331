// A lesson as it lies on the page: its question, the job, the runs side by side, the curve beneath them, what runs it all.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { count, fixed, gap, percent } from '../../lib/format.ts';
import type { LessonId } from '../../state/views.ts';
import { withSubs } from '../../text/word.ts';
import { radioGroup } from '../../ui/kit/controls.ts';
import { type BarData, type BarEvents, bar } from './playback.ts';
import { type CurveData, curve } from './curve.ts';
import { type FairData, type JobData, fairTest, job } from './job.ts';
import type { Lesson, Part } from './lesson.ts';
import { type MapData, map } from './maps.ts';

export interface LaneData {
  id: string;
  name: string;
  /** The result that heads the lane; null before there is one. */
  result: { value: number; measure: 'right' | 'loss' } | null;
  layers: number;
  heads: number;
  maps: readonly MapData[];
  /** What it writes by itself, at this step. */
  writes: string | null;
}

export interface TrainingData {
  lessons: readonly Lesson[];
  lesson: Lesson;
  part: Part;
  /** Without title and texts: the page around it has its own. */
  isBare: boolean;
  /** What the reader said would happen; null before, and where nothing was asked. */
  guess: string | null;
  /** The question comes first. */
  isAsking: boolean;
  lanes: readonly LaneData[];
  chosenRuns: readonly string[];
  job(): JobData | null;
  fair(): FairData | null;
  curve: CurveData | null;
  bar(): BarData;
  seen(): unknown;
  /** Drawn again when one of these is another: all but maps, curve and results, which a reader sees move. */
  changed: unknown[];
  /** For screen readers, every few seconds. */
  spoken: string;
  /** Of each run; null where they differ. */
  parameters: number | null;
  /** Whether all have it, and so the same batches. */
  isSameSeed: boolean;
  /** The reader's paragraph, where the lesson reads one. */
  paragraph: { text: string; heldOut: string; type(text: string): void } | null;
  /** The sentence whose maps are shown; null where the lesson draws its own. */
  sentence: string | null;
  problem: string;
  more: unknown;
}

export interface TrainingEvents extends BarEvents {
  lesson(id: LessonId): void;
  part(id: string): void;
  runs(ids: readonly string[]): void;
  guess(id: string): void;
  sentence(text: string): void;
  keyed(event: KeyboardEvent): void;
}

export function trainingView(data: TrainingData, events: TrainingEvents): TemplateResult {
  const { lesson, part, lanes, isAsking, isBare, changed } = data;
  return html`
    <article class="lab-frame training" data-runs=${lanes.length} ?data-bare=${isBare} ?data-asking=${isAsking} data-lesson=${lesson.id} @keydown=${events.keyed}>
      ${guard(changed, () => top(data, events))}
      <div class="lab-figure training-sheet" data-job=${part.job} ?data-few=${columnsOf(lanes) <= FEW} ?data-tight=${columnsOf(lanes) > 2} ?data-paragraph=${data.paragraph !== null} .style=${shapeOf(lanes)}>
        ${guard(changed, () => side(data, events))}
        <div class=${isAsking ? 'training-lanes training-empty' : 'training-lanes'}><div class="training-abreast">${lanes.map((lane, i) => laneOf(lane, i, data))}</div></div>
        <div class="training-deck">
          ${data.curve ? curve(data.curve, changed) : html`<div class="training-curve"></div>`}
          ${guard(changed, () => bar(data.bar(), events))}
        </div>
        ${guard(changed, () => html`<p class="training-small" data-folded><span>${withSubs(small(data))}</span><button type="button" class="training-more plain" aria-expanded="false" @click=${unfold}>${msg('more')}</button></p>`)}
      </div>
      ${data.problem ? html`<p class="problem" role="alert">${data.problem}</p>` : nothing}
      <p class="unseen" role="status">${data.spoken}</p>
      ${data.more}
    </article>
  `;
}

function top(data: TrainingData, events: TrainingEvents): TemplateResult {
  const { lesson, part, isAsking, isBare } = data;
  return html`
      <ol class="training-lessons" data-sets>${data.lessons.map((each, i) => html`
        <li><button type="button" aria-current=${each === lesson ? 'step' : nothing} @click=${() => events.lesson(each.id)}><span>${i + 1}</span> <span>${each.question()}</span></button></li>`)}</ol>
      <div class="training-top">
        <header class="training-head"><h2>${lesson.question()}</h2>${isBare ? nothing : guessed(data)}</header>
        ${options(data, events)}
        <p class="training-task">${lesson.task(part)}</p>
        <p class="lab-said training-seen">${isBare ? guessed(data) : nothing} ${isAsking ? '' : data.seen()}</p>
      </div>
  `;
}

function side(data: TrainingData, events: TrainingEvents): TemplateResult {
  const [shown, tested] = data.part.job === 'dice' ? [null, data.fair()] : [data.job(), null];
  return html`
        <div class="training-side">
          ${data.isAsking ? ask(data, events) : tested ? fairTest(tested) : shown ? job(shown) : nothing}
          ${paragraph(data)}
          ${sentences(data, events)}
        </div>
  `;
}

/** On a phone the small print begins with two lines. */
function unfold({ currentTarget }: Event): void {
  const button = currentTarget as Element;
  button.setAttribute('aria-expanded', 'true');
  button.parentElement?.removeAttribute('data-folded');
}

function guessed({ lesson, part, guess }: TrainingData): TemplateResult | typeof nothing {
  const answer = lesson.answers(part).find(({ id }) => id === guess);
  if (!answer) return nothing;
  return html`<span class="training-guessed">${msg(str`You predicted: ${answer.words()}`)} <span aria-hidden="true">${answer.isRight ? '✓' : '✗'}</span><span class="unseen">${answer.isRight ? msg('right') : msg('wrong')}</span></span>`;
}

function ask({ lesson, part }: TrainingData, events: TrainingEvents): TemplateResult {
  return html`
    <fieldset class="training-ask training-job">
      <legend>${lesson.ask(part)}</legend>
      <div>
        ${lesson.answers(part).map(({ id, words }) => html`<button type="button" class="training-button" data-guess=${id} @click=${() => events.guess(id)}>${words()}</button>`)}
        <button type="button" class="plain" data-guess="" @click=${() => events.guess('')}>${msg('Just show me')}</button>
      </div>
    </fieldset>
  `;
}

/** Which part of the lesson, and which runs: nothing where there is no choice. */
function options({ lesson, part, chosenRuns }: TrainingData, events: TrainingEvents): TemplateResult | typeof nothing {
  const others = part.runs.length > 2;
  if (lesson.parts.length < 2 && !others) return nothing;
  const of = lesson.id === 'scale' ? msg('Width of queries and keys') : msg('Learns from');
  return html`
    <div class="lab-controls training-options" data-sets>
      ${lesson.parts.length > 1 ? html`
        <div class="training-option" role="group" aria-label=${of}><span class="muted">${of}</span>
          <div class="segments">${lesson.parts.map(({ id, name }) => html`<label class="segment"><input type="radio" ${radioGroup('training-part')} value=${id} .checked=${live(id === part.id)} @change=${() => events.part(id)}><span>${name()}</span></label>`)}</div>
        </div>` : nothing}
      ${others ? html`
        <div class="training-option training-runs" role="group" aria-label=${msg('Side by side')}><span class="muted">${msg('Side by side')}</span>
          ${part.runs.map(({ id, name }) => {
            const isOn = chosenRuns.includes(id);
            return html`<label><input type="checkbox" value=${id} .checked=${live(isOn)} aria-disabled=${isOn && chosenRuns.length === 1 ? 'true' : nothing}
              @change=${() => events.runs(part.runs.map((run) => run.id).filter((run) => (run === id ? !isOn || chosenRuns.length === 1 : chosenRuns.includes(run))))}>${name()}</label>`;
          })}
        </div>` : nothing}
    </div>
  `;
}

function paragraph({ paragraph: own }: TrainingData): TemplateResult | typeof nothing {
  if (!own) return nothing;
  return html`
    <label class="training-own-text lab-sentence"><span class="muted">${msg('Your paragraph')}</span>
      <textarea rows="6" dir="auto" lang="" spellcheck="false" autocomplete="off" .value=${own.text} @change=${(event: Event) => own.type((event.target as HTMLTextAreaElement).value)}></textarea>
      <span class="training-note">${msg(html`Never read in training, only tested: <q><bdi>${own.heldOut}</bdi></q>`)}</span>
    </label>
  `;
}

/** Sentences to show, or one of the reader's own from the words of the lesson. */
function sentences({ part, sentence }: TrainingData, events: TrainingEvents): TemplateResult | typeof nothing {
  if (sentence === null || !part.sentences) return nothing;
  return html`
    <div class="training-sentences" data-sets>
      <label class="lab-field"><span>${msg('Sentence')}</span><select class="field" lang="en" @change=${(event: Event) => events.sentence((event.target as HTMLSelectElement).value)}>
        ${[...new Set([...part.sentences.map(({ text }) => text), sentence])].map((text) => html`<option .selected=${live(text === sentence)}>${text}</option>`)}
      </select></label>
      <label class="lab-field"><span>${msg('Your own, from these and like words')}</span><input class="field" lang="en" autocomplete="off" spellcheck="false" .value=${sentence} @change=${(event: Event) => events.sentence((event.target as HTMLInputElement).value)}></label>
    </div>
  `;
}

/** Maps that stand in one row, of all lanes together; beyond them each layer has a row of its own. */
const MOST_ABREAST = 8;
/** On a phone. */
const MOST_NARROW = 4;
/** So few maps leave room for the curve beside them. */
const FEW = 3;
/** With more in a row, a map says only what takes most; with more in all, only which head it is. */
const [MOST_SAID, MOST_TOLD] = [4, 12];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const rowsOf = (lanes: readonly LaneData[]): number => (sum(lanes.map(({ maps }) => maps.length)) > MOST_ABREAST ? Math.max(...lanes.map(({ layers }) => layers)) : 1);
const mapsIn = ({ maps, heads }: LaneData, rows: number): number => (rows > 1 ? heads : maps.length);
const columnsOf = (lanes: readonly LaneData[]): number => sum(lanes.map((lane) => mapsIn(lane, rowsOf(lanes))));

/** How many maps and lanes share a row, from which their size follows: where there is room, and on a phone. */
function shapeOf(lanes: readonly LaneData[]): string {
  const [columns, most] = [columnsOf(lanes), Math.max(1, ...lanes.map(({ maps }) => maps.length))];
  const isStacked = columns > MOST_NARROW;
  return `--rows: ${rowsOf(lanes)}; --columns: ${Math.max(1, columns)}; --lanes: ${Math.max(1, lanes.length)}; --narrow-columns: ${isStacked ? Math.min(most, MOST_NARROW) : columns}; --narrow-lanes: ${isStacked ? 1 : lanes.length}; --narrow-flow: ${isStacked ? 'row' : 'column'}`;
}

function laneOf(lane: LaneData, i: number, { isAsking: isEmpty, lanes: all, changed }: TrainingData): TemplateResult {
  const { name, result, maps, writes } = lane;
  const says = columnsOf(all) <= MOST_SAID ? 'row' : sum(all.map((other) => other.maps.length)) <= MOST_TOLD ? 'most' : 'name';
  return html`
    <section class="training-lane" data-run=${i} ?data-several=${maps.length > 1} .style=${`--wide-maps: ${mapsIn(lane, rowsOf(all))}; --narrow-maps: ${Math.min(maps.length, MOST_NARROW)}`}>
      <div class="training-lane-head"><h3>${withSubs(name)}</h3>${result && !isEmpty ? html`<output aria-live="off">${resultWords(result)}</output>` : nothing}</div>
      ${guard(changed, () => html`<div class="training-maps">${maps.map((each) => map(each, says))}</div>`)}
      ${writes === null || isEmpty ? nothing : html`<div class="training-writes"><h4>${msg('Left to write alone')}</h4><bdi>${writes}</bdi></div>`}
    </section>
  `;
}

export function resultWords({ value, measure }: { value: number; measure: 'right' | 'loss' }): TemplateResult {
  return measure === 'right' ? msg(html`<b>${percent(value)}</b> right`) : msg(html`loss <b>${fixed(value, 2)}</b>`);
}

function small({ lesson, part, ...data }: TrainingData): string {
  return [...shared(data), lesson.small(part), msg('“Right” is counted over the last 20 batches.')].join(gap());
}

/** What the runs side by side have in common. */
function shared({ lanes, parameters, isSameSeed }: Pick<TrainingData, 'lanes' | 'parameters' | 'isSameSeed'>): string[] {
  const own = parameters === null ? '' : count(parameters);
  if (lanes.length === 1) return own === '' ? [] : [msg(str`${own} parameters.`)];
  if (!isSameSeed) return [msg('Same seed, same texts, but where a seed is named.'), ...(own === '' ? [] : [msg(str`${own} parameters each.`)])];
  return [own === '' ? msg('Same seed, same texts.') : msg(str`Same seed, same texts, ${own} parameters each.`)];
}
