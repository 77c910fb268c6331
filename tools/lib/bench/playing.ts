// What a lesson on training costs the page's main thread while it plays, frame by frame, and how soon a step that is gone to is exact.
import type { Page } from 'playwright-core';
import { LabTab } from '../../../tests/lib/lab.ts';
import { Reader } from '../../../tests/lib/page.ts';
import { type Benchmark, type Result, markdown, median, milliseconds, quantile } from './report.ts';
import { MainThread } from './trace.ts';

const FRAME = 'bench-frame';
const SECONDS = 3;
/** As often as another step is gone to. */
const SCRUBS = 12;
/** A frame that comes later is seen to be late. */
const LATE_MS = 50;

const CASES = ['lesson=look_back', 'lesson=mask&part=dice', 'lesson=mask&part=characters', 'lesson=scale', 'lesson=heads', 'lesson=heads&part=english', 'lesson=words', 'lesson=positions', 'lesson=stands_for'];

const press = (page: Page) => page.evaluate(() => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.training-play')?.click());

/** Processor time from the beginning of one frame to the next, and what lay between by the clock. */
async function played(page: Page): Promise<{ work: number[]; between: number[] }> {
  await page.evaluate((mark) => {
    const next = () => {
      performance.mark(mark);
      requestAnimationFrame(next);
    };
    next();
  }, FRAME);
  const thread = await MainThread.watch(page, [FRAME], async () => {
    await press(page);
    await page.waitForTimeout(1000 * SECONDS);
    await press(page);
  });
  const frames = thread.moments.filter(({ name }) => name === FRAME).map(({ at }) => at);
  const pairs = frames.slice(1).map((to, i) => [frames[i] ?? to, to] as const);
  return {
    work: pairs.map(([from, to]) => thread.tasks.filter(({ start }) => start > from && start <= to).reduce((sum, { work }) => sum + work, 0)),
    between: pairs.map(([from, to]) => (to - from) / 1000),
  };
}

/** Milliseconds from the handle's move until the numbers of its step are exact. */
const scrubbed = (page: Page): Promise<number[]> => page.evaluate(async (count) => {
  const lab = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const handle = lab.querySelector('.training-handle') as HTMLInputElement;
  const last = Number(handle.value);
  const times: number[] = [];
  for (let i = 1; i <= count; i += 1) {
    // All over what is known, to and fro.
    const step = String(Math.round((last * ((i * 7) % count)) / count));
    const at = performance.now();
    handle.value = step;
    handle.dispatchEvent(new Event('input', { bubbles: true }));
    while (lab.querySelector('.training-walk')?.getAttribute('data-step') !== step) await new Promise(requestAnimationFrame);
    times.push(performance.now() - at);
    await new Promise((settle) => setTimeout(settle, 600));
  }
  return times;
}, SCRUBS);

async function run(progress: (done: string) => void): Promise<Result> {
  const reader = await Reader.arrive();
  const rows: string[][] = [];
  try {
    for (const preset of CASES) {
      progress(preset);
      const tab = await LabTab.open(reader, 'training', { preset: `${preset}&ask=off`, context: { viewport: { width: 1280, height: 720 } } });
      await tab.find('.training-walk').waitFor({ state: 'attached' });
      const { work, between } = await played(tab.page);
      await tab.page.waitForTimeout(1000);
      const times = await scrubbed(tab.page);
      if (tab.problems.length > 0) throw new Error(tab.problems.join('; '));
      rows.push([preset.replace(/lesson=|part=/g, '').replace('&', ', '), ...[median(work), quantile(work, 0.95)].map(milliseconds), `${between.filter((ms) => ms > LATE_MS).length} of ${between.length}`, ...[median(times), Math.max(...times)].map(milliseconds)]);
      await tab.close();
    }
  } finally {
    await reader.leave();
  }
  return {
    about: `The main thread’s work of a frame while a lesson is trained and plays at 60 steps a second, and the time from a move of the handle until the numbers of that step are exact.`,
    table: markdown(['lesson', 'work of a frame, median (ms)', 'p95', `frames later than ${LATE_MS} ms`, 'exact after a move, median (ms)', 'longest'], rows),
    note: `1280 × 720 pixels; ${SECONDS} seconds of playing and ${SCRUBS} moves a line.`,
  };
}

export const playing: Benchmark = { name: 'playing', isLong: true, run };
