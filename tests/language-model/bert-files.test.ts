// BERT's layout: what PyTorch computes from the same tensors, its tokenizer, what it expects at [MASK], and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Case, readCases } from '../lib/cases.ts';
import { type Tensors, assertReads, assertSameInWidths, assertWalks, attribute, farthest, open, tensorsOf } from '../lib/layout-cases.ts';
import { refusal } from '../lib/model-files.ts';
import type { Beside } from '../../web/src/parameters/language-model/language-model.ts';
import { ModelReader } from '../../web/src/parameters/language-model/reader.ts';
import { tokenizerOf } from '../../web/src/parameters/language-model/tokenizer-files.ts';

const all = readCases('BERT');
const two = all.find(({ attributes }) => attributes.has('second_segment')) as Case;
const cases = all.filter((each) => !each.name.startsWith('bert_as_') && each !== two);
const kin = (name: string) => all.filter((each) => each.name.startsWith(`bert_as_${name}`));
const [first] = cases as [Case];
const headless = cases.find(({ inputs }) => !inputs.has('cls.predictions.bias')) as Case;

/** As transformers writes it. */
function configOf(given: Case, more: object = {}): Beside {
  return { config: JSON.stringify({
    architectures: ['BertForMaskedLM'], model_type: 'bert', layer_norm_eps: attribute(given, 'epsilon'), hidden_act: given.attributes.get('approximate') === 'tanh' ? 'gelu_new' : 'gelu',
    num_attention_heads: attribute(given, 'num_heads'), num_hidden_layers: attribute(given, 'layers'), hidden_size: given.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[1],
    position_embedding_type: 'absolute', type_vocab_size: 2, ...more,
  }) };
}

/** As its kin have them, from BERT's own names. */
const DISTILBERT: readonly (readonly [string, string])[] = [
  ['bert.encoder.', 'distilbert.transformer.'], ['bert.embeddings', 'distilbert.embeddings'], ['attention.self.query', 'attention.q_lin'], ['attention.self.key', 'attention.k_lin'], ['attention.self.value', 'attention.v_lin'],
  ['attention.output.dense', 'attention.out_lin'], ['attention.output.LayerNorm', 'sa_layer_norm'], ['intermediate.dense', 'ffn.lin1'], [String.raw`(layer\.\d+)\.output\.dense`, '$1.ffn.lin2'],
  [String.raw`(layer\.\d+)\.output\.LayerNorm`, '$1.output_layer_norm'],
  ['cls.predictions.transform.dense', 'vocab_transform'], ['cls.predictions.transform.LayerNorm', 'vocab_layer_norm'], ['cls.predictions.decoder', 'vocab_projector'], ['cls.predictions.bias', 'vocab_projector.bias'],
];
const ROBERTA: readonly (readonly [string, string])[] = [['^bert', 'roberta'], ['cls.predictions.transform.dense', 'lm_head.dense'], ['cls.predictions.transform.LayerNorm', 'lm_head.layer_norm'], ['cls.predictions', 'lm_head']];
const namedAs = (pairs: readonly (readonly [string, string])[]) => (name: string) => pairs.reduce((now, [from, to]) => now.replace(new RegExp(from), to), name);

const distilConfig = (given: Case, more: object = {}): Beside => ({ config: JSON.stringify({
  architectures: ['DistilBertForMaskedLM'], model_type: 'distilbert', activation: 'gelu', n_heads: attribute(given, 'num_heads'), n_layers: attribute(given, 'layers'),
  dim: given.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[1], sinusoidal_pos_embds: false, ...more,
}) });
const robertaConfig = (given: Case, more: object = {}): Beside => configOf(given, { architectures: ['RobertaForMaskedLM'], model_type: 'roberta', pad_token_id: attribute(given, 'first_position') - 1, type_vocab_size: 1, ...more });

/** As the first files have them, which came from TensorFlow. */
const older = (name: string) => name.replace(/LayerNorm\.weight$/, 'LayerNorm.gamma').replace(/LayerNorm\.bias$/, 'LayerNorm.beta');

/** What lies in such files besides. */
function withOthers(tensors: Tensors): Tensors {
  const row = (name: string, count: number) => ({ [name]: { shape: [count], numbers: new Array<number>(count).fill(0.5) } });
  return { ...tensors, 'bert.embeddings.position_ids': { type: 'I64', shape: [1, 2], numbers: [0, 1] }, ...row('bert.pooler.dense.bias', 24), ...row('cls.seq_relationship.bias', 2) };
}

