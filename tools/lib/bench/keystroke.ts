// What a keystroke costs the page's main thread, until the figure that it changes is painted.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Reader, link, linkSettings } from '../../../tests/lib/page.ts';
import { CASES, CHECKED, type Case, assertRight, described, words } from './cases.ts';
import { type Benchmark, type Result, markdown, median, milliseconds, quantile } from './report.ts';
import { MainThread } from './trace.ts';

const BOX_TOKENS = 64;
const WARM_UP = 16;
const KEYSTROKES = 64;
/** Each opens the page again. All their keys count; the note has each round's own p95. */
const ROUNDS = 3;
/** When the words, their arcs and the matrix stand to be painted; and when everything does. */
const FIRST = 'bench-first';
const MARK = 'bench-figure';
/** A keystroke each 150 ms is fast typing; its key is held for as long, so that its release is not measured. */
const HELD_MS = 150;
/** The thread's waits inside its tasks, as a factor of its work; more than this comes from outside the page. */
const DISTURBED = 1.15;
const LETTERS = 'ingsdrop';

interface Sample {
  work: number;
  elapsed: number;
}

/** The last word grows by eight letters and loses them again: the number of tokens stays. */
const key = (i: number): string => (i % 16 < 8 ? (LETTERS[i % 8] ?? '') : 'Backspace');

async function press({ page }: { page: Page }, from: number, count: number, progress: () => void): Promise<void> {
  const { keyboard } = page;
  for (let i = from; i < from + count; i += 1) {
    await keyboard.down(key(i));
    await pause(HELD_MS);
    // Asking the page costs it time, so it is asked only after it has most likely painted.
    await page.evaluate(([count, mark]) => new Promise<void>((resolve) => {
      const painted = () => (performance.getEntriesByName(mark).length < count
        ? requestAnimationFrame(painted) : requestAnimationFrame(() => setTimeout(resolve)));
      painted();
    }), [i + 1, MARK] as const);
    await keyboard.up(key(i));
    await pause(50);
    progress();
  }
}

/** From the task in which the key goes down to the task that paints after the mark. */
function samplesOf(thread: MainThread, mark: string): Sample[] {
  const samples: Sample[] = [];
  const { moments } = thread;
  moments.forEach(({ name, at }, i) => {
    if (name !== 'keydown') return;
    const drawn = moments.findIndex((moment, j) => j > i && moment.name === mark);
    const painted = moments.findIndex((moment, j) => j > drawn && moment.name === 'Paint');
    const next = moments.findIndex((moment, j) => j > i && moment.name === 'keydown');
    if (drawn < 0 || painted < 0 || (next >= 0 && next < painted)) throw new Error('A keystroke was not painted before the next.');
    samples.push(thread.sum(thread.taskAt(at), thread.taskAt(moments[painted]?.at ?? 0)));
  });
  return samples;
}

interface Measured {
  first: Sample[];
  all: Sample[];
}

async function roundsOf(rounds: number, round: () => Promise<Measured>): Promise<Measured[]> {
  const made: Measured[] = [];
  for (let i = 0; i < rounds; i += 1) made.push(await round());
  return made;
}

const p95 = ({ first }: Measured): string => milliseconds(quantile(first.map((sample) => sample.work), 0.95));

