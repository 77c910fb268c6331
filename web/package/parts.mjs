// Parts that come on demand. Each is built as an entry that first needs the whole element: so all that the element holds is
// one chunk, and a part brings what is its own alone.
import { build, transform } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_ONCE, smallScript } from '../smaller.mjs';
import { shares } from './shares.mjs';

const SMALL = 10_000;

/** What `integrity=` takes. */
export const hashOf = (algorithm, content) => `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
const source = fileURLToPath(new URL('../src', import.meta.url));

/** What comes later: the name of its script, and its source. */
const PARTS = {
  rest: 'ui/late-chunk', below: 'ui/page-chunk', take: 'ui/export/panel', yours: 'ui/parameters/paste', senses: 'ui/senses/senses',
  designed: 'parameters/designed/index', model: 'parameters/language-model/index', 'model-view': 'ui/language-model/index',
  link: 'link/fragment', 'link-limits': 'link/missing', configuration: 'element/configuration', 'page-words-live': 'pages/live-prose', labs: 'labs/index',
};
const names = Object.fromEntries(Object.entries(PARTS).map(([name, file]) => [`${file}.ts`, name]));

/** labs/mask/lab.ts → labs-mask */
export function partName(file) {
  const own = path.relative(source, file).replaceAll(path.sep, '/');
  const name = names[own] ?? own.match(/^(labs\/\w+)\/lab\.ts$/)?.[1].replace('/', '-');
  if (!name) throw new Error(`${own} is imported on demand and has no name as a script. Name it in PARTS of web/package/parts.mjs.`);
  return name;
}

/** `main` is what all parts need first, one source or several. `import('./part.ts')` becomes what `ask` writes; `found` learns which parts there are: names and their sources. */
export const partsApart = (main, found, ask) => ({
  name: 'parts-apart',
  setup(on) {
    on.onLoad({ filter: /\/web\/src\/[^.]*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const contents = text.replace(/(?<!typeof )import\('(\.[^']*)'\)/g, (_, other) => {
        const part = path.resolve(path.dirname(file), other);
        found[partName(part)] = part;
        return ask(partName(part));
      });
      return contents === text ? null : { contents, loader: 'ts', resolveDir: path.dirname(file) };
    });
    on.onResolve({ filter: /^part:/ }, ({ path: name }) => ({ path: name.slice(5), namespace: 'part' }));
    on.onLoad({ filter: /./, namespace: 'part' }, async ({ path: name }) => {
      const own = JSON.stringify(found[name]);
      const whole = /^export default /m.test(await readFile(found[name], 'utf8')) ? `export { default } from ${own};` : '';
      return { contents: `${[main].flat().map((each) => `import ${JSON.stringify(each)};`).join(' ')} export * from ${own}; ${whole}`, resolveDir: source };
    });
  },
});

/** The modules of one build, as functions that are called when the module is wanted: { name: text }; and of each, its sources. */
async function modulesOf(options, main, plugins, found) {
  for (let known = -1; ;) {
    const entries = Object.fromEntries(Object.keys(found).map((name) => [name, `part:${name}`]));
    const { outputFiles, metafile } = await build({ ...options, format: 'esm', splitting: true, chunkNames: 'part-[hash]', write: false, metafile: true, plugins: [...plugins, partsApart(main, found, (name) => `SCRIPT_PART('${name}')`)], entryPoints: { main, ...entries } });
    if (Object.keys(found).length === known) {
      const modules = outputFiles.map(async ({ path: file, text }) => [path.basename(file), await asFunction(text, options.target)]);
      const inputs = Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output.inputs]);
      return { modules: Object.fromEntries(await Promise.all(modules)), parts: Object.keys(found), inputs: Object.fromEntries(inputs) };
    }
    known = Object.keys(found).length;
  }
}

/** What imports and exports as the text of a function of ours, which no tool takes for a module of Node's. */
async function asFunction(text, target) {
  const { code: plain } = await transform(text, { format: 'cjs', minify: true, target });
  const { code } = await smallScript(plain, { toplevel: true });
  return code.replaceAll('require("./', '$require("./').replaceAll('module.exports=', '$module.exports=');
}

/** A module and all that it needs before it can be made. */
function needs(name, modules) {
  const found = [name];
  for (const each of found) found.push(...[...modules[each].matchAll(/\$require\("\.\/([^"]+)"\)/g)].map(([, other]) => other).filter((other) => !found.includes(other)));
  return found;
}

/**
 * The element as one classic script, and its parts as scripts beside it. They find each other by the build's own name, so
 * that another version on the page is no concern of theirs; the same script twice runs once.
 * @param hashes of other scripts that may be brought: { file: hash }; those of the parts are added
 * @param found parts that no `import()` names: { name: source }
 * @param carried texts that modules know by a name, and that stand behind the code: { module: [[name, text]] }
 * @returns what the script is made of: [part, compressed bytes][]
 */
export async function buildClassic({ dist, options, main, file, plugins, found, hashes, carried }) {
  const { modules, parts, inputs } = await modulesOf(options, main, plugins, found);
  const inside = needs('main.js', modules);
  const outside = Object.fromEntries(parts.map((name) => [name, needs(`${name}.js`, modules).filter((other) => !inside.includes(other))]));
  // What is small is not worth a request: it is in each part that needs it, and made once.
  const isApart = (name) => !Object.hasOwn(outside, name.replace(/\.js$/, '')) && modules[name].length > SMALL;
  const files = Object.fromEntries(Object.entries(outside).map(([name, needed]) => [name, [`${name}.js`, ...needed.filter(isApart)]]));
  const id = createHash('sha256').update(JSON.stringify([modules, carried])).digest('hex').slice(0, 12);
  const key = `Symbol.for(["attention-playground",${options.define.VERSION},"${id}"].join())`;
  // In brackets, which tell browsers that it runs at once: they read it one time, not two.
  const as = (name) => `"./${name}",(($require,$module)=>{${modules[name]}})`;
  const around = (name, parameters, code) => {
    const texts = carried[name] ?? [];
    return `((${[...parameters, ...texts.map(([each]) => each)]})=>{${code}})`;
  };
  const given = (name, values) => `(${[...values, ...(carried[name] ?? []).map(([, text]) => JSON.stringify(text))]});\n`;
  const adding = (names) => names.map((name) => `add(${as(name)});`).join('');
  const known = { ...hashes };
  const part = async (name, names) => {
    const text = around(name, ['add'], adding(names)) + given(name, [`globalThis[${key}]??(()=>{})`]);
    known[name] = hashOf('sha256', text);
    await writeFile(path.join(dist, name), text);
  };
  for (const [name, [own, ...others]] of Object.entries(files)) {
    await part(own, outside[name].filter((each) => !isApart(each)));
    for (const other of others) await part(other, [other]);
  }
  const runtime = `const makers={},made={},REQUIRE=n=>{if(!made[n]){const m={exports:{}};makers[n](REQUIRE,m);made[n]=m.exports}return made[n]},PARTS=${JSON.stringify(files)},HASHES=${JSON.stringify(known)},BUILD="${id}",add=globalThis[${key}]=(n,f)=>{makers[n]??=f};`;
  const code = `if(globalThis[${key}])return;${runtime}${adding(inside)}REQUIRE("./main.js")`;
  const whole = `${AT_ONCE}\n${around('main.js', [], code)}${given('main.js', [])}`;
  await writeFile(path.join(dist, file), whole);
  const sources = inside.flatMap((name) => Object.entries(inputs[name]).map(([source, { bytesInOutput }]) => [source, bytesInOutput]));
  return shares(whole, code, Object.fromEntries(sources));
}
