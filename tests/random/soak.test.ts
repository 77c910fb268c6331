// Thousands of random interactions, and hundreds of models of the reader's own, one after another on one page: no error, no leak, no wrong number.
//   ATTENTION_STEPS=10000 (as tools/test --all has it), and 200 models; 300 and 40 otherwise
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { type Playground, Reader, link } from '../lib/page.ts';
import { BERT_CONFIG, GPT2_CONFIG, PIECES, bytePairs, eachOfGpt2, fileOf, inWidths, numbers, smallBert, smallGguf, smallGpt2, smallLlama, smallNeox, storeTensors, tinyNative } from '../lib/model-files.ts';
import { Random } from '../lib/random.ts';
import { assertUnharmed, assertWhole } from '../lib/page-checks.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { ORDER } from '../../web/src/state/stage-groups.ts';

const STEPS = Number(process.env['ATTENTION_STEPS'] ?? 300);
const LONG = STEPS > 1000;
/** Bytes of the module itself; and how many runs it may hold: the present one, a pinned one, another sentence's, with scratch. */
const MODULE = 24e6;
const STATES = 5;
const CHECK_EACH = 25;
const REST_EACH = LONG ? 250 : 50;

const reader = await Reader.arrive();
after(() => reader.leave());

const TEXTS = [
  'a', '', '   ', 'the animal didn\'t cross the street', '动物没有过马路 because', 'שלום עולם hello', '<b>x</b> {{y}} ${z}', '👩‍👩‍👧 é e\u0301', 'one two three four five six seven eight nine ten eleven twelve',
  Array.from({ length: 40 }, (_, i) => `w${i % 7}`).join(' '), 'it it it it',
];
const NUMBERS = ['0', '1', '2', '3', '8', '0.5', '-1', '1e9', 'x', '', '64', '0.25', '7', '100000', '−0.5'];
const LINKS = [
  '#v1&text=a+b+c&heads=2', '#v1&text=one+two&key-text=drei+vier&mask=none', '#v1&text=x+y+z&mask-cells=1.1,2.1&numbers=W_Q:1:1:3', '#v1&broken', '#v2&text=later', '#v1&text=%E0%A4%A',
  '#v1&text=long+enough+a+text&positions=rope&d-k=6&d-v=4&heads=3', '#v1&text=q&temperature=0&dropout=0.5', '#v1&text=r+s+t&other-text=s+t&rows=keys', '#v1&stage=weights', '#v1&text=me+too&parameters=yours&d-model=4&heads=1&matrices=b_O:AAAAAA', '#v1&text=u+v&tie=qkv&value-rank=3&biases=on',
];

