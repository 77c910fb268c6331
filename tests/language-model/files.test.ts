// Which of the files that a reader chooses are the model: whole folders, copies, parts of one.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readCases } from '../lib/cases.ts';
import { loadInNode } from '../lib/operators.ts';
import { type Tiny, fileOf, gpt2Tensors, refusal, tinyNative } from '../lib/model-files.ts';
import { ANSWERS, pathOf } from '../../web/src/lib/dropped.ts';
import { droppedFiles } from '../../web/src/ui/parameters/panels.ts';
import { sortFiles } from '../../web/src/parameters/language-model/files.ts';
import { modelFolder } from '../../web/src/parameters/language-model/other-files.ts';
import { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
import { ModelReader } from '../../web/src/parameters/language-model/reader.ts';
import type { Operators } from '../../web/src/engine/operators/operators.ts';

let operators: Operators;
before(async () => {
  operators = await loadInNode();
});

const [given] = readCases('Decoder');
assert.ok(given);
const tensors = gpt2Tensors(given, 'transformer.');
const config = JSON.stringify({ n_head: given.attributes.get('num_heads'), activation_function: 'gelu_new' });
const tokens = given.inputs.get('tokens')?.numbers as number[];

const file = (name: string, content: Uint8Array<ArrayBuffer> | string = 'x') => new File([content], name);
const model = (name = 'model.safetensors') => file(name, fileOf({ tensors }) as Uint8Array<ArrayBuffer>);
async function open(files: readonly File[]): Promise<ModelReader> {
  const { models, beside, aside } = await sortFiles(files);
  return new ModelReader(await LanguageModel.open(models, beside, { operators: async () => operators }), aside);
}
const names = (files: readonly File[]) => files.map(({ name }) => name);

/** PyTorch's logits come out, and these sentences. */
async function assertOpens(files: readonly File[], notes: readonly string[] = []): Promise<void> {
  const reader = await open(files);
  const run = (reader.model as LanguageModel).run(tokens);
  const expected = given?.outputs.get('Y')?.numbers as number[];
  const { vocabulary } = reader.configuration;
  tokens.forEach((_, t) => run.logits(t).forEach((logit, i) => assert.ok(Math.abs(logit - (expected[t * vocabulary + i] ?? NaN)) < 2e-5)));
  assert.deepEqual(reader.notes, notes);
  reader.free();
}

test('of a whole folder what is not needed is left aside, and named in one sentence', async () => {
  await assertOpens([model(), file('config.json', config)]);
  await assertOpens(
    [file('.gitattributes'), file('README.md'), file('config.json', config), file('generation_config.json', '{'), file('merges.txt', 'a b'), model(), file('pytorch_model.bin'), file('special_tokens_map.json', '{}')],
    ['Not needed, and left aside: .gitattributes, README.md, generation_config.json, merges.txt, pytorch_model.bin.'],
  );
});

test('tensors that are not read are named in one sentence, which stays short', async () => {
  const others = (count: number): Tiny['tensors'] => Object.fromEntries(Array.from({ length: count }, (_, i) => [`score.${i}`, { shape: [1], numbers: [i] }]));
  const withOthers = (count: number) => [file('model.safetensors', fileOf({ tensors: { ...tensors, ...others(count) } }) as Uint8Array<ArrayBuffer>), file('config.json', config)];
  await assertOpens(withOthers(2), ['Tensors of the file that are not read: score.0, score.1.']);
  const first = Array.from({ length: 20 }, (_, i) => `score.${i}`).join(', ');
  await assertOpens(withOthers(20), [`Tensors of the file that are not read: ${first}.`]);
  await assertOpens(withOthers(21), [`Tensors of the file that are not read: ${first}, ….`]);
});

test('copies, capitals and what browsers add to names do not matter', async () => {
  for (const name of ['config (1).json', 'config(2).json', 'Config.JSON', 'config - Copy.json', 'config copy 2.json', 'config-2.json', 'config.json.1', 'config.json.txt', 'config.json (1)', 'config [1].json']) {
    for (const stored of ['Model.SAFETENSORS', 'model (1).safetensors', 'gpt-2.safetensors', 'model.safetensors.1']) await assertOpens([model(stored), file(name, config)]);
  }
  // The one with the usual name is used, wherever it stands.
  for (const copy of ['config (1).json', 'CONFIG.json']) {
    await assertOpens([file(copy, '{"n_head": 1}'), model(), file('config.json', config)], [`Not needed, and left aside: ${copy}.`]);
  }
});

test('files beside a model are found under all of their names', async () => {
  const { beside } = await sortFiles([
    model(), file('Config.json', 'c'), file('tokenizer (3).json', 't'), file('encoder.json', 'v'), file('vocab.bpe', 'm'), file('special_tokens_map.json', 's'), file('added_tokens.json', 'a'), file('tokenizer_config.json', 'k'), file('tokenizer.model', Uint8Array.of(10, 255)),
  ]);
  assert.deepEqual(beside, { config: 'c', tokenizer: 't', vocabulary: 'v', merges: 'm', special: 's', added: 'a', tokenizerConfig: 'k', sentencePieces: Uint8Array.of(10, 255) });
  assert.deepEqual((await sortFiles([model(), file('vocab.json'), file('tokenizer.json', 't')])).beside, { tokenizer: 't' });
});

test('one file that is no part is the model, beside others that are none', async () => {
  const chosen = async (...stored: string[]) => names((await sortFiles(stored.map((name) => model(name)))).models);
  assert.deepEqual(await chosen('adapter.safetensors', 'Model.safetensors', 'optimizer.safetensors'), ['Model.safetensors']);
  assert.deepEqual(await chosen('model-00001-of-00003.safetensors', 'mine.safetensors'), ['mine.safetensors']);
  await assert.rejects(chosen('a.safetensors', 'b.safetensors'), refusal('bad_file', /2 models: a\.safetensors, b\.safetensors\. Choose one/));
});

/** Two files of every other tensor. */
function parts(): File[] {
  const half = (rest: number) => Object.fromEntries(Object.entries(tensors).filter((_, i) => i % 2 === rest)) as Tiny['tensors'];
  return [0, 1].map((rest) => file(`model-0000${rest + 1}-of-00002.safetensors`, fileOf({ tensors: half(rest) }) as Uint8Array<ArrayBuffer>));
}

test('parts of a model are read together, by its index or by their numbers; a missing one is named', async () => {
  const [one, two] = parts() as [File, File];
  const index = (first = one.name, second = two.name) => file('model.safetensors.index.json', JSON.stringify({ metadata: {}, weight_map: Object.fromEntries(Object.keys(tensors).map((name, i) => [name, i % 2 === 0 ? first : second])) }));
  const beside = file('config.json', config);
  await assertOpens([two, index(), beside, one]);
  await assertOpens([two, one, beside]);
  await assertOpens([index('weights/a.safetensors', 'weights/b.safetensors'), new File([one], 'A (1).safetensors'), new File([two], 'b.SAFETENSORS'), beside]);
  await assertOpens([one, new File([one], 'model-00001-of-00002 (1).safetensors'), two, index(), beside], ['Not needed, and left aside: model-00001-of-00002 (1).safetensors.']);
  for (const files of [[one, index(), beside], [one, beside], [one]]) {
    await assert.rejects(open(files), refusal('bad_file', /of these are missing: model-00002-of-00002\.safetensors\. Choose all of them at once/));
  }
  await assert.rejects(open([two]), refusal('bad_file', /missing: model-00001-of-00002\.safetensors\./));
  await assert.rejects(open([new File([one], 'model-1-of-9999999.safetensors')]), refusal('bad_file', /missing: model-2-of-9999999\.safetensors\./));
  await assert.rejects(open([one, two, file('model.safetensors.index.json', '{')]), refusal('bad_file', /model\.safetensors\.index\.json is not JSON/));
});

test('without a model the reason is said, and what is stored otherwise is named', async () => {
  await assert.rejects(open([file('config.json', config)]), refusal('bad_file', /There is no model here\. Choose a \.safetensors file/));
  await assert.rejects(open([file('config.json', config), file('pytorch_model.bin')]), refusal('bad_file', /“pytorch_model\.bin” cannot be read: a model is read from \.safetensors or \.gguf\. Save it so/));
});

test('what is no model is named for what it is, with what to do: pickles, other formats, what cuts texts, a pointer in a clone, an adapter, packed numbers', async () => {
  for (const name of ['stories260K.pt', 'consolidated.00.pth', 'model.ckpt', 'pytorch_model.bin']) {
    await assert.rejects(open([file('README.md'), file(name), file('config.json', config)]), refusal('bad_file', new RegExp(`“${name}” cannot be read: a model is read from \\.safetensors or \\.gguf\\. Save it so: with save_pretrained\\(\\).*with save_file\\(\\) of safetensors\\.torch`)));
  }
  for (const name of ['tf_model.h5', 'flax_model.msgpack', 'model.onnx', 'rust_model.ot']) await assert.rejects(open([file(name)]), refusal('bad_file', new RegExp(`“${name}” cannot be read: a model is read from \\.safetensors or \\.gguf`)));
  for (const name of ['tok512.model', 'tok512.bin', 'tokenizer.model']) await assert.rejects(open([file(name)]), refusal('bad_file', new RegExp(`“${name}” cuts texts into tokens, and holds no model\\. Choose the model’s file`)));
  await assert.rejects(open([file('tok512.bin'), file('stories260K.pt')]), refusal('bad_file', /“stories260K\.pt” cannot be read/));
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 548105171\n';
  await assert.rejects(open([file('model.safetensors', pointer), file('config.json', config)]), refusal('bad_file', /pointer of Git LFS, without.*Run “git lfs pull”/));
  await assert.rejects(open([model(), file('config.json', config), file('tokenizer.json', pointer)]), refusal('bad_file', /tokenizer\.json is a pointer of Git LFS.*Run “git lfs pull”/));
  await assert.rejects(open([file('model.safetensors', '<!doctype html><html></html>'), file('config.json', config)]), refusal('bad_file', /web page, not the model/));
  await assert.rejects(open([file('model.safetensors.crdownload'), file('config.json', config)]), refusal('bad_file', /download of “model\.safetensors\.crdownload” has not ended/));
  await assert.rejects(open([file('config.json', config), file('model.safetensors.index.json', '{"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}')]), refusal('bad_file', /of these are missing: .*model-00001-of-00002.*model-00002-of-00002/));
  const adapter = fileOf({ tensors: { 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight': { shape: [1, 2], numbers: [1, 2] } } }) as Uint8Array<ArrayBuffer>;
  await assert.rejects(open([file('adapter_model.safetensors', adapter), file('adapter_config.json', '{"peft_type": "LORA"}')]), refusal('bad_file', /adapter \(LoRA\), which changes a model and holds none\. Merge it/));
  await assert.rejects(open([model(), file('config.json', JSON.stringify({ ...JSON.parse(config), quantization_config: { quant_method: 'awq', bits: 4 } }))]), refusal('bad_file', /packed by “awq”/));
});

test('pieces under another name are those of the model beside them, where no other file cuts texts', async () => {
  const pieces = file('tok512.model', Uint8Array.of(10, 0));
  assert.deepEqual((await sortFiles([model(), pieces])).beside, { sentencePieces: Uint8Array.of(10, 0) });
  for (const others of [[file('tokenizer.json', 't')], [file('vocab.json', '{}'), file('merges.txt', '')], [file('spiece.model', Uint8Array.of(10, 0))]]) {
    const { beside, aside } = await sortFiles([model(), pieces, ...others]);
    assert.equal(beside.sentencePieces, undefined);
    assert.ok(aside.includes('tok512.model'));
  }
  // What is no such list, and a file too large for one, is left aside.
  await assertOpens([model(), file('config.json', config), file('other.model', 'x'), Object.defineProperty(file('huge.model', Uint8Array.of(10)), 'size', { value: 2 ** 30 })], ['Not needed, and left aside: other.model, huge.model.']);
});

test('a file beside a model may be too large, or gone: only one that is needed matters', async () => {
  const large = (name: string) => Object.defineProperty(file(name, '{}'), 'size', { value: 2 ** 30 });
  const gone = (name: string) => Object.defineProperty(file(name), 'text', { value: () => Promise.reject(new Error('gone')) });
  await assert.rejects(open([model(), large('vocab.json'), file('merges.txt', '')]), refusal('too_large', /“vocab\.json” has 1,073,741,824 bytes/));
  await assert.rejects(open([model(), gone('config.json')]), refusal('bad_file', /“config\.json” could not be read: it was moved or changed/));
  await assertOpens([model(), large('rust_model.ot'), gone('notes.txt'), file('config.json', config)], ['Not needed, and left aside: rust_model.ot, notes.txt.']);
});

test('what config.json lacks is asked for alone, and the answer is added to what it says', async () => {
  const without = file('config.json', JSON.stringify({ ...JSON.parse(config), n_head: undefined, _name_or_path: 'mine' }));
  const missing = await open([model(), without]).then(() => assert.fail(), (error: unknown) => error as Error & { asks: unknown });
  assert.match(missing.message, /config\.json does not say n_head\. Set it here, or choose/);
  assert.deepEqual(missing.asks, { n_head: 3 });
  const answers = file(ANSWERS, JSON.stringify({ n_head: given.attributes.get('num_heads') }));
  await assertOpens([model(), without, answers]);
  assert.equal((await sortFiles([model(), without, answers])).beside.config, JSON.stringify({ activation_function: 'gelu_new', _name_or_path: 'mine', n_head: given.attributes.get('num_heads') }));
  // Without a config.json they are all of it; beside Meta's, they are added to that.
  assert.equal((await sortFiles([model(), answers])).beside.config, JSON.stringify({ n_head: given.attributes.get('num_heads') }));
  assert.equal((await sortFiles([model(), file('params.json', '{"dim": 8}'), answers])).beside.config, JSON.stringify({ dim: 8, n_head: given.attributes.get('num_heads') }));
});

test('a special token is one word of the sentence', async () => {
  const shows = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(shows(byte) ? byte : next++));
  const D = 8;
  const shapes = { 'wte.weight': [257, D], 'wpe.weight': [16, D], 'ln_f.weight': [D], 'h.0.ln_1.weight': [D], 'h.0.ln_2.weight': [D], 'h.0.attn.c_attn.weight': [D, 3 * D], 'h.0.attn.c_proj.weight': [D, D], 'h.0.mlp.c_fc.weight': [D, D], 'h.0.mlp.c_proj.weight': [D, D] };
  const own = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { shape, numbers: new Array<number>(shape.reduce((a, b) => a * b)).fill(0.5) }]));
  const vocab = Object.fromEntries([...letters, '<|endoftext|>'].map((name, id) => [name, id]));
  const tokenizer = JSON.stringify({ added_tokens: [{ id: 256, content: '<|endoftext|>' }], pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false }, model: { type: 'BPE', vocab, merges: [] } });
  const reader = await open([file('m.safetensors', fileOf({ tensors: own }) as Uint8Array<ArrayBuffer>), file('config.json', '{"n_head": 2}'), file('tokenizer.json', tokenizer)]);
  const text = '<|endoftext|>a b<|endoftext|>c';
  assert.deepEqual(reader.tokenize(text).map(({ id, text: label, start, end }) => [id, label, text.slice(start, end)]), [
    [256, '<|endoftext|>', '<|endoftext|>'], [97, 'a', 'a'], [letters.indexOf('Ġ'), '␣', ' '], [98, '·b', 'b'], [256, '<|endoftext|>', '<|endoftext|>'], [99, 'c', 'c'],
  ]);
  assert.deepEqual(reader.word(256), { word: '<|endoftext|>', piece: false });
  reader.free();
});