test("PyTorch's logits and weights come out of files in BERT's layout: norms behind, two-sided attention, three embeddings, its head or none", async () => {
  assert.ok(cases.length >= 4 && all.length >= 7);
  for (const each of cases) {
    const names = [(name: string) => name, (name: string) => name.replace(/^bert\./, ''), (name: string) => `_orig_mod.${name}`, older, (name: string) => name.replace('cls.predictions.bias', 'cls.predictions.decoder.bias')];
    for (const tensors of names.map((rename) => tensorsOf(each, rename))) await assertReads(each, tensors, configOf(each), Object.keys(tensors).filter((name) => name.includes('pooler')));
  }
  await assertReads(first, withOthers(tensorsOf(first)), configOf(first), ['bert.pooler.dense.bias', 'cls.seq_relationship.bias']);
});

test("PyTorch's logits and weights come out of files in DistilBERT's and RoBERTa's layout, with their heads or none; each layer can be walked", async () => {
  const [distil] = kin('distilbert') as [Case];
  for (const name of [namedAs(DISTILBERT), (each: string) => namedAs(DISTILBERT)(each).replace(/^distilbert\./, '')]) await assertReads(distil, tensorsOf(distil, name), distilConfig(distil));
  await assertReads(distil, tensorsOf(distil, namedAs(DISTILBERT)), distilConfig(distil, { model_type: undefined }));
  const classifies = { 'pre_classifier.weight': { shape: [2, 2], numbers: [1, 2, 3, 4] }, 'classifier.bias': { shape: [2], numbers: [1, 2] } };
  await assertReads(distil, { ...tensorsOf(distil, namedAs(DISTILBERT)), ...classifies }, distilConfig(distil), ['pre_classifier.weight', 'classifier.bias']);
  await assertWalks(distil, tensorsOf(distil, namedAs(DISTILBERT)), distilConfig(distil));
  await assertSameInWidths(distil, tensorsOf(distil, namedAs(DISTILBERT)), distilConfig(distil));
  assert.equal(kin('roberta').length, 2);
  for (const each of kin('roberta')) {
    const tensors = tensorsOf(each, namedAs(ROBERTA));
    await assertReads(each, tensors, robertaConfig(each));
    await assertReads(each, tensorsOf(each, (name) => namedAs(ROBERTA)(name).replace(/^roberta\./, '')), robertaConfig(each, { model_type: undefined }));
    await assertWalks(each, tensors, robertaConfig(each));
    await assertSameInWidths(each, tensors, robertaConfig(each));
  }
  const [roberta] = kin('roberta') as [Case];
  await assertReads(roberta, tensorsOf(roberta, namedAs(ROBERTA)), robertaConfig(roberta, { pad_token_id: undefined })); // its own is 1
  const model = await open(tensorsOf(roberta, namedAs(ROBERTA)), robertaConfig(roberta));
  assert.deepEqual([model.mostTokens, model.configuration.predicts], [32, 'hidden']);
  model.free();
  const bare = (tensors: Tensors): Tensors => Object.fromEntries(Object.entries(tensors).filter(([name]) => !/^(?:lm_head|vocab_)/.test(name)));
  for (const [tensors, beside] of [[tensorsOf(roberta, namedAs(ROBERTA)), robertaConfig(roberta)], [tensorsOf(distil, namedAs(DISTILBERT)), distilConfig(distil)]] as const) {
    const headlessKin = await open(bare(tensors), beside);
    assert.equal(headlessKin.configuration.predicts, 'nothing');
    headlessKin.free();
  }
});

test("CamemBERT and XLM-RoBERTa are RoBERTa's layout: PyTorch's logits and weights come out under their types, each layer can be walked", async () => {
  for (const [model_type, head] of [['camembert', 'CamembertForMaskedLM'], ['xlm-roberta', 'XLMRobertaForMaskedLM']]) {
    for (const each of kin('roberta')) {
      const tensors = tensorsOf(each, namedAs(ROBERTA));
      const beside = robertaConfig(each, { model_type, architectures: [head] });
      await assertReads(each, tensors, beside);
      await assertReads(each, tensorsOf(each, (name) => namedAs(ROBERTA)(name).replace(/^roberta\./, '')), beside);
      await assertWalks(each, tensors, beside);
    }
    const [roberta] = kin('roberta') as [Case];
    await assertReads(roberta, tensorsOf(roberta, namedAs(ROBERTA)), robertaConfig(roberta, { model_type, pad_token_id: undefined })); // theirs is 1, too
  }
});