/** One interaction, inside the page, and the frame after it; dice are uniform in [0, 1). */
function interact({ dice: [what = 0, which = 0, how = 0], pools }: { dice: number[]; pools: { texts: string[]; numbers: string[]; links: string[]; stages: readonly StageId[] } }): Promise<string> {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const pick = <T>(items: ArrayLike<T>, dice: number): T | undefined => items[Math.floor(dice * items.length)];
  const shown = <E extends HTMLElement>(selector: string) => [...root.querySelectorAll<E>(selector)].filter((element) => element.checkVisibility() && !element.matches(':disabled'));
  const put = (field: HTMLInputElement | HTMLTextAreaElement, value: string) => {
    field.focus();
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
    return `${field.id || field.className || field.getAttribute('aria-label')} ← ${value.slice(0, 20)}`;
  };
  const press = (element: HTMLElement | undefined) => {
    element?.click();
    return `click ${element?.className || element?.textContent?.trim().slice(0, 20)}`;
  };
  const box = root.querySelector<HTMLTextAreaElement>('#text') as HTMLTextAreaElement;
  const actions: [number, () => string][] = [
    [18, () => put(box, how < 0.4 ? box.value.slice(0, -1) : `${box.value}${pick(' abcit', which) ?? ''}`.slice(0, 300))],
    [6, () => put(box, pick(pools.texts, which) ?? '')],
    // A trained model has no native reference here: its own tests hold its numbers.
    [16, () => press(pick(shown('.switches input[type=radio]:not([value=trained]), .switches button'), which))],
    [8, () => {
      const field = pick(shown<HTMLInputElement>('.switches .field'), which);
      return field ? put(field, pick(pools.numbers, how) ?? '') : 'no field';
    }],
    [4, () => {
      const slider = pick(shown<HTMLInputElement>('.slider'), which);
      return slider ? put(slider, String(Number(slider.min) + how * (Number(slider.max) - Number(slider.min)))) : 'no slider';
    }],
    [4, () => {
      const list = pick(shown<HTMLSelectElement>('select'), which);
      if (!list) return 'no list';
      list.selectedIndex = Math.floor(how * list.options.length);
      list.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
      return `${list.getAttribute('aria-label')} ← ${list.value}`;
    }],
    [16, () => {
      const key = pick(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageDown', 'm', 'm'], which) ?? 'End';
      root.querySelector('.matrix [role=gridcell]')?.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: how < 0.2 && key !== 'm', bubbles: true, composed: true }));
      return key;
    }],
    [4, () => press(pick(shown('.heads-scroll label'), which))],
    [8, () => press(pick(shown('[data-undo], [data-redo], [data-earlier], .earlier button'), which))],
    [6, () => press(pick(shown('.sentence-tools button, .mask-tools button, .key-sentence button'), which))],
    [3, () => {
      const keys = root.querySelector<HTMLTextAreaElement>('#key-text');
      return keys ? put(keys, pick(pools.texts, how) ?? '') : 'no second sentence';
    }],
    [4, () => press(pick(shown('summary'), which))],
    [3, () => press(pick(shown('.walk button, .senses button, .source-panel button'), which))],
    [4, () => press(pick(shown('.pin button, .pin .segment input'), which))],
    // Numbers of the walk and of the large matrix are looked at, and chosen; of any place, in and out of their matrices.
    [8, () => {
      const canvas = pick(shown<HTMLCanvasElement>(how < 0.25 ? '.matrix canvas' : '.walk .stage-matrix canvas'), which);
      const { left = 0, top = 0, width = 0, height = 0 } = canvas?.getBoundingClientRect() ?? {};
      const at = { clientX: left + width * ((how * 7) % 1), clientY: top + height * how, bubbles: true, composed: true, pointerType: 'mouse', isPrimary: true };
      for (const type of ['pointermove', ...(how < 0.6 ? ['pointerdown', 'pointerup'] : [])]) canvas?.dispatchEvent(new PointerEvent(type, at));
      if (how < 0.6) canvas?.dispatchEvent(new MouseEvent('click', at));
      return `at ${canvas?.closest('[data-array]')?.getAttribute('data-array') ?? 'the matrix'}`;
    }],
    [2, () => press(pick(shown('.explanation .operand, .explanation button'), which))],
    [4, () => {
      location.hash = pick(pools.links, which) ?? '';
      return location.hash;
    }],
  ];
  let at = what * actions.reduce((sum, [weight]) => sum + weight, 0);
  const chosen = actions.find(([weight]) => (at -= weight) < 0);
  const said = chosen?.[1]() ?? '';
  return new Promise((resolve) => requestAnimationFrame(() => {
    const { trace, state } = document.querySelector('attention-playground') as AttentionPlayground;
    const size = (id: StageId) => (trace?.present(id) ? trace.extents(id).reduce((product, extent) => product * extent, 1) : 0);
    // Of a long run there is no trace yet in this frame, and the next interaction may be faster; its matrices are known.
    const { d_model, num_heads, num_kv_heads, d_k, d_v } = state.settings;
    const wide = (own: number) => own || d_model / num_heads;
    const matrices = d_model * (num_heads + (num_kv_heads || num_heads)) * (wide(d_k) + wide(d_v));
    const bytes = 4 * (matrices + pools.stages.reduce((sum, id) => sum + size(id), 0));
    const seen = window as unknown as { largestRun?: number };
    seen.largestRun = Math.max(seen.largestRun ?? 0, bytes);
    // Numbers of a state that is no longer wanted say that they are.
    const inspector = root.querySelector('.inspector');
    const isOld = !trace && root.querySelector('.figure-grid:not([hidden])')?.checkVisibility() && inspector?.checkVisibility() && inspector.ariaBusy !== 'true' && !root.querySelector<HTMLElement>('.row-caption')?.innerText.startsWith('computing');
    resolve(isOld ? `${said} LEFT OLD NUMBERS` : said);
  }));
}

