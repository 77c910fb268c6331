// How to train again a model that was trained in the page: the same bits on any machine.
export interface Replay {
  readonly lesson: string;
  readonly run: string;
  readonly seed: number;
  readonly step: number;
  /** What was changed in the midst, as the lab's own address has it: "60.mask.off,90.scale.on". */
  readonly rules?: string;
  /** Of a run that learns a text: the reader's, or the tale. */
  readonly learnt?: Learnt;
}

/** Words between single spaces, or characters; and the line that is not learnt, whose words have ids all the same. */
export interface Learnt {
  readonly text: string;
  readonly heldOut: string;
}

const [MOST_SEED, MOST_STEPS] = [2 ** 32 - 1, 20_000];

/** Characters of a text and its line that an address holds: longer ones are cut by browsers and chat windows. */
export const MOST_LEARNT = 20_000;
export const fitsLink = (learnt: Learnt | undefined): boolean => !learnt || learnt.text.length + learnt.heldOut.length <= MOST_LEARNT;

/** "stands_for.seen_whole.7.3000", "mask.dice_masked.1.90~60.mask.off", "words.own_paragraph.1.300.Once upon a time.", and after a line break what is not learnt. */
export const encodeReplay = ({ lesson, run, seed, step, rules, learnt }: Replay): string =>
  [lesson, run, seed, rules ? `${step}~${rules}` : step, ...(learnt ? [`${learnt.text}\n${learnt.heldOut}`] : [])].join('.');

/** Of one as it is written: what a file holds may be longer. */
export const fitsAddress = (raw: string): boolean => fitsLink(decodeReplay(raw)?.learnt);

/** As it is written, or null where it is none. */
export function sameReplay(raw: string): string | null {
  const replay = decodeReplay(raw);
  return replay && encodeReplay(replay);
}

export function decodeReplay(raw: string): Replay | null {
  const [, lesson = '', run = '', seeds = '', steps = '', rules, said] = /^([a-z_]{1,20})\.([a-z\d_]{1,40})\.(\d{1,10})\.(\d{1,5})(?:~((?:,?\d{1,5}\.(?:mask|scale)\.o(?:n|ff)){1,40}))?(?:\.([^]*))?$/.exec(raw) ?? [];
  const [seed, step] = [Number(seeds), Number(steps)];
  const [text = '', heldOut = '', ...more] = said?.split('\n') ?? [];
  const learnt = said === undefined ? undefined : { text, heldOut };
  if (lesson === '' || seed < 1 || seed > MOST_SEED || step > MOST_STEPS || more.length > 0) return null;
  return { lesson, run, seed, step, ...(rules && { rules }), ...(learnt && { learnt }) };
}
