// The words of the pages as they are built: src/pages/prose.ts in English, as HTML.
import { build } from 'esbuild';
import path from 'node:path';
import { web } from './catalogues.mjs';

const written = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** A template that binds nothing but texts, as its HTML. */
function htmlOf(value) {
  if (!value?.strings) return written(value);
  return value.strings.reduce((html, next, i) => {
    const inside = htmlOf(value.values[i - 1]);
    return html + (html.endsWith('=') ? `"${inside}"` : inside) + next;
  });
}

/** Puts words where data-words asks for them. */
export async function pageWords() {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [path.join(web, 'src/pages/prose.ts')], bundle: true, format: 'esm', write: false,
    alias: { lit: path.join(web, 'languages/tags.mjs'), '@lit/localize': path.join(web, 'languages/tags.mjs') },
  });
  const { PAGE_WORDS } = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  return (page) => page.replace(/(data-words="([\w-]+)"[^>]*>)/g, (start, _, name) => {
    if (!PAGE_WORDS[name]) throw new Error(`There are no words “${name}”; src/pages/prose.ts has those of the pages.`);
    return start + htmlOf(PAGE_WORDS[name]());
  });
}
