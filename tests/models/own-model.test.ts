// A model of the reader's own, GPT-2's kind or Llama's: opened from a file, read by the engine, refused in a sentence when it is broken.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadInNode } from '../lib/operators.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { type Case, readCases } from '../lib/cases.ts';
import { attribute, tensorsOf } from '../lib/layout-cases.ts';
import { GPT2_CONFIG as CONFIG, type GgufTensor, SMALL, type StoredTensors, bytePairs, eachOfGpt2, gguf, llama2c, llama2cPieces, numbers, smallGguf as asGguf, smallGpt2 as gpt2, smallLlama as llama, smallNeox as neox, storeTensors } from '../lib/model-files.ts';
import { Forwards, type MadeOf, Walk, assertChance, assertMade, followed, full, inFile } from '../lib/walk.ts';
import { besideOf } from '../../web/src/parameters/language-model/files.ts';
import { readGguf } from '../../web/src/parameters/language-model/gguf.ts';
import { type Beside, LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { setting } from '../../web/src/state/settings.ts';

const { V, D } = SMALL;

const reader = await Reader.arrive();
after(() => reader.leave());

const stories = readCases('Llama').find(({ name }) => name === 'llama_as_stories') as Case;
/** A small Llama of PyTorch's, under the names that Meta and llama2.c have. */
const META: readonly (readonly [RegExp, string])[] = [
  [/^model\./, ''], [/embed_tokens/, 'tok_embeddings'], [/self_attn\.([qkvo])_proj/, 'attention.w$1'], [/mlp\.gate_proj/, 'feed_forward.w1'], [/mlp\.down_proj/, 'feed_forward.w2'], [/mlp\.up_proj/, 'feed_forward.w3'], [/input_layernorm/, 'attention_norm'], [/post_attention_layernorm/, 'ffn_norm'],
];
const storiesByMeta = (): StoredTensors => tensorsOf(stories, (name) => META.reduce((now, [from, to]) => now.replace(from, to), name));

const file = (name: string, content: Uint8Array | string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

async function openYours(text: string): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, parameters: 'yours' }) });
  await page.page.locator('.yours').waitFor();
  return page;
}

async function give(page: Playground, ...files: ReturnType<typeof file>[]): Promise<void> {
  await page.page.locator('.yours input[multiple]').setInputFiles(files);
}

/** The page's weights of each layer are those of the same file in Node. */
async function assertReads(page: Playground, bytes: Uint8Array, beside: Beside, text: string): Promise<void> {
  const model = await LanguageModel.open(bytes, beside, { operators: () => loadInNode() });
  const tokens = model.tokenize(text);
  const run = model.run(tokens.map(({ id }) => id));
  for (let layer = 0; layer < model.configuration.layers; layer += 1) {
    await page.page.locator(`.model-head[data-layer="${layer}"][data-head="0"]`).click();
    await page.ready();
    const shown = await page.stage('weights');
    const T = tokens.length;
    assert.equal(shown.length, model.configuration.heads * T * T);
    for (let head = 0; head < model.configuration.heads; head += 1) {
      run.weights(layer, head).forEach((weight, i) => assert.ok(Math.abs(weight - (shown[head * T * T + i] ?? NaN)) < 1e-5, `layer ${layer} head ${head}`));
    }
  }
  const guess = run.predictions(tokens.length - 1, 1)[0];
  await page.walkTo(tokens.length - 1, 0);
  await page.ready();
  const said = await page.page.locator('[data-guess] th').first().innerText();
  assert.equal(said.replace('·', '').trim(), guess?.word.trim());
  model.free();
}

