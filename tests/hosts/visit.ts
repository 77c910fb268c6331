// One system in one browser: a reader comes, uses the figure, goes to the other page and comes back.
import assert from 'node:assert/strict';
import type { Tab } from '../lib/engines.ts';
import { DEFAULTS, referenceStages } from '../lib/native.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { Settings } from '../../web/src/engine/engine.ts';
import { FIRST, SECOND, type System } from './systems.ts';

export interface Visit {
  tab: Tab;
  system: System;
  /** Of the system's site. */
  address: string;
  axe: string;
}

const FIRST_SETTINGS = { ...DEFAULTS, num_heads: 2 };
const TYPED = 'she gave him the book';

declare global {
  interface Window { figure(): AttentionPlayground | null }
}

/** The figure that is seen: in shadow roots of the host, too, and not one of another slide. */
const findFigure = () => {
  const within = (root: ParentNode): Element | null => {
    for (const element of root.querySelectorAll('*')) {
      const isFigure = element.localName === 'attention-playground';
      const found = isFigure ? element : element.shadowRoot && within(element.shadowRoot);
      if (found?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return found;
    }
    return null;
  };
  window.figure = () => within(document) as AttentionPlayground | null;
};

/** What the figure for this text holds and shows; null until it is there, with the selected cell's number written out. */
const look = (text: string) => {
  const element = window.figure();
  const root = element?.shadowRoot?.querySelector<HTMLElement>('.root');
  const shown = root?.querySelector<HTMLElement>('.cell-title .value')?.innerText;
  if (!element?.trace || !shown || element.text !== text) return null;
  const { head, query, key } = element.state.selection;
  const [tokens, weights] = [[...element.trace.tokens], Array.from(element.stage('weights'))];
  const cell = weights[(head * tokens.length + query) * tokens.length + key] ?? NaN;
  return Math.abs(Number(shown) - cell) < 1e-3 ? { tokens, weights, scheme: root?.dataset['theme'] } : null;
};

/** The numbers behind the figure are the double reference's. */
async function assertNumbers(tab: Tab, text: string, settings: Settings): Promise<void> {
  const { tokens, weights } = (await tab.waitFor(look, text))!;
  const expected = referenceStages(tokens, settings).get('weights');
  assert.equal(weights.length, expected.length);
  weights.forEach((weight, i) => assert.ok(Math.abs(weight - (expected[i] ?? NaN)) < 1e-5, `weight ${i} is ${weight}, not ${expected[i]}`));
}

async function retype(tab: Tab): Promise<void> {
  await tab.evaluate(() => window.figure()?.shadowRoot?.querySelector('textarea')?.focus());
  await tab.press('Control+a');
  await tab.type(TYPED);
  await assertNumbers(tab, TYPED, FIRST_SETTINGS);
}

const press = (tab: Tab, selector: string) => tab.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.click(), selector);

/** By the link in the text, or what the system has instead; `kept` is gone when a new page was loaded. While pages change there is nobody to ask. */
async function follow({ tab, system, address }: Visit, to: 'first' | 'second'): Promise<void> {
  const there = new URL(system[to].address, address).href;
  await tab.evaluate((wanted) => {
    Object.assign(window, { kept: true });
    setTimeout(() => [...document.querySelectorAll<HTMLElement>(wanted)].at(-1)?.click());
  }, system.turns?.[to] ?? 'p a');
  const arrived = (end: string) => location.href === end && document.readyState === 'complete';
  for (const until = Date.now() + 30_000; !(await tab.evaluate(arrived, there).catch(() => false));) {
    if (Date.now() > until) throw new Error(`The link does not lead to ${there}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(await tab.evaluate(() => 'kept' in window), system.staysLoaded, 'a link changes the page as this system says');
  await tab.evaluate(findFigure);
}

/** Each leaves the visit where the next one goes on. */
export const STEPS: Record<string, (visit: Visit) => Promise<void>> = {
  async figure({ tab, system, address }) {
    await tab.goto(address + system.first.address);
    await tab.evaluate(findFigure);
    await assertNumbers(tab, FIRST.text, FIRST_SETTINGS);
    const checked = await tab.evaluate(() => ['script[src*="attention-playground.js"]', 'link[href*="attention-playground.css"]'].map((file) => document.querySelectorAll(`${file}[integrity^="sha384-"][crossorigin=anonymous]`).length));
    assert.deepEqual(checked, [system.isHashed ? 1 : 0, system.isHashed && !system.leavesStyleBare ? 1 : 0]);
  },

  /** What the figure moves, in itself or below it; a page whose letters come late moves by itself. */
  async 'layout still'({ tab, system }) {
    if (system.isScripted) return; // nobody knows of the figure before its script comes
    const shift = await tab.evaluate(() => new Promise<number>((resolve) => {
      if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return resolve(0);
      const figure = window.figure() as Element;
      type Shift = { value: number; sources: { node: Node | null }[] };
      const isAbove = (node: Node | null) => node !== null && (node === figure || (figure.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) > 0);
      const own = ({ sources }: Shift) => !sources.some(({ node }) => isAbove(node));
      setTimeout(() => resolve(0), 500); // nothing is reported where nothing moved
      new PerformanceObserver((list) => resolve((list.getEntries() as unknown as Shift[]).filter(own).reduce((sum, { value }) => sum + value, 0)))
        .observe({ type: 'layout-shift', buffered: true });
    }));
    assert.equal(shift, 0);
  },

  async typing({ tab }) {
    await retype(tab);
  },

  async 'dark as the page'({ tab, system }) {
    const { scheme: before } = await tab.waitFor(look, TYPED) as { scheme: string };
    await press(tab, system.dark);
    await tab.waitFor(() => window.figure()?.shadowRoot?.querySelector<HTMLElement>('.root')?.dataset['theme'] === 'dark');
    assert.equal(before, 'light');
  },

  async axe({ tab, axe }) {
    await tab.evaluate((src) => new Promise((resolve) => document.body.append(Object.assign(document.createElement('script'), { src, onload: resolve }))), axe);
    const found = await tab.evaluate(async () => {
      const { axe: runner } = window as unknown as { axe: { run(where: Element | null, how: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
      const { violations } = await runner.run(window.figure(), { resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    assert.deepEqual(found, []);
  },

  async 'any signs'(visit) {
    await follow(visit, 'second');
    const read = await visit.tab.waitFor((text) => {
      const element = window.figure();
      return element?.text === text && {
        readonly: element.readonly === true || element.readonly === '', fallback: element.textContent?.trim().replace(/\s+/g, ' '),
        hacked: document.querySelector('script:not([src]):not([type]):not(:empty)')?.textContent?.includes('hacked') ?? false,
      };
    }, SECOND.text);
    const fallback = visit.system.isScripted ? '' : SECOND.fallback.replace(/\s+/g, ' ');
    assert.deepEqual(read, { readonly: true, fallback, hacked: false });
    await assertNumbers(visit.tab, SECOND.text, { ...DEFAULTS, num_heads: 4, mask: 'none' });
  },

  async 'back again'(visit) {
    await follow(visit, 'first');
    await assertNumbers(visit.tab, visit.system.keepsPages ? TYPED : FIRST.text, FIRST_SETTINGS);
    await retype(visit.tab);
  },

  async quiet({ tab, address }) {
    assert.deepEqual(await tab.problems(), []);
    const { origin } = new URL(address);
    assert.deepEqual((await tab.requests()).filter((url) => ![origin, `blob:${origin}`, 'data:'].some((own) => url.startsWith(own))), []);
  },
};
