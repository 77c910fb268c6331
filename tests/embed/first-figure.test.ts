// What a first figure must not wait for: nothing here is timed, since what costs can be counted.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { embedFolder } from '../lib/embedded.ts';

const { folder, reader } = await embedFolder();

const BUILDS = { 'one classic script': '<script src="attention-playground.js" defer></script>', modules: '<script type="module" src="define.js"></script>' };
interface TraceEvent { name: string; ts: number; pid: number; cat: string }

for (const [i, [build, script]] of Object.entries(BUILDS).entries()) {
  for (const loading of ['eager', 'lazy']) {
    test(`the browser reads the script once for a first figure: ${build}, ${loading}`, async () => {
      const file = `host-${i}-${loading}.html`;
      await writeFile(path.join(folder, file), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><attention-playground view="heads" loading="${loading}" text="the cat sat"></attention-playground>${script}</html>`);
      const events: TraceEvent[] = [];
      let ended = Promise.resolve();
      const page = await reader.open({
        file,
        before: async (tab) => {
          const client = await tab.context().newCDPSession(tab);
          client.on('Tracing.dataCollected', ({ value }) => { events.push(...(value as unknown as TraceEvent[])); });
          // Nothing is asked of the page until then: the question would be a script, too.
          ended = tab.waitForEvent('console', (message) => message.text() === 'figure').then(async () => {
            const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
            await client.send('Tracing.end');
            await complete;
          });
          await tab.addInitScript(() => {
            const stamp = (name: string) => performance.mark(name);
            const define = customElements.define.bind(customElements);
            customElements.define = (...element) => {
              // A first mark makes V8 look up where the mark itself is made.
              stamp('warm');
              stamp('element');
              define(...element);
            };
            document.addEventListener('attention-ready', () => {
              stamp('figure');
              console.debug('figure');
            });
          });
          await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['blink.user_timing', 'disabled-by-default-v8.compile'], excludedCategories: ['*'] } });
        },
      });
      await ended;
      const [element, figure] = ['element', 'figure'].map((mark) => events.find(({ name, cat }) => name === mark && cat.includes('user_timing')));
      assert.ok(element && figure, 'both are in the trace');
      // To say where an error was made, V8 reads the script again for each function on the way there; an AbortController
      // without a reason makes one, too. One short look is the browser tools' own.
      const read = events.filter(({ name, pid, ts }) => name === 'V8.CollectSourcePositions' && pid === figure.pid && ts > element.ts && ts < figure.ts);
      assert.ok(read.length < 3, `looked up ${read.length} times where something was made`);
      assert.deepEqual(page.problems, []);
      await page.close();
    });
  }
}
