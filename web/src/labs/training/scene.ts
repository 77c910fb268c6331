// A lesson's film at one step and with one marked place, as what the page shows of it.
import { msg, str } from '@lit/localize';
import { type TemplateResult, nothing } from 'lit';
import { rulesOf } from '../../engine/training/open.ts';
import type { RunDescription } from '../../engine/training/types.ts';
import { fixed, percent } from '../../lib/format.ts';
import { encodeText } from '../../link/address.ts';
import { encodeReplay, fitsLink } from '../../parameters/trained-here.ts';
import { letters } from '../../text/word.ts';
import type { Place } from '../../ui/kit/grid.ts';
import type { Paint } from '../../ui/kit/paint.ts';
import type { CurveData } from './curve.ts';
import { type Film, type Look, visible } from './film.ts';
import type { FairData, Given, JobData, Pointer } from './job.ts';
import type { Aim, Lesson, Now, Part, RunNow, Sentence } from './lesson.ts';
import type { Chosen, MapData } from './maps.ts';
import type { LaneData } from './view.ts';
import { type RuleData, walk } from './walk.ts';

/** The address of the page's playground; empty in other people's pages. */
declare const PLAYGROUND: string;

/** So much apart within so many steps is worth slow motion. */
const PARTING = { steps: 12, apart: 0.04 };

export class Scene {
  readonly #runs: readonly RunNow[];
  readonly #names: readonly string[];

  /** @param read the step of every number that is written: while the film plays, maps and curve are ahead of it */
  constructor(private readonly lesson: Lesson, private readonly part: Part, private readonly film: Film, private readonly step: number, private readonly place: Place, private readonly read = step) {
    this.#runs = film.isThere ? film.runs.map((run, i) => this.#now(run, i)) : [];
    this.#names = film.runs.map((_, i) => part.runs.find(({ id }) => id === film.idOf(i))?.name() ?? film.idOf(i));
  }

