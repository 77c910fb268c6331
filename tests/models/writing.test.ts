// A language model writes on: word by word, each the one that the page shows as expected, back to any of them, under every change.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCases } from '../lib/cases.ts';
import { type Playground, Reader, link } from '../lib/page.ts';
import { fileOf, gpt2Tensors } from '../lib/model-files.ts';
import { openShipped } from '../lib/shipped-model.ts';

const TEXT = 'the old dog ran to the house because it was';

const reader = await Reader.arrive();
after(() => reader.leave());

async function openTrained(text = TEXT, context = {}): Promise<Playground> {
  const page = await reader.open({ fragment: link({ text, parameters: 'trained' }), context });
  await page.page.locator('.writing').waitFor();
  await page.ready();
  return page;
}

const press = (page: Playground, name: string) => page.page.locator('.writing').getByRole('button', { name, exact: true }).click();
const guesses = (page: Playground) => page.page.locator('[data-guess] th').allInnerTexts();
const written = (page: Playground) => page.page.locator('[data-written]').allInnerTexts();
const said = (page: Playground) => page.page.locator('.writing [role=status]').innerText();

async function oneWord(page: Playground): Promise<void> {
  const before = await page.text();
  await press(page, 'One word');
  await page.page.waitForFunction((text) => (document.querySelector('attention-playground')?.shadowRoot?.querySelector('#text') as HTMLTextAreaElement).value !== text, before);
  await page.ready();
}

async function draw(page: Playground, fields: Record<string, string>): Promise<void> {
  const manner = page.page.locator('.manner');
  if ((await manner.getAttribute('open')) === null) await manner.locator('summary').click();
  await manner.getByText('drawn', { exact: true }).click();
  for (const [name, value] of Object.entries(fields)) await manner.getByLabel(name).fill(value);
}

/** What the model expects of this text in Node, where a run begins anew, without these heads. */
async function expectedOf(text: string, gone: readonly (readonly [layer: number, head: number])[] = []): Promise<string[]> {
  const model = await openShipped();
  const changes = Array.from({ length: 4 }, (_, layer) => ({ headGains: Array.from({ length: 4 }, (__, head) => Number(!gone.some(([l, h]) => l === layer && h === head))) }));
  const run = model.run(model.tokenize(text).map(({ id }) => id), gone.length > 0 ? changes : []);
  const found = run.predictions(run.tokens.length - 1, 8).map(({ word, piece }) => (piece ? `·${word}` : word));
  model.free();
  return found;
}

