// Links hold all that a reader can set, with the words' boundaries; whatever else they hold is refused or clamped, and said.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { firstDifference } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { type LinkState, START } from '../../web/src/state/state.ts';
import { decode, encode } from '../../web/src/link/fragment.ts';
import { entries } from '../../web/src/labs/lookup/view.ts';
import { decodeMask, withField } from '../../web/src/link/address.ts';
import { decodeEdits, decodeGiven } from '../../web/src/link/codecs.ts';
import { fieldOf, readLabLink, writeLabLink } from '../../web/src/link/fields.ts';
import { readKnobs, whole, writeKnobs } from '../../web/src/link/lab-settings.ts';
import { lessonIn, readPlace, writePlace } from '../../web/src/link/lesson-place.ts';
import { readChosen, writeChosen } from '../../web/src/pages/configurator/choices.ts';
import { setting } from '../../web/src/state/settings.ts';
import { tokenize } from '../../web/src/engine/tokens.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function written(page: Playground): Promise<string> {
  await page.page.waitForFunction(() => location.hash.startsWith('#v1&'));
  await page.settled(); // a change is told of when it is drawn
  await page.page.evaluate(() => new Promise((done) => setTimeout(done, 400))); // the page writes after 300 ms, on the same clock
  return page.page.evaluate(() => location.hash);
}

test('a link carries everything to another page: the same state, the same bits', async () => {
  const page = await reader.open();
  await page.paste('one, two — three: naïve 动物 it');
  await page.page.getByRole('button', { name: 'Add a second sentence' }).click();
  await page.page.locator('#key-text').fill('a=b & c #d 100% "e"');
  await page.set({ mask: 'window', window_left: 3, scale: 'factor', scale_factor: 0.3, temperature: 0.7, positions: 'rope', value_rank: 9, seed: 4294967295, rows: 'keys' });
  await page.walkTo(2, 1);
  await page.page.keyboard.press('m');
  await page.unfold('.senses > summary');
  const fragment = await written(page);
  const other = await reader.open({ fragment });
  assert.deepEqual(await wholeOf(other), await wholeOf(page));
  assert.equal(firstDifference(await other.stage('residual'), await page.stage('residual')), -1);
  assert.deepEqual((await other.read()).label, (await page.read()).label);
  await other.page.locator('.senses[open]').waitFor();
  await assertWhole(other, fragment);
  for (const each of [page, other]) assert.deepEqual(each.problems, []);
  await Promise.all([page.close(), other.close()]);
});

test('small matrices of one\'s own are in the link; large ones are not, and that is said', async () => {
  const page = await reader.open({ fragment: link({ text: 'a b', 'd-model': 4, heads: 2, parameters: 'yours' }) });
  await page.page.locator('.paste').fill('1,2,3,4\n5,6,7,0.1\n-1,0,1,0\n0,0,0,3.4e38');
  await page.page.locator('[data-use]').click();
  const fragment = await written(page);
  const other = await reader.open({ fragment });
  assert.deepEqual((await wholeOf(other)).request.given, (await wholeOf(page)).request.given);
  await page.set({ d_model: 64 });
  await page.page.locator('.paste').fill(Array.from({ length: 64 }, () => Array(64).fill(0.5).join(',')).join('\n'));
  await page.page.locator('[data-use]').click();
  assert.match(await page.page.locator('.source-panel').innerText(), /too large for the page’s address/);
  assert.doesNotMatch(await written(page), /matrices=/);
  await Promise.all([page.close(), other.close()]);
});

test('a designed picture\'s link gives the same picture', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat saw it', parameters: 'designed' }) });
  await page.set({ positions: 'sinusoidal' });
  const fragment = await written(page);
  const other = await reader.open({ fragment });
  assert.equal(firstDifference(await other.stage('weights'), await page.stage('weights')), -1);
  assert.equal((await wholeOf(other)).settings.positions, 'sinusoidal');
  await assertWhole(other, fragment);
  await Promise.all([page.close(), other.close()]);
});

test('a link followed on an open page leaves nothing behind that it does not hold', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two', 'key-text': 'three', 'mask-cells': '1.1', numbers: 'W_Q:1:1:4' }) });
  assert.equal((await wholeOf(page)).edits.length, 1);
  await page.page.evaluate(() => { location.hash = '#v1&text=four+five'; });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { text: string }).text === 'four five');
  await page.ready();
  const { keyText, edits, maskEdits } = await wholeOf(page);
  assert.deepEqual([keyText, edits, maskEdits], [null, [], []]);
  await assertWhole(page, 'four five');
  await page.close();
});

