// A model that was trained in the page, by what makes it again: the same bits, wherever it is trained again.
export interface Replay {
  readonly lesson: string;
  readonly run: string;
  readonly seed: number;
  readonly step: number;
}

const [MOST_SEED, MOST_STEPS] = [2 ** 32 - 1, 20_000];

/** "stands_for.seen_whole.7.3000" */
export const encodeReplay = ({ lesson, run, seed, step }: Replay): string => [lesson, run, seed, step].join('.');

export function decodeReplay(raw: string): Replay | null {
  const [, lesson = '', run = '', ...numbers] = /^([a-z_]{1,20})\.([a-z\d_]{1,40})\.(\d{1,10})\.(\d{1,5})$/.exec(raw) ?? [];
  const [seed = 0, step = 0] = numbers.map(Number);
  return lesson !== '' && seed >= 1 && seed <= MOST_SEED && step <= MOST_STEPS ? { lesson, run, seed, step } : null;
}
