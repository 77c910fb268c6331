// A model that takes long to read: in a worker, so that the page answers meanwhile; and on the page, to the same bits, where workers are forbidden.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { eachOfGpt2, numbers, storeTensors } from '../lib/model-files.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const [V, D, LAYERS, HEADS, CONTEXT] = [300, 256, 24, 4, 160];
const CONFIG = JSON.stringify({ n_head: HEADS, n_layer: LAYERS, n_embd: D, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 });
/** Without a tokenizer, token numbers are typed. */
const TEXT = Array.from({ length: 96 }, (_, i) => (37 * i) % V).join(' ');
/** At the beginning, so that nothing that was read before holds. */
const TYPED = '7 12 9 ';

const reader = await Reader.arrive();
let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'large-model-'));
  await writeFile(path.join(folder, 'model.safetensors'), gpt2());
  await writeFile(path.join(folder, 'config.json'), CONFIG);
});
after(async () => {
  await reader.leave();
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
