// The catalogues as the site has them, so that sentences can be asked for in every language without a browser.
import { runInThisContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Language, speak } from '../../web/src/lib/language.ts';

const languages = new URL('../../web/languages/', import.meta.url);
const tags = fileURLToPath(new URL('tags.mjs', languages));

/** Of all languages but English. */
export async function readCatalogues(): Promise<void> {
  const { builtCatalogues } = await import(new URL('build.mjs', languages).href) as { builtCatalogues(): Promise<{ file: string }[]> };
  const files = (await builtCatalogues()).map(({ file }) => file);
  const { outputFiles } = await build({ entryPoints: files, outdir: 'unwritten', bundle: true, write: false, format: 'iife', alias: { lit: tags, '@lit/localize': tags } });
  for (const { text } of outputFiles) runInThisContext(text);
}

/** What is said in a language; English is spoken again afterwards. */
export async function spoken<Said>(language: Language, say: () => Said): Promise<Said> {
  await speak(language);
  try {
    return say();
  } finally {
    await speak('en');
  }
}
