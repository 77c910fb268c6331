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

export const localizer = () => new RuntimeLitLocalizer({
  baseDir: web,
  resolve: (file) => path.resolve(web, file),
  sourceLocale: 'en',
  targetLocales: LANGUAGES,
  inputFiles: ['src/**/*.ts'],
  output: { mode: 'runtime', outputDir: '../build/languages', language: 'js' },
  interchange: { format: 'xliff', xliffDir: 'languages' },
});
