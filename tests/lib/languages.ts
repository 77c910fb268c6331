// The page's languages: the catalogues as the site has them, and what stands on a page in letters, seen or read aloud.
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
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

/** Texts and names of everything that is shown, without what is the reader's own or a formula's symbol. */
export function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const isForeign = (element: Element) => element.closest('[lang=""], [lang=en]:not(html), option[lang], script, style, math mi, .product-bars, .fallback') !== null;
    const visit = (root: Document | ShadowRoot) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node instanceof Text) {
          const parent = node.parentElement;
          if (parent && node.data.trim() && !isForeign(parent) && (parent.checkVisibility({ visibilityProperty: true }) || parent.localName === 'option')) found.push(node.data.trim());
          continue;
        }
        const element = node as Element;
        if (element.shadowRoot) visit(element.shadowRoot);
        if (!element.checkVisibility() || isForeign(element)) continue;
        for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription', 'title', 'placeholder', 'alt']) {
          // Between these marks stand the reader's words.
          const value = element.getAttribute(name)?.replace(/\u2068[^\u2069]*\u2069/g, '');
          if (value) found.push(value);
        }
      }
    };
    visit(document);
    return found;
  });
}

/** Names of files, formats, products and of code: the same in every language. */
const THE_SAME = new Set((
  'Attention Playground MIT GPT Neo Llama NeoX BERT ForMaskedLM YaRN MASK MLP Transformer RoPE ALiBi PyTorch NumPy pandas MATLAB npy npz gguf GGUF Python WebAssembly SIMD JavaScript CSV TSV JSON SVG PNG exp tanh max min sqrt log diag cos sin '
  + 'softmax Softmax softcap Softcap dropout Dropout concat model kbd safetensors config json tokenizer vocab merges txt csv GELU nanoGPT head float nats base Frobenius '
  + 'English Espa ñol Español'
).split(' '));

/** Words of three Latin letters or more that are in none of these; `own` are the reader's and other texts' words. */
export function englishIn(texts: readonly string[], own: readonly string[] = []): string[] {
  const known = new Set([...THE_SAME, ...own]);
  return texts.filter((text) => (text.match(/\p{Script=Latin}{3,}/gu) ?? []).some((word) => !known.has(word)));
}
