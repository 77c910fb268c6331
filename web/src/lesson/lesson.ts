// A lesson: what a step says, shows and asks, and the numbers that it can ask about.

export interface Passage { title: string; text: string }

/** What is said once the answer is known. */
export interface After {
  title: string;
  /** The reader guessed right, guessed wrong, or did not guess. */
  right: string;
  wrong: string;
  unasked: string;
}

/** What marks a guess: a word of the sentence, by its share; a choice, by what a change does to a number; or its author. */
export type Answer =
  | { word: 'largest' | 'smallest' }
  | { effect: MeasureName }
  | { choice: number };

export interface Show {
  /** `door` is the sentence in large letters; all others are views of the element. */
  view: string;
  /** A link's fragment: “#v1&source=designed&head=5”. What it does not say of the text is the reader's own. */
  state: string;
  step: string;
  controls: string;
  preset: string;
  /** Of the view “training”: which run. */
  lesson: string;
  /** Shown in place of the lesson's own sentence, until the reader has typed another. */
  sentence: string;
}

export interface Try extends Passage {
  /** Changes one word of the sentence for another. */
  replace?: { word: string; by: string } | undefined;
  /** Said in place of the text once it is changed. */
  after: string;
}

export interface Step {
  /** In its address. */
  id: string;
  /** The question. */
  question: string;
  before: string;
  /** Said in place of `before` while a training run shows another of its jobs, by that job's id. */
  jobs: Record<string, string>;
  /** Empty where a word is picked. */
  choices: string[];
  show: Show;
  /** What the state becomes with the answer. */
  then: string;
  answer?: Answer | undefined;
  after: After;
  why?: Passage | undefined;
  try?: Try | undefined;
}

export interface Lesson {
  title: string;
  lang: string;
  /** The sentence that it opens with. */
  text: string;
  /** Its words, where they are not to be left to the browser. */
  words: string[];
  steps: Step[];
}

// Numbers of one row of weights that a step can ask about. The engine has computed the row.

export const MEASURES = {
  'largest-share': (row: Float32Array): number => Math.max(...row),
  'words-seen': (row: Float32Array): number => row.reduce((seen, weight) => seen + (weight > 0 ? 1 : 0), 0),
} as const;

export type MeasureName = keyof typeof MEASURES;

/** Two numbers this near are taken for the same. */
const NEAR = 1e-3;

/** The choice that a change makes right: 1 more, 2 the same, 3 less. */
export function effectOf(name: MeasureName, before: Float32Array, after: Float32Array): number {
  const [then, now] = [MEASURES[name](before), MEASURES[name](after)];
  return Math.abs(now - then) < NEAR ? 2 : now > then ? 1 : 3;
}