test('the likeliest: each word that is written is the one that stood first, and the way back is a word at a time', async () => {
  const page = await openTrained();
  const texts = [await page.text()];
  const chances: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const [first] = await guesses(page);
    chances.push(await page.page.locator('[data-guess] td').first().innerText());
    await oneWord(page);
    assert.equal((await written(page)).at(-1), first?.replace('·', ''));
    texts.push(await page.text());
    // The new word is the one that is looked at.
    const { rowLabels } = await page.read();
    assert.equal(await page.page.locator('.writing [aria-current=true]').innerText(), rowLabels.at(-1)?.replace('·', ''));
    assert.equal(await page.page.locator('.arcs path').count() > 0, true);
    assert.match(await said(page), /It wrote:/);
  }
  assert.equal(new Set(texts).size, 4);
  for (let i = 2; i >= 0; i -= 1) {
    await page.page.locator('[data-undo]').click();
    await page.ready();
    assert.equal(await page.text(), texts[i]);
    assert.equal((await written(page)).length, i);
  }
  for (let i = 1; i < 4; i += 1) {
    await page.page.locator('[data-redo]').click();
    await page.ready();
  }
  assert.equal((await written(page)).length, 3);
  assert.ok(new Set(chances).size > 1, String(chances));
  for (const [i, chance] of chances.entries()) {
    await page.page.locator('[data-written]').nth(i).click();
    await page.ready();
    assert.match(await page.page.locator('.write-facts').innerText(), new RegExp(`had a chance of ${chance?.replace('.', '\\.')}\\.`));
  }
  await page.page.locator('[data-written]').first().click();
  await page.ready();
  await press(page, 'Back to here');
  await page.ready();
  assert.deepEqual([await page.text(), (await written(page)).length], [texts[1], 1]);
  await oneWord(page);
  assert.equal(await page.text(), texts[2]);
  assert.deepEqual(await guesses(page), await expectedOf(texts[2] ?? ''));
  // Another word at the same place: nothing of the one before is left.
  await page.page.locator('[data-undo]').click();
  await page.ready();
  await page.page.locator('[data-guess] button').nth(1).click();
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('[data-written]').length === 2);
  await page.ready();
  const other = await page.text();
  assert.notEqual(other, texts[2]);
  assert.deepEqual(await guesses(page), await expectedOf(other));
  await press(page, 'Take back all that was written');
  await page.ready();
  assert.equal(await page.text(), TEXT);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('it writes word after word until it is stopped, by its button, by Escape, or by any change', async () => {
  const page = await openTrained();
  const reaches = (count: number) => page.page.waitForFunction((least) => (document.querySelector('attention-playground')?.shadowRoot?.querySelectorAll('[data-written]').length ?? 0) >= least, count);
  /** Nothing more comes: the pause between two words is shorter than this. */
  const rests = async () => {
    await page.ready();
    const text = await page.text();
    await page.page.evaluate(() => new Promise((done) => { setTimeout(done, 1500); })); // on the same clock
    assert.equal(await page.text(), text);
    await page.page.locator('[data-write=go]').waitFor();
  };
  await press(page, 'Write');
  await reaches(2);
  await press(page, 'Stop');
  await rests();
  const first = (await written(page)).length;
  assert.match(await said(page), new RegExp(`It wrote: ${(await page.text()).slice(TEXT.length).trim()}`));
  await press(page, 'Write');
  await reaches(first + 2);
  await page.page.keyboard.press('Escape');
  await rests();
  await press(page, 'Write');
  await reaches((await written(page)).length + 1);
  await page.page.locator('[data-silence]').click();
  await rests();
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('drawn: the same seed writes the same text, another seed another; top-k 1 writes the likeliest', async () => {
  const page = await openTrained();
  const texts: Record<string, string> = {};
  const write = async (name: string, fields: Record<string, string>) => {
    await draw(page, fields);
    for (let i = 0; i < 4; i += 1) await oneWord(page);
    texts[name] = await page.text();
    await press(page, 'Take back all that was written');
    await page.ready();
  };
  await write('one', { temperature: '1.3', seed: '1' });
  await write('other', { seed: '2' });
  await write('again', { seed: '1' });
  await write('least', { 'top-k': '1' });
  await write('fewest', { 'top-k': '0', 'top-p': '0.01' });
  await page.page.locator('.manner').getByText('the likeliest', { exact: true }).click();
  for (let i = 0; i < 4; i += 1) await oneWord(page);
  assert.equal(texts.again, texts.one);
  assert.notEqual(texts.other, texts.one);
  assert.equal(texts.least, await page.text());
  assert.equal(texts.fewest, texts.least);
  await page.close();
});

test('what can be drawn stands beside what is expected; a number that is none is refused in a sentence', async () => {
  const page = await openTrained();
  await draw(page, { temperature: '1', 'top-k': '3' });
  const rows = async () => page.page.locator('[data-guess]').evaluateAll((all) => all.map((row) => [row.children[1], row.querySelector('[data-drawn]')].map((cell) => parseFloat((cell as HTMLElement).innerText))));
  const shares = await rows();
  const sum = shares.slice(0, 3).reduce((all, [now]) => all + (now ?? NaN), 0);
  shares.forEach(([now, share], i) => (i < 3 ? assert.ok(Math.abs((share ?? NaN) - (100 * (now ?? NaN)) / sum) < 2, `${now} is ${share} of ${sum}`) : assert.ok(Number.isNaN(share))));
  await page.page.locator('.manner').getByLabel('temperature').fill('99');
  assert.match(await page.page.locator('[data-manner=temperature]').innerText(), /temperature is a number from 0\.05 to 10\. Still 1\./);
  assert.deepEqual(await rows(), shares);
  await page.page.locator('.manner').getByLabel('top-k').fill('1.5');
  assert.match(await page.page.locator('[data-manner=topK]').innerText(), /whole number.*Still 3\./);
  await page.page.locator('.manner').getByLabel('temperature').fill('3');
  assert.match(await page.page.locator('.manner summary').innerText(), /temperature 3, top-k 3/);
  await page.close();
});

test('a link brings back how words are drawn, and says where it asks for what cannot be', async () => {
  const page = await openTrained();
  await draw(page, { temperature: '1.5', 'top-k': '12', seed: '7' });
  await page.page.waitForFunction(() => /&writing=1\.5:12:1:7(&|$)/.test(location.hash));
  const fragment = await page.page.evaluate(() => location.hash);
  const again = await reader.open({ fragment });
  await again.page.locator('.writing').waitFor();
  assert.match(await again.page.locator('.manner summary').innerText(), /drawn, with temperature 1\.5, top-k 12, top-p 1, seed 7/);
  await again.page.keyboard.press('Control+Z'); // nothing to be undone
  await press(page, 'One word');
  await press(again, 'One word');
  for (const each of [page, again]) await each.page.locator('[data-written]').first().waitFor();
  assert.deepEqual(await written(again), await written(page));
  await again.close();
  await page.page.locator('.manner input[value=likeliest]').locator('..').click();
  await page.page.waitForFunction(() => !location.hash.includes('writing='));
  const hostile = await reader.open({ fragment: link({ text: TEXT, parameters: 'trained', writing: '99:-1:0.5:1' }) });
  await hostile.page.locator('.writing').waitFor();
  assert.match(await hostile.page.locator('.manner summary').innerText(), /drawn, with temperature 10, top-k 0, top-p 0\.5, seed 1/);
  assert.match(await hostile.page.locator('.notices').innerText(), /draws words with numbers that are out of range/);
  for (const each of [page, hostile]) {
    assert.deepEqual(each.problems, []);
    await each.close();
  }
});

test('a head that is taken away is away for what is written, and a word that the reader chooses goes between', async () => {
  const page = await openTrained();
  const likeliest = await guesses(page);
  const gone = [[0, 2], [1, 1], [3, 0]] as const;
  for (const [layer, head] of gone) {
    await page.page.locator(`.model-head[data-layer="${layer}"][data-head="${head}"]`).click();
    await page.ready();
    await page.page.locator('[data-silence]').click();
    await page.ready();
  }
  assert.notDeepEqual(await guesses(page), likeliest);
  const [first] = await guesses(page);
  await oneWord(page);
  assert.deepEqual(await written(page), [first]);
  const choice = page.page.locator('[data-guess] button').nth(1);
  const word = await choice.innerText();
  await choice.click();
  await page.ready();
  const [next] = await guesses(page);
  await oneWord(page);
  assert.deepEqual((await written(page)).map((each) => each.trim()), [first, word, next].map((each) => each?.replace('·', '')));
  assert.deepEqual(await page.page.locator('[data-written]').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.written)), ['model', 'reader', 'model']);
  assert.deepEqual(await guesses(page), await expectedOf(await page.text(), gone));
  await page.close();
});