test('with its vocabulary and merges it reads words, and its numbers are those of the same file elsewhere', async () => {
  const text = 'the cat and the hat';
  const page = await openYours(text);
  const { vocabulary, merges } = bytePairs();
  await give(page, file('model.safetensors', gpt2()), file('config.json', CONFIG), file('vocab.json', vocabulary), file('merges.txt', merges));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.equal(await page.text(), text);
  assert.match(await page.page.locator('.yours').innerText(), /3 layers of 4 heads, d_model 16, 300 tokens, 32 at once/);
  const { rowLabels } = await page.read();
  assert.deepEqual(rowLabels.slice(0, 4), ['the', '␣', '·c', '·a']);
  await assertReads(page, gpt2(), { config: CONFIG, vocabulary, merges }, text);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a model of Llama’s kind with its tokenizer.json: words, weights of every layer, and the walk, are those of the same files elsewhere', async () => {
  const text = 'the cat and the hat';
  const { bytes, config } = llama();
  const { vocabulary, merges } = bytePairs();
  // Digits apart and a start token: not as GPT-2 cuts.
  const tokenizer = JSON.stringify({
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, { type: 'ByteLevel', add_prefix_space: false, use_regex: true }] }, normalizer: null, decoder: { type: 'ByteLevel' },
    added_tokens: [{ id: 299, content: '<s>', special: true }],
    post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }], pair: [], special_tokens: { '<s>': { id: '<s>', ids: [299], tokens: ['<s>'] } } },
    model: { type: 'BPE', vocab: JSON.parse(vocabulary) as unknown, merges: merges.split('\n').slice(1) },
  });
  const page = await openYours(text);
  await give(page, file('model.safetensors', bytes), file('config.json', config), file('tokenizer.json', tokenizer));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.match(await page.page.locator('.yours').innerText(), /3 layers of 4 heads, d_model 16, 300 tokens, 32 at once/);
  assert.deepEqual((await page.read()).rowLabels.slice(0, 4), ['start', 'the', '␣', 'c']);
  await assertReads(page, bytes, { config, tokenizer }, text);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a model of GPT-NeoX’s kind: weights of every layer are those of the same file elsewhere, and the walk says which numbers are not turned', async () => {
  const text = 'the cat and the hat';
  const { bytes, config } = neox();
  const { vocabulary, merges } = bytePairs();
  const page = await openYours(text);
  await give(page, file('model.safetensors', bytes), file('config.json', config), file('vocab.json', vocabulary), file('merges.txt', merges));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.match(await page.page.locator('.yours').innerText(), /GPT-NeoX.*3 layers of 4 heads, d_model 16, 300 tokens, 32 at once/);
  await assertReads(page, bytes, { config, vocabulary, merges }, text);
  const walk = await new Walk(page).show();
  await walk.walkTo('rotated_query', 3, 1);
  assert.match((await walk.explained()).words, /turned in pairs/);
  await walk.walkTo('rotated_query', 3, 2);
  const still = await walk.explained();
  assert.match(still.words, /turns the first 2 numbers of each head by their place; this one stays as it is/);
  await walk.choose('query', 3, 2);
  assert.equal(full((await walk.explained()).value), full(still.value));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a model of GPT-Neo’s kind opens with the scale that it was trained with, and guesses what it does elsewhere; closed, the usual scale is back', async () => {
  const tensors: Record<string, { shape: number[]; numbers: ArrayLike<number> }> = {};
  const put = (name: string, ...shape: number[]) => { tensors[name] = { shape, numbers: numbers(shape.reduce((a, b) => a * b), Object.keys(tensors).length).map((x) => 0.5 * x) }; };
  eachOfGpt2({ V, D, CONTEXT: 32, LAYERS: 2 }, (name, ...shape) => {
    if (!name.includes('attn')) put(name, ...(name.includes('mlp') ? shape.toReversed() : shape));
    else if (name.endsWith('c_attn.weight')) for (const part of ['q', 'k', 'v']) put(name.replace('c_attn', `attention.${part}_proj`), D, D);
    else if (name.includes('c_proj')) put(name.replace('c_proj', 'attention.out_proj'), ...shape);
  });
  const config = JSON.stringify({ model_type: 'gpt_neo', num_heads: 4, num_layers: 2, hidden_size: D });
  const page = await openYours('12 7 299');
  await give(page, file('model.safetensors', storeTensors(tensors)), file('config.json', config));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await assertReads(page, storeTensors(tensors), { config }, '12 7 299');
  assert.match(await page.page.locator('.figure-grid').innerText(), /Scale\s+not scaled/);
  await page.page.locator('[data-close-model]').click();
  await page.ready();
  assert.doesNotMatch(await page.page.locator('.figure-grid').innerText(), /Scale\s+not scaled/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a model wider than what can be typed opens, is walked, and leaves with the reader’s own width', async () => {
  const D = 2048;
  const { bytes, config } = llama({ D, LAYERS: 2, WIDTH: 64 });
  const page = await openYours('12 7 299');
  await give(page, file('model.safetensors', bytes), file('config.json', config));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.match(await page.page.locator('.yours').innerText(), /2 layers of 4 heads, d_model 2,?048, 300 tokens/);
  await assertReads(page, bytes, { config }, '12 7 299');
  const walk = await new Walk(page).show();
  await walk.walkTo('query', 2, 3);
  const [content, W_Q] = [await walk.array('content'), await walk.array('W_Q')];
  const terms = Array.from({ length: D }, (_, i) => (content.numbers[2 * D + i] ?? NaN) * (W_Q.numbers[i * 256 + 3] ?? NaN));
  const sum = terms.reduce((a, b) => a + b);
  assert.ok(Math.abs(full((await walk.explained()).value) - sum) < 1e-6 * terms.reduce((all, term) => all + Math.abs(term), 0));
  assert.equal((await walk.terms()).length, D);
  // W_Q is the file's: its third column is the second of the turned half of a head.
  const model = await LanguageModel.open(bytes, { config }, { operators: () => loadInNode() });
  assert.deepEqual(W_Q.numbers, model.walk(model.run([12, 7, 299]), 1).given.W_Q);
  model.free();
  // What else is typed is judged by its own rule.
  assert.equal((await page.read()).notices, '');
  await page.page.locator('[data-close-model]').click();
  await page.ready();
  assert.equal(await page.page.evaluate(() => (document.querySelector('attention-playground') as import('../../web/src/element/element.ts').AttentionPlayground).state.settings.d_model), 64);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a number of the layer is followed forwards’ way back, through gate, MLP and norm to the layer before and the embedding', async () => {
  const text = '3 1 4 1 5';
  const page = await openYours(text);
  const { bytes, config } = llama();
  await give(page, file('model.safetensors', bytes), file('config.json', config));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.page.locator('.model-head[data-layer="1"][data-head="0"]').click();
  await page.ready();
  const fold = page.page.locator('.model-forwards');
  await fold.locator('summary').click();
  const number = (place: string) => fold.locator(`[data-forward-number="${place}"]`);
  await number('sum_2 0').waitFor();
  const model = await LanguageModel.open(bytes, { config }, { operators: () => loadInNode() });
  const run = model.run(model.tokenize(text).map(({ id }) => id));
  const { query } = await page.read();
  const D = model.configuration.d_model;
  const value = async (place: string) => Number((await number(place).innerText()).replace('−', '-').replaceAll(',', ''));
  assert.equal(Math.fround(await value('sum_2 0')), run.residual(1)[query * D]);
  const follow = async (operand: string) => {
    await fold.locator(`[data-forward-operand^="${operand} "]`).first().click();
    await fold.locator(`[data-forward-number^="${operand} "]`).waitFor();
  };
  for (const operand of ['mlp', 'hidden', 'active', 'gate', 'norm_2', 'sum_1', 'x']) await follow(operand);
  const place = await fold.locator('[data-forward-number]').getAttribute('data-forward-number') ?? '';
  const index = Number(place.split(' ')[1]);
  assert.equal(Math.fround(await value(place)), run.residual(0)[query * D + index]);
  await fold.locator('[data-forward=back]').click();
  await number(`sum_1 ${index}`).waitFor();
  await follow('x');
  await fold.locator('[data-forward=layer]').click();
  await number(`sum_2 ${index}`).waitFor();
  await page.ready();
  assert.match(await fold.innerText(), /through layer 1\b/);
  await fold.locator('[data-forward=stage]').selectOption('x');
  await number('x 0').waitFor();
  await fold.locator('[data-forward=index]').fill('3');
  await fold.locator('[data-forward=index]').press('Enter');
  await number('x 2').waitFor();
  assert.equal(Math.fround(await value('x 2')), run.embeddings[query * D + 2]);
  assert.match(await fold.innerText(), /in the embedding/);
  model.free();
  assert.deepEqual(page.problems, []);
  await page.close();
});

