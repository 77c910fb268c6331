// A second sentence: keys and values come from it, and every label says which is which.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { assertWhole, wholeOf } from '../lib/page-checks.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

async function second(page: Playground, text: string): Promise<void> {
  await page.page.locator('#key-text').fill(text);
  await page.ready();
}

test('a second sentence is looked at: its words are the columns, and the numbers are the reference\'s', async () => {
  const page = await reader.open();
  await page.page.getByRole('button', { name: 'Add a second sentence' }).click();
  assert.match(await page.page.locator('[data-keys] .mirror').innerText(), /^the tired animal stayed at home/, 'its words are seen as soon as it is there');
  await second(page, 'das müde Tier das');
  const { rowLabels, columnLabels, caption, row, figure } = await page.read();
  assert.ok(figure);
  assert.equal(rowLabels.length, 11);
  assert.deepEqual(columnLabels, ['das', 'müde', 'Tier', 'das']);
  assert.match(caption, /from (das1|das4|müde|Tier)/);
  assert.deepEqual(row.map(({ word }) => word), ['das', 'müde', 'Tier', 'das']);
  for (const settings of [{ mask: 'none' }, { mask: 'causal', num_heads: 8 }, { positions: 'alibi' }, { num_kv_heads: 2, temperature: 2 }] as const) {
    await page.set(settings);
    await assertWhole(page, JSON.stringify(settings));
  }
  const edges = await page.page.locator('.matrix-area').innerText();
  assert.match(edges, /key \(column\): the word of the second sentence that is looked at/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a matrix that is not square is walked by keys to its own edges', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three four five', 'key-text': 'a b' }) });
  await page.cell.focus();
  await page.page.keyboard.press('Control+End');
  assert.deepEqual([(await page.read()).query, (await page.read()).key], [4, 1]);
  await page.page.keyboard.press('ArrowRight');
  await page.page.keyboard.press('ArrowDown');
  const screen = await page.read();
  assert.deepEqual([screen.query, screen.key], [4, 1]);
  assert.match(screen.label, /query \u2068five\u2069, key \u2068b\u2069/);
  await page.close();
});

test('masks count both sentences from their beginnings, and say so', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three four', 'key-text': 'a b c' }) });
  await page.openMore();
  const seen = async () => {
    const masked = await page.stage('masked_scores');
    return Array.from({ length: 4 }, (_, query) => Array.from({ length: 3 }, (_, key) => (masked[query * 3 + key] === -Infinity ? '·' : 'abc'[key])).join(''));
  };
  assert.deepEqual(await seen(), ['a··', 'ab·', 'abc', 'abc']);
  assert.equal((await page.read()).effects['mask'], 'word n sees the first n keys');
  await page.set({ mask: 'window', window_left: 1, window_right: 0 });
  assert.deepEqual(await seen(), ['a··', 'ab·', '·bc', '··c']);
  await assertWhole(page, 'a window over the second sentence');
  const { effects } = await page.read();
  assert.equal(effects['windowBefore'], 'a word sees 1 before its place in the second sentence');
  assert.equal(effects['windowAfter'], 'a word sees nothing after its place in the second sentence');
  await page.page.getByRole('button', { name: 'Remove' }).click();
  await page.set({ mask: 'causal' });
  assert.equal((await page.read()).effects['mask'], 'hides 6 of 16 cells');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the caret in the second sentence chooses the key', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three', 'key-text': 'alpha beta gamma', mask: 'none' }) });
  await page.page.locator('#key-text').focus();
  await page.page.keyboard.press('Control+Home');
  assert.equal((await page.read()).key, 0);
  await page.page.keyboard.press('Control+End');
  assert.equal((await page.read()).key, 2);
  await page.close();
});

test('the two are swapped, and the second is taken away again', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three', 'key-text': 'alpha beta' }) });
  await page.page.getByRole('button', { name: 'Swap' }).click();
  await page.ready();
  assert.equal(await page.text(), 'alpha beta');
  assert.equal(await page.page.locator('#key-text').inputValue(), 'one two three');
  await assertWhole(page, 'swapped');
  await page.page.getByRole('button', { name: 'Remove' }).click();
  await page.ready();
  assert.equal((await wholeOf(page)).keyText, null);
  assert.deepEqual((await page.read()).columnLabels, ['alpha', 'beta']);
  await assertWhole(page, 'removed');
  await page.page.locator('[data-undo]').click();
  assert.equal((await wholeOf(page)).keyText, 'one two three');
  await page.close();
});

test('an empty second sentence asks for a word, and hostile text in it stays text', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two', 'key-text': 'a' }) });
  await second(page, '   ');
  const { caption, figure } = await page.read();
  assert.equal(figure, false);
  assert.match(caption, /second sentence/);
  await second(page, '<img src=x onerror="window.hacked = 1"> {{7*7}} שלום');
  await assertWhole(page, 'hostile');
  assert.equal(await page.page.evaluate(() => 'hacked' in window), false);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a second sentence begins in the page’s language and without a mask; with it goes what came with it', async () => {
  const page = await reader.open();
  const add = page.page.locator('.sentence-tools button.quiet', { hasText: /second sentence|segunda frase|第二/ });
  await add.click();
  await page.ready();
  const hidden = async () => (await page.stage('masked_scores')).filter((score) => score === -Infinity).length;
  assert.equal(await hidden(), 0);
  assert.equal((await wholeOf(page)).settings.mask, 'none');
  await page.page.getByRole('button', { name: 'Remove' }).click();
  await page.ready();
  assert.equal((await wholeOf(page)).settings.mask, 'causal', 'as before');
  await add.click();
  await page.ready();
  await page.set({ mask: 'window' });
  await page.page.getByRole('button', { name: 'Remove' }).click();
  await page.ready();
  assert.equal((await wholeOf(page)).settings.mask, 'window', 'the reader’s own stays');
  for (const [language, words] of [['es', 'el animal cansado se quedó en casa'], ['zh-Hans', '疲惫的动物留在了家里']] as const) {
    const own = await reader.open({ context: { locale: language === 'es' ? 'es-ES' : 'zh-CN' } });
    await own.page.locator('.sentence-tools button.quiet', { hasText: language === 'es' ? /segunda/ : /第二/ }).click();
    await own.ready();
    assert.equal(await own.page.locator('#key-text').inputValue(), words);
    await own.close();
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('with a trained model a second sentence is answered with what to do', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat sat', parameters: 'trained' }) });
  await page.page.waitForFunction(() => (document.querySelector('attention-playground') as import('../../web/src/element/element.ts').AttentionPlayground).trace);
  await page.ready();
  await page.page.locator('.sentence-tools button.quiet', { hasText: 'Add a second sentence' }).click();
  await page.ready();
  const { figure, problem } = await page.read();
  assert.equal(figure, false);
  assert.match(problem, /reads one sentence.*Remove the second/);
  await page.page.getByRole('button', { name: 'Remove' }).click();
  await page.ready();
  assert.equal((await page.read()).figure, true);
  assert.deepEqual(page.problems, []);
  await page.close();
});
