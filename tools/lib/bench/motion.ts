// What of its motion a reader sees with a processor four times slower: frames that are shown, of those that are due.
import type { Page } from 'playwright-core';
import { Reader } from '../../../tests/lib/page.ts';
import { type Benchmark, type Result, markdown, median, milliseconds } from './report.ts';
import { eventsOf } from './trace.ts';

const ROUNDS = 3;
const SLOWDOWN = 4;
const FRAME_MS = 1000 / 60;
/** Chromium's name for the time from a frame's hand-over until it is on the screen. */
const SHOWN = 'SubmitCompositorFrameToPresentationCompositorFrame';
const ACT = 'bench-act';
const CATEGORIES = ['-*', 'blink.user_timing', 'disabled-by-default-devtools.timeline.frame'];

const WIDE = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const OPENING = '#v1';

interface Case {
  name: string;
  file: string;
  context: typeof WIDE | typeof PHONE;
  fragment: string;
  /** What moves, and what sets it in motion: once, and once more to come back. */
  moves: string;
  acts: readonly ((page: Page) => Promise<unknown>)[];
}

const STAGE = '.row-drawing *';
const press = (setting: string, value: string) => (page: Page) => page.locator(`[data-setting=${setting}] label:has(input[value="${value}"])`).click();
const choose = (setting: string, value: string) => (page: Page) => page.locator(`[data-setting=${setting}] select`).selectOption(value);
const click = (selector: string) => (page: Page) => page.locator(selector).first().click();

const stage = (name: string, acts: Case['acts'], more: Partial<Case> = {}): Case => ({ name, file: 'playground.html', context: WIDE, fragment: OPENING, moves: STAGE, acts, ...more });
const phone = { context: PHONE };
const CASES: readonly Case[] = [
  stage('stage, 1280 px: scale', [press('scale', 'none'), press('scale', 'sqrt-dk')]),
  stage('stage, 1280 px: mask', [press('mask', 'none'), press('mask', 'causal')]),
  stage('stage, 1280 px: heads', [press('heads', '1'), press('heads', '4')]),
  stage('stage, 1280 px: play', [click('.row-play')]),
  stage('stage, 390 px: scale', [choose('scale', 'none'), choose('scale', 'sqrt-dk')], phone),
  stage('stage, 390 px: mask', [choose('mask', 'none'), choose('mask', 'causal')], phone),
  stage('lesson, 1280 px: the first answer', [click('.word >> nth=1')], { file: 'index.html', fragment: '', moves: '.arc-way' }),
  stage('lesson, 390 px: the first answer', [click('.word >> nth=1')], { file: 'index.html', fragment: '', moves: '.arc-way', ...phone }),
  stage('lesson, 1280 px: play', [click('.row-play')], { file: 'index.html', fragment: '#step=choose' }),
];

interface Motion {
  shown: number;
  due: number;
  /** Milliseconds. */
  longest: number;
  delay: number;
}

/** In the page: notes when it is acted on, and when what moves then began and ends, on the page's clock. */
function watch([moves, act]: readonly [string, string]): void {
  const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
  const moving = () => roots(document).flatMap((root) => root.getAnimations()).filter(({ effect }) => (effect as KeyframeEffect).target?.matches(moves));
  const look = async () => {
    const found = moving();
    if (found.length === 0) return void requestAnimationFrame(() => void look());
    await Promise.all(found.map(({ ready }) => ready));
    const begins = found.map(({ startTime }) => Number(startTime));
    const ends = found.map(({ startTime, effect }) => Number(startTime) + Number(effect?.getComputedTiming().endTime));
    Object.assign(window, { motion: [Math.min(...begins), Math.min(...ends)] });
  };
  for (const type of ['click', 'input']) addEventListener(type, () => {
    if (performance.getEntriesByName(act).length > 0) return;
    performance.mark(act);
    void look();
  }, { capture: true });
}

/** Null where nothing moves. */
async function measure(page: Page, act: (page: Page) => Promise<unknown>): Promise<Motion | null> {
  await page.evaluate(() => Object.assign(window, { motion: null }));
  await page.evaluate((mark) => performance.clearMarks(mark), ACT);
  const events = await eventsOf(page, CATEGORIES, async () => {
    await act(page);
    await page.waitForFunction(() => (window as { motion?: unknown }).motion, null, { polling: 250, timeout: 5000 }).catch(() => null);
    await page.waitForTimeout(800);
  });
  const moved = await page.evaluate(() => (window as unknown as { motion: [number, number] | null }).motion);
  if (!moved) return null;
  const [from, to] = moved;
  const mark = events.find(({ name }) => name === ACT);
  if (!mark) throw new Error('The trace does not say when the page was acted on.');
  const acted = await page.evaluate((name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN, ACT);
  const onClock = (ts: number) => acted + (ts - mark.ts) / 1000;
  const times = events.filter(({ name, ph, pid }) => name === SHOWN && ph === 'e' && pid === mark.pid).map(({ ts }) => onClock(ts)).sort((a, b) => a - b);
  // What the page and what the compositor has made of one frame is written down twice.
  const frames = times.filter((at, i) => i === 0 || at - (times[i - 1] as number) > FRAME_MS / 4);
  const during = frames.filter((at) => at > from && at <= to + FRAME_MS);
  const all = [from, ...during];
  const longest = Math.max(...all.slice(1).map((at, i) => at - (all[i] as number)), to - (all.at(-1) as number));
  return { shown: during.length, due: Math.round((to - from) / FRAME_MS), longest, delay: (during[0] ?? NaN) - acted };
}

async function rounds(reader: Reader, { file, fragment, context, moves, acts }: Case, count: number): Promise<(Motion | null)[]> {
  const made: (Motion | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    const { page } = await reader.open({ file, fragment, context });
    await page.waitForTimeout(1500);
    await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.evaluate(watch, [moves, ACT] as const);
    for (const act of acts) made.push(await measure(page, act));
    await page.context().close();
  }
  return made;
}

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const reader = await Reader.arrive();
  const rows: string[][] = [];
  try {
    for (const each of CASES) {
      progress(each.name);
      const made = (await rounds(reader, each, isQuick ? 1 : ROUNDS)).filter((motion) => motion !== null);
      if (made.length === 0) {
        rows.push([each.name, 'nothing moves', '', '', '']);
        continue;
      }
      const rates = made.map(({ shown, due }) => Math.min(60, (shown / due) * 60));
      rows.push([each.name, median(rates).toFixed(0), Math.min(...rates).toFixed(0), ...[median(made.map(({ longest }) => longest)), median(made.map(({ delay }) => delay))].map(milliseconds)]);
    }
  } finally {
    await reader.leave();
  }
  return {
    about: `Frames a second that are shown while something moves, with the page’s processor slowed down by ${SLOWDOWN}.`,
    table: markdown(['', 'frames a second, median', 'least', 'longest between two (ms)', 'from the click to the first (ms)'], rows),
    note: `${isQuick ? 1 : ROUNDS} pages a line, each flipped and flipped back.`,
  };
}

export const motion: Benchmark = { name: 'motion', isLong: true, run };