async function measure(reader: Reader, { tokens, settings }: Case, progress: (done: number) => void): Promise<Measured> {
  const page = await reader.open({ fragment: link({ text: words(tokens).join(' '), ...linkSettings(settings) }) });
  const check = async () => {
    const shown = await page.tokens();
    if (shown.length !== tokens) throw new Error(`The page has ${shown.length} tokens where ${tokens} are to be measured.`);
    assertRight(shown, settings, await page.stages(CHECKED));
    if (page.problems.length > 0) throw new Error(`The page has problems: ${page.problems.join('; ')}`);
  };
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  await check();
  await page.page.evaluate(([first, mark]) => {
    const element = document.querySelector('attention-playground') as HTMLElement & { updateComplete: Promise<unknown> };
    element.addEventListener('input', () => void element.updateComplete.then(() => performance.mark(first)));
    document.addEventListener('attention-change', () => performance.mark(mark));
  }, [FIRST, MARK] as const);
  let done = 0;
  const advance = () => progress((done += 1));
  await press(page, 0, WARM_UP, advance);
  const thread = await MainThread.watch(page.page, [FIRST, MARK], () => press(page, WARM_UP, KEYSTROKES, advance));
  await check();
  await page.close();
  const measured = { first: samplesOf(thread, FIRST), all: samplesOf(thread, MARK) };
  const found = Math.min(measured.first.length, measured.all.length);
  if (found !== KEYSTROKES) throw new Error(`${found} of ${KEYSTROKES} keystrokes were found in the trace.`);
  return measured;
}

/** The same keys in a text box with nothing around it: what the browser takes by itself. */
async function measureBox(reader: Reader, progress: (done: number) => void): Promise<Measured> {
  const page = await reader.open({ file: 'licence.txt' });
  await page.page.evaluate(([text, mark]) => {
    const box = document.createElement('textarea');
    box.style.cssText = 'width: 1200px; height: 400px; font-size: 40px';
    box.value = text;
    box.addEventListener('input', () => performance.mark(mark));
    document.body.replaceChildren(box);
    box.focus();
  }, [words(BOX_TOKENS).join(' '), MARK] as const);
  await page.page.keyboard.press('Control+End');
  let done = 0;
  const advance = () => progress((done += 1));
  await press(page, 0, WARM_UP, advance);
  const thread = await MainThread.watch(page.page, [FIRST, MARK], () => press(page, WARM_UP, KEYSTROKES, advance));
  await page.close();
  const all = samplesOf(thread, MARK);
  return { first: all, all };
}

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const rounds = isQuick ? 1 : ROUNDS;
  const reader = await Reader.arrive();
  const rows: string[][] = [];
  let [worked, elapsed] = [0, 0];
  const report = (name: string) => (done: number) => {
    if (done % 8 === 0) progress(`${name}: ${done} of ${WARM_UP + KEYSTROKES} keystrokes`);
  };
  const spread: string[] = [];
  const row = (tokens: string, width: string, made: Measured[]) => {
    const [first, all] = [made.flatMap((each) => each.first), made.flatMap((each) => each.all)];
    if (width !== '') spread.push(made.map(p95).join('/'));
    const soon = first.map((sample) => sample.work);
    const [busy, clock] = [all.map((sample) => sample.work), all.map((sample) => sample.elapsed)];
    rows.push([tokens, width].concat([median(soon), quantile(soon, 0.95), median(busy), quantile(busy, 0.95)].map(milliseconds)));
    worked += median(busy);
    elapsed += median(clock);
  };
  try {
    row(`${BOX_TOKENS}, in a text box alone`, '', await roundsOf(rounds, () => measureBox(reader, report('a text box alone'))));
    for (const each of CASES) {
      row(String(each.tokens), String(each.settings.d_model), await roundsOf(rounds, () => measure(reader, each, report(described(each)))));
    }
  } finally {
    await reader.leave();
  }
  const disturbed = elapsed > worked * DISTURBED ? ' Other programs were running, so the clock shows more than the work.' : '';
  return {
    about: 'Main-thread work from a keystroke to the end of its paint: the words, arcs and matrix first, the rest in the frame after, or all at once where it takes little. Waiting for the display is left out; `tools/bench --help` says how it is measured.',
    table: markdown(['tokens', 'd_model', 'words and matrix painted: median (ms)', 'p95 (ms)', 'everything painted: median (ms)', 'p95 (ms)'], rows),
    note: `8 heads, ${rounds} × ${KEYSTROKES} keystrokes a line, each time after ${WARM_UP} to warm up. The first p95 of each round, line by line: ${spread.join(', ')}.${disturbed}`,
  };
}

export const keystroke: Benchmark = {
  name: 'keystroke',
  run,
};