test('a link followed on an open page gives what it gives on a fresh one', async () => {
  const fragment = link({ text: 'one two three', temperature: 0.5 });
  const page = await reader.open({ fragment: link({ text: 'four five', parameters: 'designed', heads: 2, mask: 'none', rows: 'keys', scale: 3 }) });
  await page.page.evaluate((hash) => { location.hash = hash; }, fragment);
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { text: string }).text === 'one two three');
  await page.ready();
  const fresh = await reader.open({ fragment });
  assert.deepEqual(await wholeOf(page), await wholeOf(fresh));
  await Promise.all([page.close(), fresh.close()]);
});

test('a link to a stage alone leaves everything else as the reader has it', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two', 'key-text': 'three', 'mask-cells': '1.1', numbers: 'W_Q:1:1:4', heads: 8 }) });
  const { text, keyText, edits, maskEdits, settings } = await wholeOf(page);
  await page.page.evaluate(() => { location.hash = '#stage=key_content'; });
  await page.page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.closest('[data-array=key_content]'));
  const now = await wholeOf(page);
  assert.deepEqual({ text: now.text, keyText: now.keyText, edits: now.edits, maskEdits: now.maskEdits, settings: now.settings }, { text, keyText, edits, maskEdits, settings });
  assert.equal(edits.length + maskEdits.length, 2);
  await page.close();
});

test('a link followed while the address is about to be written is not lost', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three' }) });
  await page.page.evaluate(() => {
    // Keeps what waits for 300 ms, so that it can be run between the link and its event.
    const later = window.setTimeout.bind(window);
    const waiting: (() => void)[] = [];
    Object.assign(window, { waiting, setTimeout: (run: () => void, ms?: number) => (ms === 300 ? -waiting.push(run) : later(run, ms)) });
  });
  await page.turn(setting('heads'), '2');
  await page.ready();
  await page.page.evaluate(() => {
    location.hash = '#v1&text=four+five';
    (window as unknown as { waiting: (() => void)[] }).waiting.at(-1)?.();
  });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as unknown as { text: string }).text === 'four five');
  await assertWhole(page, 'four five');
  await page.close();
});

function randomState(random: Random): LinkState {
  const text = random.tokens(random.whole(1, 9)).join(' ');
  const keyText = random.pick([null, random.tokens(4).join(' ')]);
  const request = random.request(5);
  return {
    ...START, text, tokens: tokenize(text), keyText, keyTokens: tokenize(keyText ?? text), otherText: random.pick([null, 'x y']),
    maskEdits: request.maskEdits ?? [], edits: request.edits ?? [],
    given: random.pick([null, { W_Q: Float32Array.from({ length: 9 }, () => random.number()) }]),
    replay: random.pick([null, 'stands_for.seen_whole.4294967295.3000', 'mask.dice_masked.1.90~60.mask.off,90.scale.on', `words.own_paragraph.1.300${random.pick(['', '~0.scale.off'])}.a+b %41 & 🌙 .c.\n${random.pick(['', 'd = e'])}`]),
    settings: random.anySettings(), source: random.pick(['random', 'trained-here', 'yours'] as const), rows: random.pick(['queries', 'keys'] as const),
    layer: random.whole(1, 12), actsOn: random.pick(['every', 'this'] as const), silenced: random.pick([[], [{ layer: 1, head: 3 }, { layer: 0, head: 0 }]]),
    patches: random.pick([[], [{ layer: 2, head: 1, query: 4, key: 2, share: 0.35 }]]), drawing: random.pick([null, { temperature: 0.8, topK: 0, topP: 0.95, seed: 2 ** 32 - 1 }]),
    selection: { head: 0, query: 0, key: 0 }, lockedRanges: random.pick([null, { scores: 20.6, W_Q: 0.0031 }]), addedRows: random.pick([[], [0, 2, 7]]),
  };
}

test('every state that is written is read back as it was', async () => {
  const engine = await loadEngine();
  const random = new Random(23);
  for (let trial = 0; trial < 500; trial += 1) {
    const state = randomState(random);
    const { settings } = engine.clamp(state.settings);
    const reading = decode(encode({ ...state, settings }));
    assert.ok(reading);
    assert.equal(reading.notice, null, encode({ ...state, settings }));
    assert.deepEqual([reading.text, reading.tokens, reading.keyText ?? null, reading.otherText ?? null], [state.text, state.tokens, state.keyText, state.otherText]);
    const edits = (reading.edits ?? []).map((edit) => ({ ...edit, value: Math.fround(edit.value) }));
    assert.deepEqual([reading.maskEdits ?? [], edits, reading.given ?? null, reading.lockedRanges ?? null, reading.addedRows ?? [], reading.drawing ?? null, reading.replay ?? null, reading.settings.source ?? 'random'], [state.maskEdits, state.edits, state.given, state.lockedRanges, state.addedRows, state.drawing, state.source === 'yours' ? null : state.replay, state.source]);
    const again = engine.clamp({ ...engine.clamp({ ...settings }).settings, ...reading.settings } as typeof settings);
    assert.deepEqual(again.settings, settings);
    assert.deepEqual(again.notices, []);
  }
});