/** As transformers writes it for XLM-RoBERTa: Unigram, of which the last piece is `<mask>`. */
const xlmTokenizer = (pieces: readonly (readonly [string, number])[]) => {
  const vocab = [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ...pieces, ['<mask>', 0]] as const;
  const added_tokens = vocab.flatMap(([content], id) => (/^<.*>$/.test(content) ? [{ id, content, special: true, lstrip: content === '<mask>', rstrip: false, normalized: false, single_word: false }] : []));
  const metaspace = { type: 'Metaspace', replacement: '▁', add_prefix_space: true };
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return JSON.stringify({
    version: '1.0', added_tokens, normalizer: { type: 'Precompiled', precompiled_charsmap: '' }, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace] }, decoder: metaspace,
    post_processor: {
      type: 'TemplateProcessing', single: [special('<s>'), { Sequence: { id: 'A', type_id: 0 } }, special('</s>')], pair: [],
      special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] }, '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] } },
    },
    model: { type: 'Unigram', unk_id: 3, vocab },
  });
};

test('XLM-RoBERTa’s tokenizer.json cuts a text, with <s> and </s> around it and <mask> for a hidden word; each token has its place, an unknown one, too', async () => {
  const [given] = kin('roberta') as [Case];
  const tokenizer = xlmTokenizer([['▁', -2], ['▁chat', -3], ['s', -4], ['▁le', -3], ['.', -3], ['▁dort', -5]]);
  const D = given.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[1] ?? 0;
  const V = 11;
  const tensors: Tensors = { ...tensorsOf(given, namedAs(ROBERTA)), 'roberta.embeddings.word_embeddings.weight': { shape: [V, D], numbers: Array.from({ length: V * D }, (_, i) => Math.sin(i)) }, 'lm_head.bias': { shape: [V], numbers: new Array<number>(V).fill(0) } };
  const reader = new ModelReader(await open(tensors, { ...robertaConfig(given, { model_type: 'xlm-roberta' }), tokenizer }));
  const said = 'le chats <mask> 京京 dort.';
  assert.deepEqual(reader.tokenize(said).map(({ id, text: label, start, end }) => [id, label, said.slice(start, end)]), [
    [0, '<s>', ''], [7, 'le', 'le'], [5, 'chat', ' chat'], [6, '·s', 's'], [10, '<mask>', '<mask>'], [4, '␣', ' '], [3, '京京', '京京'], [9, 'dort', ' dort'], [8, '.', '.'], [2, '</s>', ''],
  ]);
  assert.deepEqual([reader.predicts, reader.mask, reader.hides], ['hidden', 'none', { id: 10, word: '<mask>' }]);
  reader.free();
});

/** Every byte as GPT-2 writes it, and what RoBERTa has besides. */
const byteLetters = () => {
  const shows = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shows(byte) ? byte : next++));
};

test('RoBERTa’s vocab.json and merges.txt cut with <s> and </s> around a text, and <mask> hides a word', async () => {
  const [given] = kin('roberta') as [Case];
  const words = ['<s>', '<pad>', '</s>', '<unk>', ...byteLetters(), 'ca', 'cat', '<mask>'];
  const D = given.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[1] ?? 0;
  const tensors: Tensors = { ...tensorsOf(given, namedAs(ROBERTA)), 'roberta.embeddings.word_embeddings.weight': { shape: [words.length, D], numbers: Array.from({ length: words.length * D }, (_, i) => Math.sin(i)) }, 'lm_head.bias': { shape: [words.length], numbers: words.map(() => 0) } };
  const vocabulary = JSON.stringify(Object.fromEntries(words.map((word, id) => [word, id])));
  const files = { vocabulary, merges: '#version: 0.2\nc a\nca t\n' };
  const reader = new ModelReader(await open(tensors, { ...robertaConfig(given), ...files }));
  assert.deepEqual(reader.tokenize('cat <mask>a').map(({ text: said }) => said), ['<s>', 'cat', '<mask>', 'a', '</s>']);
  assert.deepEqual([reader.predicts, reader.mask, reader.hides], ['hidden', 'none', { id: words.length - 1, word: '<mask>' }]);
  reader.free();
});

test('what configurations leave out is what BERT has', async () => {
  const { model_type, hidden_act, layer_norm_eps, position_embedding_type, ...rest } = JSON.parse(configOf(first).config ?? '') as Record<string, unknown>;
  assert.deepEqual([model_type, hidden_act, layer_norm_eps, position_embedding_type], ['bert', 'gelu', 1e-12, 'absolute']);
  await assertReads(first, tensorsOf(first), { config: JSON.stringify(rest) });
});

