// How long a first visit takes: an empty cache, a processor four times slower, 1.6 Mbit/s.
import { SITE, launch } from '../../../tests/lib/page.ts';
import type { AttentionPlayground } from '../../../web/src/element/element.ts';
import { type Benchmark, type Result, markdown, median, milliseconds, quantile } from './report.ts';
import { serve } from './serve.ts';

const VISITS = 15;
const NETWORKS = [
  { name: 'as it is', slowdown: 1, bytes: -1, latency: 0 },
  { name: '4 × slower, 1.6 Mbit/s', slowdown: 4, bytes: 1.6e6 / 8, latency: 0 },
  { name: '4 × slower, 1.6 Mbit/s, 150 ms away', slowdown: 4, bytes: 1.6e6 / 8, latency: 150 },
] as const;
/** What can be used first on each page, and how many words it then shows. */
const PAGES = [
  { name: 'the lesson', file: '', ready: 'lesson-ready', words: () => document.querySelector('#lesson')?.shadowRoot?.querySelectorAll('.word').length ?? 0 },
  { name: 'the playground', file: 'playground.html', ready: 'attention-ready', words: () => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.length ?? 0 },
] as const;
interface Visit { seen: number; usable: number; bytes: number }

/** Milliseconds from the first request until text is painted, and until the first figure is. */
async function visit(browser: Awaited<ReturnType<typeof launch>>, address: string, opened: (typeof PAGES)[number], network: (typeof NETWORKS)[number]): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  await client.send('Network.emulateNetworkConditions', { offline: false, latency: network.latency, downloadThroughput: network.bytes, uploadThroughput: network.bytes });
  await client.send('Emulation.setCPUThrottlingRate', { rate: network.slowdown });
  let bytes = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await page.addInitScript((ready) => {
    document.addEventListener(ready, () => requestAnimationFrame(() => setTimeout(() => {
      performance.mark('usable');
      console.debug('usable');
    })));
  }, opened.ready);
  // Nothing is asked of the page until it is there: the question would keep it busy.
  const usableThen = page.waitForEvent('console', (message) => message.text() === 'usable');
  await page.goto(`${address}${opened.file}`, { waitUntil: 'commit' });
  await usableThen;
  const before = bytes;
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const [seen, usable] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.getEntriesByName('usable')[0]?.startTime ?? NaN,
  ]) as [number, number];
  const tokens = await page.evaluate(opened.words);
  if (tokens !== 11) throw new Error(`The figure has ${tokens} tokens; the page’s own sentence has 11.`);
  await context.close();
  return { seen, usable, bytes: before };
}

async function run(progress: (done: string) => void, isQuick: boolean): Promise<Result> {
  const { address, close } = await serve(SITE);
  const browser = await launch();
  const rows: string[][] = [];
  let weight = 0;
  try {
    for (const opened of PAGES) for (const network of NETWORKS) {
      const visits: Visit[] = [];
      for (let i = 0; i < (isQuick ? 3 : VISITS); i += 1) {
        visits.push(await visit(browser, address, opened, network));
        progress(`${opened.name}, ${network.name}: ${i + 1} visits`);
      }
      weight = Math.max(weight, ...visits.map(({ bytes }) => bytes));
      const usable = visits.map((each) => each.usable);
      rows.push([opened.name, network.name, ...[median(visits.map((each) => each.seen)), median(usable), quantile(usable, 0.95)].map(milliseconds)]);
    }
  } finally {
    await browser.close();
    close();
  }
  return {
    about: 'A first visit with an empty cache, until the page’s own sentence is computed and drawn, and can be guessed at or typed on.',
    table: markdown(['', '', 'first text (ms)', 'usable, median (ms)', 'usable, p95 (ms)'], rows),
    note: `${isQuick ? 3 : VISITS} visits a line, gzip, HTTP/1.1; ${(weight / 1024).toFixed(0)} KB come over the line before that.`,
  };
}

export const cold: Benchmark = { name: 'cold', run };
