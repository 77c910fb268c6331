// Every switch there is, used as a reader does: the numbers become the reference's, and the line under it says what it did.
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { DEFAULTS, firstDifference } from '../lib/native.ts';
import { type Playground, Reader, link, linkSettings } from '../lib/page.ts';
import { assertNumbers, settingsInUse } from '../lib/page-checks.ts';
import type { Settings, StageId } from '../../web/src/engine/engine.ts';
import { KNOBS, SETTINGS } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const TURNS: readonly (readonly [what: string, wanted: Partial<Settings>, name: string, says: RegExp])[] = [
  ['no mask', { mask: 'none' }, 'mask', /hides none of 121 cells/],
  ['a window', { mask: 'window' }, 'mask', /hides \d+ of 121 cells/],
  ['a window of one before and two after', { mask: 'window', window_left: 1, window_right: 2 }, 'windowAfter', /sees 2 after it/],
  ['a window of the word alone', { mask: 'window', window_left: 0, window_right: 0 }, 'windowBefore', /sees nothing before it/],
  ['a prefix of five words', { mask: 'prefix', prefix_length: 5 }, 'mask', /hides 45 of 121 cells/],
  ['a prefix of one word', { mask: 'prefix', prefix_length: 1 }, 'prefixLength', /the first word is seen by all/],
  ['no scale', { scale: 'none' }, 'scale', /leaves scores as they are/],
  ['a factor', { scale: 'factor', scale_factor: 0.5 }, 'scale', /multiplies scores by 0\.5/],
  ['a hard lookup', { temperature: 0 }, 'temperature', /hard lookup.*1\.0000/],
  ['a temperature of 3', { temperature: 3 }, 'temperature', /largest weight is 0\.\d/],
  ['a softcap', { softcap: 2 }, 'softcap', /between −2 and 2/],
  ['dropout', { dropout: 0.5 }, 'dropout', /training view: \d+ of this head’s 66 weights set to 0, others × 2/],
  ['other dice of dropout', { dropout: 0.5, dropout_seed: 9 }, 'dropoutSeed', /draws which weights go/],
  ['64 heads', { num_heads: 64 }, 'heads', /64 × 1/],
  ['one head', { num_heads: 1 }, 'heads', /one head reads all 64 numbers/],
  ['widths of their own', { d_k: 6, d_v: 10, num_heads: 5 }, 'dV', /passes on 10 numbers/],
  ['keys of one number', { d_k: 1 }, 'dK', /a sum of 1 product/],
  ['32 numbers a word', { d_model: 32 }, 'dModel', /32 numbers/],
  ['shared key heads', { num_kv_heads: 2 }, 'keyHeads', /2 heads share each of 2 keys and values/],
  ['a low rank', { value_rank: 3 }, 'valueRank', /384 numbers make W_?V’s 4,096/],
  ['another seed', { seed: 4294967295 }, 'seed', /draws all/],
  ['biases', { biases: true }, 'biases', /adds 64 numbers/],
  ['biases with shared key heads', { biases: true, num_kv_heads: 2 }, 'biases', /adds 64, 32, 32 and 64 numbers to Q, K, V and the output/],
  ['keys of 5 numbers and values of 7', { d_k: 5, d_v: 7 }, 'heads', /4 heads: 5 numbers of query and key, 7 of value/],
  ['W_Q = W_K', { tie: 'qk' }, 'tie', /asks as it answers/],
  ['W_Q = W_K = W_V', { tie: 'qkv' }, 'tie', /one matrix/],
  ['no W_O', { out_proj: false }, 'outProj', /side by side/],
  ['no residual', { residual: false }, 'residual', /ends with its output/],
  ['no positions', { positions: 'none' }, 'positions', /same vector everywhere/],
  ['a table of positions', { positions: 'learned' }, 'positions', /random table/],
  ['RoPE', { positions: 'rope' }, 'positions', /turns queries and keys/],
  ['ALiBi', { positions: 'alibi' }, 'positions', /takes distance off/],
];

