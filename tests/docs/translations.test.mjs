// Every sentence of the page has a translation in every catalogue, with the same placeholders and tags; and no catalogue
// holds a sentence that the page no longer says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { LANGUAGES, localizer, marks, web } from '../../web/languages/catalogues.mjs';

const short = (text) => (text.length > 90 ? `${text.slice(0, 88)}…` : text);
const said = (contents) => short(contents.map((part) => (typeof part === 'string' ? part : '{…}')).join(''));
/** Of `these`, what `others` does not have, each as often as it stands there. */
function without(these, others) {
  const left = [...others];
  return these.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const words = localizer();
const { messages, errors } = words.extractSourceMessages();
const { translations } = words.readTranslationsSync();

test('the code’s messages can be extracted', () => {
  assert.deepEqual(errors.map(({ messageText }) => String(messageText)), []);
  assert.ok(messages.length > 100);
});

for (const language of LANGUAGES) {
  test(`the ${language} catalogue translates each message, with its placeholders and tags, and no other`, () => {
    const file = `web/languages/${language}.xlf`;
    const problems = [];
    const own = new Map((translations.get(language) ?? []).map((message) => [message.name, message.contents]));
    for (const { name, contents, file: source } of messages) {
      const translated = own.get(name);
      const where = source ? ` (${path.relative(web, path.resolve(web, source.fileName ?? ''))})` : '';
      if (!translated) {
        problems.push(`${file} does not say “${said(contents)}”${where}. Run npm run words in web/, and write its <target>.`);
        continue;
      }
      const [wanted, found] = [marks(contents), marks(translated)];
      for (const lost of without(wanted, found)) problems.push(`${file} loses ${lost} in “${said(contents)}”. Put it into the <target>; npm run words brings <source> up to the code.`);
      for (const invented of without(found, wanted)) problems.push(`${file} has ${invented} in “${said(translated)}”, which the English does not have. Take it out of the <target>.`);
      own.delete(name);
    }
    for (const [name, contents] of own) {
      if (!messages.some((message) => message.name === name)) problems.push(`${file} still says “${said(contents)}”, which the page no longer does. Run npm run words in web/.`);
    }
    assert.ok(problems.length === 0, problems.join('\n'));
  });
}

const HAN = '[\\u2e80-\\u2fff\\u3005-\\u3007\\u3400-\\u9fff]';
const FULL = '[，。：；！？、（）“”]';
/** What no Chinese text has. Where something is put in stands a \ufffc. */
const STRAY = {
  'a space between two characters': new RegExp(`${HAN}[ \\u00a0]+${HAN}`, 'u'),
  'a space beside a full-width sign': new RegExp(`[ \\u00a0]${FULL}|${FULL}[ \\u00a0]`, 'u'),
  'a half-width comma or bracket beside a character': new RegExp(`${HAN}[,;:!?()]|[,;:!?()]${HAN}`, 'u'),
};
/** A word of the reader's, which may be Chinese itself. */
const OWN = /^(?:<b[^>]*>|<span[^>]*>)*(?:\$\{(?:ownWord|keyWord|wordText|word|wordOf|bdi)\(|<bdi)/;

const texts = (json) => (typeof json === 'string' ? [json] : json && typeof json === 'object' ? Object.values(json).flatMap(texts) : []);

test('Chinese texts have no stray space, and no half-width comma or bracket, between their characters', async () => {
  const problems = [];
  const lesson = JSON.parse(await readFile(path.join(web, 'lessons/zh-Hans.json'), 'utf8'));
  const sentences = texts(lesson).map((text) => ({ name: 'lessons/zh-Hans.json', contents: [text.replaceAll(/\{\w+\}/g, '\ufffc')] }));
  for (const { name, contents } of [...translations.get('zh-Hans') ?? [], ...sentences]) {
    const words = contents.map((part) => (typeof part === 'string' ? part : '\ufffc')).join('');
    for (const [what, pattern] of Object.entries(STRAY)) {
      const found = pattern.exec(words);
      if (found) problems.push(`${name} has ${what}: “…${words.slice(Math.max(0, found.index - 8), found.index + 8)}…”`);
    }
    contents.forEach((part, i) => {
      if (typeof part === 'string' || !OWN.test(part.untranslatable)) return;
      const [before, after] = [contents[i - 1], contents[i + 1]].map((each) => (typeof each === 'string' ? each : ''));
      if (new RegExp(`${HAN} $`, 'u').test(before) || new RegExp(`^ ${HAN}`, 'u').test(after)) problems.push(`${name} has a space beside a word of the reader’s: “${said(contents)}”`);
    });
  }
  assert.ok(problems.length === 0, problems.join('\n'));
});