/** Of the nodes, those in the page are shown; how many depends on what was left open. The others are held. */
interface Memory { heap: number; nodes: number; shown: number; held: number; listeners: number; wasm: number }

async function memory(page: Playground, client: { send(method: string): Promise<unknown> }): Promise<Memory> {
  for (let i = 0; i < 3; i += 1) await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics') as { metrics: { name: string; value: number }[] };
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const wasm = await page.page.evaluate(() => (window as unknown as { engineMemory?: WebAssembly.Memory }).engineMemory?.buffer.byteLength ?? 0);
  const shown = await page.page.evaluate(() => {
    const count = (root: Node): number => {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
      let nodes = 1;
      while (walk.nextNode()) nodes += walk.currentNode instanceof Element && walk.currentNode.shadowRoot ? 1 + count(walk.currentNode.shadowRoot) : 1;
      return nodes;
    };
    return count(document);
  });
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), shown, held: of('Nodes') - shown, listeners: of('JSEventListeners'), wasm };
}

/** The same short sentence each time: what is held then is held for nothing that is shown. */
async function atRest(page: Playground, client: { send(method: string): Promise<unknown> }): Promise<Memory> {
  await page.page.evaluate(() => {
    document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.pin button.plain')?.click();
    location.hash = '#v1&text=at+rest';
  });
  await page.ready();
  await page.settled();
  return memory(page, client);
}

/** The engine's memory, and all that modules have here, to see whether they grow. Those of operators are their modules' own exports. */
const KEEP_MEMORY = `{
  const [kept, { Memory, instantiate }] = [new Set(), WebAssembly];
  WebAssembly.Memory = class extends Memory {
    constructor(size) {
      super(size);
      kept.add(new WeakRef(this));
      globalThis.engineMemory ??= this;
    }
  };
  WebAssembly.instantiate = async (...given) => {
    const found = await instantiate(...given);
    for (const each of Object.values((found.instance ?? found).exports ?? {})) if (each instanceof Memory) kept.add(new WeakRef(each));
    return found;
  };
  globalThis.wasmBytes = () => [...kept].reduce((sum, each) => sum + (each.deref()?.buffer.byteLength ?? 0), 0);
}`;

