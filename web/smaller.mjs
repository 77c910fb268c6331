// What is made smaller than esbuild makes it: styles and templates, since it takes the words of css`…` and html`…` for text and
// leaves them as they are; and scripts.
import { transform } from 'esbuild';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
// After esbuild, it takes another 2 or 3 % off.
import { minify } from 'terser';
import ts from 'typescript';

const SHEET = /css`([^`]*)`/g;
const HOLE = /\$\{[^}]*\}/g;

/** A sheet as esbuild writes it; what is filled in later stands as a name meanwhile. */
export async function smallSheet(sheet) {
  const holes = [];
  const whole = sheet.replace(HOLE, (hole) => `hole-${holes.push(hole) - 1}-`);
  const { code } = await transform(whole, { loader: 'css', minify: true, charset: 'utf8' });
  return code.trimEnd().replace(/\\/g, '\\\\').replace(/hole-(\d+)-/g, (_, i) => holes[Number(i)]);
}

export const smallStyles = {
  name: 'small-styles',
  setup(build) {
    build.onLoad({ filter: /[/\\]styles[/\\][\w-]+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const sheets = await Promise.all([...source.matchAll(SHEET)].map(([, sheet]) => smallSheet(sheet)));
      return { contents: source.replace(SHEET, () => `css\`${sheets.shift()}\``), loader: 'ts' };
    });
  },
};

/** A source without the indentation inside of html`…` and svg`…`, whose first sign in a line is then its first there. */
function smallTemplates(source) {
  const spans = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && /^(html|svg)$/.test(node.tag.getText()) && !isMessage(node.parent)) {
      const { template } = node;
      for (const piece of template.head ? [template.head, ...template.templateSpans.map(({ literal }) => literal)] : [template]) spans.push([piece.getStart(), piece.end]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('', source, ts.ScriptTarget.ES2022, true));
  return spans.toSorted(([a], [b]) => b - a).reduce((text, [from, to]) => text.slice(0, from) + text.slice(from, to).replace(/\n[ \t]+/g, '\n') + text.slice(to), source);
}

/** Their translations are found by their words as they stand. */
const isMessage = (node) => ts.isCallExpression(node) && node.expression.getText() === 'msg';

const read = new Map();

/** A source's text, with small templates. */
export async function readSource(file) {
  if (!read.has(file)) read.set(file, smallTemplates(await readFile(file, 'utf8')));
  return read.get(file);
}

/** After the plugins that write a module anew. */
export const smallSources = {
  name: 'small-sources',
  setup: (build) => build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => ({ contents: await readSource(path), loader: 'ts' })),
};

/**
 * As the first line of what a first figure needs: Chromium then compiles all of it while it comes, on a thread of its own, and
 * not piece by piece when each is first called. Measured in turn with and without, a tenth of the time to that figure; other browsers pass over it.
 */
export const AT_ONCE = '//# allFunctionsCalledOnLoad';

export async function smallScript(text, { format, ...options }) {
  return minify(text, { ecma: 2020, compress: { passes: 3, inline: 1 }, format: { comments: false, ...format }, ...options });
}

/**
 * Every script of a folder that has a map beside it: esbuild's own output.
 * @param atOnce the files that a first figure needs
 */
export async function smallScripts(folder, atOnce) {
  const maps = (await readdir(folder)).filter((name) => name.endsWith('.js.map'));
  await Promise.all(maps.map(async (name) => {
    const [script, map] = [path.join(folder, name.replace(/\.map$/, '')), path.join(folder, name)];
    const [text, content] = await Promise.all([readFile(script, 'utf8'), readFile(map, 'utf8')]);
    const format = atOnce.has(path.basename(script)) ? { preamble: AT_ONCE } : {};
    const made = await smallScript(text, { module: !/^(?:"use strict";)?\(\(\)=>/.test(text), sourceMap: { content, url: name }, format });
    await Promise.all([writeFile(script, made.code), writeFile(map, made.map)]);
  }));
}
