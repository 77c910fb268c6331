// npm run rooms: the rooms of src/, what each may import, and whether that holds. A room imports from the rooms above it in
// this table, and from itself; type-only and dynamic imports count.
// dependency-cruiser, because it sees both kinds, and cycles, in one run.
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const web = path.dirname(fileURLToPath(import.meta.url));

/** In the order of the chain. */
export const ROOMS = {
  lib: 'general code, not about attention: formats, parsers, colours, languages, helpers for the DOM and for loading',
  engine: 'the WebAssembly modules and their types; no other room imports them',
  parameters: 'where the numbers come from: designed, trained, pasted; no DOM',
  state: 'the state of a figure and its result: settings, store, run, result, comparison; no DOM',
  link: 'encodes the state as an address, and decodes it',
  text: 'turns data into sentences and formulas',
  ui: 'views: draw data into the DOM or a canvas and report actions by callbacks; a folder for each feature',
  labs: 'nine experiments built with `labs/kit/`, and the lessons on training; none imports another',
  lesson: 'lessons as data, and their player; it shows the element without importing it',
  element: '`<attention-playground>`: attributes, events, what loads when; joins state and ui',
  pages: "the site's own scripts: playground, labs, configurator, service worker",
  embed: "the entries of the npm package; never imports pages",
};

const names = Object.keys(ROOMS);
const folder = (rooms) => `^src/(${rooms.join('|')})/`;
const above = (name) => names.slice(names.indexOf(name) + 1).concat(name === 'embed' ? ['pages'] : []);

const forbidden = [
  { name: 'no cycle', severity: 'error', from: {}, to: { circular: true } },
  ...names.filter((name) => above(name).length > 0).map((name) => ({
    name: `${name} imports from no room below it in the table`, severity: 'error', from: { path: folder([name]) }, to: { path: folder(above(name)) },
  })),
  { name: 'no lab imports another', severity: 'error', from: { path: '^src/labs/(?!kit/)([^/]+)/' }, to: { path: '^src/labs/(?!kit/)[^/]+/', pathNot: '^src/labs/$1/' } },
  { name: 'engine alone imports the modules', severity: 'error', from: { pathNot: '^src/engine/' }, to: { path: 'build/wasm/', dependencyTypesNot: ['type-only'] } },
];

/** @returns {Promise<{ files: object[], problems: string[] }>} of `base`, a folder with src/ in it */
export async function rooms(base = web) {
  const config = path.join(web, 'tsconfig.json');
  const { output } = await cruise(['src'], { baseDir: base, ruleSet: { forbidden }, validate: true, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } }, null, { tsConfig: extractTSConfig(config) });
  const problems = output.summary.violations.map(({ from, to, rule, cycle }) => `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ')}`);
  const files = output.modules.filter(({ source }) => source.startsWith('src/'));
  const outside = files.filter(({ source }) => !new RegExp(folder(names)).test(source)).map(({ source }) => `every file lies in a room: ${source}`);
  return { files, problems: [...problems, ...outside] };
}

const lines = (file) => readFileSync(path.join(web, file), 'utf8').split('\n').length - 1;
const median = (sorted) => sorted[Math.floor(sorted.length / 2)] ?? 0;

function print({ files, problems }) {
  const roomOf = (file) => file.split('/')[1];
  console.log(`${'room'.padEnd(12)}files  lines  imports from`);
  for (const name of names) {
    const own = files.filter(({ source }) => roomOf(source) === name);
    const edges = new Map();
    for (const { dependencies } of own) for (const { resolved } of dependencies) if (resolved.startsWith('src/') && roomOf(resolved) !== name) edges.set(roomOf(resolved), (edges.get(roomOf(resolved)) ?? 0) + 1);
    const sum = own.reduce((all, { source }) => all + lines(source), 0);
    console.log(`${name.padEnd(12)}${String(own.length).padStart(5)}${String(sum).padStart(7)}  ${[...edges].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)).map(([to, count]) => `${to} ${count}`).join(', ')}`);
  }
  const sizes = files.map(({ source }) => [lines(source), source]).sort(([a], [b]) => a - b);
  const imports = files.flatMap(({ dependencies }) => dependencies).filter(({ resolved }) => resolved.startsWith('src/')).length;
  const [largest, where] = sizes.at(-1);
  const counted = (rules) => problems.filter((problem) => new RegExp(`^(${rules})( imports from|:)`).test(problem)).length;
  console.log(`${files.length} files, ${sizes.reduce((all, [size]) => all + size, 0)} lines, ${imports} imports, ${counted('no cycle')} in cycles, ${counted(names.join('|'))} upward; median ${median(sizes.map(([size]) => size))} lines, largest ${largest} (${where}); ${problems.length} problems`);
  for (const problem of problems) console.log(`  ${problem}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await rooms();
  print(found);
  process.exitCode = found.problems.length > 0 ? 1 : 0;
}