test('a link of each kind that was written before is read, and what is written now is read back', () => {
  const state = decode('#v1&text=one%2C+two%3A+a%2Bb&tokens=0.3.2.3&mask-cells=1.2,3.1&numbers=W_Q%3A1%3A2%3A0.5%2Cword%3Aa%25252Bb%3A1%3A-2&matrices=W_Q%3AAAAAPw&replay=mask.dice_masked.1.200~60.mask.off%2C90.scale.off&head=2&stage=scores');
  assert.deepEqual([state?.text, state?.maskEdits, state?.selection, state?.focus], ['one, two: a+b', [{ query: 0, key: 1 }, { query: 2, key: 0 }], { head: 1 }, { array: 'scores', cell: null }]);
  assert.deepEqual([state?.edits, state?.given, state?.replay], [[{ array: 'W_Q', row: 0, column: 1, value: 0.5 }, { token: 'a%2Bb', column: 0, value: -2 }], { W_Q: Float32Array.of(0.5) }, 'mask.dice_masked.1.200~60.mask.off,90.scale.off']);

  const lab = { view: 'lab-lookup', text: 'one, two', preset: 'count=3&entries=a%252Cb%2F3a7bd5%2Csun%2Fffd23f' } as const;
  assert.deepEqual(readLabLink('#v1&view=lab-lookup&text=one%2C+two&preset=count%3D3%26entries%3Da%25252Cb%252F3a7bd5%252Csun%252Fffd23f'), lab);
  assert.deepEqual(readLabLink(writeLabLink(lab)), lab);
  const fields = { count: whole(1, 1, 9), entries };
  const { knobs, changed } = readKnobs(fields, lab.preset);
  assert.deepEqual([knobs, changed], [{ count: 3, entries: [{ key: 'a,b', colour: '#3a7bd5' }, { key: 'sun', colour: '#ffd23f' }] }, []]);
  assert.deepEqual(readKnobs(fields, writeKnobs(fields, knobs)).knobs, knobs);
  assert.deepEqual(readKnobs(fields, 'count=%zz&other=1').changed.map(({ name }) => name), ['count', 'other'], 'what cannot be read is said');

  const place = { step: 'choose', shown: true, presenter: true, text: 'a, b & c' };
  assert.deepEqual([readPlace('#lesson=q1Y-_w&step=choose&shown&presenter&text=a%2C+b+%26+c&lang=es'), lessonIn('#lesson=q1Y-_w&step=choose')], [place, 'q1Y-_w']);
  assert.deepEqual([readPlace(writePlace(place, 'q1Y-_w')), lessonIn(writePlace(place, 'q1Y-_w')), readPlace(writePlace(place))], [place, 'q1Y-_w', place]);
  assert.deepEqual([lessonIn('#step=choose'), readPlace('#v1&text=a')], ['', null]);

  assert.equal(fieldOf('#add=%23v1%26text%3Da%2Bb%26row%3D3', 'add'), '#v1&text=a+b&row=3', 'a state for a new lesson');
  assert.equal(withField('#v1&row=3&text=a%2C+b', 'row', '4'), '#v1&text=a%2C+b&row=4');
  const chosen = readChosen('#v1&view=heads&text=a%2C+cat&figure-lang=es&width=500');
  assert.ok(chosen);
  assert.deepEqual([chosen.said, chosen.width], [{ view: 'heads', text: 'a, cat', lang: 'es' }, 500]);
  assert.deepEqual(readChosen(writeChosen(chosen)), chosen);
});

