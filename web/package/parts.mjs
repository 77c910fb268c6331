// Parts that come on demand. Each is built as an entry that first needs the whole element: so all that the element holds is
// one chunk, and a part brings what is its own alone.
import { build, transform } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AT_ONCE, readSource, smallScript } from '../smaller.mjs';
import { shares } from './report.mjs';

const SMALL = 10_000;

/** What `integrity=` takes. */
export const hashOf = (algorithm, content) => `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
const source = fileURLToPath(new URL('../src', import.meta.url));

/** What comes later: the name of its script, and its source. */
const PARTS = {
  rest: 'ui/late-chunk', below: 'ui/page-chunk', screen: 'ui/styles/screen', stage: 'ui/stage/stage', take: 'ui/export/panel', yours: 'ui/parameters/paste', senses: 'ui/senses/senses',
  designed: 'parameters/designed/index', attention: 'parameters/attention/reader', model: 'parameters/language-model/index', 'model-layouts': 'parameters/language-model/other-layouts', 'model-away': 'parameters/language-model/away', 'model-files': 'parameters/language-model/files', gguf: 'parameters/language-model/gguf', 'other-files': 'parameters/language-model/other-files', tokenizer: 'parameters/language-model/file-tokenizer', 'model-view': 'ui/language-model/attention',
  training: 'engine/training/open', 'training-walk': 'labs/training/stage-walk',
  link: 'link/fragment', 'link-limits': 'link/missing', configuration: 'element/configuration', 'page-words-live': 'pages/live-prose', labs: 'element/lab-host', lesson: 'element/lesson-host', 'lesson-format': 'lesson/format', 'lesson-presenter': 'lesson/presenter', element: 'element/define',
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
      const contents = (await readSource(file)).replace(/(?<!typeof )import\('(\.[^']*)'\)/g, (_, other) => {
        const part = path.resolve(path.dirname(file), other);
        found[partName(part)] = part;
        return ask(partName(part));
      });
      return { contents, loader: 'ts', resolveDir: path.dirname(file) };
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

/** What imports and exports as the body of a function of ours, which no tool takes for a module of Node's. */
async function asFunction(text, target) {
  // Bundled, it ends with all of its exports.
  const [, own, names = ''] = /^(.*?)(?:export\{([^}]*)\};\s*)?$/s.exec(text);
  const getters = names.split(',').filter(Boolean).map((name) => name.split(' as ')).map(([local, as = local]) => `${as}:()=>${local}`);
  const exporting = `${own}$export({${getters}});`;
  const { code: plain } = await transform(exporting, { format: 'cjs', minify: true, target });
  const { code } = await smallScript(plain, { toplevel: true });
  return code.replaceAll('require("./', '$require("');
}

/** A module, and before it all that it needs. */
function needs(name, modules, found = []) {
  for (const [, other] of modules[name].matchAll(/\$require\("([^"]+)"\)/g)) if (!found.includes(other)) needs(other, modules, found);
  found.push(name);
  return found;
}

/**
 * The element as one classic script, and its parts as scripts beside it. They find each other by the build's own name, so
 * that another version on the page is no concern of theirs; the same script twice runs once.
 * @param hashes of other scripts that may be brought: { file: hash }
 * @param found parts that no `import()` names: { name: source }
 * @param carried of modules that carry more than code, the declarations that stand before it: { module: text }
 * @returns what the script is made of: [part, compressed bytes][]
 */
export async function buildClassic({ dist, options, main, file, plugins, found, hashes, carried }) {
  const { modules, parts, inputs } = await modulesOf(options, main, plugins, found);
  const inside = needs('main.js', modules);
  const outside = Object.fromEntries(parts.map((name) => [name, needs(`${name}.js`, modules).filter((other) => !inside.includes(other))]));
  // What is small is not worth a request: it is in each part that needs it, and made once.
  const isApart = (name) => !Object.hasOwn(outside, name.replace(/\.js$/, '')) && modules[name].length > SMALL;
  const apart = Object.fromEntries(Object.entries(outside).map(([name, needed]) => [name, needed.filter(isApart)]).filter(([, others]) => others.length > 0));
  const id = createHash('sha256').update(JSON.stringify([modules, carried])).digest('hex').slice(0, 12);
  const key = `Symbol.for(["attention-playground",${options.define.VERSION},"${id}"].join())`;
  // In brackets, which tell browsers that it runs at once: they read it one time, not two.
  const maker = (name) => `(($require,$export)=>{${modules[name]}})`;
  const whole = (name, code) => `(()=>{${carried[name] ?? ''}${code}})();\n`;
  const known = {};
  const part = async (name, code) => {
    const text = whole(name, `const add=globalThis[${key}]??(()=>{});${code}`);
    known[name] = hashOf('sha256', text);
    await writeFile(path.join(dist, name), text);
  };
  const adding = (names) => names.map((name) => `add("${name}",${maker(name)});`).join('');
  for (const [name, needed] of Object.entries(outside)) await part(`${name}.js`, adding(needed.filter((each) => !isApart(each))));
  for (const name of new Set(Object.values(apart).flat())) await part(name, adding([name]));
  // More than a kilobyte that does not compress, and few pages ask for it.
  await part('hashes.js', `add("hashes.js",(_,$export)=>$export({hashes:()=>(${JSON.stringify({ ...hashes, ...known })})}));`);
  const constants = { APART: apart, HASHES: { 'hashes.js': known['hashes.js'] }, BUILD: id };
  const runtime = [
    `if(globalThis[${key}])return;`, ...Object.entries(constants).map(([name, value]) => `const ${name}=${JSON.stringify(value)};`),
    'const makers={},made={},REQUIRE=n=>{if(!made[n])makers[n](REQUIRE,exporter(n));return made[n]};',
    'const exporter=n=>e=>{const m=made[n]={};for(const k in e)Object.defineProperty(m,k,{get:e[k],enumerable:true})};',
    `globalThis[${key}]=(n,f)=>{makers[n]??=f};`,
  ];
  const { code } = await smallScript([...runtime, ...inside.map((name) => `${maker(name)}(REQUIRE,exporter("${name}"));`)].join(''), { parse: { bare_returns: true }, toplevel: true });
  const text = `${AT_ONCE}\n${whole('main.js', code)}`;
  await writeFile(path.join(dist, file), text);
  const sources = inside.flatMap((name) => Object.entries(inputs[name]).map(([source, { bytesInOutput }]) => [source, bytesInOutput]));
  return shares(text, code, Object.fromEntries(sources));
}
