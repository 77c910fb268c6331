// Training at length: a hundred runs leave no memory behind.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LabTab } from '../lib/lab.ts';
import { Reader } from '../lib/page.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const [RUNS, WARM, STEP] = [100, 10, 12];

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
          const kept = ({ exports }: WebAssembly.Instance) => Object.values(exports).forEach((each) => { if (each instanceof WebAssembly.Memory) memories.add(new WeakRef(each)); });
          WebAssembly.instantiate = (async (...args: [WebAssembly.Module]) => {
            const made = await instantiate(...args);
            kept(made);
            return made;
          }) as typeof WebAssembly.instantiate;
          WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
            construct(target, args) {
              const made = new target(...args as [WebAssembly.Module]);
              kept(made);
              return made;
            },
          });
        });
      },
    });
    const devtools = await tab.page.context().newCDPSession(tab.page);
    const used = async () => {
      for (let again = 0; again < 3; again += 1) await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize = 0 } = await devtools.send('Runtime.getHeapUsage') as { usedSize: number; backingStorageSize?: number };
      const modules = await tab.page.evaluate(() => [...(window as unknown as { memories: Set<WeakRef<WebAssembly.Memory>> }).memories].reduce((sum, each) => sum + (each.deref()?.buffer.byteLength ?? 0), 0));
      return { heap: usedSize, arrays: backingStorageSize, modules, workers: tab.page.workers().length };
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
    // A run's maps and curves are some 200 kB of arrays, a module's memory at least 1 MB; scripts' own objects are far smaller.
    assert.ok(after.arrays - warm.arrays < 3e6, said);
    assert.ok(after.heap - warm.heap < (RUNS - WARM) * 6e4, said);
    assert.ok(after.modules <= warm.modules, said);
    assert.ok(place === 'page' ? after.modules > 0 && after.workers === 0 : after.workers > 0 && after.workers <= warm.workers, said);
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });
}
