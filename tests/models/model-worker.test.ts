// A model that takes long to read: in a worker, so that the page answers meanwhile, with threads where the page is isolated; and on the page,
// to the same bits, where workers are forbidden.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JSHandle, Page } from 'playwright-core';
import { eachOfGpt2, inWidths, numbers, storeTensors } from '../lib/model-files.ts';
import { type Opening, type Playground, Reader, SITE, base64Of, link } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type * as Index from '../../web/src/parameters/language-model/index.ts';
import type { AnyModel } from '../../web/src/parameters/language-model/language-model.ts';

const [V, D, LAYERS, HEADS, CONTEXT] = [300, 256, 24, 4, 160];
const CONFIG = JSON.stringify({ n_head: HEADS, n_layer: LAYERS, n_embd: D, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 });
/** Without a tokenizer, token numbers are typed. */
const TEXT = Array.from({ length: 96 }, (_, i) => (37 * i) % V).join(' ');
/** At the beginning, so that nothing that was read before holds. */
const TYPED = '7 12 9 ';

const reader = await Reader.arrive();
const isolated = await Reader.arrive(undefined, { isolated: true });
let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'large-model-'));
  await writeFile(path.join(folder, 'model.safetensors'), gpt2());
  await writeFile(path.join(folder, 'config.json'), CONFIG);
});
after(async () => {
  await Promise.all([reader.leave(), isolated.leave()]);
  await rm(folder, { recursive: true });
});

/** Nineteen million parameters of bfloat16, which is the upper half of float32. */
function gpt2(): Uint8Array {
  const tensors: Record<string, { type: 'BF16'; shape: number[]; numbers: Uint16Array }> = {};
  let seed = 0;
  const some = numbers(1 << 16, 7);
  const put = (name: string, ...shape: number[]) => {
    seed += 4099;
    const count = shape.reduce((a, b) => a * b);
    tensors[name] = { type: 'BF16', shape, numbers: Uint16Array.from({ length: count }, (_, i) => bits(0.1 * (some[(i + seed) % some.length] as number))) };
  };
  eachOfGpt2({ V, D, CONTEXT, LAYERS }, put);
  put('score.weight', 2, D); // of a classifier
  return storeTensors(tensors);
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);
function bits(number: number): number {
  float[0] = number;
  return (word[0] as number) >>> 16;
}

/** The model is open. */
async function open(isForbidden: boolean, fragment = link({ text: TEXT, parameters: 'yours' }), first: (() => void) | null = null): Promise<Playground> {
  const page = await reader.open({
    fragment,
    async before(tab) {
      if (first) await tab.addInitScript(first);
      if (!isForbidden) return;
      await tab.route(/playground\.html/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': "worker-src 'none'" } });
      });
    },
  });
  await page.page.locator('.yours input[multiple]').setInputFiles(['model.safetensors', 'config.json'].map((name) => path.join(folder, name)));
  await answered(page);
  return page;
}

/** The figure is of the present text, and all parts of the panel are answered. */
async function answered(page: Playground): Promise<void> {
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.still();
  await page.page.waitForFunction(() => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('.answer[aria-busy], .model-heads[data-drawing]'));
}

/** What is on the screen of the last layer, of the sheet in each way of its, and of the next word. */
async function shown(page: Playground): Promise<Record<string, unknown>> {
  await page.page.locator(`.model-head[data-layer="${LAYERS - 1}"][data-head="2"]`).click();
  await answered(page);
  const found: Record<string, unknown> = { rows: (await page.read()).rowLabels, weights: [...(await page.stage('weights'))], content: [...(await page.stage('content'))] };
  for (const [show, table] of [['rollout', '.layer-row'], ['parts', '.parts'], ['weighted', '.head-facts']] as const) {
    await page.page.locator('[data-sheet=show]').selectOption(show);
    await answered(page);
    found[show] = [await page.page.locator(table).first().innerText(), await page.page.locator('.model-head canvas').evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()))];
  }
  for (const part of ['.expects table', '.every-word', '.model .stream']) found[part] = await page.page.locator(part).innerText();
  return found;
}

