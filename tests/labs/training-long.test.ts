// Training at length: a hundred runs leave no memory behind, and a page that nobody sees trains nothing.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LabTab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const [RUNS, WARM, STEP] = [100, 10, 12];
const stepOf = async (tab: LabTab): Promise<number> => Number(await tab.find('.training-handle').inputValue());

for (const place of ['worker', 'page'] as const) {
  test(`a hundred runs leave no memory behind: in the ${place}`, async () => {
    const tab = await LabTab.open(reader, 'training', {
      preset: `lesson=heads&step=${STEP}`,
      before: async (page) => {
        if (place === 'page') await page.addInitScript(() => { Object.defineProperty(window, 'Worker', { value: undefined }); });
        // The memories of modules that still live.
        await page.addInitScript(() => {
          const [memories, instantiate] = [new Set<WeakRef<WebAssembly.Memory>>(), WebAssembly.instantiate];
          Object.assign(window, { memories });
          WebAssembly.instantiate = (async (...args: [WebAssembly.Module]) => {
            const made = await instantiate(...args);
            const of = 'instance' in made ? (made as WebAssembly.WebAssemblyInstantiatedSource).instance : made as WebAssembly.Instance;
            for (const each of Object.values(of.exports)) if (each instanceof WebAssembly.Memory) memories.add(new WeakRef(each));
            return made;
          }) as typeof WebAssembly.instantiate;
        });
      },
    });
    const devtools = await tab.page.context().newCDPSession(tab.page);
    const used = async () => {
      for (let again = 0; again < 3; again += 1) await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const modules = await tab.page.evaluate(() => [...(window as unknown as { memories: Set<WeakRef<WebAssembly.Memory>> }).memories].reduce((sum, each) => sum + (each.deref()?.buffer.byteLength ?? 0), 0));
      return { heap: usedSize, modules, workers: tab.page.workers().length };
    };
    const lessons = ['heads', 'positions', 'look_back', 'mask'];
    let warm = await used();
    for (let run = 0; run < RUNS; run += 1) {
      const [lesson, seed] = [lessons[run % lessons.length] ?? '', run + 1];
      await tab.page.evaluate((preset) => { (document.querySelector('attention-playground') as HTMLElement & { preset: string }).preset = preset; }, `lesson=${lesson}&seed=${seed}&step=${STEP}`);
      await tab.page.waitForFunction(([id, wanted, step]) => {
        const lab = document.querySelector('attention-playground')?.shadowRoot;
        return lab?.querySelector(`[data-lesson=${id}]`) && lab.querySelector<HTMLInputElement>('.training-seed input')?.value === wanted && lab.querySelector(`.training-walk[data-step="${step}"]`);
      }, [lesson, String(seed), STEP] as const, { timeout: 30_000 });
      if (run + 1 === WARM) warm = await used();
    }
    const after = await used();
    const said = `${JSON.stringify(warm)} after ${WARM} runs, ${JSON.stringify(after)} after ${RUNS}`;
    // A run's weights, maps and curves are some 200 kB; a module's memory at least 1 MB.
    assert.ok(after.heap - warm.heap < 3e6, said);
    assert.ok(after.modules <= warm.modules, said);
    assert.ok(place === 'page' ? after.modules > 0 && after.workers === 0 : after.workers > 0 && after.workers <= warm.workers, said);
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}

test('a page that is not seen trains nothing, and goes on when it is seen again', async () => {
  const tab = await LabTab.open(reader, 'training', { preset: 'lesson=heads&ask=off' });
  await tab.find('.training-play').click();
  const past = (step: number) => tab.page.waitForFunction((least) => Number(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle')?.value) > least, step);
  await past(10);
  // Chrome stops the frames of a page that is frozen or hidden, by its own protocol.
  const devtools = await tab.page.context().newCDPSession(tab.page);
  const { windowId } = await devtools.send('Browser.getWindowForTarget').catch(() => ({ windowId: 0 }));
  assert.ok(windowId, 'a window');
  await devtools.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'minimized' } });
  await tab.page.waitForFunction(() => document.hidden, undefined, { polling: 50 });
  await tab.page.waitForTimeout(500);
  const hidden = await stepOf(tab);
  await tab.page.waitForTimeout(1000);
  assert.equal(await stepOf(tab), hidden);
  await devtools.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
  await past(hidden + 10);
  assert.ok(await tab.find('.training-play').isEnabled());
  assert.deepEqual(tab.problems, []);
  await tab.close();
});
