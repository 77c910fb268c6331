// A lab on its page, driven and read as a reader does; for the self-test, the shipped engine as its examiner.
import type { Locator } from 'playwright-core';
import { type Range, read } from './shown-numbers.ts';
import { type Opening, type Playground, Reader } from './page.ts';
import { type LabName, pageOf } from '../../web/src/state/views.ts';
import { writeLabLink } from '../../web/src/link/fields.ts';
import { DEFAULT_TEXT } from '../../web/src/state/settings.ts';
import { loadEngine } from './built.ts';
import type { Engine, Session } from '../../web/src/engine/engine.ts';
import type { Asked } from '../../web/src/labs/quiz/kinds.ts';

export interface LabOpening extends Opening { text?: string; preset?: string }

export class LabTab {
  private constructor(readonly playground: Playground, readonly view: LabName) {}

  static async open(reader: Reader, view: LabName, { text = DEFAULT_TEXT, preset = '', ...opening }: LabOpening = {}): Promise<LabTab> {
    const playground = await reader.open({ ...opening, file: pageOf(view), fragment: writeLabLink({ view, text, preset }) });
    const tab = new LabTab(playground, view);
    await tab.page.locator(`#${view}`).scrollIntoViewIfNeeded();
    await tab.find('.lab-frame').waitFor();
    await tab.ready();
    return tab;
  }

  get page() {
    return this.playground.page;
  }

  get problems() {
    return this.playground.problems;
  }

  find(selector: string) {
    return this.page.locator(`#${this.view} ${selector}`);
  }

  /** Until nothing is loading any more. */
  async ready(): Promise<void> {
    await this.page.waitForFunction((view) => document.querySelector(`#${view} attention-playground`)?.shadowRoot?.querySelector('.lab > [aria-busy=false]'), this.view);
  }

  async type(text: string): Promise<void> {
    await this.find('.lab-sentence textarea').fill(text);
    await this.ready();
  }

  said(): Promise<string> {
    return this.find('.lab-said').innerText();
  }

  /** The cells of a table's body, row by row, as they stand on the screen. */
  table(selector: string): Promise<string[][]> {
    return this.find(selector).evaluate((table) => [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll<HTMLElement>('th, td')].map((cell) => cell.innerText.trim())));
  }

  /** What is wrong, as the lab says it. */
  async problem(): Promise<string> {
    return (await this.find('.problem').allInnerTexts()).join(' ').trim();
  }

  async notices(): Promise<string> {
    return (await this.find('.lab-notices').allInnerTexts()).join(' ').trim();
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** The same for tests that look at the page and the lab's part of it by themselves. */
export async function openLab(reader: Reader, name: LabName, { preset = {}, ...opening }: Omit<LabOpening, 'preset'> & { preset?: Record<string, string | number> } = {}): Promise<{ page: Playground; lab: Locator }> {
  const knobs = new URLSearchParams(Object.entries(preset).map(([knob, value]) => [knob, String(value)])).toString();
  const { playground, page } = await LabTab.open(reader, name, { ...opening, preset: knobs });
  return { page: playground, lab: page.locator(`#${name}`) };
}

/** The figure of that title, or whose title begins so. */
export const figure = (lab: Locator, title: string): Locator => lab.locator('figure.plot', { has: lab.page().locator('figcaption b', { hasText: title }) });

/** Its numbers: rows of text, each named by its first; opened as a reader opens them. */
export async function numbersOf(lab: Locator, title: string): Promise<{ columns: string[]; rows: string[][] }> {
  const details = figure(lab, title).locator('.plot-numbers');
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  const cells = (rows: Locator) => rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')));
  const [columns = []] = await cells(details.locator('thead tr'));
  return { columns, rows: await cells(details.locator('tbody tr')) };
}

/** ‖a − b‖ of one row, in double. */
export function apart(a: Float64Array, row: number, b: Float64Array, other: number, width: number): number {
  let sum = 0;
  for (let i = 0; i < width; i += 1) sum += ((a[row * width + i] ?? NaN) - (b[other * width + i] ?? NaN)) ** 2;
  return Math.sqrt(sum);
}

/** Whether a number on the screen is that one, to its last digit and float32's rounding. */
export function isShown(text: string, expected: number, slack = 2e-5): boolean {
  const { low, high }: Range = read(text);
  const room = Math.max(slack, Math.abs(expected) * slack);
  return expected >= low - room && expected <= high + room;
}

/** Asks one session, run after run. */
export async function examiner(): Promise<{ asked: Asked; free(): void }> {
  const engine: Engine = await loadEngine();
  const session: Session = engine.session();
  return {
    asked: { engine, run: (_, tokens, settings, more) => session.run({ ...more, tokens: [...tokens] }, engine.clamp(settings).settings) },
    free: () => session.free(),
  };
}

/** The words of a template, as they are read. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value && typeof value === 'object' && 'strings' in value) {
    const { strings, values } = value as unknown as { strings: readonly string[]; values: readonly unknown[] };
    return strings.map((part, i) => part.replace(/<[^>]*>/g, '') + (i < values.length ? textOf(values[i]) : '')).join('');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
