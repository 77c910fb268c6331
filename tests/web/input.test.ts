// Whatever is typed, pasted or linked gives a right picture or one clear sentence; the text stays as it is.
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { assertSound, assertUnharmed, settingsInUse } from '../lib/page-checks.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const TEXTS = {
  'one word': 'word',
  'one letter': 'a',
  'a combining mark alone': '\u0301',
  'many marks on one letter': `z${'\u0335\u0301\u0323'.repeat(40)} algo`,
  'emoji with joiners': '👩‍👩‍👧 👨🏽‍🚀 🏳️‍🌈 ok',
  'right to left': 'שלום עולם, مرحبا بالعالم',
  'mixed directions': 'I say \u202eמחר\u202c to you \u2066tomorrow',
  'Chinese': '注意力机制是什么？',
  'a script': '<script>window.hacked = 1; alert(1)</script>',
  'an image that fails': '<img src=x onerror="window.hacked = 1">',
  'templates': '{{constructor.constructor("window.hacked = 1")()}} ${alert(1)} <%= 1 %>',
  'names of objects': '__proto__ constructor toString hasOwnProperty undefined null NaN',
  'a very long word': 'x'.repeat(5000),
  'an address': 'javascript:window.hacked=1//https://example.invalid/?q=<svg/onload=alert(1)>',
  'control characters': 'a\u0001b\u0007c\u001bd \u007f e',
};

describe('typed text gives a right picture', () => {
  let page: Playground;
  before(async () => { page = await reader.open(); });
  after(() => page.close());

  for (const [name, text] of Object.entries(TEXTS)) {
    it(name, async () => {
      await page.paste(text);
      assert.equal(await page.text(), text);
      assert.ok((await page.read()).figure);
      await assertSound(page, name);
      await assertUnharmed(page, name);
    });
  }
});

test('half an emoji, which no keyboard types but a program may set, is drawn and kept', async () => {
  const page = await reader.open();
  const half = 'a \ud83d b';
  await page.page.locator('attention-playground').evaluate((element, text) => Object.assign(element, { text }), half);
  assert.equal(await page.text(), half);
  assert.equal((await page.tokens()).length, 3);
  assert.ok((await page.read()).figure);
  await page.page.waitForFunction(() => location.hash.includes('%EF%BF%BD'));
  await assertUnharmed(page, half);
  await page.close();
});

for (const [name, text] of Object.entries({ empty: '', 'spaces only': '   \u00a0 ', 'lines only': '\n\n', 'invisible marks only': '\u200b\u200d\u2060' })) {
  test(`nothing to compute asks for a word: ${name}`, async () => {
    const page = await reader.open();
    await page.paste(text);
    const screen = await page.read();
    assert.equal(await page.text(), text);
    assert.equal(screen.figure, false);
    assert.match(screen.caption, /^Type a word\.$/);
    await assertSound(page, name);
    await page.textBox.press('Control+End');
    await page.type(' now');
    assert.equal((await page.read()).figure, true, 'the figure comes back');
    await assertSound(page, `${name}, then a word`);
    await assertUnharmed(page, name);
    await page.close();
  });
}

test('the last word of a long pasted text is in view, since its row is shown', async () => {
  const page = await reader.open();
  await page.paste(Array.from({ length: 300 }, (_, i) => `word${i}`).join(' '));
  assert.match((await page.read()).caption, /^Row word299/);
  const [word, box] = await page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return ['.mirror .query', '.sentence-box'].map((selector) => (root.querySelector(selector) as HTMLElement).getBoundingClientRect().toJSON() as DOMRect);
  });
  assert.ok(word && box && word.top >= box.top && word.bottom <= box.bottom, `${word?.top} to ${word?.bottom} in ${box?.top} to ${box?.bottom}`);
  await page.close();
});

test('a pasted novel is refused with a sentence, kept, its beginning in the box, and leaves no old figure', async () => {
  const page = await reader.open();
  const novel = Array.from({ length: 20_000 }, (_, i) => ['it', 'was', 'the', 'best', 'of', 'times'][i % 6]).join(' ');
  await page.paste(novel);
  const { problem, figure } = await page.read();
  assert.match(problem, /characters\. At most 30,000 are read/);
  assert.match(problem, /[.]$/);
  assert.equal(figure, false);
  assert.ok(await page.page.locator('attention-playground').evaluate((element, text) => (element as unknown as { text: string }).text === text, novel));
  assert.ok(novel.startsWith(await page.text()));
  await assertSound(page, 'novel');
  await page.paste('short again');
  await assertSound(page, 'after the novel');
  assert.equal((await page.read()).problem, '');
  await assertUnharmed(page, 'novel');
  await page.close();
});

