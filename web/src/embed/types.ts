// The public types of the package: the parts of the element's state that other programs may use.
import type { Settings } from '../engine/types.ts';

export type { CellArithmetic, Explanation, Settings, Shape, StageId, Trace } from '../engine/types.ts';

export interface Selection {
  head: number;
  query: number;
  key: number;
}

export interface Token {
  text: string;
  /** Where it stands in the sentence. */
  start: number;
  end: number;
}

export interface State {
  text: string;
  tokens: readonly Token[];
  /** The second sentence, where keys come from; null without one. */
  keyText: string | null;
  keyTokens: readonly Token[];
  settings: Settings;
  /** Where the parameters come from. */
  source: 'random' | 'designed' | 'trained' | 'trained-here' | 'yours';
  selection: Selection;
}

/** Of an element that is a lab. */
export interface LabState {
  view: string;
  text: string;
  preset: string;
}