test('a model of this page’s own kind opens from a folder, too', async () => {
  const reader = await open([file('tiny.safetensors', fileOf(tinyNative()) as Uint8Array<ArrayBuffer>), file('model.md')]);
  assert.deepEqual(reader.notes, ['Not needed, and left aside: model.md.']);
  reader.free();
});

/** As a browser says where a file lies. */
const at = (path: string, content: File | Uint8Array<ArrayBuffer> | string = 'x') => Object.defineProperty(content instanceof File ? new File([content], path.split('/').at(-1) ?? '') : file(path.split('/').at(-1) ?? '', content), 'webkitRelativePath', { value: path });

async function assertFolderOpens(all: readonly File[], aside: readonly string[]): Promise<void> {
  const chosen = await modelFolder(all);
  await assertOpens(chosen.files);
  assert.deepEqual(chosen.aside, aside);
}

test('a folder opens that holds the model one level down, and what lies beside it is named', async () => {
  await assertFolderOpens([at('mine/README.md'), at('mine/model/model.safetensors', model()), at('mine/model/config.json', config), at('mine/other/a.txt')], ['README.md', 'other/']);
  await assertFolderOpens(
    [at('S-main/config.json', config), at('S-main/model.safetensors', model()), ...['onnx/model.onnx', 'original/consolidated.00.pth', '.cache/huggingface/x.lock', 'gguf/m.gguf', 'checkpoint-5/model.safetensors', 'checkpoint-5/config.json'].map((path) => at(`S-main/${path}`))],
    ['onnx/', 'original/', '.cache/', 'gguf/', 'checkpoint-5/'],
  );
  await assertFolderOpens([at('m/gguf/m.gguf'), at('m/torch/model.safetensors', model()), at('m/torch/config.json', config)], ['gguf/']);
  // What lies in no folder was dropped with it.
  await assertFolderOpens([at('m/model.safetensors', model()), file('config.json', config)], []);
  await assert.rejects(modelFolder([at('m/a/model.safetensors'), at('m/b/model.safetensors')]), refusal('bad_file', /There are models in 2 folders: m\/a, m\/b\. One is opened at a time: drop its folder alone/));
});