test('what is closed is let go: no part that opens and closes leaves nodes behind', async () => {
  const page = await reader.open();
  const client = await page.page.context().newCDPSession(page.page);
  await client.send('Performance.enable');
  await client.send('HeapProfiler.enable');
  const send = client as unknown as { send(method: string): Promise<unknown> };
  const flip = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      for (const act of ['.more', '.more', '#v1&text=a+b&heads=64', '#v1&text=a+b&key-text=c+d', '.pin button', '.pin button.plain', '.as-table summary', '.as-table summary']) {
        await page.page.evaluate((what) => {
          if (what.startsWith('#')) location.hash = what;
          else document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>(what)?.click();
          return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        }, act);
      }
    }
    return (await atRest(page, send)).nodes;
  };
  const before = await flip(2);
  const after = await flip(8);
  assert.ok(after < before + 600, `${before} nodes after 2 rounds, ${after} after 8 more`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** A processor as slow as a cheap phone's has work left over when the next interaction comes. */
const PACES = [{ steps: STEPS, slowdown: 1 }, { steps: Math.ceil(STEPS / 10), slowdown: 6 }];
for (const { steps, slowdown } of PACES) test(`${steps} random interactions, ${slowdown} × slower, leave no error, no leak and no wrong number`, { timeout: STEPS * 2000 + 60_000 }, async () => {
  const random = new Random(Number(process.env['ATTENTION_SEED'] ?? 41));
  // The lexicon is here before anything is measured: it is kept, and no leak.
  const page = await reader.open({ fragment: '#v1&parameters=designed&text=the+zebra', before: (each) => each.addInitScript({ content: KEEP_MEMORY }) });
  const client = await page.page.context().newCDPSession(page.page);
  await client.send('Performance.enable');
  await client.send('HeapProfiler.enable');
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const send = client as unknown as { send(method: string): Promise<unknown> };
  const pools = { texts: TEXTS, numbers: NUMBERS, links: LINKS, stages: ORDER };
  const done: string[] = [];
  const samples: Memory[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const dice = [random.number(), random.number(), random.number()];
    done.push(await page.page.evaluate(interact, { dice, pools }));
    assert.ok(!done.at(-1)?.includes('OLD NUMBERS'), `step ${step}: ${done.slice(-12).join(' | ')}`);
    // A reader's own hands, too: real keys where the focus has come to be.
    if (step % 20 === 0) await page.page.keyboard.press(random.pick(['Tab', 'Shift+Tab', 'Control+z', 'Escape', 'x', 'Backspace', 'ArrowLeft']));
    if (step % CHECK_EACH !== 0) continue;
    await page.ready();
    const what = `step ${step}: ${done.slice(-12).join(' | ')}`;
    await assertUnharmed(page, what);
    if ((await page.read()).figure) await assertWhole(page, what);
    if (step % REST_EACH === 0 && step > steps / 4) samples.push(await atRest(page, send));
  }
  if (samples.length === 0) return page.close();
  const [first, last] = [samples.slice(0, Math.max(1, samples.length >> 2)), samples.slice(-Math.max(1, samples.length >> 2))];
  for (const [field, slack] of [['heap', LONG ? 3e6 : 10e6], ['held', 1000], ['shown', 5000], ['listeners', 500]] as const) {
    const most = (part: readonly Memory[]) => Math.max(...part.map((sample) => sample[field]));
    assert.ok(most(last) <= most(first) * 1.3 + slack, `${field}: ${most(first)} at first, ${most(last)} in the end`);
  }
  // The module's memory never shrinks: it may be what its largest run took, for each of the states that can be held at once.
  const largest = await page.page.evaluate(() => (window as unknown as { largestRun?: number }).largestRun ?? 0);
  const wasm = samples.at(-1)?.wasm ?? 0;
  assert.ok(wasm <= MODULE + STATES * largest, `wasm: ${wasm} bytes, its largest run ${largest}`);
  await page.close();
});

const LOADS = LONG ? 200 : 40;
const WORDS = 'the cat and the hat';
/** Of a model without a tokenizer, whose size puts it into a worker. */
const IDS = '5 6 7 8 9';

interface Kind { about: RegExp; text: string; files: Readonly<Record<string, Uint8Array | string>> }

/** Each opens after another of other sizes or another name, by which they are told apart. */
async function kinds(): Promise<Kind[]> {
  const { vocabulary, merges } = bytePairs();
  const words = { 'vocab.json': vocabulary, 'merges.txt': merges };
  const [llama, neox, [[, parts]]] = [smallLlama(), smallNeox(), await smallGguf(1) as [[string, number[]]]];
  let half = new Uint8Array();
  smallGpt2((tensors) => { half = storeTensors(inWidths(tensors, 'F16').narrow); });
  const large: Parameters<typeof inWidths>[0] & object = {};
  eachOfGpt2({ V: 300, D: 256, LAYERS: 6, CONTEXT: 32 }, (name, ...shape) => Object.assign(large, { [name]: { shape, numbers: numbers(shape.reduce((a, b) => a * b), name.length).map((x) => 0.05 * x) } }));
  return [
    { about: /GPT-2.*3 layers/, text: WORDS, files: { 'model.safetensors': smallGpt2(), 'config.json': GPT2_CONFIG, ...words } },
    { about: /Llama.*3 layers/, text: WORDS, files: { 'model.safetensors': llama.bytes, 'config.json': llama.config, ...words } },
    { about: /GPT-NeoX.*3 layers/, text: WORDS, files: { 'model.safetensors': neox.bytes, 'config.json': neox.config, ...words } },
    { about: /BERT.*2 layers/, text: 'the cat [MASK] on a mat .', files: { 'model.safetensors': smallBert(), 'config.json': BERT_CONFIG, 'vocab.txt': PIECES.join('\n') } },
    { about: /3 layers/, text: WORDS, files: { 'tiny.gguf': Uint8Array.from(parts) } },
    { about: /2 layers of 2 heads/, text: WORDS, files: { 'model.safetensors': fileOf(tinyNative()) } },
    { about: /GPT-2.*3 layers/, text: WORDS, files: { 'model.safetensors': half, 'config.json': GPT2_CONFIG, ...words } },
    { about: /GPT-2.*6 layers/, text: IDS, files: { 'model.safetensors': storeTensors(inWidths(large, 'BF16').narrow), 'config.json': '{"n_head": 4, "n_layer": 6, "n_embd": 256, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}' } },
  ];
}

/** What a model could leave behind: objects, their numbers, nodes, and memories of modules, of its worker, too. */
async function held(page: Playground, client: CDPSession): Promise<Record<'heap' | 'numbers' | 'nodes' | 'listeners' | 'wasm', number>> {
  const { heap, nodes, listeners } = await memory(page, client as never);
  const { backingStorageSize: numbers } = await client.send('Runtime.getHeapUsage') as { backingStorageSize: number };
  let wasm = await page.page.evaluate<number>('wasmBytes()');
  for (const worker of page.page.workers()) wasm += await worker.evaluate<number>('wasmBytes()');
  return { heap, numbers, nodes, listeners, wasm };
}

test(`${LOADS} models one after another, each read and written with, leave no error, no leak and no wrong number`, { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'models-'));
  after(() => rm(folder, { recursive: true }));
  const all = await Promise.all((await kinds()).map(async ({ files, ...kind }, i) => {
    const named = Object.entries(files).map(([name, content]) => ({ at: path.join(folder, String(i), name), content }));
    await mkdir(path.join(folder, String(i)));
    for (const { at, content } of named) await writeFile(at, content);
    return { ...kind, files: named.map(({ at }) => at) };
  }));
  const page = await reader.open({
    fragment: link({ text: WORDS, parameters: 'yours' }),
    async before(tab) {
      await tab.addInitScript({ content: KEEP_MEMORY });
      await tab.route('**/model-worker.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${KEEP_MEMORY}\n${await response.text()}` });
      });
    },
  });
  const root = page.page;
  const client = await root.context().newCDPSession(root);
  await client.send('Performance.enable');
  await client.send('HeapProfiler.enable');
  const chosen = await root.evaluateHandle(() => document.body.appendChild(Object.assign(document.createElement('input'), { type: 'file', multiple: true })));
  const drop = async (files: string[]) => {
    await chosen.setInputFiles(files);
    await chosen.evaluate((input) => {
      const dataTransfer = new DataTransfer();
      for (const each of input.files ?? []) dataTransfer.items.add(each);
      input.value = '';
      document.querySelector('header')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    });
  };
  const ready = async () => {
    await root.evaluate(async () => { for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame); });
    await page.ready();
  };
  const seen = new Map<string, unknown>();
  const samples: Awaited<ReturnType<typeof held>>[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const { about, text, files } = all[load % all.length] as (typeof all)[number];
    await drop(files);
    await root.locator('.yours', { hasText: about }).waitFor();
    await page.textBox.fill(text);
    await ready();
    const weights = createHash('sha256').update(await page.stage('weights')).digest('hex');
    const one = root.locator('[data-write=one]');
    if (await one.count()) {
      await one.click();
      await root.waitForFunction((before) => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLTextAreaElement>('#text')?.value !== before, text);
      await ready();
    }
    const found = [weights, (await page.read()).rowLabels, await page.text()];
    const [key, what] = [files.join(), `load ${load}: ${about.source}`];
    assert.deepEqual(found, seen.get(key) ?? found, what);
    seen.set(key, found);
    assert.deepEqual(page.problems, [], what);
    assert.equal(root.workers().length, Number(text === IDS), what);
    if ((load + 1) % all.length === 0) samples.push(await held(page, client));
  }
  // The second round of all kinds is the first in which nothing is new.
  const [, first, last] = [samples[0], samples[1], samples.at(-1)];
  for (const [field, slack] of Object.entries({ heap: 3e6, numbers: 5e5, nodes: 1000, listeners: 100, wasm: 0 })) {
    const [before = 0, now = Infinity] = [first, last].map((sample) => sample?.[field as 'heap']);
    assert.ok(now <= before + slack, `${field}: ${before} at first, ${now} in the end`);
  }
  await page.close();
});