describe('each switch alone gives the reference\'s numbers and says what it does', () => {
  let page: Playground;
  before(async () => {
    page = await reader.open();
    await page.openMore();
  });
  after(() => page.close());

  for (const [what, wanted, name, says] of TURNS) {
    it(what, async () => {
      await page.set({ ...DEFAULTS, ...wanted });
      const settings = await assertNumbers(page, what);
      for (const [field, value] of Object.entries(wanted)) assert.equal(settings[field as keyof Settings], value, field);
      assert.match((await page.read()).effects[name] ?? '', says);
      assert.deepEqual(page.problems, []);
    });
  }
});

test('the numbers do what the switch says', async () => {
  const page = await reader.open({ fragment: link({ text: 'so so so it is', positions: 'none' }) });
  const same = async (a: StageId, b: StageId) => firstDifference(await page.stage(a), await page.stage(b)) === -1;
  await page.set({ tie: 'qk' });
  assert.ok(await same('query', 'key') && !(await same('key', 'value')), 'W_Q = W_K: a word asks as it answers');
  await page.set({ tie: 'qkv' });
  assert.ok(await same('key', 'value'), 'W_Q = W_K = W_V');
  await page.set({ tie: 'none', out_proj: false });
  assert.ok(await same('output', 'concat'), 'without W_O the output is the heads side by side');
  await page.set({ residual: false });
  assert.equal((await page.stage('residual')).length, 0, 'without the residual the layer ends with its output');
  await page.set({ temperature: 0 });
  assert.deepEqual([...(await page.stage('weights')).subarray(10, 13)].map((weight) => Math.fround(weight)), [1, 1, 1].map((x) => Math.fround(x / 3)), 'a tie is shared');
  await page.set({ temperature: 1, dropout: 0.5 });
  const drawn = async () => {
    const [weights, dropped] = [await page.stage('weights'), await page.stage('dropped_weights')];
    assert.ok(dropped.every((x, i) => x === 0 || x === 2 * (weights[i] ?? NaN)), 'dropped, or twice as large');
    assert.ok(dropped.some((x, i) => x === 0 && weights[i] !== 0) && dropped.some((x) => x > 0), 'some of each');
    return dropped;
  };
  const first = await drawn();
  await page.set({ dropout_seed: 5 });
  assert.ok(firstDifference(await drawn(), first) >= 0, 'another seed drops others');
  await page.set({ dropout_seed: DEFAULTS.dropout_seed });
  assert.equal(firstDifference(await drawn(), first), -1, 'the same seed drops the same');
  await page.close();
});

test('with dropout on, the caption says that its shares are those before it', async () => {
  const page = await reader.open();
  assert.doesNotMatch((await page.read()).rest, /dropout/);
  await page.set({ dropout: 0.5 });
  assert.match((await page.read()).rest, /before dropout; the walk shows what it leaves\.$/);
  await page.close();
});

test('the sliders reach their ends by keys, and a way along one is one step back', async () => {
  const page = await reader.open();
  await page.openMore();
  const slider = page.page.getByLabel('Temperature, slider');
  await slider.focus();
  await page.page.keyboard.press('Home');
  assert.equal((await settingsInUse(page)).temperature, 0);
  assert.match((await page.read()).effects['temperature'] ?? '', /hard lookup/);
  const weights = await page.stage('weights');
  assert.ok(weights.every((weight) => weight === 0 || weight === 1), 'all on the largest');
  for (let i = 0; i < 5; i += 1) await page.page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await settingsInUse(page)).temperature - 0.25) < 1e-6);
  await page.page.locator('[data-undo]').click();
  assert.equal((await settingsInUse(page)).temperature, 1);
  const scale = page.page.getByLabel('Factor, slider');
  await scale.focus();
  await page.page.keyboard.press('End');
  assert.deepEqual([(await settingsInUse(page)).scale, (await settingsInUse(page)).scale_factor], ['factor', 2]);
  await page.close();
});