test('each layer can be walked: the page’s own layer has the weights that the model went on with', async () => {
  for (const each of cases) await assertWalks(each, tensorsOf(each), configOf(each));
});

test('matrices of 16 bits give the bits of the same file widened', async () => {
  for (const each of cases) await assertSameInWidths(each, tensorsOf(each), configOf(each));
});

test('every word sees all words, and a causal mask is a change like another', async () => {
  const model = await open(tensorsOf(first), configOf(first));
  const tokens = [1, 2, 3, 4];
  const run = model.run(tokens);
  assert.ok(run.weights(0, 0).every((weight) => weight > 0));
  assert.ok(farthest(run.logits(0), model.run([1, 2, 3, 5]).logits(0)) > 1e-3);
  const allowed = Uint8Array.from({ length: 16 }, (_, i) => Number(i % 4 <= Math.floor(i / 4)));
  const causal = model.run(tokens, Array.from({ length: model.configuration.layers }, () => ({ allowed })));
  causal.weights(1, 2).forEach((weight, i) => assert.equal(weight > 0, allowed[i] === 1));
  // Another change leaves the two sides.
  const warm = model.run(tokens, [{ temperature: 2 }]);
  assert.ok(warm.weights(0, 0).every((weight) => weight > 0));
  assert.notDeepEqual(warm.weights(0, 0), run.weights(0, 0));
  model.free();
});

const PIECES = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'the', 'cat', 'sat', '##s', '.', 'a', 'on', 'mat', ',', 'e', 'c', 'b'];
const text = 'The cats [MASK] on a [MASK].';

test('vocab.txt cuts as tokenizer.json does: [CLS] and [SEP] around a text, [MASK] as it stands there', async () => {
  const listed = await tokenizerOf({ pieces: `${PIECES.join('\n')}\n` }, 17);
  const seen = listed.tokenize(text).map(({ word, text: said, start, piece }) => [word, said, start, piece]);
  assert.deepEqual(seen, [
    ['[CLS]', '', 0, false], ['the', 'The', 0, false], ['cat', 'cat', 4, false], ['s', 's', 7, true], ['[MASK]', '[MASK]', 9, false], ['on', 'on', 16, false], ['a', 'a', 19, false],
    ['[MASK]', '[MASK]', 21, false], ['.', '.', 27, false], ['[SEP]', '', 28, false],
  ]);
  assert.equal(listed.mask, 4);
  const cased = await tokenizerOf({ pieces: PIECES.join('\r\n'), tokenizerConfig: '{"do_lower_case": false}' }, 17);
  assert.deepEqual(cased.tokenize('The the').map(({ word }) => word), ['[CLS]', '[UNK]', 'the', '[SEP]']);
  const own = await tokenizerOf({ pieces: PIECES.join('\n'), tokenizerConfig: '{"mask_token": {"content": "cat"}}' }, 17);
  assert.equal(own.mask, undefined); // no added token
  await assert.rejects(tokenizerOf({ pieces: PIECES.join('\n') }, 16), refusal('bad_file', /the id “16”, and this model has 0 to 15/));
});

test('the page reads it as a model that guesses what is hidden: labels, the mask it was trained with, the token that hides', async () => {
  const reader = new ModelReader(await open(tensorsOf(first), { ...configOf(first), pieces: PIECES.join('\n') }));
  assert.deepEqual(reader.tokenize(text).map(({ text: said }) => said), ['[CLS]', 'The', 'cat', '·s', '[MASK]', 'on', 'a', '[MASK]', '.', '[SEP]']);
  assert.deepEqual([reader.predicts, reader.mask, reader.hides], ['hidden', 'none', { id: 4, word: '[MASK]' }]);
  reader.free();
  const plain = new ModelReader(await open(tensorsOf(headless), configOf(headless)));
  assert.deepEqual([plain.predicts, plain.mask, plain.hides], ['nothing', 'none', null]);
  plain.free();
});

