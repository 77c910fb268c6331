// What a lesson on training says: a question, what the reader predicts, its runs side by side, and what is to be seen in them.
import { fixed } from '../../lib/format.ts';
import type { Change } from '../../engine/training/open.ts';
import type { RunDescription } from '../../engine/training/types.ts';
import type { LessonId } from '../../state/views.ts';

/** Settings that a run is trained with: a mask or none, a scale or none, so many heads. */
export const SWITCHES = ['mask', 'scale', 'heads'] as const;
export type Switch = (typeof SWITCHES)[number];

/** A run, by the engine's name for it. */
export interface RunWords {
  id: string;
  /** The engine's name, where it is another run's from a seed of its own. */
  of?: string;
  seed?: number;
  /** What of that run's own rule is otherwise from the first step on. */
  rule?: Change['rule'];
  /** By which of the element's settings it differs from others of its part, as an author says them. */
  has?: Partial<Record<Switch, string>>;
  /** As a lane is headed: “One head”. */
  name(): string;
}

/** A part of a lesson that is chosen by a switch: dice or letters, how wide queries and keys are. */
export interface Part {
  id: string;
  name(): string;
  runs: readonly RunWords[];
  /** Those that are shown unless the reader chooses others. */
  shown: readonly string[];
  /** The seed that is shown first. */
  seed: number;
  job: Job;
  measure: 'right' | 'loss';
  /** What guessing reaches, of a run as it is. */
  chance(of: RunDescription): Chance;
  /** Names of the first and the second place that an answer lies at. */
  pointers?(): Pointers;
  /** Names of the places that heads are scored by, where there are more of them. */
  aims?(): Pointers;
  /** Names of the answers, where there are two. */
  asked?(): readonly string[];
  /** Sentences to show, the first unless the reader chooses another; asked at that word, and what is right there. */
  sentences?: readonly Sentence[];
  /** It learns the reader's own text. */
  readsText?: true;
  /** What a look takes beside exact numbers. */
  looks?: { honest?: 'fair' | 'held-out'; writes?: true };
}

/** What the lane's model answers to, which says how it is drawn. */
export type Job = 'letters' | 'dice' | 'records' | 'words';

/** What a relation of the task is called, where an arrow shows it. */
export type Pointers = readonly (string | null)[];

export interface Chance { value: number; words: string }

export interface Sentence { text: string; at: string; right: readonly string[] }

export interface Answer { id: string; words(): string; isRight: boolean }

/** A run as it stands at the step that is shown. */
export interface RunNow {
  id: string;
  /** Of the last 20 batches together. */
  right: number;
  loss: number;
  /** The loss where the answer is not among the words that are given; NaN before it is measured, null where it is not. */
  honest: number | null;
  /** Mean weight that a head gives to where a relation points, on the shown text. */
  aims(): readonly Aim[];
  /** Share of the rows that give more than 0.95 to one key, in the first head. */
  decided: number;
  /** Mean of 1 − Σp² over the rows: how far softmax still gives way. */
  slope: number;
  /** What it writes by itself; null where it writes nothing. */
  writes: string | null;
}

export interface Aim { layer: number; head: number; /** 0 or 1: of the task's relations. */ relation: number; weight: number }

export interface Now {
  step: number;
  steps: number;
  run(id: string): RunNow | null;
}

export interface Lesson {
  id: LessonId;
  question(): string;
  /** What a model is asked to do, in one or two sentences. */
  task(part: Part): unknown;
  ask(part: Part): string;
  answers(part: Part): readonly Answer[];
  parts: readonly Part[];
  /** What is to be seen at this step, with its numbers. */
  seen(now: Now, part: Part): unknown;
  /** What must be said with it, in the same size as the claim. */
  small(part: Part): string;
  /** What else was measured, beside the numbers of a cell. */
  aside?(): string;
}

export const measured = (value: number | null): string => (value === null ? '–' : Number.isNaN(value) ? '…' : fixed(value, 2));

/** The best head for a relation. */
export const best = (run: RunNow | null, relation: number, layer?: number): Aim | null => (run?.aims() ?? [])
  .filter((aim) => aim.relation === relation && (layer === undefined || aim.layer === layer))
  .reduce<Aim | null>((most, aim) => (most && most.weight >= aim.weight ? most : aim), null);
