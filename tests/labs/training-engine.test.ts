// Training in a browser: in a worker and on the page, under the site's policy, with the native core's bits.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { IN_PAGE, SITE, launch } from '../lib/page.ts';
import { type Served, serve } from '../lib/serve.ts';
import { hashesOfLessons } from '../lib/training.ts';
import type { OpenTraining, Training } from '../../web/src/engine/training/open.ts';

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const hashes = hashesOfLessons();
const browser = await launch();
const servers: Served[] = [];
after(async () => {
  await browser.close();
  for (const server of servers) await server.close();
});

interface Global { open: OpenTraining; training: Training }

const source = fileURLToPath(new URL('../../web/src/engine/training/open.ts', import.meta.url));
const { outputFiles } = await build({ stdin: { contents: `import { openTraining } from ${JSON.stringify(source)}; globalThis.open = openTraining; document.title = 'ready';`, resolveDir: '.' }, bundle: true, format: 'esm', write: false });

async function visit(policy = POLICY, missing: (file: string) => boolean = () => false): Promise<{ page: Page; server: Served }> {
  const server = await serve({
    folders: [SITE], missing, headers: () => ({ 'content-security-policy': policy }),
    pages: { 'training-test.html': '<!doctype html><script type="module" src="training-test.js"></script>', 'training-test.js': outputFiles[0]?.text ?? '' },
  });
  servers.push(server);
  const page = await browser.newPage();
  await page.addInitScript({ content: IN_PAGE });
  await page.goto(`${server.address}training-test.html`);
  await page.waitForFunction(() => document.title === 'ready');
  return { page, server };
}

const PAIRS = [['look_back', ['two_layers', 'one_layer']], ['mask', ['dice_masked', 'dice_unmasked']], ['scale', ['width_64_divided', 'width_64_undivided']], ['stands_for', ['seen_whole', 'seen_so_far']]] as const;

/** The place, and hashes after 50 steps, and again after going back to 30 and on to 50. */
const trained = (page: Page, place: 'worker' | 'page' | undefined) => page.evaluate(async ([pairs, where]) => {
  const found: { place: string; hashes: string[] }[] = [];
  for (const [lesson, runs] of pairs) {
    const training = await (globalThis as unknown as Global).open({ lesson, runs, seed: 1 }, { baseUrl: location.href, ...(where && { place: where }) });
    const both = async () => [await training.hash(0), await training.hash(1)];
    await training.advance(50);
    const first = await both();
    await training.seek(30);
    await training.advance(20);
    found.push({ place: training.place, hashes: [...first, ...await both()] });
    training.free();
  }
  return found;
}, [PAIRS, place] as const);

const expected = (place: string) => PAIRS.map(([lesson, runs]) => {
  const both = runs.map((run) => hashes.get(`${lesson} ${run}`));
  return { place, hashes: [...both, ...both] };
});

test('a worker trains to the native core’s bits', async () => {
  const { page, server } = await visit();
  assert.deepEqual(await trained(page, undefined), expected('worker'));
  assert.ok(server.requests.includes('/training-worker.js'));
  await page.close();
});

test('so does the page itself', async () => {
  const { page, server } = await visit();
  assert.deepEqual(await trained(page, 'page'), expected('page'));
  assert.ok(!server.requests.includes('/training-worker.js'));
  await page.close();
});

test('where a policy forbids workers, or none lies beside, the page does it', async () => {
  for (const { page } of [await visit(`${POLICY}; worker-src 'none'`), await visit(POLICY, (file) => file === 'training-worker.js')]) {
    assert.deepEqual((await trained(page, undefined)).map(({ place }) => place), PAIRS.map(() => 'page'));
    await page.close();
  }
});

test('it plays frame by frame to the lesson’s end, pauses, and says so', async () => {
  const { page } = await visit();
  const told = await page.evaluate(async () => {
    const paces: string[] = [];
    const steps: number[] = [];
    let training = null as Training | null;
    await new Promise<void>((settle) => {
      void (globalThis as unknown as Global).open({ lesson: 'mask', runs: ['dice_masked'] }, {
        baseUrl: location.href, onStep: ({ step }) => steps.push(step),
        onPace: (pace) => {
          paces.push(pace);
          if (pace === 'paused') settle();
        },
      }).then((opened) => {
        training = opened;
        opened.play('frame', 12);
      });
    });
    training?.play('flat');
    while (training?.pace === 'flat') await new Promise((settle) => setTimeout(settle, 10));
    const last = training?.step;
    training?.free();
    return { paces, first: steps.slice(0, 12), last };
  });
  assert.deepEqual(told, { paces: ['frame', 'paused', 'flat', 'paused'], first: Array.from({ length: 12 }, (_, i) => i + 1), last: 400 });
  await page.close();
});

test('refusals cross from the worker as sentences', async () => {
  const { page } = await visit();
  const message = await page.evaluate(() => (globalThis as unknown as Global).open({ lesson: 'mask', runs: [{ run: 'dice_masked', shape: { heads: 3 } }] }, { baseUrl: location.href }).then(() => '', (error: Error) => error.message));
  assert.equal(message, 'The heads of a model to train must divide its d_model, 16: choose one of 1, 2, 4, 8, 16.');
  await page.close();
});
