// The operators in a browser: which build is chosen where, and that all give the same answer.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { type StaticServer, serveFolder } from '../lib/serve.ts';
import { operatorsFolder } from '../lib/operators.ts';
import { launch } from '../lib/page.ts';
import type * as Module from '../../web/src/engine/operators/operators.ts';

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Operators</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:">`;

let browser: Browser;
let folder: string;
const servers: StaticServer[] = [];

before(async () => {
  browser = await launch();
  folder = await mkdtemp(path.join(os.tmpdir(), 'operators-'));
  await cp(fileURLToPath(operatorsFolder()), folder, { recursive: true });
  await writeFile(path.join(folder, 'index.html'), HTML);
});

after(async () => {
  await browser.close();
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true });
});

interface Outcome {
  variant?: string;
  /** Bits of the context of a causal attention over 3 heads of 200 rows, then of a layer's rows and of a decoder's logits. */
  bits?: number[];
  code?: string;
  message?: string;
  workers?: number;
}

async function attend(options: Module.LoadOptions, { isolated = true, before = '' } = {}): Promise<Outcome> {
  const server = await serveFolder(folder, { isolated });
  servers.push(server);
  const page = await browser.newPage();
  await page.addInitScript({ content: `globalThis.__name = (f) => f; ${before}` });
  await page.goto(`${server.address}index.html`);
  const outcome = await page.evaluate(async ([address, options]) => {
    const { loadOperators } = (await import(`${address}operators.js`)) as typeof Module;
    try {
      const operators = await loadOperators(options);
      const shape = [1, 3, 200, 16];
      const tensor = (seed: number) => operators.tensor(shape, Float32Array.from({ length: 9600 }, (_, i) => Math.sin(i * 1.7 + seed)));
      const context = operators.tensor(shape);
      for (let i = 0; i < 20; i += 1) operators.attend(tensor(1), tensor(2), tensor(3), { isCausal: true }, context);
      const matrix = (rows: number, columns: number) => operators.tensor([rows, columns], Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i * 2.3) / 16));
      const [D, gain] = [256, operators.tensor([256], new Float32Array(256).fill(1))];
      const linear = (to: number, from: number) => ({ weight: matrix(to, from), layout: 'out_in' as const });
      const attention = { heads: 4, keyHeads: 2, query: linear(D, D), key: linear(D / 2, D), value: linear(D / 2, D), outProj: linear(D, D) };
      const y = operators.tensor([80, D]);
      operators.multiHead(attention).run({ x: matrix(80, D) }, { isCausal: true }, y);
      const norm = { gain, kind: 'rms' as const };
      const decoder = operators.decoder({ embeddings: matrix(1500, D), blocks: [{ norm1: norm, norm2: norm, attention, up: linear(1100, D), gate: linear(1100, D), down: linear(D, 1100) }], finalNorm: norm }, 100);
      const logits = [operators.tensor([1500]), operators.tensor([1500])];
      decoder.run(Array.from({ length: 90 }, (_, i) => i * 7), logits[0] as Module.Tensor);
      decoder.run([5], logits[1] as Module.Tensor);
      const all = [context, y, ...logits].flatMap((tensor) => Array.from(new Uint32Array(tensor.read().buffer)));
      return { variant: operators.variant, bits: all };
    } catch (error) {
      return { code: (error as Module.AttentionError).code, message: (error as Error).message };
    }
  }, [server.address, options] as const) as Outcome;
  const workers = page.workers().length;
  await page.close();
  return { ...outcome, workers };
}

const numbers = ({ bits = [] }: Outcome): Float32Array => new Float32Array(Uint32Array.from(bits).buffer);

test('without being asked for more, SIMD128 is chosen', async () => {
  const { variant, bits } = await attend({}, { isolated: false });
  assert.equal(variant, 'simd128');
  assert.equal(bits?.length, 9600 + 80 * 256 + 2 * 1500);
});

test('relaxed SIMD is chosen where the browser has it, and says the same to rounding', async () => {
  const plain = await attend({});
  const relaxed = await attend({ relaxed: 'auto' });
  assert.equal(relaxed.variant, 'relaxed');
  const got = numbers(relaxed);
  numbers(plain).forEach((number, i) => assert.ok(Math.abs((got[i] as number) - number) < 1e-5 * Math.max(1, Math.abs(number))));
});

test('relaxed SIMD falls back to SIMD128 where the browser lacks it, and is refused when it must be had', async () => {
  // 128, 2 is the opcode of relaxed_swizzle, which only the probe for it holds.
  const before = `const validate = WebAssembly.validate; WebAssembly.validate = (bytes) => !String(bytes).includes('253,128,2') && validate(bytes);`;
  assert.equal((await attend({ relaxed: 'auto' }, { before })).variant, 'simd128');
  const refused = await attend({ relaxed: true }, { before });
  assert.equal(refused.code, 'no_relaxed_simd');
});

test('threads run on an isolated page and give the bits of one', async () => {
  const plain = await attend({});
  const threads = await attend({ threads: 3 });
  assert.equal(threads.variant, 'threads', threads.message);
  assert.deepEqual(threads.bits, plain.bits);
  assert.deepEqual([plain.workers, threads.workers], [0, 2]); // the page's own thread is the third
});

test('threads are refused with the reason on a page that is not isolated', async () => {
  const { code, message } = await attend({ threads: 2 }, { isolated: false });
  assert.equal(code, 'not_isolated');
  assert.match(message ?? '', /Cross-Origin-Opener-Policy.*Cross-Origin-Embedder-Policy.*leave threads out\.$/);
});