test('heads that do not divide d_model are replaced, with a sentence, from an attribute and from a link', async () => {
  const page = await reader.open();
  await page.page.locator('attention-playground').evaluate((element) => element.setAttribute('heads', '5'));
  const asked = await page.read();
  assert.match(asked.notices, /^The number of heads must divide d_model = 64: .+\. Using heads \d+\.$/);
  await assertSound(page, 'heads="5"');
  const linked = await reader.open({ fragment: link({ text: 'a b', heads: 7, 'd-model': 32 }) });
  assert.match((await linked.read()).notices, /must divide d_model = 32/);
  await assertSound(linked, '#heads=7');
  await linked.set({ d_model: 8 });
  await assertSound(linked, 'd_model 8 by hand');
  for (const each of [page, linked]) await assertUnharmed(each, 'heads');
  await Promise.all([page.close(), linked.close()]);
});

test('a d_model that the heads do not divide changes the heads and says so', async () => {
  const page = await reader.open();
  await page.set({ num_heads: 64 });
  await page.set({ d_model: 32 });
  assert.match((await page.read()).notices, /heads must divide d_model = 32/);
  assert.equal((await settingsInUse(page)).num_heads, 32);
  await assertSound(page, '64 heads, then d_model 32');
  await page.close();
});

test('a factor that is not a finite number is named, and the one in use is said and kept', async () => {
  const page = await reader.open();
  await page.set({ scale: 'factor', scale_factor: 0.5 });
  const before = await page.stage('weights');
  const field = page.page.getByLabel('Factor', { exact: true }).last();
  for (const wrong of ['Infinity', '-Infinity', 'NaN', '1e999', 'abc', '', '1,5', '--3', '0x10', '1e', '<b>1</b>', 'sqrt-dk']) {
    await field.fill(wrong);
    const { effects } = await page.read();
    assert.match(effects['scale'] ?? '', /number\. Still × 0\.5\.$/, wrong);
    assert.equal(await field.inputValue(), wrong, 'what was typed stays there to be mended');
    assert.deepEqual(await page.stage('weights'), before, wrong);
  }
  await field.fill('1e30');
  assert.match((await page.read()).effects['scale'] ?? '', /scale factor must be .+\. Still × 0\.5\.$/);
  await assertSound(page, 'a factor that is too large');
  await field.fill('−0.25');
  await assertSound(page, 'a factor with a printed minus sign');
  assert.equal((await settingsInUse(page)).scale_factor, -0.25);
  await assertUnharmed(page, 'factors');
  await page.close();
});

test('a seed that cannot be one is named, and the one in use is said and kept', async () => {
  const page = await reader.open();
  await page.openMore();
  const field = page.page.getByLabel('Seed', { exact: true });
  for (const wrong of ['-1', '1.5', '99999999999', 'x', '', '1e400']) {
    await field.fill(wrong);
    const { effects, figure } = await page.read();
    assert.match(effects['seed'] ?? '', /whole number.*\. Still 1\.$/, wrong);
    assert.ok(figure);
  }
  await field.fill('12');
  await assertSound(page, 'seed 12');
  await assertUnharmed(page, 'seeds');
  await page.close();
});

test('a broken link opened afresh keeps what could be read, and says in one sentence what could not', async () => {
  const broken = {
    '#v1&text=%E0%A4%A&heads=2': /could not be read \(text\)/,
    '#v1&text=kept+words&heads=NaN': /could not be read \(heads\)/,
    '#v7&text=later': /made for version 7/,
    '#garbage': /could not be read/,
    '#v1&text=kept+words&stranger=1': /does not know/,
    '#v1&text=kept+words&scale=Infinity': /could not be read \(scale\)/,
  };
  for (const [fragment, sentence] of Object.entries(broken)) {
    const page = await reader.open({ fragment });
    assert.match((await page.read()).notices, sentence, fragment);
    if (fragment.includes('kept')) assert.equal(await page.text(), 'kept words');
    await assertSound(page, fragment);
    await assertUnharmed(page, fragment);
    await page.close();
  }
});

test('off the screen, a cell’s arithmetic waits until typing pauses; on it, it follows each key', async () => {
  const page = await reader.open({ fragment: link({ text: 'one two three four' }) });
  await page.ready();
  await page.textBox.focus();
  await page.page.keyboard.press('Control+End');
  const typed = async (letter: string) => {
    await page.page.evaluate(() => {
      Reflect.deleteProperty(globalThis, 'seen');
      document.addEventListener('attention-change', () => {
        const inspector = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.inspector') as HTMLElement;
        Object.assign(globalThis, { seen: { title: inspector.querySelector('.cell-title')?.textContent ?? '', busy: inspector.getAttribute('aria-busy') ?? '' } });
      }, { once: true });
    });
    await page.page.keyboard.press(letter);
    await page.page.waitForFunction(() => 'seen' in globalThis);
    return page.page.evaluate(() => (globalThis as unknown as { seen: { title: string; busy: string } }).seen);
  };
  const title = () => page.page.locator('.inspector .cell-title').textContent();
  assert.match(await title() ?? '', /four/);
  const away = await typed('x');
  assert.match(away.title, /four(?!x)/);
  assert.equal(away.busy, 'true');
  await page.ready();
  assert.match(await title() ?? '', /fourx/);
  await page.page.setViewportSize({ width: 1440, height: 2600 });
  const near = await typed('y');
  assert.match(near.title, /fourxy/);
  assert.equal(near.busy, 'false');
  assert.deepEqual(page.problems, []);
});