test('a model of another kind is refused by its own name, with what would be needed', async () => {
  const tensors = tensorsOf(first);
  const refuses = (beside: Beside, reason: RegExp, more: Tensors = {}) => assert.rejects(open({ ...tensors, ...more }, beside), refusal('bad_file', reason), String(reason));
  await refuses({}, /do not say these sizes.*choose its config\.json, too/);
  await refuses(configOf(first, { model_type: 'electra' }), /type “electra”\. It has an output that .*, which cannot be run yet; of this layout bert, roberta, camembert, xlm-roberta can/);
  await refuses(configOf(first, { model_type: 'xlm-roberta-xl' }), /type “xlm-roberta-xl”/);
  await refuses(configOf(first, { model_type: 'roberta', pad_token_id: 40 }), /context “-9”/);
  await refuses(configOf(first, { model_type: 'roberta', pad_token_id: 'x' }), /context “NaN”/);
  await refuses(configOf(first, { hidden_act: 'relu' }), /activation “relu”/);
  await refuses(configOf(first, { position_embedding_type: 'relative_key' }), /position_embedding_type “relative_key”; “absolute” can be run/);
  await refuses(configOf(first, { is_decoder: true }), /is_decoder “true”; “false” can be run/);
  await refuses(configOf(first, { layer_norm_eps: 0 }), /layer_norm_eps “0”/);
  await refuses(configOf(first, { num_attention_heads: 5 }), /5 heads do not divide d_model 24 evenly/);
  await refuses(configOf(first, { num_attention_heads: undefined }), /does not say num_attention_heads\. Set it here/);
  await refuses(configOf(first, { num_hidden_layers: 9 }), /says “9” where the tensors say 3/);
  await refuses(configOf(first, { hidden_size: 25 }), /says “25” where the tensors say 24/);
  const row = { shape: [24], numbers: new Array<number>(24).fill(1) };
  await refuses(configOf(first), /“encoder\.layer\.0\.crossattention\.self\.query\.bias”, which no layer of BERT has/, { 'bert.encoder.layer.0.crossattention.self.query.bias': row });
  await refuses(configOf(first), /“embeddings\.LayerNorm\.weight” is there twice/, { 'bert.embeddings.LayerNorm.gamma': row });
  await refuses({ config: '[' }, /config\.json is not JSON/);
  for (const name of ['bert.embeddings.position_embeddings.weight', 'bert.encoder.layer.1.output.LayerNorm.bias', 'cls.predictions.bias', 'cls.predictions.transform.LayerNorm.weight', 'bert.encoder.layer.2.attention.self.key.bias']) {
    const { [name]: _, ...cut } = tensors;
    await assert.rejects(open(cut, configOf(first)), refusal('bad_file', new RegExp(`no tensor “${name.replace(/^bert\./, '').replaceAll('.', '\\.')}”`)), name);
  }
  for (const prefix of ['distilbert', 'electra']) {
    const renamed = tensorsOf(first, (name) => name.replace(/^bert/, prefix));
    await assert.rejects(open(renamed, configOf(first, { model_type: prefix })), refusal('bad_file', new RegExp(`type “${prefix}”`)));
  }
  const [distil] = kin('distilbert') as [Case];
  const own = tensorsOf(distil, namedAs(DISTILBERT));
  await assert.rejects(open(own, distilConfig(distil, { model_type: 'bert' })), refusal('bad_file', /type “bert”; of this layout distilbert can be run/));
  await assert.rejects(open(own, distilConfig(distil, { n_layers: 6 })), refusal('bad_file', /says “6” where the tensors say 2/));
  await assert.rejects(open(own, {}), refusal('bad_file', /do not say these sizes/));
  const { 'distilbert.transformer.layer.1.attention.k_lin.bias': __, ...cut } = own;
  await assert.rejects(open(cut, distilConfig(distil)), refusal('bad_file', /no tensor “transformer\.layer\.1\.attention\.k_lin\.bias”/));
});

test('tensors named as no layout’s are refused by the type that config.json says', async () => {
  const tensors: Tensors = { 'backbone.layers.0.mixer.A_log': { shape: [1], numbers: [1] } };
  await assert.rejects(open(tensors, { config: '{"model_type": "mamba"}' }), refusal('bad_file', /type “mamba”\. It has layers without attention, which cannot be run yet\. Models of these kinds can: GPT-2, GPT-Neo, Llama, GPT-NeoX, BERT/));
  await assert.rejects(open(tensors, { config: '{"model_type": "newest"}' }), refusal('bad_file', /type “newest”, and its tensors have names that no model that can be run has.*GPT-2, GPT-Neo, Llama, GPT-NeoX, BERT/));
  await assert.rejects(open(tensors, {}), refusal('bad_file', /neither as this page’s models nor as those of these kinds: GPT-2, GPT-Neo, Llama, GPT-NeoX, BERT/));
});

