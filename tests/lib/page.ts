// Opens the built page in Chromium, uses it as a reader does, and reads what is on the screen.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, type Download, type Page, chromium } from 'playwright-core';
import { built } from './built.ts';
import { type Screen, readScreen } from './screen.ts';
import { serveFolder } from './serve.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { KNOBS, type Knobs, SETTINGS, type Setting, fieldsOf } from '../../web/src/state/settings.ts';

export const SITE = process.env['ATTENTION_SITE'] ?? built('site');
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--font-render-hinting=none', // in the headless shell as in the whole browser: words are as wide
];

function executable(): string {
  const named = process.env['ATTENTION_CHROMIUM'];
  if (named) return named;
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];
  const found = ['chromium-headless-shell', 'chromium'].flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
  if (!found) throw new Error('Chromium is missing: run tools/setup test, or set ATTENTION_CHROMIUM to its path.');
  return found;
}

/** With ATTENTION_LATE=500 every answer comes up to 500 ms late, in any order: what passes by luck fails then. */
const LATE_MS = Number(process.env['ATTENTION_LATE'] ?? 0);

export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS });
  if (LATE_MS > 0) browser.on('context', (context) => void context.route('**/*', async (route) => {
    await wait(Math.random() * LATE_MS);
    await route.continue().catch(() => {}); // the page has gone
  }));
  return browser;
}

/** In every page that a Reader opens: numbers leave it as text many times faster than one by one. */
export function base64Of(numbers: Float32Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** What functions of the tests use inside a page: TypeScript's compiler wraps those that have a name, and its helper is missing there. */
export const IN_PAGE = `globalThis.__name = (f) => f; globalThis.base64Of = ${base64Of};`;
export const floatsOf = (base64: string): Float32Array => new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);

export interface Opening {
  /** With its #. Without one the playground shows the element's defaults; '#' alone is a first visit, which opens with designed heads. */
  fragment?: string;
  context?: BrowserContextOptions;
  /** Runs before the address is opened. */
  before?(page: Page): Promise<unknown>;
  /** A page of the served folder other than the playground. */
  file?: string;
}

/** What a press saves. Chromium silently drops a page's eleventh download within a second, so each takes a tenth of one. */
export async function saved(page: Page, press: () => Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 10_000 }), press(), page.waitForTimeout(100)]);
  return download;
}

/** A static server for one folder and a Chromium to look at it with; one for a file of tests. */
export class Reader {
  readonly address: string;
  readonly #browser: Browser;
  readonly #server: { dispose(): Promise<void> };

  private constructor(browser: Browser, server: { dispose(): Promise<void> }, address: string) {
    this.#browser = browser;
    this.#server = server;
    this.address = address;
  }

  /** @param isolated with the headers that let pages share memory among threads */
  static async arrive(folder = SITE, { isolated = false } = {}): Promise<Reader> {
    if (isolated) {
      const { address, close } = await serveFolder(folder);
      return new Reader(await launch(), { dispose: close }, address);
    }
    const esbuild = createRequire(new URL('../../web/package.json', import.meta.url))('esbuild');
    const server = await esbuild.context({ logLevel: 'silent' });
    const { port } = await server.serve({ servedir: folder, host: '127.0.0.1', port: 0 });
    return new Reader(await launch(), server, `http://127.0.0.1:${port}/`);
  }

  async open({ context, before, file, fragment = (file ?? 'playground.html') === 'playground.html' ? '#v1' : '' }: Opening = {}): Promise<Playground> {
    const made = await this.#browser.newContext({ viewport: { width: 1440, height: 1000 }, locale: 'en-GB', ...context });
    const page = await made.newPage();
    await page.addInitScript({ content: IN_PAGE });
    // Pages hear of a loop of sizes as of any other error; Chromium's driver does not.
    await page.addInitScript(() => addEventListener('error', ({ message }) => { if (message.startsWith('ResizeObserver')) console.error(message); }));
    const playground = new Playground(page);
    await before?.(page);
    await page.goto(`${this.address}${file ?? 'playground.html'}${fragment}`);
    if (file === undefined) {
      await playground.ready();
      await playground.settled();
    }
    return playground;
  }

  async leave(): Promise<void> {
    await this.#browser.close();
    await this.#server.dispose();
  }
}

