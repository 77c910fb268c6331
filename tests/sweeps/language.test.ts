// English, 简体中文, Español: the page and the element in each of them, as a reader comes by them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Playground, Reader, SITE, link } from '../lib/page.ts';
import { englishIn, wordsOf } from '../lib/languages.ts';
import { Walk } from '../lib/walk.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const LANGUAGES = ['en', 'zh-Hans', 'es'] as const;
type Language = (typeof LANGUAGES)[number];
const HEADINGS: Record<Language, RegExp> = { en: /How to read this/, 'zh-Hans': /如何阅读/, es: /Cómo leer esto/ };

const choose = (page: Page, language: Language) => page.locator('#language').selectOption(language);
const spoken = (page: Page) => page.evaluate(() => document.documentElement.lang);
async function until(page: Page, language: Language): Promise<void> {
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}
const shadow = (page: Page, selector: string) => page.evaluate((wanted) => document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>(wanted)?.innerText ?? '', selector);
const caption = async (page: Page) => (await shadow(page, '.row-caption')).replace(/\s+/g, ' ');
const numbersIn = (text: string) => text.match(/<?\d+(?:\.\d+)?/g) ?? [];

test('the list in the header changes the language at once, and keeps what the reader has', async () => {
  const page = await reader.open({ fragment: link({ text: 'the cat sat on the mat', heads: 2, head: 2, row: 4, key: 2 }) });
  assert.deepEqual(page.requests.filter((url) => url.includes('language-')), [], 'English costs no request');
  assert.deepEqual(await page.page.locator('#language option').allTextContents(), ['English', '简体中文', 'Español']);
  await page.textBox.fill('the cat sat on the mats');
  await page.textBox.fill('the cat sat on the mat');
  await page.ready();
  const english = await caption(page.page);
  const before = await page.stage('weights');
  for (const [language, row, legend] of [['es', /^Fila mat: \d+ % de sat, /, 'enmascarado'], ['zh-Hans', /^行mat：\d+% 来自sat，/, '已遮住'], ['en', /^Row mat: \d+% from sat, /, 'masked']] as const) {
    await choose(page.page, language);
    await until(page.page, language);
    assert.match(await caption(page.page), row);
    assert.deepEqual(numbersIn(await caption(page.page)), numbersIn(english), language);
    assert.match(await shadow(page.page, '.keys'), new RegExp(legend));
    assert.match(await page.page.locator('#how-to-read').innerText(), HEADINGS[language]);
    assert.equal(await page.text(), 'the cat sat on the mat');
    assert.deepEqual(await page.stage('weights'), before);
    assert.equal((await page.read()).effects['heads']?.replace(/\D+/g, ' ').trim(), '64 2 32');
  }
  assert.equal(await page.page.evaluate(() => document.querySelector('attention-playground')?.state.selection.query), 5);
  assert.equal(page.requests.filter((url) => url.includes('language-')).length, 2, 'each language comes once');
  await choose(page.page, 'es');
  await until(page.page, 'es');
  assert.equal(page.requests.filter((url) => url.includes('language-')).length, 2);
  await page.page.reload();
  await page.ready();
  await until(page.page, 'es');
  assert.match(await shadow(page.page, '.row-caption'), /^Fila/, 'it is remembered');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('typing, choosing and the walk speak the language, with the engine’s numbers', async () => {
  const page = await reader.open({ fragment: '#v1&lang=es' });
  await until(page.page, 'es');
  await page.paste('el perro ve al gato');
  const weights = await page.stage('weights');
  await page.walkTo(4, 1);
  const words = await caption(page.page);
  const row = Array.from(weights.subarray(20, 25));
  const shares = row.toSorted((a, b) => b - a).map((share) => (share < 0.005 ? '<1' : String(Math.round(share * 100))));
  assert.match(words, /^Fila gato: /);
  assert.deepEqual(numbersIn(words), shares);
  assert.match((await page.read()).label, /^consulta \u2068gato\u2069, clave \u2068perro\u2069, peso /);
  await (await new Walk(page).show()).settle();
  assert.match(await shadow(page.page, '.explanation'), /Este número[^]*La puntuación por un factor, el mismo para cada celda\.[^]*Hecho de 1 número/);
  await page.textBox.fill('perro');
  await page.ready();
  assert.match(await shadow(page.page, '.row-rest'), /^No hay otra palabra a la que mirar\.$/);
  assert.match(await shadow(page.page, '.sentence-tools'), /1 token$/);
  await page.textBox.fill('');
  await page.ready();
  assert.match(await shadow(page.page, '.state-title'), /Aún no hay nada que ver/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('notices and errors are said in the language, those of the core as well', async () => {
  const page = await reader.open({ fragment: `${link({ text: 'a b c', heads: 7, nonsense: 1 })}&lang=zh-CN` });
  await until(page.page, 'zh-Hans');
  assert.match(await shadow(page.page, '.notices'), /此链接含有本页不认识的内容[^]*头数必须整除 d_model = 64：请从 1, 2, 4, 8, 16, 32, 64 中选择。现用 头数 4。/);
  await choose(page.page, 'es');
  await until(page.page, 'es');
  assert.match(await shadow(page.page, '.notices'), /El número de cabezas debe dividir d_model = 64: elige uno de 1, 2, 4, 8, 16, 32, 64\. Se usa cabezas 4\./, 'and follows a change of it');
  await page.openMore();
  await page.page.locator('[data-setting=temperature] .field').fill('-3');
  assert.match(await shadow(page.page, '[data-setting=temperature] .effect'), /^La temperatura debe ser 0 o un número de .+\. Sigue 1\.$/);
  await page.page.locator('[data-setting=temperature] .field').fill('x');
  assert.match(await shadow(page.page, '[data-setting=temperature] .effect'), /^«x» no es un número finito\. Sigue 1\.$/);
  await page.textBox.fill('word '.repeat(4097));
  await page.ready();
  assert.match(await shadow(page.page, '#problem'), /^El texto tiene 4,097 tokens; el límite es 4,096\. Acorta el texto\.$/);
  await choose(page.page, 'zh-Hans');
  await until(page.page, 'zh-Hans');
  assert.match(await shadow(page.page, '#problem'), /^文本有 4,097 个词元，上限是 4,096。请缩短文本。$/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

for (const [locale, language] of [['es-MX', 'es'], ['zh-CN', 'zh-Hans'], ['zh-TW', 'en'], ['fr-FR', 'en']] as const) {
  test(`a first visit by a browser of ${locale} is in ${language}`, async () => {
    const page = await reader.open({ context: { locale } });
    await until(page.page, language);
    assert.match(await page.page.locator('#how-to-read').innerText(), HEADINGS[language]);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('a link says a language, which its address keeps; one that is not known is said', async () => {
  const page = await reader.open({ fragment: `${link({ text: 'one two three' })}&lang=es` });
  await until(page.page, 'es');
  assert.equal(await page.text(), 'one two three');
  await page.textBox.fill('one two');
  await page.page.waitForFunction(() => /text=one\+two&/.test(location.hash) && location.hash.endsWith('&lang=es'));
  await page.page.evaluate(() => { location.hash = '#lang=zh-Hans'; });
  await until(page.page, 'zh-Hans');
  assert.equal(await page.text(), 'one two', 'a language alone changes nothing else');
  await page.page.evaluate(() => { location.hash = '#v1&text=four&lang=tlh'; });
  await page.page.waitForFunction(() => document.querySelector('attention-playground')?.text === 'four');
  await page.ready();
  assert.equal(await spoken(page.page), 'zh-Hans');
  assert.match(await shadow(page.page, '.notices'), /此链接有一部分无法读取（lang）/);
  await page.close();
  const plain = await reader.open();
  await plain.textBox.fill('five');
  await plain.page.waitForFunction(() => location.hash.includes('text=five'));
  assert.doesNotMatch(plain.page.url(), /lang=/, 'no address says one that was not asked to');
  await plain.close();
});

const HOST = (lang: string, inside: string) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Host</title><script src="embed/attention-playground.js" defer></script>${inside}</html>`;
const FIGURE = (lang = '') => `<attention-playground text="the cat sat"${lang && ` lang="${lang}"`}></attention-playground>`;

async function embedded(html: string): Promise<Playground> {
  const page = await reader.open({ file: 'host.html', before: (tab) => tab.route('**/host.html', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })) });
  await page.ready();
  return page;
}

test('an element in another page speaks as its own lang or the nearest around it says, and follows it', async () => {
  for (const [html, words] of [
    [HOST('zh-CN', FIGURE()), /^行/], [HOST('zh-CN', `<main lang="es-AR">${FIGURE()}</main>`), /^Fila/], [HOST('es', FIGURE('zh')), /^行/], [HOST('de', FIGURE()), /^Row/],
    [HOST('de', `<article lang="es"><p lang="it">${FIGURE()}</p></article>`), /^Fila/],
  ] as const) {
    const page = await embedded(html);
    await page.page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.row-caption')?.innerText ?? ''), words.source);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  const page = await embedded(HOST('en', FIGURE()));
  assert.match(await caption(page.page), /^Row/);
  assert.deepEqual(page.requests.filter((url) => url.includes('language-')), []);
  await page.page.evaluate(() => { document.documentElement.lang = 'es'; });
  await page.page.waitForFunction(() => /^Fila/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.row-caption')?.innerText ?? ''));
  await page.page.evaluate(() => document.querySelector('attention-playground')?.setAttribute('lang', 'zh-Hans'));
  await page.page.waitForFunction(() => /^行/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.row-caption')?.innerText ?? ''));
  await page.close();
});

test('in the single-file element, parts that come on demand speak its language', async () => {
  const page = await embedded(HOST('es', FIGURE()));
  await page.unfold('.take > summary');
  await page.page.locator('[data-take=svg]').waitFor();
  assert.match(await shadow(page.page, '.take-body'), /Todo se hace en este navegador/);
  await page.page.locator('[data-setting=parameters] .segment', { has: page.page.locator('input[value=designed]') }).click();
  await page.page.locator('.designed').waitFor();
  assert.match(await shadow(page.page, '.designed'), /Estos parámetros fueron diseñados a mano/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a language that cannot be loaded leaves everything as it was, and says so; a later try succeeds', async () => {
  let isBroken = true;
  const page = await reader.open({ before: (tab) => tab.route('**/language-es.js*', (route) => (isBroken ? route.abort() : route.continue())) });
  const before = await caption(page.page);
  await choose(page.page, 'es');
  await page.page.locator('.language-status').filter({ hasText: 'Español could not be loaded' }).waitFor();
  assert.equal(await spoken(page.page), 'en');
  assert.equal(await page.page.locator('#language').inputValue(), 'en');
  assert.equal(await caption(page.page), before);
  isBroken = false;
  await choose(page.page, 'es');
  await until(page.page, 'es');
  assert.match(await caption(page.page), /^Fila/);
  assert.equal(await page.page.locator('.language-status').innerText(), '');
  assert.match(await page.page.locator('#how-to-read').innerText(), HEADINGS.es);
  await page.close();
  const host = await reader.open({ file: 'host.html', before: async (tab) => {
    await tab.route('**/host.html', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: HOST('es', FIGURE()) }));
    await tab.route('**/language-es.js*', (route) => route.abort());
  } });
  await host.ready();
  assert.match(await caption(host.page), /^Row/, 'nobody waits for ever');
  assert.match(await shadow(host.page, '.notices'), /Español could not be loaded/);
  await host.close();
});

test('the page says which language it speaks when all its words are there, and keeps the one before when they cannot be loaded', async () => {
  const waiting: (() => void)[] = [];
  let isBroken = true;
  const page = await reader.open({ before: (tab) => tab.route('**/page-words-live-*.js', async (route) => {
    if (isBroken) return route.abort();
    await new Promise<void>((go) => waiting.push(go));
    return route.continue();
  }) });
  await choose(page.page, 'es');
  await page.page.locator('.language-status').filter({ hasText: 'Español could not be loaded' }).waitFor();
  assert.deepEqual([await spoken(page.page), await page.page.locator('#language').inputValue()], ['en', 'en']);
  assert.match(await caption(page.page), /^Row/);
  isBroken = false;
  await choose(page.page, 'es');
  while (waiting.length === 0) await page.page.waitForTimeout(10);
  assert.equal(await spoken(page.page), 'en');
  assert.match(await caption(page.page), /^Row/);
  for (const go of waiting) go();
  await until(page.page, 'es');
  assert.match(await page.page.locator('#how-to-read').innerText(), HEADINGS.es);
  await page.close();
});

test('the reader’s sentence keeps a language of its own', async () => {
  const page = await reader.open({ fragment: '#v1&lang=es' });
  await until(page.page, 'es');
  const langs = await page.page.evaluate(() => {
    const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
    return ['#text', '.mirror', '.rows bdi', '.columns bdi', '.row-caption bdi', '.line-labels bdi', '.inspector bdi'].map((selector) => [selector, root.querySelector(selector)?.closest('[lang]')?.getAttribute('lang')]);
  });
  for (const [selector, lang] of langs) assert.equal(lang, '', String(selector));
  await page.close();
});

const everythingOpen = `${link({ text: 'uno tiger 3', 'key-text': 'dos', 'other-text': 'uno', heads: 2, softcap: 5, dropout: 0.2, positions: 'rope', biases: 'on', numbers: 'W_Q:1:1:0.5', 'mask-cells': '2.1' })}`;
const READERS = ['uno', 'tiger', 'dos', 'mole', 'have'];

/** Opens all that can be opened. */
async function openAll(page: Playground): Promise<void> {
  await page.openMore();
  for (const selector of ['.as-table > summary', '.take > summary', '.terms > summary', '.edits > summary', '[data-stage-card=query] .parameter > summary']) {
    const summary = page.page.locator(selector).first();
    if (await summary.count()) await summary.click();
  }
  await page.page.locator('.mask-tools .tool').click();
  await page.page.locator('.pin button').first().click();
  await page.page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
      scrollTo(0, y);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
}

test('no English is left in Chinese: everything open, under every kind of parameters', async () => {
  for (const [fragment, own] of [
    [`${everythingOpen}&lang=zh`, READERS],
    [`${link({ text: 'the zzyzx sat', parameters: 'designed', 'other-text': 'the end' })}&lang=zh`, ['the', 'zzyzx', 'sat', 'end', 'mole', 'have', 'ing', 'who', 'which', 'that', 'and', 'she', 'tired', 'wide', 'One', 'numbers']],
    [`${link({ text: 'the cat sat on the mat', parameters: 'trained', silenced: '1.1', shares: '1:2:4:2:0.5', mask: 'none' })}&lang=zh`, ['was']],
    [`${link({ text: 'uno', parameters: 'yours' })}&lang=zh`, []],
  ] as const) {
    const page = await reader.open({ fragment });
    await until(page.page, 'zh-Hans');
    await page.page.waitForFunction(() => !document.querySelector('attention-playground')?.shadowRoot?.querySelector('.notices')?.textContent?.includes('正在加载'));
    await page.settled();
    await openAll(page);
    assert.deepEqual(englishIn(await wordsOf(page.page), own), [], fragment);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

/** What may be looked up in the lab of soft lookup. */
const DICTIONARY = ['sun', 'sky', 'grass', 'rose', 'snow', 'coal'];

test('no English is left on the page of labs', async () => {
  const page = await reader.open({ file: 'labs.html' });
  await page.page.evaluate(async () => {
    for (const lab of document.querySelectorAll('attention-playground')) {
      lab.scrollIntoView();
      for (let i = 0; i < 100 && !lab.shadowRoot?.querySelector('.lab h2, .lab h3'); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await choose(page.page, 'zh-Hans');
  await until(page.page, 'zh-Hans');
  await page.page.waitForFunction(() => document.title === '实验 · Attention Playground');
  await page.page.waitForFunction(() => /为什么分数要除以/.test(document.querySelector('attention-playground')?.shadowRoot?.querySelector<HTMLElement>('.lab')?.innerText ?? ''));
  const sentence = "the animal didn't cross the street because it was too tired".match(/[a-z]+/g) ?? [];
  // What is read stays as it is, as do the title of a text and the name of a model.
  const kept = 'el animal no cruzó la calle, What and why is self-attention?, GPT-2 medium'.match(/\p{L}+/gu) ?? [];
  assert.deepEqual(englishIn(await wordsOf(page.page), [...sentence, ...kept, 'wide', 'houston', 'Houston', 'have', 'problem', ...DICTIONARY]), []);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('no English is left on the page for authors', async () => {
  const page = await reader.open({ file: 'configure.html', fragment: '#v1&view=matrix&text=%E4%B8%80+%E4%BA%8C+%E4%B8%89' });
  await page.page.waitForFunction(() => document.querySelector('attention-playground'));
  for (const summary of await page.page.locator('#choices details > summary').all()) await summary.click();
  await choose(page.page, 'zh-Hans');
  await until(page.page, 'zh-Hans');
  await page.page.waitForFunction(() => document.title === '给你的页面一幅图 · Attention Playground');
  // Names of systems, files and languages, and what stands in the lines, stay as they are.
  const names = await page.page.locator('.chip, .parts, pre, option').allInnerTexts();
  const kept = [...names.join(' ').match(/[A-Za-z]+/g) ?? [], 'example', 'org', 'attention', 'playground', 'https', 'PDF'];
  assert.deepEqual(englishIn(await wordsOf(page.page), kept), []);
  await page.close();
});

for (const language of LANGUAGES) {
  test(`nothing leaves the screen sideways in ${language}`, async () => {
    for (const file of ['playground.html', 'index.html', 'training.html', 'labs.html', 'configure.html', 'teach.html']) {
      const page = await reader.open({ file, fragment: `#lang=${language}` });
      await until(page.page, language);
      if (file === 'playground.html') await page.openMore();
      for (const width of [360, 390, 768, 1440]) {
        await page.page.setViewportSize({ width, height: 800 });
        await page.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))));
        const sideways = await page.page.evaluate(() => {
          scrollTo(1e6, scrollY);
          return scrollX;
        });
        assert.equal(sideways, 0, `${file} at ${width} px`);
        const header = await page.page.locator('header a, header select, header button').evaluateAll((parts) => parts.map((part) => {
          const box = part.getBoundingClientRect();
          return [box.left >= 0 && box.right <= document.documentElement.clientWidth, part.textContent];
        }));
        assert.deepEqual(header.filter(([isInside]) => !isInside), [], `the header at ${width} px`);
        const name = await page.page.locator('header h1').evaluate((title) => {
          const range = document.createRange();
          range.selectNodeContents(title);
          const own = range.getBoundingClientRect();
          const beside = [...document.querySelectorAll('header a, header select, header button')].map((part) => part.getBoundingClientRect());
          return { lines: Math.round(own.height / 20), covered: beside.filter((box) => box.width > 0 && box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top).length };
        });
        assert.deepEqual(name, { lines: 1, covered: 0 }, `the name of ${file} at ${width} px`);
        const lines = await page.page.locator('header nav a').evaluateAll((links) => new Set(links.map((link) => link.getBoundingClientRect()).filter((box) => box.width > 0).map(({ top }) => Math.round(top))).size);
        assert.equal(lines, 1, `lines of links at ${width} px, beside a scrollbar’s room`);
      }
      await page.close();
    }
  });
}

test('the pages are whole in English without JavaScript', async () => {
  for (const [file, words] of [['playground.html', [/How to read this/, /A row asks, a column answers/, /Nothing leaves your browser/]], ['labs.html', [/Why scores are divided by √d/, /Nothing leaves your browser/]]] as const) {
    const html = readFileSync(path.join(SITE, file), 'utf8');
    for (const each of words) assert.match(html, each);
    const page = await reader.open({ file, context: { javaScriptEnabled: false } });
    assert.equal(await page.page.locator('#language').isVisible(), false, 'no list that does nothing');
    for (const each of words) assert.match(await page.page.locator('body').innerText(), each);
    await page.close();
  }
});