test("behind [SEP] tokens are of the second kind, and see those of the first: PyTorch's logits and weights of all heads; one sentence has none", async () => {
  const V = two.inputs.get('bert.embeddings.word_embeddings.weight')?.shape[0] ?? 0;
  const beside = { ...configOf(two), pieces: PIECES.slice(0, V).join('\n') };
  assert.ok(attribute(two, 'second_segment') > 1);
  for (const rename of [(name: string) => name, older]) await assertReads(two, tensorsOf(two, rename), beside);
  const model = await open(tensorsOf(two), beside);
  assert.equal(model.separator, 3);
  assert.deepEqual(model.tokenize('the cat sat [SEP] a mat').map(({ id }) => PIECES[id]), ['[CLS]', 'the', 'cat', 'sat', '[SEP]', 'a', 'mat', '[SEP]']);
  const run = model.run(two.inputs.get('tokens')?.numbers as number[]);
  assert.ok(run.weights(0, 0).every((weight) => weight > 0));
  model.free();
  // The same tokens, of one kind all: other numbers. A file without a tokenizer does not know what parts sentences.
  await assert.rejects(assertReads(two, tensorsOf(two), configOf(two)));
  const [one] = cases as [Case];
  const single = await open(tensorsOf(one), { ...configOf(one), pieces: PIECES.slice(0, 17).join('\n') });
  const plain = await open(tensorsOf(one), configOf(one));
  const tokens = [2, 5, 6, 7, 3];
  tokens.forEach((_, t) => assert.deepEqual(single.run(tokens).logits(t), plain.run(tokens).logits(t)));
  for (const each of [single, plain]) each.free();
  // A model of one kind has no second sentence.
  const ofOneKind = cases.find(({ inputs }) => inputs.get('bert.embeddings.token_type_embeddings.weight')?.shape[0] === 1) as Case;
  const alone = await open(tensorsOf(ofOneKind), { ...configOf(ofOneKind), pieces: PIECES.slice(0, 17).join('\n') });
  assert.equal(alone.separator, undefined);
  alone.free();
});

test('a file that may be BERT’s or RoBERTa’s is asked where its places begin, and not guessed', async () => {
  const [roberta] = kin('roberta') as [Case];
  const tensors: Tensors = Object.fromEntries(Object.entries(tensorsOf(roberta, namedAs(ROBERTA))).filter(([name]) => !name.startsWith('lm_head')));
  const asked = await open(tensors, {}).then(() => null, (error: unknown) => (error as { asks?: Record<string, number> }).asks);
  assert.deepEqual(Object.keys(asked ?? {}), ['num_attention_heads', 'layer_norm_eps', 'first_position']);
  const answer = { num_attention_heads: attribute(roberta, 'num_heads'), layer_norm_eps: attribute(roberta, 'epsilon'), first_position: 2 };
  const [told, known] = [await open(tensors, { config: JSON.stringify(answer) }), await open(tensors, robertaConfig(roberta))];
  const tokens = [1, 2, 3, 4];
  assert.deepEqual(told.run(tokens).residual(0), known.run(tokens).residual(0));
  assert.equal(told.mostTokens, known.mostTokens);
  const bert = await open(tensors, { config: JSON.stringify({ ...answer, first_position: 0 }) });
  assert.notDeepEqual(bert.run(tokens).residual(0), known.run(tokens).residual(0));
  for (const model of [told, known, bert]) model.free();
  for (const [config, asks] of [[{ num_attention_heads: 3 }, { first_position: 0 }], [{ layer_norm_eps: 1e-5 }, { num_attention_heads: 3, first_position: 0 }]] as const) {
    const missing = await open(tensors, { config: JSON.stringify(config) }).then(() => assert.fail(), (error: unknown) => error as Error & { asks: unknown });
    assert.match(missing.message, /does not say model_type\. These tensors may be BERT’s, .* or RoBERTa’s/);
    assert.deepEqual(missing.asks, asks);
  }
  await assert.rejects(open(tensors, { config: JSON.stringify({ ...answer, first_position: -1 }) }), refusal('bad_file', /context/));
  // With two kinds of tokens, or a head, the tensors say it.
  const headlessAsks = await open(tensorsOf(headless), {}).then(() => null, (error: unknown) => (error as { asks?: Record<string, number> }).asks);
  assert.deepEqual(Object.keys(headlessAsks ?? {}), ['num_attention_heads', 'layer_norm_eps']);
});
