// A hundred runs of training, one after another on one page, leave nothing behind: no object, buffer, node, listener or worker.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { LabTab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';

const [FIRST, RUNS] = [20, 100];
/** Of each run. */
const STEPS = 10;
/** Bytes of each run: what one step of it keeps is more. */
const MOST_A_RUN = 1024;

const reader = await Reader.arrive();
after(() => reader.leave());

interface Held { bytes: number; nodes: number; listeners: number }

/** What the page's own objects hold. Compiled code and the browser's list of its own measurements grow for a while in any page. */
async function held(cdp: CDPSession): Promise<Held> {
  for (let i = 0; i < 3; i += 1) await cdp.send('HeapProfiler.collectGarbage');
  const chunks: string[] = [];
  const take = ({ chunk }: { chunk: string }) => chunks.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot: { meta }, nodes, strings } = JSON.parse(chunks.join('')) as { snapshot: { meta: { node_fields: string[]; node_types: [string[]] } }; nodes: number[]; strings: string[] };
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => meta.node_fields.indexOf(field)) as [number, number, number];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    const kind = meta.node_types[0][nodes[at + type] ?? 0] ?? '';
    if ((kind !== 'code' && kind !== 'native' && kind !== 'hidden') || strings[nodes[at + name] ?? 0] === 'system / JSArrayBufferData') bytes += nodes[at + size] ?? 0;
  }
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (wanted: string) => metrics.find((each) => each.name === wanted)?.value ?? NaN;
  return { bytes, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

test('memory stays as it is over a hundred runs', async () => {
  const tab = await LabTab.open(reader, 'training', { preset: 'lesson=look_back&step=3&pace=flat' });
  const cdp = await tab.page.context().newCDPSession(tab.page);
  await cdp.send('Performance.enable');
  const lessons = tab.find('.training-lessons button');
  // A lesson that asks first stands at its first step until it is answered: what it holds is the same each time.
  const rested = async () => {
    await lessons.nth(1).click();
    await tab.find('.training-ask').waitFor();
    await tab.page.waitForTimeout(500);
    const now = await held(cdp);
    await lessons.nth(0).click();
    return now;
  };
  const seed = tab.find('.training-seed input');
  let before: Held | null = null;
  for (let run = 1; run <= RUNS; run += 1) {
    const last = await seed.inputValue();
    await tab.find('.training-seed button').last().click();
    await tab.page.waitForFunction(([view, old, least]) => {
      const root = document.querySelector(`#${view} attention-playground`)?.shadowRoot;
      return root?.querySelector<HTMLInputElement>('.training-seed input')?.value !== old && Number(root?.querySelector<HTMLInputElement>('.training-handle')?.value) >= least;
    }, ['training', last, STEPS] as const, { timeout: 20_000 });
    if (run === FIRST) before = await rested();
  }
  const now = await rested();
  assert.ok(before);
  const grown = (now.bytes - before.bytes) / (RUNS - FIRST);
  assert.ok(grown < MOST_A_RUN, `each run leaves ${Math.round(grown)} bytes behind: ${before.bytes} after ${FIRST} runs, ${now.bytes} after ${RUNS}`);
  assert.ok(now.nodes <= before.nodes + 50, `${before.nodes} nodes became ${now.nodes}`);
  assert.ok(now.listeners <= before.listeners + 5, `${before.listeners} listeners became ${now.listeners}`);
  await tab.find('.training-walk').waitFor({ state: 'attached', timeout: 20_000 });
  assert.equal(tab.page.workers().length, 1);
  assert.deepEqual(tab.problems, []);
});
