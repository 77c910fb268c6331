// The element in somebody else's page, in each way to load it: what comes over the line, and how long a figure takes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { SITE, launch } from '../../../tests/lib/page.ts';
import type { AttentionPlayground } from '../../../web/src/element/element.ts';
import { type Benchmark, type Result, markdown, median, milliseconds, quantile } from './report.ts';
import { serve } from './serve.ts';

const VISITS = 15;
const SLOWDOWN = 4;
const OTHERS = 9;
const FIGURE = '<attention-playground view="heads" heads="4" loading="eager" text="the animal did not cross the street because it was too tired"></attention-playground>';
const BUILDS = [
  { name: 'one classic script', file: 'attention-playground.js', kind: 'defer' },
  { name: 'the full one', file: 'attention-playground.full.js', kind: 'defer' },
  { name: 'modules', file: 'define.js', kind: 'type="module"' },
] as const;

/** What a page takes by itself: instead of the element, a script that writes one word. */
const BARE = { name: 'no element, a script of one line', file: 'word.js', kind: 'defer' } as const;
const WORD = "performance.mark('defined');document.querySelector('p').textContent='A word.';document.dispatchEvent(new Event('attention-ready'));";

/** A script from a distance comes when its page has been drawn; from this very machine it comes while the page is still made. */
const ARRIVALS = [
  { name: 'after its page is drawn', query: '?later=500' },
  { name: 'with its page', query: '' },
] as const;
const RUNS = [
  { slowdown: 1, arrival: ARRIVALS[0] },
  { slowdown: SLOWDOWN, arrival: ARRIVALS[0] },
  { slowdown: SLOWDOWN, arrival: ARRIVALS[1] },
] as const;

/** What a first figure waits for, in turn: the marks that end each part. */
const PARTS = [
  { mark: 'defined', name: 'script read and run' },
  { mark: 'started', name: 'engine unpacked or fetched, and started' },
  { mark: 'ready', name: 'figure computed and built' },
  { mark: 'figure', name: 'painted' },
] as const;

interface Times { bytes: number; first: number; tenth: number; parts: number[] }