const KINDS = {
  'GPT-2': { ...{ bytes: gpt2(), config: CONFIG }, epsilon: 1e-5, isRms: false, hasPositions: true },
  Llama: { ...llama(), epsilon: Number((JSON.parse(llama().config) as { rms_norm_eps?: number }).rms_norm_eps ?? 1e-5), isRms: true, hasPositions: false },
  'GPT-NeoX': { ...neox(), epsilon: Number((JSON.parse(neox().config) as { layer_norm_eps?: number }).layer_norm_eps ?? 1e-5), isRms: false, hasPositions: false },
};

for (const [kind, { bytes, config, epsilon, isRms, hasPositions }] of Object.entries(KINDS)) {
  test(`${kind}: the chance of a next word is followed through its logit and the final norm, and the first layer’s row to the file’s embedding`, async () => {
    const tokens = [3, 1, 4, 1, 5];
    const page = await openYours(tokens.join(' '));
    await give(page, file('model.safetensors', bytes), file('config.json', config));
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
    await page.walkTo(4, 0);
    await page.ready();
    const forwards = await new Forwards(page).open();
    await assertChance(forwards, bytes, { D, epsilon, isRms, hasTransform: false });

    // Behind the last layer, and in the embedding, at the ends of the same walk.
    const last = await forwards.at('last', 3);
    await forwards.fold.locator('[data-forward=layer]').click();
    await forwards.fold.locator('[data-forward-number="sum_2 3"]').waitFor();
    await page.ready();
    assert.equal(await forwards.value(), last);
    assert.match(await forwards.fold.innerText(), /through layer 3\b/);
    await page.page.locator('.model-head[data-layer="0"][data-head="0"]').click();
    await page.ready();
    const x = await forwards.at('x', 3);
    await forwards.fold.locator('[data-forward=embedding]').click();
    await forwards.fold.locator('[data-forward-number="embedding 3"]').waitFor();
    assert.equal(await forwards.value(), x);
    const row = await forwards.parameter('E');
    assert.match(row.file, /\[5, 3\]$/);
    const word = (await inFile(bytes, row.file))[0] ?? NaN;
    assert.ok(Math.abs(word - row.value) < 1e-5 * Math.max(1, Math.abs(word)));
    if (hasPositions) {
      const place = await forwards.parameter('P');
      assert.match(place.file, /wpe\.weight\[4, 3\]$/);
      assert.equal(Math.fround(word + ((await inFile(bytes, place.file))[0] ?? NaN)), x);
    } else {
      assert.equal(word, x);
    }
    await forwards.fold.locator('[data-forward=back]').click();
    await forwards.fold.locator('[data-forward-number="x 3"]').waitFor();

    // With a head away, the chances are those of the changed run.
    await page.page.locator('[data-silence]').first().click();
    await page.ready();
    await assertChance(forwards, bytes, { D, epsilon, isRms, hasTransform: false });
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

/** In the order in which a layer makes them, with what each is made of. */
const MADE: Record<string, Record<string, MadeOf>> = {
  'GPT-2': {
    norm_1: { stages: ['x'], parameters: ['gain_1', 'bias_1'] }, attention: { stages: ['contexts'], parameters: ['W_O', 'b_O'] }, sum_1: { stages: ['x', 'attention'] },
    norm_2: { stages: ['sum_1'], parameters: ['gain_2', 'bias_2'] }, up: { stages: ['norm_2'], parameters: ['W_up', 'b_up'] }, active: { stages: ['up'] },
    mlp: { stages: ['active'], parameters: ['W_down', 'b_down'] }, sum_2: { stages: ['sum_1', 'mlp'] }, final: { stages: ['last'], parameters: ['gain_F', 'bias_F'] }, logit: { stages: ['final'], parameters: ['W_U'] },
  },
};
MADE['GPT-NeoX'] = { ...MADE['GPT-2'], norm_2: { stages: ['x'], parameters: ['gain_2', 'bias_2'] } };
MADE['Llama'] = {
  ...MADE['GPT-2'], norm_1: { stages: ['x'], parameters: ['gain_1'] }, attention: { stages: ['contexts'], parameters: ['W_O'] }, norm_2: { stages: ['sum_1'], parameters: ['gain_2'] },
  gate: { stages: ['norm_2'], parameters: ['W_gate'] }, up: { stages: ['norm_2'], parameters: ['W_up'] }, active: { stages: ['gate'] }, hidden: { stages: ['active', 'up'] },
  mlp: { stages: ['hidden'], parameters: ['W_down'] }, final: { stages: ['last'], parameters: ['gain_F'] },
};

for (const [kind, { bytes, config, epsilon }] of Object.entries(KINDS)) {
  test(`${kind}: each number of a layer and behind it is what its rule makes of the numbers shown, and its parameters are the file’s, by name`, async () => {
    const text = '3 1 4 1 5';
    const page = await openYours(text);
    await give(page, file('model.safetensors', bytes), file('config.json', config));
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
    await page.page.locator('.model-head[data-layer="1"][data-head="0"]').click();
    await page.walkTo(3, 0);
    await page.ready();
    const model = await LanguageModel.open(bytes, { config }, { operators: () => loadInNode() });
    const forwards = await new Forwards(page).open();
    for (const [stage, made] of Object.entries(MADE[kind] ?? {})) {
      await forwards.at(stage, 11);
      await assertMade(forwards, bytes, made, followed(model, text, { layer: 1, query: 3, epsilon }));
    }
    model.free();
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('sizes that the tensors do not say are asked for, by the names of config.json, and the file opens with them', async () => {
  const text = '3 1 4 1 5';
  const page = await openYours(text);
  const { bytes, config } = llama();
  const { num_attention_heads: heads, rope_theta: base, rms_norm_eps: epsilon } = JSON.parse(config) as Record<string, number>;
  await give(page, file('model.safetensors', bytes));
  const form = page.page.locator('[data-asks]');
  await form.waitFor();
  assert.match(await page.page.locator('.yours .problem').innerText(), /do not say these sizes/);
  const size = (name: string) => form.locator(`input[name=${name}]`);
  assert.deepEqual(await form.locator('label code').allInnerTexts(), ['num_attention_heads', 'max_position_embeddings', 'rope_theta', 'rms_norm_eps']);
  assert.equal(await size('rope_theta').inputValue(), '10000');
  // What cannot be is refused in a sentence, and the form stays as it was filled in.
  await size('num_attention_heads').fill('7');
  await size('num_attention_heads').press('Enter');
  await page.page.locator('.yours .problem', { hasText: '7' }).waitFor();
  assert.equal(await size('num_attention_heads').inputValue(), '7');
  await size('num_attention_heads').fill(String(heads));
  await size('rope_theta').fill(String(base ?? 10000));
  await size('rms_norm_eps').fill(String(epsilon ?? 1e-5));
  await form.locator('button').click();
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await assertReads(page, bytes, { config }, text);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a config.json without heads is asked for these alone, and what it says besides stays', async () => {
  const text = '3 1 4 1 5';
  const page = await openYours(text);
  const { bytes, config } = llama();
  const { num_attention_heads: heads, ...rest } = JSON.parse(config) as Record<string, number>;
  await give(page, file('model.safetensors', bytes), file('config.json', JSON.stringify(rest)));
  const form = page.page.locator('[data-asks]');
  await form.waitFor();
  assert.match(await page.page.locator('.yours .problem').innerText(), /config\.json does not say num_attention_heads\. Set it here/);
  assert.deepEqual(await form.locator('label code').allInnerTexts(), ['num_attention_heads']);
  await form.locator('input').fill('7');
  await form.locator('button').click();
  await page.page.locator('.yours .problem', { hasText: '7' }).waitFor();
  await form.locator('input').fill(String(heads));
  await form.locator('button').click();
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.equal(await page.page.locator('.yours [data-note]').count(), 0);
  await assertReads(page, bytes, { config }, text);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('without them token numbers are typed, and what is none is named', async () => {
  const page = await openYours('12 7 299');
  await give(page, file('model.safetensors', gpt2()), file('config.json', CONFIG));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await assertReads(page, gpt2(), { config: CONFIG }, '12 7 299');
  await page.paste('12 seven 299');
  assert.match((await page.read()).problem, /“?seven”?.*[.]/);
  assert.equal(await page.text(), '12 seven 299');
  await page.paste('12 300');
  assert.match((await page.read()).problem, /300.*299/);
  await page.paste('12 8');
  await page.page.locator('[data-guess]').first().waitFor();
  await page.close();
});

test('a whole folder opens: special tokens are one word, what is not needed is named, and a guess is said to be one', async () => {
  const page = await openYours('<|endoftext|>the cat');
  const { vocabulary, merges } = bytePairs();
  const vocab = { ...JSON.parse(vocabulary) as object, '<|endoftext|>': V - 1 };
  const tokenizer = JSON.stringify({ pre_tokenizer: { type: 'ByteLevel' }, added_tokens: [{ id: V - 1, content: '<|endoftext|>' }], model: { type: 'BPE', vocab, merges: merges.split('\n').slice(1) } });
  await give(page, file('README.md', 'x'), file('Model (1).SAFETENSORS', gpt2()), file('config (1).json', CONFIG), file('tokenizer.json', tokenizer));
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.deepEqual((await page.read()).rowLabels.slice(0, 3), ['<|endoftext|>', 'the', '␣']);
  assert.match(await page.page.locator('.yours [data-note]').innerText(), /Not needed, and left aside: README\.md\./);
  await assertReads(page, gpt2(), { config: CONFIG, tokenizer }, '<|endoftext|>the cat');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a folder can be chosen with the keyboard, too: the model in it opens, and folders beside it are named', async () => {
  const chosen = mkdtempSync(path.join(tmpdir(), 'a-model-'));
  const { vocabulary, merges } = bytePairs();
  for (const [name, content] of Object.entries({ 'model/model.safetensors': gpt2(), 'model/config.json': CONFIG, 'model/vocab.json': vocabulary, 'model/merges.txt': merges, 'model/onnx/model.onnx': 'x', '.git/HEAD': 'x' })) {
    mkdirSync(path.dirname(path.join(chosen, name)), { recursive: true });
    writeFileSync(path.join(chosen, name), content);
  }
  const page = await openYours('the cat');
  await page.page.locator('.yours input[multiple]').focus();
  await page.page.keyboard.press('Tab');
  const chooses = page.page.waitForEvent('filechooser');
  await page.page.keyboard.press('Enter');
  await (await chooses).setFiles(chosen);
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  const notes = await page.page.locator('.yours').innerText();
  assert.match(notes, /left aside: (?=.*onnx\/)(?=.*\.git\/)/);
  await assertReads(page, gpt2(), { config: CONFIG, vocabulary, merges }, 'the cat');
  assert.deepEqual(page.problems, []);
  await page.close();
  rmSync(chosen, { recursive: true });
});

type Dragged = readonly (readonly [name: string, content: readonly number[]])[];

/** Files are dragged over a place of the page and, with `isDropped`, dropped there. @returns whether the browser was kept from opening them, and whether a target showed */
function drag(page: Playground, selector: string, files: Dragged, isDropped: boolean): Promise<{ isKept: boolean; shows: string }> {
  return page.page.evaluate(([place, all, drops]) => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    const dataTransfer = new DataTransfer();
    for (const [name, content] of all) dataTransfer.items.add(new File([Uint8Array.from(content)], name));
    const send = (kind: string) => {
      const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, composed: true });
      (document.querySelector(place) ?? root.querySelector(place) as Element).dispatchEvent(event);
      return event.defaultPrevented;
    };
    const target = root.querySelector('.drop-target') as HTMLElement;
    const isKept = send('dragover');
    const shows = getComputedStyle(target).display;
    return { isKept: isKept && (!drops || send('drop')), shows };
  }, [selector, files, isDropped] as const);
}

const bytesOf = (content: Uint8Array | string) => [...Buffer.from(content)];

/** A folder is dropped on the page: its entries are the browser's own, of a file system for a time. */
function dropFolder(page: Playground, files: Dragged): Promise<void> {
  return page.page.evaluate(async (files) => {
    type Make = (kind: number, bytes: number, take: (system: { root: FileSystemDirectoryEntry }) => void, fail: (error: unknown) => void) => void;
    const { webkitRequestFileSystem: make } = window as unknown as { webkitRequestFileSystem: Make };
    const { root } = await new Promise<{ root: FileSystemDirectoryEntry }>((settle, fail) => { make(0, 1 << 20, settle, fail); });
    const inside = (folder: FileSystemDirectoryEntry, name: string) => new Promise<FileSystemDirectoryEntry>((settle, fail) => { folder.getDirectory(name, { create: true }, settle as FileSystemEntryCallback, fail); });
    let outermost: FileSystemEntry | null = null;
    for (const [path, content] of files) {
      const names = path.split('/');
      let folder = root;
      for (const name of names.slice(0, -1)) {
        folder = await inside(folder, name);
        outermost ??= folder;
      }
      const entry = await new Promise<FileSystemEntry>((settle, fail) => { folder.getFile(names.at(-1) ?? '', { create: true }, settle, fail); });
      await new Promise<void>((settle, fail) => {
        (entry as unknown as { createWriter(take: (writer: { onwriteend(): void; write(blob: Blob): void }) => void, fail: (error: unknown) => void): void }).createWriter((writer) => {
          writer.onwriteend = settle;
          writer.write(new Blob([Uint8Array.from(content)]));
        }, fail);
      });
    }
    DataTransferItem.prototype.webkitGetAsEntry = () => outermost;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], outermost?.name ?? ''));
    document.querySelector('header')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }));
  }, files);
}

