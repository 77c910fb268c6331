// Every number that the page prints is the engine's, under random settings and on random sentences; and every piece of
// arithmetic that it prints is worked out: operands and operators must give the result that stands beside them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCatalogues, spoken } from '../lib/languages.ts';
import { Expected } from '../lib/expected.ts';
import { loadEngine } from '../lib/built.ts';
import { Reader, link, linkSettings } from '../lib/page.ts';
import { checkArithmetic, known } from '../lib/printed-arithmetic.ts';
import { checkBits, walkRows } from '../lib/printed-numbers.ts';
import { Random } from '../lib/random.ts';
import { LANGUAGES, type Language } from '../../web/src/lib/language.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

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
