// An esbuild plugin that makes the styles smaller: esbuild takes the words of css`…` for text, and leaves them as they are.
import { transform } from 'esbuild';
import { readFile } from 'node:fs/promises';

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