test('a folder of Hugging Face’s cache is dropped as it is: the snapshot of main opens, with its words; other folders are named', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat' }) });
  const { vocabulary, merges } = bytePairs();
  const at = 'models--me--small';
  await dropFolder(page, [
    [`${at}/refs/main`, bytesOf('b2')],
    [`${at}/snapshots/a1/model.safetensors`, bytesOf('old')],
    ...Object.entries({ 'model.safetensors': gpt2(), 'config.json': CONFIG, 'vocab.json': vocabulary, 'merges.txt': merges, 'onnx/model.onnx': 'x' }).map(([name, content]) => [`${at}/snapshots/b2/${name}`, bytesOf(content)] as const),
  ]);
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.match(await page.page.locator('.yours').innerText(), /left aside: (?=.*onnx\/)(?=.*a1\/)/);
  await assertReads(page, gpt2(), { config: CONFIG, vocabulary, merges }, 'the cat');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('files can be dropped anywhere, whatever the parameters are: a target shows, and the browser never opens them itself', async () => {
  const page = await reader.open({ fragment: link({ text: '5 6 7' }) });
  const model: Dragged = [['mine.safetensors', bytesOf(gpt2())], ['config.json', bytesOf(CONFIG)]];
  const target = page.page.locator('.drop-target');
  assert.equal(await target.isVisible(), false);
  assert.deepEqual(await drag(page, 'header', model, false), { isKept: true, shows: 'grid' });
  assert.match(await target.innerText(), /Drop the files here to open them/);
  await target.waitFor({ state: 'hidden' }); // the drag has left
  // What is none gets a sentence, and the page stays as it was.
  const before = await page.stage('weights');
  await drag(page, '.matrix', [['broken.safetensors', bytesOf('x')]], true);
  await page.page.locator('.source-panel .problem', { hasText: /[.]$/ }).waitFor();
  assert.deepEqual(await page.stage('weights'), before);
  // On the page around the playground, and on its text.
  for (const [place, files] of [['header', model], ['#text', [['w.json', bytesOf('{"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]}')]]]] as const) {
    assert.equal((await drag(page, place, files, true)).isKept, true);
    await page.page.locator(place === 'header' ? '.model:not([hidden]) [data-guess]' : '.model-about', { hasText: place === 'header' ? '' : '1 layer of 1 head' }).first().waitFor();
  }
  assert.equal(await page.text(), 'a b');
  await target.waitFor({ state: 'hidden' });
  // Text that is dragged is the browser's own.
  const isKept = await page.page.evaluate(() => {
    const event = new DragEvent('dragover', { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
    document.querySelector('header')?.dispatchEvent(event);
    return event.defaultPrevented;
  });
  assert.equal(isKept, false);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a GGUF file opens, whole or in parts that are dropped together: its words and numbers are those of the same model in safetensors', async () => {
  const text = 'the cat and the hat';
  const { vocabulary, merges } = bytePairs();
  for (const count of [1, 3]) {
    const page = await openYours(text);
    const parts = (await asGguf(count)).toReversed();
    if (count > 1) {
      await drag(page, 'header', parts.slice(1), true);
      await page.page.locator('.yours .problem', { hasText: `It has ${count} parts, and here are ${count - 1}` }).waitFor();
    }
    await drag(page, 'header', parts, true);
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
    assert.match(await page.page.locator('.yours').innerText(), /3 layers of 4 heads, d_model 16, 300 tokens, 32 at once/);
    assert.deepEqual((await page.read()).rowLabels.slice(0, 4), ['the', '␣', '·c', '·a']);
    await assertReads(page, gpt2(), { config: CONFIG, vocabulary, merges }, text);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

/** A Llama of Q8_0 blocks, whose byte pairs are cut by this rule. */
async function smallQ8(pre: string): Promise<number[]> {
  const [V, D, MLP] = [300, 32, 64];
  let seed = 3;
  const tensor = (...shape: number[]): GgufTensor => ({ type: shape.length === 2 ? 'Q8_0' : 'F32', shape, numbers: numbers(shape.reduce((a, b) => a * b), seed += 1) });
  const { vocabulary, merges } = bytePairs();
  const words = Object.entries(JSON.parse(vocabulary) as Record<string, number>).sort(([, a], [, b]) => a - b).map(([word]) => word);
  const bytes = await gguf({
    'general.architecture': 'llama', 'llama.block_count': 1, 'llama.context_length': 32, 'llama.embedding_length': D, 'llama.attention.head_count': 4, 'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5),
    'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': pre, 'tokenizer.ggml.tokens': words, 'tokenizer.ggml.merges': merges.split('\n').slice(1),
  }, {
    'token_embd.weight': tensor(V, D), 'output_norm.weight': tensor(D), 'blk.0.attn_norm.weight': tensor(D), 'blk.0.ffn_norm.weight': tensor(D),
    'blk.0.attn_q.weight': tensor(D, D), 'blk.0.attn_k.weight': tensor(D, D), 'blk.0.attn_v.weight': tensor(D, D), 'blk.0.attn_output.weight': tensor(D, D),
    'blk.0.ffn_gate.weight': tensor(MLP, D), 'blk.0.ffn_up.weight': tensor(MLP, D), 'blk.0.ffn_down.weight': tensor(D, MLP),
  }).arrayBuffer();
  return [...new Uint8Array(bytes)];
}

test('a GGUF file of Q8_0 opens when it is chosen, and shows words; one whose rule for words is not known takes the tokenizer.json beside it', async () => {
  const text = 'the cat and the hat';
  const { vocabulary, merges } = bytePairs();
  const tokenizer = JSON.stringify({ pre_tokenizer: { type: 'ByteLevel' }, model: { type: 'BPE', vocab: JSON.parse(vocabulary) as unknown, merges: merges.split('\n').slice(1) } });
  for (const [pre, ...beside] of [['gpt-2'], ['unheard-of', file('tokenizer.json', tokenizer)]] as const) {
    const page = await openYours(text);
    const bytes = Uint8Array.from(await smallQ8(pre));
    await give(page, file('tiny-Q8_0.gguf', bytes), ...beside);
    await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
    assert.match(await page.page.locator('.yours').innerText(), /1 layer of 4 heads, d_model 32, 300 tokens, 32 at once/);
    assert.deepEqual((await page.read()).rowLabels.slice(0, 4), ['the', '␣', '·c', '·a']);
    const { model, beside: own } = await readGguf(new Blob([bytes]));
    await assertReads(page, model as never, { ...own, tokenizer }, text);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test("llama2.c's folder opens as it is downloaded: the model, its pieces, and what is left aside; one of its pieces alone says what is missing", async () => {
  const [stored, given] = [storiesByMeta(), stories];
  const [V = 0] = stored['tok_embeddings.weight']?.shape ?? [];
  const tokens = ['<unk>', '<s>', '</s>', ...'▁abcdefghijklmno'];
  assert.equal(tokens.length, V);
  const [model, pieces] = [llama2c(stored, { heads: attribute(given, 'num_heads'), keyHeads: attribute(given, 'num_kv_heads'), context: 24 }), llama2cPieces(tokens, tokens.map((_, i) => -i))];
  const text = 'a bad egg';
  const page = await openYours(text);
  await drag(page, 'header', [['tok512.bin', [...pieces]]], true);
  await page.page.locator('.yours .problem', { hasText: '“tok512.bin” cuts texts into tokens, and holds no model. Choose the model’s file with it.' }).waitFor();
  await drag(page, 'header', [['stories260K.pt', [0x50, 0x4b, 3, 4]], ['tok512.bin', [...pieces]], ['stories260K.bin', [...model]], ['readme.md', [35]]], true);
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  const said = await page.page.locator('.yours').innerText();
  assert.match(said, /2 layers of 4 heads, d_model 16, 19 tokens, 24 at once/);
  assert.match(said, /left aside: stories260K\.pt, readme\.md\./);
  assert.deepEqual((await page.read()).rowLabels, ['start', '␣', 'a', '␣', 'b', '·a', '·d', '␣', 'e', '·g', '·g']);
  const beside = { config: JSON.stringify({ n_heads: 4, n_kv_heads: 2, norm_eps: 1e-5, max_seq_len: 24 }), tokenizer: (await besideOf([new File([Uint8Array.from(pieces)], 'tok512.bin')])).beside.tokenizer };
  await assertReads(page, storeTensors(stored), beside, text);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a GPT-2 without config.json is asked how many heads it has, the usual shown; a Llama without its output shows attention alone', async () => {
  const page = await openYours('5 6 7');
  await give(page, file('model.safetensors', gpt2()));
  const form = page.page.locator('[data-asks]');
  await form.waitFor();
  assert.deepEqual(await form.locator('label code').allInnerTexts(), ['n_head', 'layer_norm_epsilon']);
  assert.equal(await form.locator('input[name=n_head]').inputValue(), '1');
  assert.equal(await page.page.locator('.model:not([hidden])').count(), 0);
  await form.locator('input[name=n_head]').fill(String(SMALL.HEADS));
  await form.locator('button').click();
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  assert.equal(await page.page.locator('.model-head[data-layer="0"]').count(), SMALL.HEADS);
  await assertReads(page, gpt2(), { config: CONFIG }, '5 6 7');
  const { bytes, config } = llama();
  await drag(page, 'header', [['model.safetensors', [...bytes]], ['config.json', bytesOf(JSON.stringify({ ...JSON.parse(config), tie_word_embeddings: false }))]], true);
  await page.page.locator('[data-no-guess]').waitFor();
  const about = await page.page.locator('.model').innerText();
  assert.match(about, /read your sentence one after another\. Choose a head/);
  assert.match(about, /no part that guesses words.*ForCausalLM/s);
  assert.doesNotMatch(about, /every word seeing all words/);
  assert.equal(await page.page.locator('[data-guess]').count(), 0);
  assert.equal((await page.stage('weights'))[1], 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('it is dropped on the page, too, and closed again', async () => {
  const page = await openYours('5 6 7');
  const matrices = await page.stage('weights');
  await page.page.evaluate(([bytes, config]) => {
    const area = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.paste') as HTMLElement;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(bytes as number[])], 'mine.safetensors'));
    dataTransfer.items.add(new File([config as string], 'config.json'));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }));
  }, [[...gpt2()], CONFIG] as const);
  await page.page.locator('.model:not([hidden]) [data-guess]').first().waitFor();
  await page.page.locator('[data-close-model]').click();
  await page.page.locator('.paste').waitFor();
  await page.ready();
  assert.equal(await page.page.locator('.model').isHidden(), true);
  assert.deepEqual(await page.stage('weights'), matrices);
  await page.close();
});

for (const [what, files, expected] of [
  ['cut off', [file('model.safetensors', gpt2().subarray(0, 5000))], /[.]$/],
  ['of another kind', [file('model.safetensors', storeTensors({ 'encoder.weight': { shape: [1], numbers: [1] } }))], /neither as this page’s models nor as those of these kinds: GPT-2/],
  ['without a tensor', [file('model.safetensors', gpt2((tensors) => { delete tensors['h.1.ln_2.bias']; })), file('config.json', CONFIG)], /h\.1\.ln_2\.bias/],
  ['of a wrong shape', [file('model.safetensors', gpt2((tensors) => { (tensors['h.0.mlp.c_fc.weight'] as { shape: number[] }).shape = [4 * D, D]; })), file('config.json', CONFIG)], /h\.0\.mlp\.c_fc.*64 × 16 where/],
  ['a model of another format', [file('pytorch_model.bin', 'x')], /“pytorch_model\.bin” cannot be read: a model is read from \.safetensors or \.gguf.*save_pretrained/],
  ['one part of two', [file('model-00001-of-00002.safetensors', gpt2())], /missing: model-00002-of-00002\.safetensors/],
  ['beside a broken vocabulary', [file('model.safetensors', gpt2()), file('vocab.json', '{'), file('merges.txt', '')], /[.]$/],
  ['a tokenizer alone', [file('tokenizer.json', '{}')], /There is no model here/],
  ['no model at all', [file('config.json', CONFIG), file('vocab.json', '{}')], /There is no model here/],
] as const) {
  test(`a file that is ${what} gets a sentence, and the page stays as it was`, async () => {
    const page = await openYours('5 6 7');
    const before = await page.stage('weights');
    await give(page, ...files);
    const problem = page.page.locator('#paste-problem');
    await page.page.waitForFunction(() => (document.querySelector('attention-playground')?.shadowRoot?.querySelector('#paste-problem')?.textContent ?? '') !== '');
    assert.match((await problem.innerText()).trim(), expected);
    assert.deepEqual(await page.stage('weights'), before);
    assert.equal(await page.text(), '5 6 7');
    assert.equal(await page.page.locator('.model').isHidden(), true);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('what was trained here is a source of its own: kept beside other parameters, undone, closed and said what it is', async () => {
  const opened = await reader.open({ file: 'playground.html', fragment: '#v1&parameters=trained-here&text=a+b+c+d+e' });
  const here = opened.page.locator('.trained-here');
  // Nothing yet: a sentence says where to train one, and nothing is wrong.
  assert.match(await here.innerText(), /Nothing was trained here yet, so the parameters are random/);
  assert.equal(await here.locator('a').getAttribute('href'), 'training.html');
  const drawn = await opened.stage('weights');
  const goTo = (hash: string) => opened.page.evaluate((to) => { location.hash = to; }, hash);
  const choose = (source: string) => opened.turn(setting('parameters'), source);
  await goTo('#v1&parameters=trained-here&replay=mask.dice_masked.1.30~20.mask.off&mask=none&text=1+2+3+4+5');
  await here.locator('[data-recipe]').waitFor({ timeout: 30_000 });
  assert.match(await here.innerText(), /Lesson mask, run dice_masked, seed 1, step 30\.\s+In the end it was trained without a mask and with ÷ √d\. Changed on the way: 20\.mask\.off\./);
  await opened.ready();
  const learnt = await opened.stage('weights');
  assert.notDeepEqual([...learnt], [...drawn]);
  // Other parameters leave it; it comes back without being trained again.
  await choose('yours');
  await opened.page.locator('.yours .paste').waitFor();
  assert.equal(await opened.page.locator('[data-close-model]').count(), 0, 'the reader’s own are others');
  await choose('trained-here');
  await here.locator('[data-recipe]').waitFor();
  await opened.ready();
  assert.deepEqual([...await opened.stage('weights')], [...learnt]);
  // Undo goes back to a link's model as well: the model of another address is made again.
  await opened.page.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).setAttribute('replay', 'mask.dice_masked.2.10'); });
  await opened.page.waitForFunction(() => /seed 2, step 10/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector('[data-recipe]')?.textContent ?? '') && /replay=mask\.dice_masked\.2\.10/.test(location.hash), undefined, { timeout: 30_000 });
  await opened.ready();
  assert.notDeepEqual([...await opened.stage('weights')], [...learnt]);
  await here.locator('[data-close-model]').click();
  await here.getByText('Nothing was trained here yet').waitFor();
  // An old link had it among the reader’s own.
  await goTo('#v1&parameters=yours&replay=mask.dice_masked.1.30~20.mask.off&mask=none&text=1+2+3+4+5');
  await here.locator('[data-recipe]').waitFor({ timeout: 30_000 });
  await opened.ready();
  assert.deepEqual([...await opened.stage('weights')], [...learnt]);
  // What names no training is said, and all is random until then.
  await opened.page.evaluate(() => { (document.querySelector('attention-playground') as AttentionPlayground).setAttribute('replay', 'mask'); });
  await opened.page.locator('.notices', { hasText: '“mask” names no training' }).waitFor();
  await opened.ready();
  assert.equal((await opened.switches())['parameters'], 'random');
  assert.deepEqual(opened.problems, []);
  await opened.close();
});