test('a cache of Hugging Face opens: the only snapshot, or the one that refs/main names; of several others none is guessed', async () => {
  const snapshot = (hash: string, own = config) => [at(`models--a--b/snapshots/${hash}/config.json`, own), at(`models--a--b/snapshots/${hash}/model.safetensors`, model())];
  const blob = at('models--a--b/blobs/0a1b', model());
  await assertFolderOpens([...snapshot('abc'), blob], ['blobs/']);
  await assertFolderOpens([at('models--a--b/refs/main', 'def\n'), ...snapshot('abc', '{"n_head": 1}'), ...snapshot('def')], ['abc/']);
  const several = refusal('bad_file', /holds 2 snapshots of a model: abc, def\. The one that refs\/main names is opened, and it names none of these\. Drop the folder of one snapshot/);
  await assert.rejects(modelFolder([...snapshot('abc'), ...snapshot('def')]), several);
  await assert.rejects(modelFolder([at('models--a--b/refs/main', '012'), ...snapshot('abc'), ...snapshot('def')]), several);
  await assert.rejects(modelFolder([...snapshot('abc'), at('models--c--d/snapshots/abc/model.safetensors', model())]), refusal('bad_file', /models in 2 folders: models--a--b\/snapshots\/abc, models--c--d\/snapshots\/abc/));
});