const page = (src: string, kind: string, figure: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><script ${kind} src="${src}"></script><p>A page.</p>${figure}</html>`;
const pageOf = (file: string, query: string) => `${file}${query.replace(/\W/g, '-')}.html`;

/** Milliseconds from the script's arrival to the first figure's frame; and from the tenth's place in the page to its. */
async function visit(browser: Browser, address: string, file: string, slowdown: number): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 1000 } });
  const tab = await context.newPage();
  const client = await context.newCDPSession(tab);
  await client.send('Network.enable');
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  let bytes = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await tab.addInitScript({ content: 'globalThis.__name = (f) => f;' }); // of the compiler
  await tab.addInitScript(() => {
    const define = customElements.define.bind(customElements);
    customElements.define = (...element) => {
      define(...element);
      performance.mark('defined');
    };
    const instantiate = WebAssembly.instantiate.bind(WebAssembly) as (...given: unknown[]) => Promise<unknown>;
    WebAssembly.instantiate = ((...given: unknown[]) => instantiate(...given).finally(() => {
      if (given[0] instanceof WebAssembly.Module) performance.mark('started');
    })) as typeof WebAssembly.instantiate;
    document.addEventListener('attention-ready', () => {
      performance.mark('ready');
      requestAnimationFrame(function look() {
        // A figure that is drawn and still hidden is none yet.
        const figure = document.querySelector('attention-playground');
        const seen = figure ? figure.shadowRoot?.querySelector('.heads-scroll canvas') : document.querySelector('p');
        if (!seen?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return void requestAnimationFrame(look);
        // A message comes right after this frame's paint, before whatever waits for it with a timer.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          performance.mark('figure');
          console.debug('figure');
        };
        port2.postMessage('painted');
      });
    }, { once: true });
  });
  // Nothing is asked of the page until it is there: the question would keep it busy.
  const figure = tab.waitForEvent('console', (message) => message.text() === 'figure');
  await tab.goto(address, { waitUntil: 'commit' });
  await figure;
  const atFirst = bytes;
  const times = await tab.evaluate(([name, marks]) => {
    const script = performance.getEntriesByType('resource').find((entry) => new URL(entry.name).pathname.endsWith(`/${name}`)) as PerformanceResourceTiming | undefined;
    return marks.map((mark) => (performance.getEntriesByName(mark)[0]?.startTime ?? NaN) - (script?.responseEnd ?? NaN));
  }, [file, PARTS.map(({ mark }) => mark)] as const);
  const parts = times.map((time, i) => time - (times[i - 1] ?? 0));
  const tenth = file === BARE.file ? NaN : await tab.evaluate(async (others) => {
    const [one] = document.querySelectorAll('attention-playground');
    let last = NaN;
    for (let i = 0; i < others; i += 1) {
      const another = one?.cloneNode() as AttentionPlayground;
      another.text = `sentence ${i} of its own`;
      const start = performance.now();
      last = await new Promise<number>((resolve) => {
        another.addEventListener('attention-ready', function look() {
          if (another.shadowRoot?.querySelector('.heads-scroll canvas')?.checkVisibility({ visibilityProperty: true })) resolve(performance.now() - start);
          else requestAnimationFrame(look);
        }, { once: true });
        document.body.prepend(another);
      });
    }
    return last;
  }, OTHERS);
  await context.close();
  return { bytes: atFirst, first: times.at(-1) ?? NaN, tenth, parts };
}

/** As web/package/report.mjs has counted it. */
async function made(): Promise<string[][]> {
  const parts = JSON.parse(await readFile(path.join(SITE, '../single-script.json'), 'utf8')) as [string, number][];
  const total = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [...parts, ['in all', total] as const].map(([name, bytes]) => [name, (bytes / 1024).toFixed(1)]);
}

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const builds = [...BUILDS, BARE];
  const pages = builds.flatMap(({ file, kind }) => ARRIVALS.map(({ query }) => [pageOf(file, query), page(file + query, kind, file === BARE.file ? '' : FIGURE)]));
  const { address, close } = await serve(path.join(SITE, 'embed'), { ...Object.fromEntries(pages), [BARE.file]: WORD });
  const browser = await launch();
  const rows: string[][] = [];
  const waits: string[][] = [];
  const visits = isQuick ? 3 : VISITS;
  try {
    for (const { name, file } of builds) {
      for (const { slowdown, arrival } of RUNS) {
        const times: Times[] = [];
        for (let i = 0; i < visits; i += 1) {
          times.push(await visit(browser, `${address}${pageOf(file, arrival.query)}`, file, slowdown));
          progress(`${name}, ${slowdown} ×, ${arrival.name}: ${i + 1} visits`);
        }
        if (slowdown === SLOWDOWN && arrival === ARRIVALS[0] && file !== BARE.file) waits.push([name, ...PARTS.map((_, i) => milliseconds(median(times.map(({ parts }) => parts[i] ?? NaN))))]);
        const [first, tenth] = [times.map((each) => each.first), times.map((each) => each.tenth)];
        rows.push([name, `${slowdown} ×`, arrival.name, `${((times[0]?.bytes ?? NaN) / 1024).toFixed(0)}`, ...[median(first), quantile(first, 0.95), median(tenth), quantile(tenth, 0.95)].map((time) => (Number.isNaN(time) ? '' : milliseconds(time)))]);
      }
    }
  } finally {
    await browser.close();
    close();
  }
  return {
    about: 'The element in somebody else’s page, with an empty cache: from the script’s arrival until the first figure (`view="heads"`) is painted, and from the tenth element’s place in the page until its figure is there.',
    table: markdown(['build', 'slowdown', 'the script comes', 'over the line (KB)', 'first figure, median (ms)', 'p95 (ms)', 'tenth, median (ms)', 'p95 (ms)'], rows)
      + `\n\nWhat the first figure waits for at ${SLOWDOWN} ×, after its page is drawn, in turn; medians, ms:\n\n` + markdown(['build', ...PARTS.map(({ name }) => name)], waits)
      + `\n\nWhat the single script is made of, compressed:\n\n` + markdown(['part', 'KB'], await made()),
    note: `${visits} visits a line, gzip; the page itself is among the bytes.`,
  };
}

export const embed: Benchmark = { name: 'embed', run };