test('a file of GPT-2’s kind writes, too, and stops in a sentence where it reads no more', async () => {
  const [given] = readCases('Decoder').filter(({ inputs }) => !inputs.has('lm_head'));
  assert.ok(given);
  const page = await reader.open({ fragment: link({ text: '1 2', parameters: 'yours' }) });
  await page.page.locator('.yours').waitFor();
  const config = JSON.stringify({ n_head: given.attributes.get('num_heads'), activation_function: 'gelu_new' });
  await page.page.locator('.yours input[multiple]').setInputFiles([
    { name: 'model.safetensors', mimeType: 'application/octet-stream', buffer: Buffer.from(fileOf({ tensors: gpt2Tensors(given) })) },
    { name: 'config.json', mimeType: 'application/octet-stream', buffer: Buffer.from(config) },
  ]);
  await page.page.locator('.writing').waitFor();
  await page.ready();
  const [first] = await guesses(page);
  await oneWord(page);
  assert.equal(await page.text(), `1 2 ${first}`);
  await press(page, 'Write');
  await page.page.locator('.writing', { hasText: /It reads at most \d+ tokens at once/ }).waitFor();
  const [, most] = /at most (\d+) tokens/.exec(await said(page)) ?? [];
  assert.equal((await page.text()).split(' ').length, Number(most));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('on a phone every target is as large as a finger, and nothing is wider than the screen', async () => {
  const page = await openTrained(TEXT, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await draw(page, {});
  await oneWord(page);
  await oneWord(page);
  for (const target of await page.page.locator('.writing :is(button, summary, .field, .segment)').all()) {
    const box = await target.boundingBox();
    assert.ok(box && box.height >= 44 && box.width >= 44 && box.x >= 0 && box.x + box.width <= 390, `${await target.innerText()}: ${JSON.stringify(box)}`);
  }
  await page.close();
});