test('where the browser leaves out the links of a snapshot, files of a cache are known by what they hold, and several of a kind are refused', async () => {
  const contents = [model(), file('x', JSON.stringify({ ...JSON.parse(config), model_type: 'gpt2' })), file('x', '{"added_tokens": [], "model": {}}'), file('x', '{"tokenizer_class": "A"}'), file('x', '#version: 0.2'), file('x', '# README'), file('x', '[PAD]\n[UNK]')];
  const blobs = contents.map((content, i) => at(`models--a--b/blobs/${i}f`, content));
  const { files, aside } = await modelFolder([...blobs, at('models--a--b/refs/main', 'abc')]);
  assert.deepEqual(names(files), ['model.safetensors', 'config.json', 'tokenizer.json', 'tokenizer_config.json', 'merges.txt', 'vocab.txt']);
  assert.deepEqual(aside, []);
  await assertFolderOpens(blobs.slice(0, 2), []);
  for (const all of [[...blobs, at('models--a--b/blobs/9f', model())], blobs.slice(1)]) await assert.rejects(modelFolder(all), refusal('bad_file', /names in links, which the browser does not follow.*cp -rL/));
});

test('a folder that is dropped is the files in it, however many times they have to be asked for', async () => {
  const entry = (each: File) => ({ isFile: true, isDirectory: false, file: (resolve: (file: File) => void) => resolve(each) });
  const folder = (name: string, ...inside: object[]) => ({ name, isFile: false, isDirectory: true, createReader: () => ({ readEntries: (resolve: (part: object[]) => void) => resolve(inside.splice(0, 2)) }) });
  const drop = (files: readonly File[], ...entries: object[]) => droppedFiles({ files, entries: entries as unknown as FileSystemEntry[] });
  const [stored, beside, read, deep] = [model(), file('config.json', config), file('README.md'), file('deep.safetensors')] as const;
  const whole = await drop([file('gpt2')], folder('gpt2', entry(stored), folder('onnx', entry(deep)), folder('.git', entry(file('HEAD'))), entry(beside), entry(read)));
  assert.deepEqual(whole.map(pathOf), ['gpt2/model.safetensors', 'gpt2/onnx/deep.safetensors', 'gpt2/config.json', 'gpt2/README.md']);
  assert.deepEqual((await drop([file('a')], folder('a', folder('b', folder('c', folder('d', folder('e', entry(file('in')), folder('f', entry(file('deeper')))))))))).map(pathOf), ['a/b/c/d/e/in']);
  assert.deepEqual((await drop([file('gpt2'), beside], folder('gpt2', entry(model())), entry(file('config.json', config)))).map(pathOf), ['gpt2/model.safetensors', 'config.json']);
  assert.deepEqual(await drop([stored, beside], entry(stored), entry(beside)), [stored, beside]);
  const locked = { isDirectory: true, createReader: () => ({ readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error('locked')) }) };
  assert.deepEqual(await drop([read], locked), [read]);
});