/** Types at the beginning of the text. @returns what stands there two frames after each key */
async function typeOn(page: Playground): Promise<{ text: string; caption: string; rows: number }[]> {
  await page.textBox.focus();
  await page.page.keyboard.press('Control+Home');
  const seen: { text: string; caption: string; rows: number }[] = [];
  for (const letter of TYPED) {
    await page.page.keyboard.type(letter);
    seen.push(await page.page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      return { text: (root.querySelector('#text') as HTMLTextAreaElement).value, caption: root.querySelector<HTMLElement>('.row-caption')?.innerText ?? '', rows: Number(root.querySelector('.matrix [role=grid]')?.getAttribute('aria-rowcount')) };
    }));
  }
  await answered(page);
  return seen;
}

test('while it is read in a worker the page answers keys, and its numbers are those of the page itself', async () => {
  const pages = [await open(false), await open(true)] as const;
  const [there, here] = pages;
  assert.deepEqual(pages.map(({ page }) => page.workers().length), [1, 0]);
  for (const page of pages) assert.match(await opened(page), /Tensors of the file that are not read: score\.weight\./);
  const seen = await typeOn(there);
  // A key that has waited for a reading would find it done.
  seen.forEach(({ text, caption }, i) => assert.match(caption, /^computing/, `after ${text.slice(0, -TEXT.length)}, letter ${i}`));
  assert.equal(seen[0]?.rows, 96, 'the picture before stays whole');
  assert.equal(seen.at(-1)?.text, `${TYPED}${TEXT}`);
  await typeOn(here);
  for (const page of pages) assert.equal(await page.text(), `${TYPED}${TEXT}`);
  assert.deepEqual(await shown(there), await shown(here));
  assert.deepEqual(there.problems, []);
  for (const page of pages) await page.close();
});

type Heard = { asked?: string; answered?: string; id: number }[];

/** In the page, before all else: what workers are asked and what they answer, in their order. */
function overhear(): void {
  const heard: Heard = [];
  Object.assign(window, { heard });
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function overheard(this: Worker & { isHeard?: boolean }, message: { id: number; call?: string }, ...rest: []) {
    heard.push({ asked: message.call ?? 'drop', id: message.id });
    if (!this.isHeard) this.addEventListener('message', ({ data }) => { if (data.told === undefined) heard.push({ answered: data.problem?.code ?? 'done', id: data.id }); });
    this.isHeard = true;
    post.call(this, message, ...rest);
  };
}

test('a text that is typed over while it is read is read no further, and the newest is answered first', async () => {
  const page = await open(false, link({ text: TEXT, parameters: 'yours' }), overhear);
  const heard = await page.page.evaluate(async (typed) => {
    const all = (window as unknown as { heard: Heard }).heard;
    all.length = 0;
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const box = root.querySelector('#text') as HTMLTextAreaElement;
    for (const text of typed) {
      box.value = text;
      box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }));
      // The worker has begun to read it.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const runs = () => all.filter(({ asked }) => asked === 'run');
    while (!all.some(({ answered, id }) => answered === 'done' && id === runs().at(-1)?.id)) await new Promise((resolve) => setTimeout(resolve, 10));
    return structuredClone(all);
    // Each has another beginning, so that none is read on from the one before.
  }, ['1 ', '2 1 ', '3 2 1 ', '4 3 2 1 '].map((more) => more + TEXT));
  const runs = heard.filter(({ asked }) => asked === 'run').map(({ id }) => id);
  assert.equal(runs.length, 4, 'every text is asked for at once');
  assert.deepEqual(heard.filter(({ asked }) => asked === 'drop').map(({ id }) => id), runs.slice(0, -1));
  const answers = heard.filter(({ answered, id }) => answered && runs.includes(id));
  assert.deepEqual(answers.map(({ id, answered }) => [id, answered]), [...runs.slice(0, -1).map((id) => [id, 'not_wanted']), [runs.at(-1), 'done']]);
  await answered(page);
  assert.equal((await page.read()).rowLabels.length, 100);
  assert.deepEqual(page.problems, []);
  await page.close();
});