export class Playground {
  /** Errors, warnings, failed requests and dialogs: what a reader must never cause. */
  readonly problems: string[] = [];
  readonly requests: string[] = [];

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(`console: ${message.text()}`);
    });
    page.on('dialog', (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => this.requests.push(request.url()));
  }

  get textBox() {
    return this.page.locator('#text');
  }

  get cell() {
    return this.page.locator('.matrix [role=gridcell]');
  }

  /** Until a figure of the present settings or a sentence about its absence stands there, and nothing is being computed. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(() => {
      const element = document.querySelector('attention-playground') as AttentionPlayground | null;
      const root = element?.shadowRoot;
      const seen = (selector: string) => root?.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
      if (/^computing/.test(seen('.row-caption')) || root?.querySelector('.inspector[aria-busy=true]')) return false;
      return (element?.trace && root?.querySelector('.figure-grid:not([hidden])')) || seen('.problem') || seen('.state-title');
    });
  }

  /** Ready, and a walk that is there is of the present run: what lies below it moves no more. */
  async still(): Promise<void> {
    await this.ready();
    await this.page.waitForFunction(() => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('.walk[aria-busy]:not([hidden])'));
  }

  /** Until what was set or has come into view is drawn: a new size is known with the next frame, and drawn with the one after it. */
  async redrawn(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  }

  /** Until the walk below the figure has taken its place: nothing moves any more under the pointer. */
  async settled(): Promise<void> {
    await this.redrawn();
    await this.page.waitForFunction(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot;
      const walk = root?.querySelector('.walk');
      return !walk || walk.matches('[hidden]') || (walk.childElementCount > 0 && !walk.matches('[aria-busy]'));
    });
  }

  /** By the keyboard: what comes into view on the way there is laid out only then, and moves the summary from under a pointer. */
  async unfold(summary: string): Promise<void> {
    await this.page.locator(summary).focus();
    await this.page.keyboard.press('Enter');
  }

  async openTake(): Promise<void> {
    await this.unfold('.take > summary');
    await this.page.locator('[data-take=svg]').waitFor();
  }

  /** Replaces the text as pasting does: one input event. */
  async paste(text: string): Promise<void> {
    await this.replace(text);
    await this.still();
  }

  /** The same, without waiting for the figure. */
  async replace(text: string): Promise<void> {
    await this.textBox.focus();
    await this.page.keyboard.press('Control+A');
    if (text === '') await this.page.keyboard.press('Delete');
    else await this.page.keyboard.insertText(text);
  }

  /** Key by key, where the caret stands. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await this.ready();
  }

  async text(): Promise<string> {
    return this.textBox.inputValue();
  }

  read(): Promise<Screen> {
    return this.page.evaluate(readScreen);
  }

  /** The element's full-precision buffers. */
  async stages(ids: readonly StageId[]): Promise<Map<StageId, Float32Array>> {
    const bits = await this.page.evaluate((wanted) => wanted.map((id) => base64Of((document.querySelector('attention-playground') as AttentionPlayground).stage(id))), ids);
    return new Map(ids.map((id, i) => [id, floatsOf(bits[i] ?? '')]));
  }

  async stage(id: StageId): Promise<Float32Array> {
    return (await this.stages([id])).get(id) as Float32Array;
  }

  /** The words that the engine was given. */
  tokens(): Promise<string[]> {
    return this.page.evaluate(() => [...((document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens ?? [])]);
  }

  /** What each switch on the screen shows as chosen, as its attribute would say it; without numbers that cannot be used, which stay as they were typed. */
  switches(): Promise<Record<string, string>> {
    return this.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const fields = [...root.querySelectorAll('[data-setting]:not(:has([aria-invalid=true]))')].map((field) => {
        const chosen = field.querySelector<HTMLInputElement>('input[type=radio]:checked');
        const number = field.querySelector<HTMLInputElement>('.field')?.value;
        const isNumber = number !== undefined && (!chosen || chosen.closest('.segment')?.nextElementSibling?.matches('.field'));
        return [field.getAttribute('data-setting'), (isNumber ? number : (chosen?.value ?? field.querySelector('select')?.value))?.replace('\u2212', '-')];
      });
      return Object.fromEntries(fields);
    });
  }

  /** Turns the switches that do not show what is wanted; widths come first, because they decide which numbers of heads there are. */
  async set(wanted: Partial<Knobs>): Promise<void> {
    const first = ['dModel', 'dK', 'dV'];
    const concerned = SETTINGS.filter((each) => fieldsOf(each).some((field) => field in wanted));
    concerned.sort((a, b) => Number(first.includes(b.name)) - Number(first.includes(a.name)));
    let shown = await this.switches();
    for (const each of concerned) {
      const value = each.format({ ...KNOBS, ...wanted });
      if (shown[each.name] === value) continue;
      await this.turn(each, value);
      await this.ready();
      shown = await this.switches();
    }
    await this.still();
  }

  /** One switch, to the value that its attribute would have. */
  async turn({ name, control }: Setting, value: string): Promise<void> {
    const field = this.page.locator(`[data-setting=${name}]`);
    if (!(await field.count())) await this.openMore();
    const list = field.locator('select');
    const segment = field.locator('.segment', { has: this.page.locator(`input[value="${value}"]`) });
    if (await list.locator(`[value="${value}"]`).count()) await list.selectOption(value);
    else if (await list.locator('[value=own]').count()) {
      await list.selectOption('own');
      await field.locator('.field').fill(value);
    } else if (control.kind !== 'number' && await segment.count()) await segment.click();
    else await field.locator('.field').fill(value);
  }

  async openMore(): Promise<void> {
    const more = this.page.locator('button.more');
    if ((await more.getAttribute('aria-expanded')) !== 'true') await more.click();
    await this.page.locator('.switch-group').first().waitFor();
  }

  /** By the keyboard alone. */
  async walkTo(query: number, key: number): Promise<void> {
    await this.cell.focus();
    await this.page.keyboard.press('Control+Home');
    for (let i = 0; i < query; i += 1) await this.page.keyboard.press('ArrowDown');
    for (let i = 0; i < key; i += 1) await this.page.keyboard.press('ArrowRight');
  }

  async chooseHead(head: number): Promise<void> {
    await this.page.locator(`.heads-scroll label[data-head="${head}"]`).click();
  }

  async openDetails(summary: string): Promise<void> {
    const details = this.page.locator('details', { has: this.page.locator('summary', { hasText: summary }) });
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
    await details.locator('table').waitFor();
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Words as a fragment of the page's address. */
export function link(fields: Record<string, string | number>): string {
  return `#${['v1', ...Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)].join('&')}`;
}

/** Settings under the keys that links use. */
export function linkSettings(settings: Partial<Knobs>): Record<string, string> {
  return Object.fromEntries(SETTINGS.map(({ key, format }) => [key, format({ ...KNOBS, ...settings })]));
}