test('what does not fit together is replaced, and the rule is said', async () => {
  const page = await reader.open();
  await page.set({ num_heads: 8, num_kv_heads: 2 });
  await page.set({ tie: 'qk' });
  assert.match((await page.read()).notices, /as many key heads as heads/);
  await page.set({ tie: 'none', d_v: 3 });
  await page.set({ out_proj: false });
  assert.match((await page.read()).notices, /heads times d_v must be d_model/);
  assert.equal((await settingsInUse(page)).out_proj, true);
  for (const [label, wrong, rule] of [['Softcap', '-1', /softcap.*must be/i], ['Dropout', '0.99', /dropout rate must be/i], ['Temperature', 'x', /not a finite number/], ['Rank of W_V', '1.5', /not a whole number/], ['Window, before', '9999', /must be a whole number/]] as const) {
    await page.page.getByLabel(label, { exact: true }).fill(wrong);
    const { effects } = await page.read();
    assert.ok(Object.values(effects).some((effect) => rule.test(effect) && /Still/.test(effect)), `${label}: ${JSON.stringify(effects)}`);
    await page.page.getByLabel(label, { exact: true }).fill('1');
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what the parameters set is not counted as changed: a first visit has nothing, and what the reader sets is', async () => {
  const page = await reader.open({ fragment: '#' });
  const counted = async () => (await page.page.locator('.more .effect').innerText()).trim();
  assert.equal(await counted(), '');
  await page.set({ source: 'trained' });
  assert.equal(await counted(), '');
  await page.set({ source: 'designed', positions: 'rope' });
  assert.equal(await counted(), '1 changed');
  await page.close();
});

test('the switches offer what the core has, and start where it starts', async () => {
  const { schema } = await loadEngine();
  const choices = (name: string) => {
    const control = SETTINGS.find((each) => each.name === name)?.control;
    return control?.kind === 'choice' ? control.choices.map(([id]) => id) : [];
  };
  const sorted = (ids: readonly string[]) => [...ids].sort();
  assert.deepEqual(sorted(choices('mask')), sorted(schema.masks));
  assert.deepEqual(sorted(choices('positions')), sorted(schema.positions));
  assert.deepEqual(sorted(choices('tie')), sorted(schema.ties));
  assert.deepEqual(sorted([...choices('scale'), 'factor']), sorted(schema.scales));
  for (const each of SETTINGS) assert.ok(each.parse(each.format(KNOBS)), `${each.name} reads what it writes`);
});

test('every setting is an attribute, a property and a part of the link', async () => {
  const page = await reader.open();
  const wanted: Partial<Settings> = { temperature: 0.5, softcap: 3, num_kv_heads: 2, value_rank: 7, positions: 'rope', tie: 'none', residual: false, mask: 'window', window_left: 2 };
  const values = SETTINGS.map(({ name, attribute, format }) => ({ name, attribute, value: format({ ...KNOBS, ...wanted }) })).filter(({ name }) => name !== 'parameters');
  await page.page.evaluate((all) => {
    const element = document.querySelector('attention-playground') as HTMLElement;
    for (const { attribute, value } of all) element.setAttribute(attribute, value);
  }, values);
  await page.ready();
  const settings = await assertNumbers(page, 'attributes');
  for (const [field, value] of Object.entries(wanted)) assert.equal(settings[field as keyof Settings], value, field);
  const properties = await page.page.evaluate((all) => all.map(({ name }) => String((document.querySelector('attention-playground') as unknown as Record<string, unknown>)[name])), values);
  assert.deepEqual(properties, values.map(({ value }) => value));
  const linked = await reader.open({ fragment: link({ text: await page.text(), ...linkSettings(settings) }) });
  assert.deepEqual(await settingsInUse(linked), settings);
  await Promise.all([page.close(), linked.close()]);
});