interface Hands { now: number; drawn: number; most: number; isHeld: boolean }

/** In the page, before all else: its clock goes on by hand; heads that are drawn are counted; at the `most`, tasks are held. */
function takeClock(): void {
  const hands: Hands = { now: 1e6, drawn: 0, most: Infinity, isHeld: false };
  const held: (() => void)[] = [];
  Object.assign(window, { hands, release: () => { hands.isHeld = false; for (const act of held.splice(0)) act(); } });
  // Where drawing is to be interrupted, a slice of it takes two looks at the clock.
  performance.now = () => (hands.most === Infinity || hands.isHeld ? hands.now : (hands.now += 4));
  const wait = window.setTimeout;
  Object.assign(window, { setTimeout: (act: () => void, ms?: number, ...rest: []) => wait(() => (hands.isHeld && !ms ? held.push(act) : act()), ms, ...rest) });
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function drawn(this: CanvasRenderingContext2D, ...given: Parameters<typeof draw>) {
    if (this.canvas.closest('.model-head')) {
      hands.drawn += 1;
      if (hands.drawn === hands.most) Object.assign(hands, { now: hands.now + 10, isHeld: true });
    }
    draw.apply(this, given);
  } as typeof draw;
}

test('all heads are drawn after a pause in typing: not before, and not on when a key comes in the midst', async () => {
  const page = await open(false, link({ text: TEXT, parameters: 'yours' }), takeClock);
  const hands = (change: Partial<Hands> = {}) => page.page.evaluate((change) => ({ ...Object.assign((window as unknown as { hands: Hands }).hands, change) }), change);
  const pass = (ms: number) => page.page.evaluate((ms) => { (window as unknown as { hands: Hands }).hands.now += ms; }, ms);
  /** What waits for a pause looks at the clock each 400 ms. */
  const looks = () => page.page.waitForTimeout(1000);
  const read = (count: number) => page.page.waitForFunction((count) => (document.querySelector('attention-playground') as AttentionPlayground).trace?.tokens.length === count, count);
  const all = LAYERS * HEADS;
  assert.equal((await hands()).drawn, all);
  // The clock stands: for the page this is within the same instant as the key.
  await page.textBox.press('Control+Home');
  await hands({ drawn: 0 });
  await page.page.keyboard.type('7 ');
  await read(97);
  await looks();
  assert.equal((await hands()).drawn, 0, 'the figure of the new text is there, and the clock stands');
  await pass(399);
  await looks();
  assert.equal((await hands()).drawn, 0);
  // Then one by one, and a key comes after the third.
  await hands({ most: 3 });
  await pass(1);
  await page.page.waitForFunction(() => (window as unknown as { hands: Hands }).hands.isHeld);
  await page.page.keyboard.type('8 ');
  await hands({ most: Infinity });
  await page.page.evaluate(() => (window as unknown as { release(): void }).release());
  await looks();
  assert.equal((await hands()).drawn, 3);
  // So that the older sheet would look at the clock before the newer picture is laid out.
  await page.page.waitForTimeout(280);
  await read(98);
  await looks();
  await pass(400);
  await answered(page);
  assert.equal((await hands()).drawn, 3 + all);
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** A worker that was ended is gone a moment later. */
async function assertWorkers(page: Playground, count: number): Promise<void> {
  for (let tries = 0; page.page.workers().length !== count && tries < 50; tries += 1) await page.page.waitForTimeout(100);
  assert.equal(page.page.workers().length, count);
}

test('closing the model, another file and leaving the page end its worker', async () => {
  const page = await open(false);
  const files = ['model.safetensors', 'config.json'].map((name) => path.join(folder, name));
  await page.page.locator('[data-close-model]').click();
  await page.page.locator('.paste').waitFor();
  await assertWorkers(page, 0);
  await page.page.locator('.yours input[multiple]').setInputFiles(files);
  await answered(page);
  await assertWorkers(page, 1);
  // In the midst of a reading.
  await page.textBox.focus();
  await page.page.keyboard.press('Control+Home');
  await page.page.keyboard.type(' 5');
  await page.page.evaluate(() => document.querySelector('attention-playground')?.remove());
  await assertWorkers(page, 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

// With threads, on a page whose server lets it share memory among them.

/** Too large for the page itself, in bfloat16. */
const LARGE = { V: 16000, D: 256, LAYERS: 6, CONTEXT: 128 };
const largeTensors: Parameters<typeof inWidths>[0] & object = {};
eachOfGpt2(LARGE, (name, ...shape) => Object.assign(largeTensors, { [name]: { shape, numbers: numbers(shape.reduce((a, b) => a * b), name.length).map((x) => 0.05 * x) } }));
const largeFolder = mkdtempSync(path.join(tmpdir(), 'larger-model-'));
after(() => rmSync(largeFolder, { recursive: true }));
const LARGE_FILES = Object.entries({
  'model.safetensors': storeTensors(inWidths(largeTensors, 'BF16').narrow), 'config.json': JSON.stringify({ n_head: 4, n_layer: LARGE.LAYERS, n_embd: LARGE.D, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 }),
}).map(([name, content]) => {
  writeFileSync(path.join(largeFolder, name), content);
  return path.join(largeFolder, name);
});
const LARGE_TEXT = Array.from({ length: 40 }, (_, i) => (i * 37) % LARGE.V).join(' ');
const THREADS = /It reads with (\d) threads\./;

async function openLarge(by: Reader, opening: Opening = {}): Promise<Playground> {
  const page = await by.open({ fragment: link({ text: LARGE_TEXT, parameters: 'yours' }), ...opening });
  await page.page.locator('.yours input[multiple]').setInputFiles(LARGE_FILES);
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.still();
  return page;
}

const opened = (page: Playground) => page.page.locator('.yours').innerText();
const askedFor = (page: Playground) => page.requests.filter((address) => /attention_operators|model-worker/.test(address)).map((address) => new URL(address).pathname.slice(1));

/** A model as the page's own script opens it. */
async function loadLarge({ page }: Playground): Promise<JSHandle<AnyModel>> {
  const chosen = await page.evaluateHandle(() => document.body.appendChild(Object.assign(document.createElement('input'), { type: 'file', multiple: true })));
  await chosen.setInputFiles(LARGE_FILES);
  return chosen.evaluateHandle(async (input, script) => {
    const { model } = await ((await import(script)) as typeof Index).openFiles([...input.files ?? []], () => {});
    input.remove();
    return model;
  }, new URL('language-model.js', page.url()).href);
}

/** Every number that the page asks for of a text, and of one more token: as 32 bits each. */
const bitsOfLarge = async (page: Playground) => (await loadLarge(page)).evaluate(async (model) => {
  const found: Float32Array[] = [];
  for (const T of [60, 61]) {
    const run = await model.run(Array.from({ length: T }, (_, i) => (i * 91) % 2000));
    for (let layer = 0; layer < 6; layer += 1) found.push(run.residual(layer), run.layerWeights(layer));
    found.push((await run.drawNext({ temperature: 1, topK: 0, topP: 1, seed: 1 })).shares, Float32Array.from((await run.outlooks(3)).flatMap(({ predictions }) => predictions.map(({ probability }) => probability))));
    const measures = model.measure(run);
    found.push(await measures.weighted(3, 1), Float32Array.from((await measures.attribution(T - 1, 5)).mlps));
  }
  model.free();
  return found.map((numbers) => base64Of(numbers)).join();
});

/** Of the process that shows the page: its memory, in bytes, and the hundredths of a second that each worker's thread has computed, by the thread's id. */
async function processOf({ page }: Playground): Promise<{ bytes: number; threads: Map<string, number> }> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = await session?.send('SystemInfo.getProcessInfo') ?? {};
  await session?.detach();
  const id = Math.max(...processInfo.filter(({ type }) => type === 'renderer').map((each) => each.id));
  const text = (name: string) => readFileSync(`/proc/${id}/${name}`, 'utf8');
  const workers = readdirSync(`/proc/${id}/task`).filter((each) => text(`task/${each}/comm`).startsWith('DedicatedWorker'));
  return {
    bytes: 1024 * Number(/VmRSS:\s+(\d+)/.exec(text('status'))?.[1]),
    threads: new Map(workers.map((each) => [each, text(`task/${each}/stat`).replace(/.*\)/, '').split(' ').slice(12, 14).reduce((sum, ticks) => sum + Number(ticks), 0)])),
  };
}

/** The hundredths of a second that each thread of the page's workers computes meanwhile: the most first. */
async function computedBy(page: Playground, act: () => Promise<unknown>): Promise<number[]> {
  const { threads: before } = await processOf(page);
  await act();
  const { threads } = await processOf(page);
  return [...threads].map(([id, ticks]) => ticks - (before.get(id) ?? 0)).sort((a, b) => b - a);
}

test('while a worker reads, a key paints the words; what the page says of them follows, however fast it is', async () => {
  const page = await openLarge(reader);
  await page.page.evaluate(() => {
    // Within a task no time passes, so that nothing takes long.
    const clock = performance.now.bind(performance);
    let now = clock();
    setInterval(() => { now = clock(); }, 20);
    performance.now = () => now;
    const root = document.querySelector('attention-playground')?.shadowRoot;
    const seen = () => [/\d+(?=\D*$)/.exec(root?.querySelector('.mirror')?.textContent ?? '')?.[0], /computing/.test(root?.querySelector('.row-caption')?.textContent ?? '')];
    Object.assign(globalThis, { keys: [] });
    addEventListener('input', () => (globalThis as unknown as { keys: unknown[] }).keys.push(seen()));
  });
  await page.textBox.press('Control+End');
  for (const key of ' 555') {
    await page.page.keyboard.press(key);
    await page.still();
  }
  const keys = await page.page.evaluate(() => (globalThis as unknown as { keys: unknown[] }).keys);
  assert.deepEqual(keys.slice(1), [['5', false], ['55', false], ['555', false]]);
  assert.match(await page.page.locator('.row-caption').first().innerText(), /555/);
  await page.close();
});

/** Until this many workers are there. */
async function until({ page }: Playground, count: number): Promise<void> {
  for (let tries = 0; page.workers().length !== count; tries += 1) {
    assert.ok(tries < 600, `${page.workers().length} workers are there, not ${count}: ${page.workers().map((worker) => worker.url())}`);
    await page.waitForTimeout(100);
  }
}

test('a large model reads with threads on an isolated page, and says so; elsewhere with one, and nothing more is fetched: the same bits', async () => {
  const [alone, together] = [await openLarge(reader), await openLarge(isolated)];
  assert.doesNotMatch(await opened(alone), THREADS);
  assert.deepEqual(askedFor(alone), ['model-worker.js', 'attention_operators.wasm']);
  const threads = Number(THREADS.exec(await opened(together))?.[1]);
  assert.equal(threads, await together.page.evaluate(() => Math.min(8, Math.max(2, Math.ceil(navigator.hardwareConcurrency / 2)))));
  assert.deepEqual([...new Set(askedFor(together))], ['model-worker.js', 'attention_operators_threads.mjs', 'attention_operators_threads.wasm']);
  assert.equal(together.page.workers().length, threads);
  for (const layer of [0, 5]) {
    const shown: Float32Array[] = [];
    for (const page of [alone, together]) {
      await page.page.locator(`.model-head[data-layer="${layer}"][data-head="2"]`).click();
      await page.still();
      shown.push(await page.stage('weights'));
    }
    assert.deepEqual(shown[1], shown[0]);
  }
  assert.deepEqual(await together.page.locator('[data-guess]').allInnerTexts(), await alone.page.locator('[data-guess]').allInnerTexts());
  assert.equal(await bitsOfLarge(together), await bitsOfLarge(alone));
  assert.deepEqual([...alone.problems, ...together.problems], []);
  await alone.close();
  await together.close();
});

/** The page keeps the word by which its model's threads rest. */
const RESTS_SEEN: Opening = { before: (page) => page.addInitScript(() => {
  window.SharedArrayBuffer = class extends SharedArrayBuffer {
    constructor(bytes = 0) {
      super(bytes);
      if (bytes === 4) Object.assign(window, { rest: new Int32Array(this) });
    }
  };
}) };

/** The word says all the time, against what the page writes there, until when the threads rest; null gives it back to the page. */
const rest = ({ page }: Playground, until: number | null) => page.evaluate((until) => {
  const held = window as unknown as { rest: Int32Array; store?: typeof Atomics.store };
  const store = (held.store ??= Atomics.store.bind(Atomics));
  store(held.rest, 0, until ?? 0);
  Object.assign(Atomics, { store: (array: Int32Array, at: number, value: number) => (until !== null && array.buffer === held.rest.buffer ? value : store(array, at, value)) });
}, until && until | 0);

test('each thread computes its part; twenty models one after another end their threads, and leave no memory behind', { skip: !existsSync('/proc/self/task') }, async () => {
  const page = await isolated.open(RESTS_SEEN);
  const held: number[] = [];
  for (let load = 0; load < 20; load += 1) {
    const model = await loadLarge(page);
    // After each text they rest until it is painted.
    await rest(page, 0);
    const computed = await computedBy(page, () => model.evaluate(async (model, times) => {
      for (let i = 0; i < times; i += 1) await model.run(Array.from({ length: 120 }, (_, j) => i + j));
    }, load ? 1 : 20));
    assert.equal(computed.length, await model.evaluate(({ threads }) => threads));
    if (load === 0) assert.ok((computed.at(-1) ?? 0) > (computed[0] ?? 0) / 4, `hundredths of a second: ${computed}`);
    held.push((await processOf(page)).bytes);
    await model.evaluate((model) => model.free());
    await until(page, 0);
  }
  // Fifteen models further, less than two more.
  const size = LARGE_FILES.reduce((sum, file) => sum + statSync(file).size, 0);
  assert.ok(Math.min(...held.slice(-5)) - Math.min(...held.slice(0, 5)) < 2 * size, `bytes: ${held}, of models of ${size}`);
  await page.close();
});

test('while the page answers keys, one thread reads on and the others rest; then they come back: the same bits', { skip: !existsSync('/proc/self/task') }, async () => {
  const page = await isolated.open(RESTS_SEEN);
  const model = await loadLarge(page);
  const work = async () => model.evaluate(async (model) => {
    const found: Float32Array[] = [];
    for (let i = 0; i < 25; i += 1) found.push((await model.run(Array.from({ length: 120 }, (_, j) => i + j))).residual(5));
    return found.map((numbers) => base64Of(numbers)).join();
  });
  /** What another thread than the one that goes on computed, of what that one did. */
  const shareOf = async (act: () => Promise<unknown>) => {
    const [most = 0, next = 0] = await computedBy(page, act);
    return next / most;
  };
  const bits: string[] = [];
  const working = async (until: number) => {
    await rest(page, until);
    return shareOf(async () => void bits.push(await work()));
  };
  const shares = [await working(0), await working(Date.now() + 300_000), await working(0)] as const;
  await rest(page, null);
  assert.ok(shares[1] < 0.05 && Math.min(shares[0], shares[2]) > 0.2, `shares: ${shares}`);
  assert.equal(bits[1], bits[0]);
  assert.equal(bits[2], bits[0]);

  // A key begins a rest before the page hears it; it lasts over the first paint, and ends with the second.
  await page.page.evaluate(() => {
    const { rest } = window as unknown as { rest: Int32Array };
    document.addEventListener('keydown', () => {
      const left = (Atomics.load(rest, 0) - Date.now()) | 0;
      requestAnimationFrame(() => Object.assign(window, { heard: { left, isResting: Atomics.load(rest, 0) !== 0 } }));
    }, { capture: true, once: true });
  });
  await page.page.keyboard.press('Shift');
  await page.page.waitForFunction(() => 'heard' in window && Atomics.load((window as unknown as { rest: Int32Array }).rest, 0) === 0);
  const { left, isResting } = await page.page.evaluate(() => (window as unknown as { heard: { left: number; isResting: boolean } }).heard);
  assert.ok(left > 0 && left <= 200 && isResting, `${left} ms, ${isResting}`);
  // So does what has been read, which is drawn then.
  assert.notEqual(await model.evaluate(async (model) => {
    await model.run([1, 2, 3]);
    return Atomics.load((window as unknown as { rest: Int32Array }).rest, 0);
  }), 0);
  await page.page.waitForFunction(() => Atomics.load((window as unknown as { rest: Int32Array }).rest, 0) === 0);
  await model.evaluate((model) => model.free());
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Before the script of the worker of large models. */
const inWorker = (code: string) => ({ before: (page: Page) => page.route('**/model-worker.js', async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: `${code}\n${await response.text()}` });
}) });

for (const [why, opening, expected] of [
  ['one core is counted', { before: (page: Page) => page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })) }, /^$/],
  ['the files for threads are missing', { before: (page: Page) => page.route('**/attention_operators_threads.*', (route) => route.fulfill({ status: 404 })) }, /^$/],
  ['a thread does not come', inWorker('const Own = Worker; Worker = function () { return new Own("none.js"); };'), /^(console: worker sent an error! \S+ undefined)?$/],
  ['no memory can be shared', inWorker('const Own = WebAssembly.Memory; WebAssembly.Memory = function (asked) { if (asked.shared) throw new RangeError("no memory"); return new Own(asked); };'), /^$/],
  ['the shared memory cannot grow to the model’s size', inWorker('const { grow } = WebAssembly.Memory.prototype; WebAssembly.Memory.prototype.grow = function (pages) { if (this.buffer instanceof SharedArrayBuffer) throw new RangeError("no memory"); return grow.call(this, pages); };'), /^$/],
] as const) {
  test(`where ${why}, a large model of an isolated page reads with one thread`, async () => {
    const page = await openLarge(isolated, opening);
    assert.equal(await page.page.evaluate(() => crossOriginIsolated), true);
    assert.doesNotMatch(await opened(page), THREADS);
    assert.ok(askedFor(page).includes('attention_operators.wasm'));
    await until(page, 1);
    assert.match(page.problems.join(' '), expected);
    await page.close();
  });
}

test('what tools/serve serves is isolated: pages, scripts, folders, and what is missing', async () => {
  const server = spawn(process.execPath, [fileURLToPath(new URL('../../tools/lib/serve.mjs', import.meta.url)), SITE, '127.0.0.1', ''], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = await once(server.stdout, 'data') as [Buffer];
    const address = /http:\S+/.exec(String(said))?.[0] ?? '';
    for (const [file, status, type] of [['', 200, 'text/html'], ['model-worker.js', 200, 'text/javascript'], ['attention_operators_threads.mjs', 200, 'text/javascript'], ['embed', 200, 'text/html'], ['none.js', 404, 'text/plain']] as const) {
      const answer = await fetch(address + file);
      assert.deepEqual(['opener', 'embedder', 'resource'].map((name) => answer.headers.get(`cross-origin-${name}-policy`)), ['same-origin', 'require-corp', 'cross-origin'], file);
      assert.deepEqual([answer.status, answer.headers.get('content-type')?.split(';')[0]], [status, type], file);
      assert.ok((await answer.text()).length > 0);
    }
  } finally {
    server.kill();
  }
});
