// A lesson's film at one step and with one marked place, as what the page shows of it.
import { msg, str } from '@lit/localize';
import { fixed, percent } from '../../lib/format.ts';
import type { Place } from '../../ui/kit/grid.ts';
import type { CurveData } from './curve.ts';
import type { Film, FilmRun } from './film.ts';
import type { FairData, Given, JobData, Pointer } from './job.ts';
import type { Aim, Lesson, Now, Part, RunNow } from './lesson.ts';
import type { MapData } from './maps.ts';
import { symbolName, visible } from './tokens.ts';
import type { LaneData } from './view.ts';

/** More than this on one key is a choice that softmax has made. */
const DECIDED = 0.95;
/** So much apart within so many steps is worth slow motion. */
const PARTING = { steps: 12, apart: 0.04 };

export class Scene {
  readonly #runs: readonly RunNow[];
  readonly #names: readonly string[];

  constructor(private readonly lesson: Lesson, private readonly part: Part, private readonly film: Film, private readonly step: number, private readonly place: Place) {
    this.#runs = film.runs.map((run, i) => this.#now(run, i));
    this.#names = film.runs.map(({ id }) => part.runs.find((each) => each.id === id)?.name() ?? id);
  }

  #now(run: FilmRun, i: number): RunNow {
    const { film, step } = this;
    const { rows, slope, of } = this.#softmax(run, i);
    return { id: run.id, right: film.right(i)[step] ?? 0, loss: film.loss(i)[step] ?? NaN, honest: film.honest(i, step), aims: this.#aims(run, i), decided: { rows, of }, slope, writes: film.writes(i, step) };
  }

