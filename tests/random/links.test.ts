// Whatever a link holds, the page shows a right picture or says one clear sentence; and every number that it prints, under random settings, is the engine's, and every piece of arithmetic works out.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link, linkSettings } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertSound, assertUnharmed } from '../lib/page-checks.ts';
import { readCatalogues, spoken } from '../lib/languages.ts';
import { Expected } from '../lib/expected.ts';
import { loadEngine } from '../lib/built.ts';
import { checkArithmetic, known } from '../lib/printed-arithmetic.ts';
import { checkBits, walkRows } from '../lib/printed-numbers.ts';
import { LANGUAGES, type Language } from '../../web/src/lib/language.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const CRAFTED = [
  '', 'v1', 'v1&', 'v1&&&', 'v1&=', 'v1&text', 'v1&text=', 'v1&text=+++', 'v0&text=a', 'v2&text=a', 'v99999&text=a', 'V1&text=a', 'text=a', '%', '%%%', 'v1&text=%',
  'v1&text=%E0%A4%A', 'v1&text=%FF%FE', 'v1&text=%00', 'v1&text=%ED%A0%80', 'v1&text=\ud800', 'v1&text=a\udc00b', 'v1&text=a&text=b', 'v1&heads=1&heads=2', 'v1&heads=', 'v1&heads=NaN',
  'v1&heads=-4', 'v1&heads=0', 'v1&heads=1e9', 'v1&heads=2.5', 'v1&heads=Infinity', 'v1&d-model=0', 'v1&d-model=-1', 'v1&d-model=1e12', 'v1&d-model=63', 'v1&d-model=NaN&heads=NaN', 'v1&mask=',
  'v1&mask=__proto__', 'v1&mask=constructor', 'v1&mask=causal%00', 'v1&scale=NaN', 'v1&scale=Infinity', 'v1&scale=1e400', 'v1&scale=-0', 'v1&scale=1e-320', 'v1&scale=1e30', 'v1&positions=rotary', 'v1&biases=maybe',
  'v1&seed=-1', 'v1&seed=4294967296', 'v1&seed=1e400', 'v1&__proto__=1', 'v1&__proto__[heads]=2&constructor=3', 'v1&constructor.prototype.polluted=1', 'v1&toString=1&hasOwnProperty=1', 'v1&row=0', 'v1&row=-1&key=-1&head=-1',
  'v1&row=1e9&key=1e9&head=1e9', 'v1&row=NaN&key=x', 'v1&text=a+b&tokens=', 'v1&text=a+b&tokens=0.1', 'v1&text=a+b&tokens=0.1.1.1.0.0', 'v1&text=a+b&tokens=0.zzzzz', 'v1&text=a+b&tokens=0.-1', 'v1&text=%F0%9F%91%A9&tokens=0.1',
  'v1&tokens=0.3', 'v1&text=<script>window.hacked=1</script>', 'v1&text=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E', 'v1&theme=<b>&x=y', 'how-to-read', 'v1&text=javascript:alert(1)', 'v1&<img src=x onerror=alert(1)>=<b>',
  `v1&text=${'a+'.repeat(110_000)}`, `v1&text=${'word+'.repeat(6000)}`, `v1&${'x=1&'.repeat(5000)}`, `v1&heads=${'9'.repeat(400)}`, `v1&text=${'%F0%9F%98%80'.repeat(300)}`, 'v1&text=a&d-model=512&heads=512&scale=none&mask=none',
];

async function follow(page: Playground, fragment: string): Promise<void> {
  await page.page.evaluate((hash) => {
    location.hash = hash;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, fragment);
  await page.ready();
}

test('crafted links give a right picture or a sentence, whatever they hold', async () => {
  const page = await reader.open();
  for (const fragment of CRAFTED) {
    await follow(page, fragment);
    await assertSound(page, fragment.slice(0, 80));
    await assertUnharmed(page, fragment.slice(0, 80));
  }
  await page.close();
});

test('random damage to links never breaks the page', async () => {
  const random = new Random(11);
  const pieces = ['%', '&', '=', '#', '.', '+', '%00', '%zz', '\ud800', 'NaN', '-1', '1e999', '__proto__', 'v1', 'text=', '<b>', '"', '\\', '动', '0', 'tokens=0.1'];
  const page = await reader.open();
  for (let trial = 0; trial < 150; trial += 1) {
    let fragment = link({ text: random.tokens(random.whole(1, 6)).join(' '), heads: random.pick([1, 2, 4, 8]), scale: random.number().toFixed(2), row: 1, key: 1, seed: random.whole(0, 99) }).slice(1);
    for (let cuts = random.whole(1, 5); cuts > 0; cuts -= 1) {
      const at = random.whole(0, fragment.length);
      fragment = fragment.slice(0, at) + random.pick(pieces) + fragment.slice(at + random.whole(0, 6));
    }
    await follow(page, fragment);
    await assertSound(page, fragment);
    await assertUnharmed(page, fragment);
  }
  await page.close();
});

test('random settings and sentences from links give the reference\'s numbers', async () => {
  const random = new Random(3);
  const page = await reader.open();
  for (let trial = 0; trial < 12; trial += 1) {
    const settings = random.settings();
    const text = random.tokens(random.whole(1, 24)).join(' ');
    await page.page.goto('about:blank');
    await page.page.goto(`${reader.address}playground.html${link({ text, ...linkSettings(settings) })}`);
    await page.ready();
    const expected = new Expected(await page.tokens(), settings);
    await checkBits(page, expected);
    const head = random.whole(0, settings.num_heads - 1);
    await page.chooseHead(head);
    await walkRows(page, expected, head, [random.whole(0, expected.T - 1)], 6);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

const STATES = Number(process.env['STATES'] ?? 500);

test(`what is printed of ${STATES} random states works out, in every language, to what the native double has`, async () => {
  await readCatalogues();
  const engine = await loadEngine();
  const session = engine.session();
  const random = new Random(71);
  const kinds = new Map<string, number>();
  for (let state = 0; state < STATES; state += 1) {
    const { settings } = engine.clamp(random.anySettings());
    const request = random.request(random.whole(1, 9));
    const seen = random.whole(0, 2 ** 32 - 1);
    const run = known(session, request, settings);
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const found = await spoken(language, () => checkArithmetic(run, new Random(seen), `state ${state}, ${language}, ${JSON.stringify({ ...request, settings })}`));
      for (const [kind, pieces] of found) kinds.set(`${language} ${kind}`, (kinds.get(`${language} ${kind}`) ?? 0) + pieces);
    }
  }
  session.free();
  for (const language of Object.keys(LANGUAGES)) {
    for (const kind of ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights', 'row', 'add', 'dot', 'rotate', 'scale', 'cap', 'mask', 'softmax', 'drop', 'norms', 'terms', 'operands']) {
      assert.ok((kinds.get(`${language} ${kind}`) ?? 0) >= STATES / 50, `${language}: ${kind} was worked out ${kinds.get(`${language} ${kind}`) ?? 0} times`);
    }
  }
});
