// Every number that the page prints is the engine's, under random settings and on random sentences.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Expected } from '../lib/expected.ts';
import { Reader, link, linkSettings } from '../lib/page.ts';
import { checkBits, walkRows } from '../lib/printed-numbers.ts';
import { Random } from '../lib/random.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

test('random settings and sentences from links give the reference\'s numbers', async () => {
  const random = new Random(3);
  const page = await reader.open();
  for (let trial = 0; trial < 12; trial += 1) {
    const settings = random.settings();
    const text = random.tokens(random.whole(1, 24)).join(' ');
    await page.page.goto('about:blank');
    await page.page.goto(`${reader.address}${link({ text, ...linkSettings(settings) })}`);
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