test('parts made by strangers are read or refused, never half-read', () => {
  const random = new Random(29);
  const pieces = ['1', '.', ',', ':', 'W_Q', 'word', 'it', '-', '0', '99999', 'NaN', '1e400', '%', '__proto__', 'AAAA', '=', '_', 'constructor', '4096', '4097', ' ', '\u0000', '3.5', ''];
  for (let trial = 0; trial < 20_000; trial += 1) {
    const raw = Array.from({ length: random.whole(0, 12) }, () => random.pick(pieces)).join('');
    for (const { query, key } of decodeMask(raw) ?? []) assert.ok([query, key].every((at) => Number.isInteger(at) && at >= 0 && at < 4096), raw);
    for (const edit of decodeEdits(raw) ?? []) assert.ok(Number.isFinite(Math.fround(edit.value)) && edit.column >= 0 && ('token' in edit ? edit.token !== '' : edit.row >= 0), raw);
    for (const numbers of Object.values(decodeGiven(raw) ?? {})) assert.ok(numbers.every(Number.isFinite), raw);
  }
  assert.equal(decodeMask('1.1,'.repeat(9999)), null, 'too many');
  const drawn = (raw: string) => decode(`#v1&writing=${raw}`);
  assert.deepEqual(drawn('9e9:-3:7:5e10')?.drawing, { temperature: 10, topK: 0, topP: 1, seed: 2 ** 32 - 1 }, 'the nearest');
  assert.match(drawn('9e9:-3:7:5e10')?.notice?.() ?? '', /out of range\. The page uses the nearest ones/);
  assert.equal(drawn('1:40:1:7')?.notice, null);
  for (const raw of ['', '1:2:3', '1:2:3:4:5', 'a:1:1:1', 'NaN:1:1:1', '1:Infinity:1:1']) {
    assert.equal(drawn(raw)?.drawing, undefined, raw);
    assert.match(drawn(raw)?.notice?.() ?? '', /could not be read \(writing\)/, raw);
  }
  assert.equal(decodeEdits('W_Q:1:1:1e39'), null, 'beyond float32');
  assert.equal(decodeGiven('W_Q:AACAfw'), null, 'an infinity');
  assert.equal(decodeGiven('W_Q:AAA'), null, 'half a number');
  assert.equal(decodeGiven(`W_Q:${'A'.repeat(40_000)}`), null, 'too many numbers');
  assert.equal(decodeEdits('word:Your%20account%20is%20locked:1:1'), null, 'a sentence is no word');
  assert.deepEqual(decodeEdits('word:locked:1:1'), [{ token: 'locked', column: 0, value: 1 }]);
});

const HOSTILE = [
  'mask-cells=0.1', 'mask-cells=1.1.1', 'mask-cells=', 'mask-cells=1e3.1', 'numbers=W_Q:1:1:NaN', 'numbers=__proto__:1:1:1', 'numbers=word::1:1', 'numbers=word:%25zz:1:1', 'matrices=W_Q:####',
  'matrices=__proto__:AAAA', 'key-text=%E0%A4%A', 'key-text=a&key-text=b', 'key-text=a+b&key-tokens=0.9', 'parameters=learned', 'layer=99999', 'acts-on=nobody', 'silenced=0.1', 'silenced=1.1,9.9', 'shares=1:1:1:2:0.5', 'shares=1:1:2:1:1.5', 'rows=diagonal', 'temperature=-1', 'temperature=1e400', 'dropout=2',
  'key-heads=3&heads=4', 'd-k=100000', 'd-v=-1', 'value-rank=9999', 'tie=all', 'out-proj=off&d-v=3', 'positions=rope&d-k=1', 'window-before=-1', 'window-after=1e9', 'softcap=0.0000001', 'residual=perhaps',
  'parameters=yours&matrices=W_Q:AAAAAA', 'numbers=W_Q:4096:4096:1', 'mask-cells=4096.4096', 'other-text=<script>window.hacked=1</script>', 'key-text=<img src=x onerror=window.hacked=1>',
  'd-model=1&heads=1&positions=alibi&tie=qkv&key-heads=1', 'd-model=1024&heads=1024&d-k=4&d-v=4', 'temperature=0&scale=none&softcap=1', 'dropout=0.95&dropout-seed=4294967295', 'parameters=yours&d-model=4096&d-k=4096&heads=1',
];

test('hostile parts give a right picture or a sentence', async () => {
  const page = await reader.open();
  for (const [i, part] of HOSTILE.entries()) {
    // A link followed on an open page gives what it gives on a fresh one, and costs a tenth.
    await page.page.evaluate((hash) => { location.hash = hash; }, `#v1&text=one+two+${i}&${part}`);
    await page.page.waitForFunction((text) => (document.querySelector('attention-playground') as AttentionPlayground).text === text, `one two ${i}`);
    await page.ready();
    const { figure, problem, notices } = await page.read();
    assert.ok(figure || /[.]$/.test(problem), part);
    if (figure) await assertWhole(page, part);
    if (/NaN|proto|learned|nobody|silenced=0|shares=|diagonal|perhaps|####|1e400/.test(part)) assert.match(notices, /could not be read|Using/, part);
    if (part.includes('d-model=4096')) assert.match(notices, /d_model must be a whole number from 1 to 1,?024/, part);
    assert.equal(await page.page.evaluate(() => 'hacked' in window), false, part);
    assert.deepEqual(page.problems, [], part);
  }
  await page.close();
});

test('a scale of −0, or so small that float32 has none, is 0: a link that is sent on gives the very same bits', async () => {
  for (const scale of ['-0', '-1e-60']) {
    const page = await reader.open({ fragment: `#v1&text=one+two+three&scale=${scale}` });
    assert.ok(Object.is(await page.page.evaluate(() => (document.querySelector('attention-playground') as AttentionPlayground).state.settings.scale_factor), 0), scale);
    await assertWhole(page, scale);
    await page.close();
  }
});