  /** How much each head gives to where the answers lie, on average over the rows that have one. */
  #aims({ layers, heads, length }: FilmRun, i: number): Aim[] {
    const { film, step } = this;
    return [0, 1].flatMap((relation) => {
      const places = film.places(relation);
      const rows = Array.from(places.keys()).filter((row) => (places[row] ?? -1) >= 0);
      if (rows.length === 0) return [];
      return Array.from({ length: layers * heads }, (_, n) => {
        const [layer, head] = [Math.floor(n / heads), n % heads];
        const { bytes, at } = film.map(i, step, layer, head);
        const sum = bytes ? rows.reduce((total, row) => total + (bytes[at + row * length + (places[row] ?? 0)] ?? 0), 0) : 0;
        return { layer, head, relation, weight: sum / 255 / rows.length };
      });
    });
  }

  /** Of the first head, over the rows that are asked. */
  #softmax({ length, slots }: FilmRun, i: number): { rows: number; of: number; slope: number } {
    const { bytes, at } = this.film.map(i, this.step, 0, 0);
    const asked = Array.from({ length }, (_, row) => row).filter((row) => (this.film.targets[row * slots] ?? -1) >= 0);
    if (!bytes) return { rows: 0, of: asked.length, slope: NaN };
    let [rows, slope] = [0, 0];
    for (const row of asked) {
      const weights = Array.from(bytes.subarray(at + row * length, at + (row + 1) * length), (byte) => byte / 255);
      if (Math.max(...weights) > DECIDED) rows += 1;
      slope += 1 - weights.reduce((sum, weight) => sum + weight * weight, 0);
    }
    return { rows, of: asked.length, slope: slope / asked.length };
  }

  get now(): Now {
    return { step: this.step, steps: this.film.steps, run: (id) => this.#runs.find((run) => run.id === id) ?? null };
  }

  get seen(): unknown {
    return this.film.known < 0 ? msg('Loading…') : this.lesson.seen(this.now, this.part);
  }

  get parameters(): number | null {
    const [first, ...others] = this.film.runs;
    return first && others.every(({ parameters }) => parameters === first.parameters) ? first.parameters : null;
  }

  /** What a lane or a curve says of a run. */
  resultOf(i: number): string {
    const run = this.#runs[i];
    if (!run || this.film.known < 0) return '';
    return this.part.measure === 'right' ? percent(run.right) : fixed(run.loss, 2);
  }

  lanes(pick: (place: Place, map: { run: number; layer: number; head: number }) => void, chosen: { run: number; layer: number; head: number }): LaneData[] {
    const { film, step, place, part } = this;
    return film.runs.map((run, i) => ({
      id: run.id, name: this.#names[i] ?? '', layers: run.layers, heads: run.heads,
      result: film.known < 0 ? null : { value: this.#runs[i]?.[part.measure === 'right' || part.job === 'dice' ? 'right' : 'loss'] ?? 0, measure: part.measure === 'right' || part.job === 'dice' ? 'right' as const : 'loss' as const },
      writes: this.#runs[i]?.writes ?? null,
      maps: Array.from({ length: run.layers * run.heads }, (_, n): MapData => {
        const [layer, head] = [Math.floor(n / run.heads), n % run.heads];
        return {
          run: i, name: this.#names[i] ?? '', layer, head, layers: run.layers, heads: run.heads, length: run.length, ...film.map(i, step, layer, head), isCausal: run.isCausal,
          tokens: film.words, place, isFirst: head === 0, isChosen: chosen.run === i && chosen.layer === layer && chosen.head === head, pick,
        };
      }),
    }));
  }

  /** Where the answer to the marked row lies, in the words of the task. */
  get #pointers(): Pointer[] {
    const { lesson, part, film, place: { row } } = this;
    const names: Partial<Record<string, string[]>> = {
      heads: [msg('1 back'), msg('3 back')], positions: [msg('2 back')], look_back: ['', msg('what followed')], scale: [msg('its record')],
    };
    return (names[lesson.id] ?? []).flatMap((name, relation) => {
      const place = film.places(relation)[row] ?? -1;
      return name && place >= 0 ? [{ name, place }] : [];
    }).concat(part.job === 'words' && row + 1 < film.words.length ? [{ name: msg('the next'), place: row + 1 }] : []);
  }

  get job(): JobData | null {
    const { part, film, step, place: { row } } = this;
    if (film.known < 0) return null;
    const title = { letters: msg('The job, at one letter'), records: msg('The job, at one key'), words: msg('The job, at one place'), dice: '' }[part.job];
    return {
      title, tokens: film.words, row, pointers: this.#pointers, step, asked: this.lesson.id === 'heads' ? [msg('1 back'), msg('3 back')] : [''],
      runs: film.runs.map((run, i) => ({ name: this.#names[i] ?? '', answers: this.#answers(run, i) })),
    };
  }

  #answers({ slots, vocabulary }: FilmRun, i: number): Given[] | null {
    const { film, step, part, place: { row } } = this;
    const given = film.answers(i, step, row);
    if (!given) return null;
    return given.flatMap(({ id, share }, slot) => {
      const target = film.targets[row * slots + slot] ?? -1;
      return target < 0 ? [] : [{ word: visible(symbolName(part.job, id, vocabulary, film.names)), share, isRight: id === target }];
    });
  }

  get fair(): FairData | null {
    const { part, film, place: { row } } = this;
    const [run] = film.runs;
    if (part.job !== 'dice' || !run || film.known < 0) return null;
    return { tokens: film.words, row, chance: part.chance(run), runs: this.#runs.map(({ loss, honest }, i) => ({ name: this.#names[i] ?? '', loss, honest })) };
  }

  curve(isAsking: boolean, seek: (step: number) => void): CurveData | null {
    const { part, film, step } = this;
    const [run] = film.runs;
    if (!run) return null;
    const isRight = part.measure === 'right';
    const chance = part.chance(run);
    return {
      label: isRight ? msg('answers right') : msg('training loss'),
      y: isRight ? { label: '', least: 0, most: 1, words: (value) => percent(value) } : { label: '', least: 0, most: Math.ceil(chance.value + 0.2), words: (value) => fixed(value, 0) },
      lines: isAsking ? [] : film.runs.map((_, i) => ({ name: this.#names[i] ?? '', values: isRight ? film.right(i) : film.loss(i), words: this.resultOf(i) })),
      chance, step, steps: film.steps, known: film.known, isLocked: isAsking, seek,
    };
  }

  /** Whether the runs go apart just here. */
  get isParting(): boolean {
    const { film, step, part } = this;
    const values = film.runs.map((_, i) => (part.measure === 'right' ? film.right(i) : film.loss(i)));
    const apart = (at: number) => { const all = values.map((each) => each[at] ?? 0); return Math.max(...all) - Math.min(...all); };
    return values.length > 1 && step >= PARTING.steps && apart(step) - apart(step - PARTING.steps) > PARTING.apart;
  }

  get summary(): string {
    return [msg(str`Step ${this.step}.`), ...this.#names.map((name, i) => `${name}: ${this.resultOf(i)}.`)].join(' ');
  }
}
