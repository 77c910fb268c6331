// Where the catalogues are, and what reads them: one a language, <source> as the code says it, <target> as the language does.
import { RuntimeLitLocalizer } from '@lit/localize-tools/lib/modes/runtime.js';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
export const web = path.dirname(here);
export const made = path.join(path.dirname(web), 'build/languages');
/** Besides English. */
export const LANGUAGES = ['es', 'zh-Hans'];
export const catalogue = (language) => path.join(here, `${language}.xlf`);

const config = {
  baseDir: web,
  resolve: (file) => path.resolve(web, file),
  sourceLocale: 'en',
  targetLocales: LANGUAGES,
  inputFiles: ['src/**/*.ts'],
  output: { mode: 'runtime', outputDir: '../build/languages', language: 'js' },
  interchange: { format: 'xliff', xliffDir: 'languages' },
};

const isText = (part) => typeof part === 'string';
/** Without what stands in its expressions: names may change, and the sentence is the same. */
const form = ({ untranslatable }) => untranslatable.replace(/\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}/g, '${}');
/** What a translation must have as often as the English: placeholders and tags by their numbers. */
export const marks = (contents) => contents.filter((part) => !isText(part)).map((part) => `{${part.index}} ${form(part)}`);

const alike = (a, b) => a.length === b.length && a.toSorted().every((mark, i) => mark === b.toSorted()[i]);

/** Reads code and catalogues, and makes modules of them. */
class Catalogues extends RuntimeLitLocalizer {
  /** With the expressions that the code has now. */
  readTranslationsSync() {
    const { translations } = super.readTranslationsSync();
    const sources = new Map(this.extractSourceMessages().messages.map((message) => [message.name, message.contents]));
    const current = (message) => {
      const source = sources.get(message.name);
      if (!source || !alike(marks(source), marks(message.contents))) return message;
      const own = new Map(source.filter((part) => !isText(part)).map((part) => [part.index, part]));
      return { ...message, contents: message.contents.map((part) => (isText(part) ? part : own.get(part.index))) };
    };
    return { translations: new Map([...translations].map(([language, messages]) => [language, messages.map(current)])) };
  }
}

export const localizer = () => new Catalogues(config);

/** The same for a build: what does not fit the code stays English, and tests/docs/translations.test.mjs tells of it. */
export const builder = () => new (class extends Catalogues {
  readTranslationsSync() {
    const { translations } = super.readTranslationsSync();
    const sources = new Map(this.extractSourceMessages().messages.map((message) => [message.name, message.contents]));
    const fits = ({ name, contents }) => sources.has(name) && alike(marks(sources.get(name)), marks(contents));
    return { translations: new Map([...translations].map(([language, messages]) => [language, messages.filter(fits)])) };
  }
})(config);
