// The sentence is the reader's: every keystroke counts at once, and no character of it is changed.
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Expected } from '../lib/expected.ts';
import { DEFAULTS, firstDifference } from '../lib/native.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { assertSound, assertUnharmed, assertWhole } from '../lib/page-checks.ts';
import { read } from '../lib/shown-numbers.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

/** The page draws what the box holds, and nothing older. */
async function assertCurrent(page: Playground): Promise<void> {
  const tokens = await page.tokens();
  const { rowLabels } = await page.read();
  assert.deepEqual(rowLabels.map((label) => label.normalize('NFC')), tokens);
  assert.equal(tokens.join(''), (await page.text()).normalize('NFC').replace(/\s/g, ''));
  const expected = new Expected(tokens, DEFAULTS);
  assert.equal(firstDifference(await page.stage('weights'), expected.native.get('weights')), -1);
}

test('every keystroke is computed at once, and there is no button to press', async () => {
  const page = await reader.open();
  await page.paste('');
  for (const letter of 'Attention, please') {
    await page.page.keyboard.type(letter);
    await assertCurrent(page);
  }
  for (let i = 0; i < 4; i += 1) {
    await page.page.keyboard.press('Backspace');
    await assertCurrent(page);
  }
  const buttons = await page.page.getByRole('button').allInnerTexts();
  assert.ok(!buttons.some((name) => /comput|run|go|submit|apply|update/i.test(name)), buttons.join(', '));
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** What the page shows of a letter behind the last word: when it is first painted, and when all of it is. */
async function typed(page: Playground): Promise<Record<string, string>[]> {
  await page.page.evaluate(() => {
    const element = document.querySelector('attention-playground') as HTMLElement & { updateComplete: Promise<unknown> };
    for (const name of ['first', 'last']) Reflect.deleteProperty(globalThis, name);
    const look = () => ({
      busy: element.shadowRoot?.querySelector('.inspector')?.getAttribute('aria-busy'),
      cell: element.shadowRoot?.querySelector('.matrix [role=gridcell]')?.getAttribute('aria-label'),
      title: element.shadowRoot?.querySelector('.cell-title')?.textContent?.replace(/\s+/g, ' '),
      row: element.shadowRoot?.querySelector('.row-caption bdi')?.textContent,
      word: element.shadowRoot?.querySelector('.mirror .query')?.textContent,
      label: element.shadowRoot?.querySelector('.rows .chosen')?.textContent,
    });
    element.addEventListener('input', () => void element.updateComplete.then(() => Object.assign(globalThis, { first: look() })), { once: true });
    element.addEventListener('attention-change', () => Object.assign(globalThis, { last: look() }), { once: true });
  });
  await page.type('s');
  await page.page.waitForFunction(() => 'first' in globalThis && 'last' in globalThis);
  return page.page.evaluate(() => ['first', 'last'].map((name) => (globalThis as unknown as Record<string, Record<string, string>>)[name] ?? {}));
}

/** All of it on the screen: what is not waits until typing pauses. A look at the clock takes so many ms. */
async function tall(ms: number): Promise<Playground> {
  const page = await reader.open();
  await page.page.setViewportSize({ width: 1440, height: 2600 });
  await page.ready();
  await page.page.evaluate((ms) => {
    let now = performance.now();
    performance.now = () => (now += ms);
  }, ms);
  await page.textBox.press('Control+End');
  return page;
}

test('where the figure takes long, a keystroke paints the words and the matrix first; sentences and the cell follow after that paint', async () => {
  const page = await tall(20);
  for (const word of ['tireds', 'tiredss', 'tiredsss']) {
    const [first, last] = await typed(page);
    assert.equal(first?.['busy'], 'true');
    assert.equal(last?.['busy'], 'false');
    assert.equal(first?.['cell'], last?.['cell']);
    assert.notEqual(first?.['title'], last?.['title']);
    assert.deepEqual([first?.['word'], first?.['label'], last?.['row']], [word, word, word]);
    assert.equal(first?.['row'], word.slice(0, -1), 'sentences follow, too');
  }
  await assertCurrent(page);
  await page.close();
});

test('where it takes little, all keys but the first paint everything at once', async () => {
  const page = await tall(0);
  assert.equal((await typed(page))[0]?.['busy'], 'true');
  const [first, last] = await typed(page);
  assert.deepEqual(first, last);
  assert.deepEqual([last?.['busy'], last?.['row'], last?.['word']], ['false', 'tiredss', 'tiredss']);
  await assertCurrent(page);
  await page.close();
});

test('the switches act at once too, also on the text just typed', async () => {
  const page = await reader.open();
  await page.paste('one two three');
  await page.set({ mask: 'none' });
  const before = await page.read();
  await page.textBox.press('Control+End');
  await page.type(' four');
  assert.match(before.effects['mask'] ?? '', /none of 9 cells/);
  assert.match((await page.read()).effects['mask'] ?? '', /none of 16 cells/);
  await page.set({ mask: 'causal', num_heads: 8 });
  const { effects, heads } = await page.read();
  assert.match(effects['mask'] ?? '', /hides 6 of 16 cells/);
  assert.match(effects['heads'] ?? '', /64 numbers into 8 × 8/);
  assert.equal(heads, 8);
  await page.close();
});

test('the caret chooses the row', async () => {
  const page = await reader.open();
  await page.textBox.focus();
  await page.page.keyboard.press('Control+Home');
  const rows: number[] = [(await page.read()).query];
  for (let i = 0; i < 3; i += 1) {
    await page.page.keyboard.press('Control+ArrowRight');
    await page.page.keyboard.press('ArrowRight');
    rows.push((await page.read()).query);
  }
  assert.deepEqual(rows, [...new Set(rows)].sort((a, b) => a - b), 'each word further on is a later row');
  assert.equal(rows[0], 0);
  await page.page.keyboard.press('Control+End');
  const { query, caption } = await page.read();
  assert.equal(query, 10);
  assert.match(caption, /^Row tired:/);
  await page.close();
});

test('a click into a word of the sentence chooses its row', async () => {
  const page = await reader.open();
  const box = await page.textBox.boundingBox();
  await page.page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 30);
  assert.match((await page.read()).caption, /^Row the1?:/);
  await page.close();
});

const ODD_TEXTS = {
  'spaces of all kinds': '  two  spaces\ta tab\u00a0no-break\u2003em ',
  'lines': '\nfirst\n\nthird line\n',
  'decomposed and composed accents': 'cafe\u0301 caf\u00e9 \u1ec7 e\u0323\u0302',
  'direction marks': 'a\u200f\u05d0\u05d1\u200e b \u202bغ\u202c \u2067x\u2069',
  'joiners and variation selectors': '👩‍👩‍👧‍👦 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 क्‍ष \u200b\u2060\ufeff',
  'characters of links': 'a=b&c=d#e?f%20g+h%zz %E0%A4%A &amp; /../',
  'markup and templates': '<b>bold</b> {{7*7}} ${x} <!-- --> &lt; \'"` \\',
  'line and paragraph separators': 'a\u2028b\u2029c',
  'beyond the basic plane': '𝕏 𐍈 🜁 \u{10FFFD} \u{F0000}',
  'digits and marks': '3.14 1,000 x² ½ № ¿¡ — “q” …',
};

describe('the text is never changed, in the box or through its link', () => {
  let page: Playground;
  before(async () => { page = await reader.open(); });
  after(() => page.close());

  for (const [name, text] of Object.entries(ODD_TEXTS)) {
    it(name, async () => {
      const former = new URL(page.page.url()).hash;
      await page.paste(text);
      assert.equal(await page.text(), text);
      const visible = (whole: string) => whole.normalize('NFC').replace(/[\s\p{Z}\p{Cc}\p{Cf}\p{Variation_Selector}]/gu, '');
      assert.equal(visible((await page.tokens()).join('')), visible(text));
      const weights = await page.stage('weights');
      await page.page.waitForFunction((hash) => location.hash.length > 4 && location.hash !== hash, former);
      await page.page.reload();
      await page.ready();
      assert.equal(await page.text(), text);
      assert.equal(firstDifference(await page.stage('weights'), weights), -1);
      assert.deepEqual(page.problems, []);
    });
  }
});

test('undo and redo in the box are the browser\'s own, and the figure follows', async () => {
  const page = await reader.open();
  await page.paste('a cat');
  await page.type(' sat');
  await page.page.keyboard.press('Control+z');
  assert.notEqual(await page.text(), 'a cat sat');
  await assertCurrent(page);
  for (let i = 0; i < 9; i += 1) await page.page.keyboard.press('Control+z');
  assert.equal(await page.text(), "the animal didn't cross the street because it was too tired");
  await assertCurrent(page);
  for (let i = 0; i < 9; i += 1) await page.page.keyboard.press('Control+Shift+z');
  assert.equal(await page.text(), 'a cat sat');
  await assertCurrent(page);
  await page.close();
});

test('fast typing ends in the figure that a fresh page draws', async () => {
  const page = await reader.open();
  await page.paste('');
  await page.set({ d_model: 512, num_heads: 8 });
  await page.textBox.focus();
  const words = Array.from({ length: 64 }, (_, i) => `word${i % 17}`).join(' ');
  await page.page.keyboard.insertText(words);
  // All keys are on their way before the first of them is answered.
  await Promise.all([...' and so on'].map((letter) => page.page.keyboard.press(letter === ' ' ? 'Space' : letter)));
  await page.ready();
  assert.equal(await page.text(), `${words} and so on`);
  const fresh = await reader.open();
  await fresh.set({ d_model: 512, num_heads: 8 });
  await fresh.paste(`${words} and so on`);
  assert.equal(firstDifference(await page.stage('residual'), await fresh.stage('residual')), -1);
  for (const each of [page, fresh]) await each.cell.press('Control+End');
  assert.deepEqual(await page.read(), await fresh.read());
  await Promise.all([page.close(), fresh.close()]);
});

test('a word that is composed, as with an input method, is taken as it ends up', async () => {
  const page = await reader.open();
  await page.paste('');
  const client = await page.page.context().newCDPSession(page.page);
  for (const [text, at] of [['に', 1], ['にほ', 2], ['にほん', 3]] as const) {
    await client.send('Input.imeSetComposition', { text, selectionStart: at, selectionEnd: at });
    assert.equal(await page.text(), text);
  }
  await client.send('Input.insertText', { text: '日本' });
  assert.equal(await page.text(), '日本');
  await assertCurrent(page);
  await page.close();
});

test('what is changed while a long run waits for its frame is settled before it runs', async () => {
  // On a fast processor nothing of this length would take long.
  const slow = async (page: Page) => (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const page = await reader.open({ fragment: link({ text: Array.from({ length: 300 }, (_, i) => `w${i % 50}`).join(' '), 'd-model': 512, heads: 8 }), before: slow });
  for (const [first, then] of [[{ seed: '5' }, { heads: '7' }], [{ seed: '6' }, { dModel: '100' }]] as const) {
    await page.page.evaluate(async ([one, other]) => {
      const element = document.querySelector('attention-playground') as AttentionPlayground;
      Object.assign(element, one);
      await element.updateComplete;
      if (element.trace) throw new Error('This run does not wait: the test needs a longer one.');
      Object.assign(element, other);
      await element.updateComplete;
    }, [first, then] as const);
    await page.page.waitForFunction(() => {
      const { trace, state } = document.querySelector('attention-playground') as AttentionPlayground;
      return trace?.shape.D === state.settings.d_model;
    });
    await page.ready();
    const { whole } = await assertWhole(page, JSON.stringify(then));
    assert.equal(whole.settings.d_model % whole.settings.num_heads, 0);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('2,000 words are drawn, and their rows are right', async () => {
  const page = await reader.open();
  const words = Array.from({ length: 2000 }, (_, i) => `w${(i * 7) % 613}`);
  await page.paste(words.join(' '));
  const screen = await page.read();
  assert.match(screen.tokenCount, /2,000/);
  await assertSound(page, '2,000 words');
  await page.walkTo(30, 12);
  // Causal: the first rows know nothing of the others, so a short run has the same ones.
  const expected = new Expected(words.slice(0, 40), DEFAULTS);
  const { softmax, masked, row } = await page.read();
  const at = { head: 0, query: 30, key: 12 };
  assert.ok(Math.abs(read(softmax).value - expected.weight(at).double) < 1e-4);
  assert.ok(Math.abs(read(masked).value - expected.masked(at).double) < 1e-3);
  assert.equal(row.length, 31);
  assert.ok(await page.page.locator('.matrix canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).width < 4000), 'only what is in view is drawn');
  await assertUnharmed(page, '2,000 words');
  await page.close();
});