  #now(run: RunDescription, i: number): RunNow {
    const { film, read: step } = this;
    const pending = { honest: film.tests.honest ? NaN : null, writes: film.tests.writes ? '…' : null };
    const { honest, writes } = film.look(i, step)?.tests ?? pending;
    return {
      id: film.idOf(i), right: film.values(i, 'smoothAccuracy').at(step), loss: film.values(i, 'loss').at(step), honest, aims: () => this.#aims(run, i),
      decided: film.score(i, step, 0, 0, 'decided'), slope: film.score(i, step, 0, 0, 'derivative'), writes,
    };
  }

  /** How much each head gives to where the answers lie, on average over a batch. */
  #aims({ shape: { layers, heads }, relations }: RunDescription, i: number): Aim[] {
    return (['first', 'second'] as const).slice(0, relations).flatMap((of, relation) => Array.from({ length: layers * heads }, (_, n) => {
      const [layer, head] = [Math.floor(n / heads), n % heads];
      return { layer, head, relation, weight: this.film.score(i, this.read, layer, head, of) };
    }));
  }

  #aim(run: number, layer: number, head: number): ReturnType<MapData['aim']> {
    const names = this.part.aims?.() ?? this.part.pointers?.() ?? [];
    const own = (this.#runs[run]?.aims() ?? []).filter((aim) => aim.layer === layer && aim.head === head && Number.isFinite(aim.weight));
    const [most] = own.flatMap(({ relation, weight }) => (names[relation] ? [{ name: names[relation], weight }] : [])).sort((a, b) => b.weight - a.weight);
    return most ?? null;
  }

  get now(): Now {
    return { step: this.read, steps: this.film.steps, run: (id) => this.#runs.find((run) => run.id === id) ?? null };
  }

  get seen(): unknown {
    return this.film.isThere ? this.lesson.seen(this.now, this.part) : msg('Loading…');
  }

  get isSameSeed(): boolean {
    return new Set(this.film.runs.map(({ seed }) => seed)).size < 2;
  }

  get parameters(): number | null {
    const [first, ...others] = this.film.runs;
    return first && others.every(({ parameters }) => parameters === first.parameters) ? first.parameters : null;
  }

  /** What a lane or the curve says of a run. */
  #result(i: number): { value: number; measure: 'right' | 'loss' } | null {
    const run = this.#runs[i];
    const measure = this.part.job === 'dice' ? 'right' : this.part.measure;
    return run ? { value: run[measure], measure } : null;
  }

  #measured(i: number): string {
    const run = this.#runs[i];
    return run ? (this.part.measure === 'right' ? percent(run.right) : fixed(run.loss, 2)) : '';
  }

  /** Exact where the film rests; else of the map as it is kept, in 255ths. */
  #weight(run: number, layer: number, head: number, heads: number, length: number): Pick<MapData, 'weight' | 'bytes'> {
    const { film, step } = this;
    if (!film.isThere) return { weight: null, bytes: null };
    const exact = this.#look(run, step)?.state.layers[layer]?.weights.values;
    if (exact) return { weight: (row, key) => exact[(head * length + row) * length + key] ?? 0, bytes: null };
    const from = (layer * heads + head) * length * length;
    const bytes = film.map(run, step)?.subarray(from, from + length * length) ?? null;
    return { weight: bytes && ((row, key) => (bytes[row * length + key] ?? 0) / 255), bytes };
  }

  #look(run: number, step: number): Look | null {
    const look = this.film.look(run, step);
    return look?.step === step ? look : null;
  }

  lanes(pick: MapData['pick'], chosen: Chosen): LaneData[] {
    const { film, place } = this;
    const tokens = film.words;
    return film.runs.map(({ shape: { layers, heads }, length }, run) => ({
      id: film.idOf(run), name: this.#names[run] ?? '', layers, heads, result: this.#result(run), writes: this.#runs[run]?.writes ?? null,
      maps: Array.from({ length: layers * heads }, (_, n): MapData => {
        const [layer, head] = [Math.floor(n / heads), n % heads];
        return {
          run, name: this.#names[run] ?? '', layer, head, layers, heads, length: tokens.length || length, ...this.#weight(run, layer, head, heads, tokens.length), isCausal: film.at(run, this.step)?.rule.isCausal ?? true, aim: () => this.#aim(run, layer, head),
          tokens, place, isFirst: n === 0 && (run === 0 || tokens.every((token) => letters(token) <= 2)), isChosen: chosen.run === run && chosen.layer === layer && chosen.head === head, pick,
        };
      }),
    }));
  }

  /** The lesson's sentence, where it is shown and its asked word is marked. */
  get #known(): Sentence | undefined {
    const { words } = this.film;
    return this.part.sentences?.find(({ text, at }) => at === words[this.place.row] && text === words.join(' '));
  }

  /** Where the answer to the marked row lies, in the words of the task. */
  get #pointers(): Pointer[] {
    const { part, film, place: { row } } = this;
    if (part.job === 'words' && !part.pointers) return row + 1 < film.words.length ? [{ name: msg('the next'), place: row + 1 }] : [];
    return (part.pointers?.() ?? []).flatMap((name, relation) => {
      const noun = this.#known?.right[relation];
      const place = noun === undefined ? (film.places(relation)[row] ?? -1) : film.words.indexOf(noun);
      return name && place >= 0 ? [{ name, place }] : [];
    });
  }

  get job(): JobData | null {
    const { part, film, place: { row }, step } = this;
    if (!film.isThere) return null;
    const letter = msg('The job, at one letter');
    const title = { letters: letter, records: msg('The job, at one key'), words: film.runs[0]?.joint === '' ? letter : msg('The job, at one word'), dice: '' }[part.job];
    return {
      title, tokens: film.words, row, pointers: this.#pointers, step: film.look(0, step)?.step ?? step, asked: part.asked?.() ?? [''],
      runs: film.runs.map((run, i) => ({ name: this.#names[i] ?? '', answers: this.#answers(run, film.look(i, step)) })),
    };
  }

  /** The likeliest answer of each slot that is asked at the marked row. */
  #answers({ shape: { slots }, words }: RunDescription, look: Look | null): (Given | null)[] {
    const { film, part, place: { row } } = this;
    const V = words.length;
    // The reader's own sentence says nowhere what is right.
    const isAsked = part.sentences?.some(({ at }) => at === film.words[row]) ?? false;
    const known = this.#known;
    return Array.from({ length: slots }, (_, slot) => slot).flatMap((slot) => {
      const target = film.targets[row * slots + slot] ?? -1;
      const right = target >= 0 ? words[target] : known?.right[slot];
      if (right === undefined && !isAsked) return [];
      if (!look) return [null];
      const own = look.state.probabilities.subarray((row * slots + slot) * V, (row * slots + slot + 1) * V);
      const id = own.reduce((most, share, each) => (share > (own[most] ?? 0) ? each : most), 0);
      return [{ word: visible(words[id] ?? ''), share: own[id] ?? 0, isRight: right === undefined ? null : words[id] === right }];
    });
  }

  get fair(): FairData | null {
    const { part, film, place: { row } } = this;
    const [run] = film.runs;
    if (part.job !== 'dice' || !run || !film.isThere) return null;
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
      lines: isAsking ? [] : film.runs.map((_, i) => ({ name: this.#names[i] ?? '', values: film.values(i, isRight ? 'smoothAccuracy' : 'loss'), words: this.#measured(i) })),
      chance, step, read: this.read, steps: film.steps, known: film.known, isLocked: isAsking, seek,
    };
  }

  /** Whether the runs go apart just here. */
  get isParting(): boolean {
    const { film, step, part } = this;
    if (step < PARTING.steps || film.runs.length < 2) return false;
    const all = film.runs.map((_, i) => film.values(i, part.measure === 'right' ? 'smoothAccuracy' : 'loss'));
    const apart = (at: number) => Math.max(...all.map((each) => each.at(at))) - Math.min(...all.map((each) => each.at(at)));
    return apart(step) - apart(step - PARTING.steps) > PARTING.apart;
  }

  walk(chosen: Chosen, paint: Paint, save: (run: number) => void, rules: RuleData): TemplateResult | typeof nothing {
    const { film, step, place } = this;
    const [run, look] = [film.at(chosen.run, step), this.#look(chosen.run, step)];
    return run && look ? walk({ name: this.#names[chosen.run] ?? '', run, state: look.state, layer: chosen.layer, head: chosen.head, place, tokens: film.words, paint, save: () => save(chosen.run), address: this.#address(chosen.run, run, rulesOf(film.changesOf(chosen.run, step))), rules, isTooLong: PLAYGROUND !== '' && !fitsLink(run.learnt), holdsText: run.learnt !== undefined, aside: this.lesson.aside?.() ?? '' }) : nothing;
  }

  /** A link that trains it again, on the text that was learnt; null where that is too long for one. */
  #address(at: number, { lesson, run, seed, rule, learnt }: RunDescription, rules: string): string | null {
    if (PLAYGROUND === '' || !fitsLink(learnt)) return null;
    const replay = encodeReplay({ lesson, run, seed, step: this.step, rules, ...(learnt && { learnt }) });
    return `${PLAYGROUND}#v1&parameters=trained-here&replay=${encodeText(replay)}${rule.isCausal ? '' : '&mask=none'}${rule.scales ? '' : '&scale=none'}&text=${encodeText(this.film.textOf(at))}`;
  }

  get summary(): string {
    return [msg(str`Step ${this.read}.`), ...this.#names.map((name, i) => `${name}: ${this.#measured(i)}.`)].join(' ');
  }
}
