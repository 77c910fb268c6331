// What the door shows: the designed head that looks for a pronoun's noun, on the reader's words, computed by the engine.
import { DEFAULTS } from '../engine/defaults.ts';
import type { Engine, Session } from '../engine/engine.ts';
import { type Token, engineKey, normalizeLines, tokenize } from '../engine/tokens.ts';
import type { Language } from '../lib/language.ts';
import { MEASURED } from '../parameters/designed/accuracy.ts';
import { DESIGNED_SETTINGS, design } from '../parameters/designed/design.ts';
import { type Lexicon, loadLexicon, openingLexicon } from '../parameters/designed/lexicon.ts';

export interface DoorRow {
  readonly text: string;
  readonly words: readonly Token[];
  /** The word that looks back, and the weight of each word in its row. */
  readonly query: number;
  readonly weights: Float32Array;
  /** The word with the largest weight, and the next. */
  readonly top: number;
  readonly second: number;
  /** Whether there is a word that stands for another. */
  readonly isPronoun: boolean;
  readonly unknown: readonly string[];
  readonly head: number;
  /** Whether the engine has computed the weights; the words are there before. */
  readonly isComputed: boolean;
}

/** More would not be read in large letters. */
export const MOST_DOOR_WORDS = 24;

export class DoorRun {
  #session: Session | null = null;
  #whole: Lexicon | null = null;

  /** @param engine null while it is on its way: rows then have no weights yet */
  constructor(private readonly engine: Engine | null, private readonly language: Language) {}

  /** Whether the list of words has to come first. */
  needsList(text: string, words: readonly string[]): boolean {
    const lexicon = openingLexicon(this.language);
    return !this.#whole && cut(text, words).some((token) => !lexicon.look(token.text).known);
  }

  /** @throws Error with a sentence */
  async bringList(): Promise<void> {
    this.#whole = await loadLexicon();
  }

  /** Null where there is no word. @throws AttentionError */
  row(text: string, words: readonly string[]): DoorRow | null {
    const tokens = cut(text, words).slice(0, MOST_DOOR_WORDS);
    if (tokens.length === 0) return null;
    const keys = tokens.map(engineKey);
    const lexicon = openingLexicon(this.language, this.#whole);
    const stands = (trait: 'stands for a noun before' | 'stands for a noun just before') => keys.findLastIndex((key) => (lexicon.look(key).traits[trait] ?? 0) > 0.5);
    const found = [stands('stands for a noun before'), stands('stands for a noun just before')].find((at) => at > 0);
    const query = found ?? tokens.length - 1;
    const said = { text: normalizeLines(text), words: tokens, query, isPronoun: found !== undefined };
    // Until then, what its answer says is as long as it may become.
    const longest = tokens.reduce((most, token, i) => (token.text.length > (tokens[most]?.text.length ?? 0) ? i : most), 0);
    if (!this.engine) return { ...said, weights: new Float32Array(), top: longest, second: longest, unknown: [], head: 0, isComputed: false };
    const { content, W_Q, W_K, W_V, W_O, heads, known } = design(keys, lexicon);
    const head = heads.findIndex(({ id }) => id === 'antecedent');
    this.#session ??= this.engine.session();
    const trace = this.#session.run({ tokens: keys, given: { content, W_Q, W_K, W_V, W_O } }, { ...DEFAULTS, ...DESIGNED_SETTINGS });
    const weights = trace.head('weights', head).slice(query * keys.length, (query + 1) * keys.length);
    const order = [...weights.keys()].toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
    return {
      ...said, weights, head, top: order[0] ?? 0, second: order[1] ?? 0, unknown: tokens.filter((_, i) => !known[i]).map((token) => token.text), isComputed: true,
    };
  }

  free(): void {
    this.#session?.free();
    this.#session = null;
  }
}

/** Measured on sentences that others have marked. */
export const measured = (): { accuracy: number; baseline: number; cases: number } => MEASURED.antecedent as { accuracy: number; baseline: number; cases: number };

/** By the words that the lesson gives, where these are the text's; else as the browser cuts it. */
export function cut(text: string, words: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const word of words) {
    const start = text.indexOf(word, at);
    if (start < 0 || text.slice(at, start).trim() !== '') return tokenize(normalizeLines(text));
    at = start + word.length;
    tokens.push({ text: word, start, end: at });
  }
  return words.length > 0 && text.slice(at).trim() === '' ? tokens : tokenize(normalizeLines(text));
}
