// The lesson as teachers use it: with a clicker and in presenter view, by links, and lessons of their own.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test, { after } from 'node:test';
import { type Opened, SIZES, heading, lead, lessonFile, lessonOf, step } from '../lib/lesson.ts';
import { Reader } from '../lib/page.ts';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import { readLesson } from '../../web/src/lesson/format.ts';
import { complete } from '../../web/src/lesson/shipped.ts';

const reader = await Reader.arrive();
after(() => reader.leave());
const open = lessonOf(reader);

test('a teacher with a clicker goes through all seven steps and back; each step has its address', async () => {
  const { steps } = await lessonFile('en');
  const page = await open();
  await page.page.keyboard.press('p');
  assert.equal(await page.page.locator('body > header').isVisible(), false, 'the header in presenter view');
  await page.page.keyboard.press('PageDown');
  assert.match(await heading(page), /looks at “animal”/);
  assert.match(page.page.url(), /#step=it&shown&presenter/);
  await page.page.keyboard.press('PageDown');
  assert.equal(await step(page), 'choose');
  assert.match(page.page.url(), /#step=choose/);
  await page.page.keyboard.press('PageDown');
  const keys = (said: string) => page.page.locator('.keys', { hasText: said }).waitFor();
  for (const { id } of steps.slice(2)) {
    await page.page.keyboard.press('PageDown');
    assert.equal(await step(page), id);
    if (id === 'trained') break;
    // These ask inside their figure.
    await page.page.locator('.training-ask').waitFor({ timeout: 20_000 });
    await keys('show the answer');
    await page.page.keyboard.press('PageDown');
    assert.equal(await step(page), id);
    await page.page.locator('.training-lane output').first().waitFor({ timeout: 20_000 });
    assert.match(page.page.url(), new RegExp(`#step=${id}&shown&presenter`));
    // What plays is brought to its end first.
    await keys('to the end');
    await page.page.keyboard.press('PageDown');
    assert.equal(await step(page), id);
    await keys('next');
    const { value, max } = await page.page.locator('.training-handle').evaluate((handle) => handle as HTMLInputElement);
    assert.equal(value, max, id);
  }
  await keys('The lesson is over');
  await page.page.keyboard.press('PageDown');
  await page.page.keyboard.press('ArrowRight');
  await page.page.waitForTimeout(300);
  assert.equal(await step(page), 'trained', 'a clicker stays in the lesson');
  await page.page.keyboard.press('PageUp');
  assert.equal(await step(page), steps.at(-2)?.id);
  await page.page.keyboard.press('Escape');
  assert.equal(await page.page.locator('body > header').isVisible(), true);
  await page.page.keyboard.press('ArrowRight');
  await page.page.keyboard.press('ArrowRight');
  assert.equal(await step(page), 'trained', 'nor is it left by an arrow');
  await page.page.keyboard.press('p');
  await page.page.keyboard.press('Enter');
  await page.page.waitForURL(/playground\.html/);
});

test('an answer that was seen is seen again: by the keys back and forward, the browser’s, and after a reload', async () => {
  const page = await open();
  await page.page.getByRole('button', { name: 'Guess “street”' }).click();
  for (let presses = 0; presses < 3; presses += 1) await page.page.keyboard.press('ArrowRight');
  assert.equal(await step(page), 'scale');
  await page.page.keyboard.press('ArrowLeft');
  assert.match(await heading(page), /The highest score gets the largest share/);
  assert.match(page.page.url(), /#step=choose&shown/);
  await page.page.keyboard.press('ArrowLeft');
  assert.match(await lead(page), /Your guess was street/, 'with the guess');
  await page.page.keyboard.press('ArrowRight');
  assert.match(await heading(page), /The highest score/);
  await page.page.goBack();
  assert.match(await heading(page), /“it” looks at/);
  await page.page.goForward();
  await page.page.keyboard.press('ArrowRight');
  assert.equal(await step(page), 'scale');
  await page.page.locator('.training-ask [data-guess=with], .training-ask [data-guess]').first().click();
  await page.page.waitForURL(/#step=scale&shown/);
  for (const again of [() => page.page.keyboard.press('ArrowLeft').then(() => page.page.keyboard.press('ArrowRight')), () => page.page.reload()]) {
    await again();
    await page.page.waitForFunction(() => {
      const handle = document.querySelector('#lesson')?.shadowRoot?.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLInputElement>('.training-handle');
      return handle && !handle.disabled && handle.max !== '0' && handle.value === handle.max;
    }, undefined, { timeout: 30_000 });
    assert.equal(await page.page.locator('.training-ask').count(), 0);
    assert.match(page.page.url(), /#step=scale&shown/);
  }
  // The step that is open is asked anew.
  await page.page.locator('.rail button').nth(2).click();
  await page.page.locator('.training-ask').waitFor({ timeout: 20_000 });
  assert.doesNotMatch(page.page.url(), /shown/);
  await page.close();
});

test('on a projector the answer of a stage plays, the next key brings it to its end, and the one after goes on', async () => {
  const page = await open({ fragment: '#step=choose&presenter', context: { reducedMotion: 'no-preference' } });
  await page.page.locator('.row-figure .strip-name.now', { hasText: 'Score' }).waitFor({ timeout: 10_000 });
  await page.page.keyboard.press('PageDown');
  await page.page.locator('.keys', { hasText: 'to the end' }).waitFor();
  assert.match(await heading(page), /The highest score/);
  assert.equal(await page.page.locator('.row-play').getAttribute('aria-pressed'), 'true');
  assert.notEqual(await page.page.locator('.row-step[aria-current]').getAttribute('data-step'), 'context');
  await page.page.keyboard.press('PageDown');
  assert.equal(await page.page.locator('.row-step[aria-current]').getAttribute('data-step'), 'context');
  assert.equal(await step(page), 'choose');
  await page.page.locator('.keys', { hasText: 'next' }).waitFor();
  await page.page.keyboard.press('PageDown');
  assert.equal(await step(page), 'scale');
});

test('opened in presenter view, nothing is seen in smaller type first', async () => {
  let held = () => {};
  const hold = new Promise<void>((release) => { held = release; });
  let asked = () => {};
  const isAsked = new Promise<void>((come) => { asked = come; });
  const opened = reader.open({
    file: 'index.html', fragment: '#step=it&presenter', context: { viewport: SIZES.desk },
    before: (page) => page.route('**/*.js', async (route) => {
      const answer = await route.fetch();
      const body = await answer.text();
      if (body.includes('.lesson[data-presenter] .looks-back')) {
        asked();
        await hold;
      }
      await route.fulfill({ response: answer, body });
    }),
  });
  const page = await opened;
  await isAsked;
  await page.page.waitForTimeout(700);
  assert.equal(await page.page.locator('.lesson h2').count(), 0, 'the ordinary look');
  held();
  await page.page.locator('.lesson[data-presenter] .word').first().waitFor();
  assert.ok(await page.page.locator('.ask-part[data-here] h2 > span').evaluate((words) => parseFloat(getComputedStyle(words).fontSize)) >= 42);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('P there and back keeps step and answer; in presenter view Tab reaches the words', async () => {
  const page = await open({ fragment: '#step=it' });
  await page.page.keyboard.press('p');
  await page.page.locator('.lesson[data-presenter]').waitFor();
  const focused = () => page.page.evaluate(() => (document.querySelector('#lesson')?.shadowRoot?.activeElement as HTMLElement | null)?.dataset['word'] ?? '');
  for (let i = 0; i < 14 && await focused() !== '1'; i += 1) await page.page.keyboard.press('Tab');
  assert.equal(await focused(), '1');
  await page.page.keyboard.press('Enter');
  assert.match(await heading(page), /looks at “animal”/);
  await page.page.keyboard.press('p');
  assert.equal(await page.page.locator('.lesson[data-presenter]').count(), 0);
  assert.match(await heading(page), /looks at “animal”/);
  assert.equal(await page.page.locator('.ask h2 > span').first().getAttribute('style') || null, null, 'its type is the ordinary again');
  assert.match(page.page.url(), /#step=it&shown$/);
});

test('a step that a lesson does not have is said, with those that it has, and the first is there', async () => {
  const page = await open({ fragment: '#step=xyz' });
  const said = page.page.getByRole('alert');
  assert.match(await said.innerText(), /no step “xyz”.*it, choose, scale, future, heads, learn, trained/);
  await page.page.getByRole('button', { name: 'Guess “street”' }).click();
  assert.match(await heading(page), /“it” looks at/);
  assert.equal(await said.count(), 0);
  assert.deepEqual(page.problems, []);
});

test('what is said after the suggested try comes back from the teacher’s page, and is played', async () => {
  const page = await reader.open({ file: 'teach.html' });
  const step1 = page.page.locator('fieldset[data-step="1"]');
  await page.page.getByLabel('Title', { exact: true }).fill('Fooled');
  await step1.getByLabel('Question').fill('Where does it look?');
  await step1.getByLabel('Shows').selectOption('door');
  await step1.getByLabel('What to try').fill('Change tired.');
  await page.page.keyboard.press('Tab');
  await step1.getByLabel('A word to change there').fill('tired');
  await step1.getByLabel('What it becomes').fill('wide');
  await page.page.keyboard.press('Tab');
  await step1.getByLabel('Said once it is changed').fill('Now it is the street.');
  await page.page.keyboard.press('Tab');
  await page.page.reload();
  assert.equal(await step1.getByLabel('Said once it is changed').inputValue(), 'Now it is the street.');
  await page.page.getByRole('button', { name: 'Play the lesson' }).click();
  await page.page.waitForURL(/#lesson=/);
  await page.page.locator('.try', { hasText: 'Change tired.' }).waitFor();
  await page.page.getByRole('button', { name: 'tired → wide' }).click();
  await page.page.locator('.try', { hasText: 'Now it is the street.' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a lesson in a link is played, and a hostile one is refused with what is wrong', async () => {
  const { packedLesson } = await import('../../web/src/lesson/format.ts');
  const after = { title: '', right: '', wrong: '', unasked: '' };
  const own = { title: 'Mine', lang: 'en', text: 'the cat saw its shadow', steps: [{ id: 'one', question: '<img src=x onerror=alert(1)> Mine?', show: { view: 'matrix', state: '#v1&heads=1' }, choices: ['<b>yes</b>', 'no'], answer: { choice: 2 }, after: { ...after, title: 'No.', right: 'Right.', wrong: 'Wrong.', unasked: 'Nobody knows.' } }] };
  const page = await open({ fragment: `#lesson=${await packedLesson(JSON.stringify(own))}` });
  assert.match(await heading(page), /<img src=x onerror=alert\(1\)> Mine\?/);
  assert.equal(await page.page.locator('.lesson img').count(), 0);
  await page.page.getByRole('button', { name: '<b>yes</b>' }).click();
  assert.equal(await lead(page), 'Wrong.');
  for (const [wrong, says] of [
    [{ ...own, steps: [] }, /steps must be a list of 1 to 30/], [{ ...own, steps: [{ ...own.steps[0], id: 'A b' }] }, /steps\[1\]\.id cannot be “A b”/],
    [{ ...own, extra: 1 }, /has “extra”, which a lesson does not know/], [{ ...own, steps: [{ ...own.steps[0], show: { view: 'matrix', state: 'javascript:alert(1)' } }] }, /steps\[1\]\.show\.state cannot be/],
    [{ ...own, title: 'x'.repeat(500) }, /title has 500 characters; 200 are allowed/], [null, /must be an object/],
    [{ ...own, steps: [{ ...own.steps[0], answer: { choice: 3 } }] }, /Step 1 has 2 choices, and its answer is number 3/],
  ] as const) {
    const bad = await reader.open({ file: 'index.html', fragment: `#lesson=${await packedLesson(JSON.stringify(wrong))}` });
    await bad.page.locator('.lesson-problem', { hasText: says }).waitFor({ timeout: 5000 });
  }
  const cutOff = await reader.open({ file: 'index.html', fragment: '#lesson=AAAA' });
  await cutOff.page.locator('.lesson-problem', { hasText: /cannot be read/ }).waitFor({ timeout: 5000 });
});

test('a teacher makes a lesson, plays it, and opens it again', async () => {
  const page = await reader.open({ file: 'teach.html', fragment: `#add=${encodeURIComponent('#v1&heads=1&mask=none')}` });
  const step1 = page.page.locator('fieldset[data-step="1"]');
  await step1.waitFor();
  await page.page.getByLabel('Title', { exact: true }).fill('Masks');
  await step1.getByLabel('Question').fill('How many words are seen?');
  await step1.getByLabel('Shows').selectOption('matrix');
  await step1.getByLabel('Choices, one a line').fill('more\nthe same\nfewer');
  await step1.getByLabel('Who marks the answer').selectOption('words-seen');
  await step1.getByLabel(/^The change/).fill('https://example.org/playground.html#v1&heads=1');
  await step1.getByLabel('Said with the answer').fill('From {before} to {after}.');
  await page.page.keyboard.press('Tab');
  await page.page.locator('.teach-preview h2', { hasText: 'How many words are seen?' }).first().waitFor();
  await page.page.getByRole('button', { name: 'Play the lesson' }).click();
  await page.page.waitForURL(/#lesson=/);
  await page.page.locator('.choice', { hasText: 'fewer' }).click();
  await page.page.locator('.ask-part[data-here] .lead', { hasText: /From 11 to \d+\./ }).waitFor();
  await page.page.locator('.choice', { hasText: '✓' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a teacher says which word’s row is measured, and the engine marks it by that row', async () => {
  const page = await reader.open({ file: 'teach.html', fragment: `#add=${encodeURIComponent('#v1&heads=1&mask=none')}` });
  const step1 = page.page.locator('fieldset[data-step="1"]');
  await step1.waitFor();
  await page.page.getByLabel('Title', { exact: true }).fill('Masks');
  await step1.getByLabel('Question').fill('How many words does the third see?');
  await step1.getByLabel('Shows').selectOption('matrix');
  await step1.getByLabel('Choices, one a line').fill('more\nas many\nfewer');
  await step1.getByLabel('Who marks the answer').selectOption('words-seen');
  await step1.getByLabel(/^The change/).fill('#v1&heads=1');
  assert.match(await step1.innerText(), /more, as many, fewer/);
  assert.match(await step1.innerText(), /Left empty, it is the row that the state shows/);
  await step1.getByLabel(/^Measured in the row/).fill('3');
  await step1.getByLabel('Said with the answer').fill('From {before} to {after}.');
  await page.page.keyboard.press('Tab');
  assert.deepEqual([await step1.getByLabel(/^State/).inputValue(), await step1.getByLabel(/^The change/).inputValue()].map((link) => link.replace(/.*#/, '')), ['v1&heads=1&mask=none&row=3', 'v1&heads=1&row=3']);
  await page.page.getByRole('button', { name: 'Play the lesson' }).click();
  await page.page.waitForURL(/#lesson=/);
  await page.page.locator('.choice', { hasText: 'fewer' }).click();
  await page.page.locator('.ask-part[data-here] .lead', { hasText: /From 11 to 3\./ }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('what a lesson lacks is said in words, and its fields by their names', async () => {
  const page = await reader.open({ file: 'teach.html' });
  const lacks = page.page.locator('.teach-lacks');
  await lacks.waitFor();
  assert.match(await lacks.innerText(), /a title, a question in step 1\./);
  assert.equal(await page.page.locator('.teach-problem').innerText(), '');
  await page.page.getByLabel('Title', { exact: true }).fill('Mine');
  await page.page.getByLabel('Question').fill('Why?');
  await page.page.getByLabel(/^State/).fill('https://example.org/');
  await page.page.keyboard.press('Tab');
  await page.page.locator('.teach-problem', { hasText: /Step 1, “State: a link of the playground” cannot be “https:/ }).waitFor();
  assert.equal(await lacks.count(), 0);
});

test('the page’s own lessons are complete, and in the format of any lesson', async () => {
  for (const name of ['en', 'es', 'zh-Hans']) {
    const shipped = JSON.parse(await readFile(new URL(`../../web/lessons/${name}.json`, import.meta.url), 'utf8')) as Parameters<typeof complete>[0];
    assert.deepEqual(JSON.parse(JSON.stringify(complete(shipped))), JSON.parse(JSON.stringify(readLesson(shipped))), name);
  }
});

test('the seven questions come back from the teacher’s page as they were, with what it has no field for', async () => {
  const file = JSON.parse(await readFile(new URL('../../web/lessons/en.json', import.meta.url), 'utf8')) as { steps: { question: string }[] };
  const page = await reader.open({ file: 'teach.html' });
  await page.page.getByRole('button', { name: 'Start from the seven questions' }).click();
  await page.page.locator('fieldset[data-step="7"]').waitFor();
  const saved = async () => {
    const [download] = await Promise.all([page.page.waitForEvent('download'), page.page.getByRole('button', { name: 'Save as a file' }).click()]);
    return readLesson(JSON.parse(await readFile(await download.path(), 'utf8')));
  };
  assert.deepEqual(await saved(), readLesson(file));
  await page.page.locator('fieldset[data-step="4"]').getByLabel('Question').fill('Why not look ahead?');
  await page.page.keyboard.press('Tab');
  await page.page.locator('.teach-preview h2', { hasText: 'Why not look ahead?' }).first().waitFor();
  assert.deepEqual(await saved(), readLesson({ ...file, steps: file.steps.map((step, i) => (i === 3 ? { ...step, question: 'Why not look ahead?' } : step)) }));
  await page.page.getByRole('button', { name: 'Start over' }).click();
  assert.equal(await page.page.locator('fieldset[data-step]').count(), 1);
  await page.page.getByRole('button', { name: 'Bring back the lesson' }).click();
  await page.page.locator('fieldset[data-step="7"]').waitFor();
  assert.equal((await saved()).steps[3]?.question, 'Why not look ahead?');
  assert.deepEqual(page.problems, []);
});

test('of what is asked for while files are on their way, the last is shown: a question typed, a language, a state to follow, a lesson in a link', async () => {
  const { packedLesson } = await import('../../web/src/lesson/format.ts');
  /** The file passes once it is released. */
  const holding = (file: RegExp) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => { release = resolve; });
    return { release, before: (tab: Opened['page']) => tab.route(file, async (route) => { await held; await route.continue(); }) };
  };
  const typed = holding(/-configuration-/);
  const teach = await reader.open({ file: 'teach.html', before: typed.before });
  await teach.page.getByRole('button', { name: 'Start from the seven questions' }).click();
  await teach.page.locator('fieldset[data-step="7"]').waitFor();
  for (const question of ['One?', 'Two?', 'Three?', 'Four?']) {
    await teach.page.locator('fieldset[data-step="4"]').getByLabel('Question').fill(question);
    await teach.page.keyboard.press('Tab');
  }
  typed.release();
  await teach.page.locator('.teach-preview .ask-part[data-here] h2').waitFor();
  await teach.page.locator('.teach-preview h2', { hasText: 'Four?' }).first().waitFor({ timeout: 5000 });
  await teach.close();

  const [{ steps: [inChinese] }, spoken] = [await lessonFile('zh-Hans'), holding(/lesson-es\.json/)];
  const page = await open({ before: spoken.before });
  await page.page.evaluate(() => document.body.append(Object.assign(document.createElement('attention-playground'), { view: 'lesson', loading: 'eager' })));
  const asked = page.page.waitForRequest(/lesson-es\.json/);
  await page.page.locator('#language').selectOption('es');
  await asked;
  await page.page.locator('#language').selectOption('zh-Hans');
  const titles = () => page.page.locator('.ask-part[data-here] h2').allInnerTexts();
  await page.page.waitForFunction((question) => [...document.querySelectorAll('#lesson, attention-playground')].every((each) => (each.shadowRoot?.querySelector('.ask-part[data-here] h2') as HTMLElement | null)?.innerText === question), inChinese?.question);
  const came = page.page.waitForResponse(/lesson-es\.json/);
  spoken.release();
  await (await came).finished();
  await page.redrawn();
  assert.deepEqual(await titles(), [inChinese?.question, inChinese?.question]);
  await page.close();

  const followed = holding(/lesson-link-(?!limits)/);
  const figure = await open({ before: followed.before });
  const done = figure.page.evaluate(async () => {
    await customElements.whenDefined('attention-playground');
    const made = Object.assign(document.createElement('attention-playground'), { view: 'heads', loading: 'eager' }) as AttentionPlayground;
    document.body.append(made);
    await Promise.all(['one', 'two', 'three', 'four'].map((text) => made.follow(`#v1&text=${text}`)));
    return made.text;
  });
  await figure.page.waitForRequest(/lesson-link-(?!limits)/);
  followed.release();
  assert.equal(await done, 'four');
  await figure.close();

  const linked = holding(/lesson-format-/);
  const own = { title: 'Mine', lang: 'en', text: 'the cat saw its shadow', steps: [{ id: 'one', question: 'Mine?', show: { view: 'matrix', state: '#v1&heads=1' }, after: { title: '', right: '', wrong: '', unasked: '' } }] };
  const other = await open({ before: linked.before });
  const wanted = other.page.waitForRequest(/lesson-format-/);
  await other.page.evaluate((hash) => { location.hash = hash; }, `#lesson=${await packedLesson(JSON.stringify(own))}`);
  await wanted;
  await other.page.evaluate(() => { location.hash = '#step=choose'; });
  await other.page.locator('article.step[data-step=choose]').waitFor();
  const code = other.page.waitForResponse(/lesson-format-/);
  linked.release();
  await (await code).finished();
  await other.redrawn();
  assert.doesNotMatch(await heading(other), /Mine/);
  assert.match(await other.page.evaluate(() => location.hash), /step=choose/);
});
