// From the catalogues, es.xlf and zh-Hans.xlf, to the modules that the page loads: made into build/languages, and again only
// when a message or a translation is another. A message that a catalogue does not have stays English there.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES, builder, catalogue, made, web } from './catalogues.mjs';

/** [{ name: 'es', file }] */
export async function builtCatalogues() {
  const sources = (await readdir(path.join(web, 'src'), { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
  const hash = createHash('sha256');
  for (const file of [...LANGUAGES.map(catalogue), ...sources.map((name) => path.join(web, 'src', name))]) hash.update(await readFile(file));
  const [stamp, now] = [path.join(made, 'of'), hash.digest('hex')];
  if (!existsSync(stamp) || await readFile(stamp, 'utf8') !== now) {
    await mkdir(made, { recursive: true });
    await quietly(() => builder().build());
    await writeFile(stamp, now);
  }
  return Promise.all(LANGUAGES.map(async (name) => {
    const file = path.join(made, `${name}.entry.js`);
    await writeFile(file, registering(name));
    return { name, file };
  }));
}

/** Imported or run, its words are where src/language.ts looks for them. */
const registering = (name) => `import * as words from './${name}.js';
globalThis[Symbol.for('attention-playground.language')]?.catalogues.set('${name}', words);
`;

/** What is missing is told by tests/docs/translations.test.mjs. */
async function quietly(act) {
  const { warn } = console;
  console.warn = () => {};
  try {
    await act();
  } finally {
    console.warn = warn;
  }
}
