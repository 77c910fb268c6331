// Every sentence of the page has a translation in every catalogue, with the same placeholders and tags; and no catalogue
// holds a sentence that the page no longer says.
import assert from 'node:assert/strict';
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
