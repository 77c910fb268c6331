// Builds the site: one folder of static files with relative addresses. Prints what a reader downloads, and holds it to a budget.
import { build, transform } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptLexicon } from './lexicon/build.mjs';
import { pageFrame } from './frame/frame.mjs';
import { builtCatalogues } from './languages/build.mjs';
import { pageWords } from './languages/page.mjs';
import { writeManuals } from './manuals.mjs';
import { iconAddress, writeOffline } from './offline/build.mjs';
import { buildPackage } from './package/build.mjs';
import { operatorsApart } from './package/plugins.mjs';
import { partName, partsApart } from './package/parts.mjs';
import { reportPackage } from './package/report.mjs';
import { KB, fail, hold, print, weigh as weighIn } from './sizes.mjs';
import { smallScripts, smallSources, smallStyles } from './smaller.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(web);
const bindings = path.join(root, 'build/wasm/bindings');
const site = path.join(root, 'build/site');
const WHERE = 'web/build.mjs';
const LATER = 'Load the new part on demand, with import().';
const CORE = 'Build what runs once a keystroke for its size (-Oz in core/CMakeLists.txt), and leave sentences to the page.';
/** Compressed. */
const BUDGETS = {
  // Its engine explains the norms of heads, too.
  page: { size: 167 * KB, remedy: LATER },
  lesson: { size: 87 * KB, remedy: LATER },
  wasm: { size: 35.2 * KB, remedy: CORE },
  script: { size: 128.4 * KB, remedy: LATER },
  // With the lesson in front, the stage, the walk back through a model, and the lessons on training, whose texts are as many as those of all other labs, and what each kind of model has that cannot be run.
  words: { size: 80 * KB, remedy: 'Say it in fewer words; what is said alike twice is one message.' },
  lexicon: { size: 320 * KB, remedy: 'Leave rare words out in web/lexicon/.' },
  // Seven lessons, with what trains them on demand, rules that change in the midst, the order of their parts on a phone, and the way to the walk through the stages, which comes when it is opened.
  lessons: { size: 52 * KB, remedy: LATER },
  lab: { size: 24.2 * KB, remedy: 'Use what labs/kit/ has, or load the new part with import().' },
  configurator: { size: 32 * KB, remedy: 'Use what the element has.' },
  // With what writes on, what heads do, answers that come later, the way to a model’s gradients, and sizes that its matrices contradict.
  languageModel: { size: 32.7 * KB, remedy: 'Load what only some models need with import().' },
  glue: { size: 20 * KB, remedy: 'Cross with fewer kinds of values in bindings/.' },
  // With one-row products of their own for each width that weights may have, Q8_0 and finite float16 among them: a written word waits for these.
  operators: { size: 87 * KB, remedy: CORE },
  threads: { size: 97 * KB, remedy: CORE },
  training: { size: 37 * KB, remedy: 'Build what runs once a step for its size in core/CMakeLists.txt.' },
  // With the page’s own layer, so that the page has not to compute it, and every rule by which a file is refused.
  modelWorker: { size: 50 * KB, remedy: 'Leave to the page what only the page needs.' },
  trainingWorker: { size: 12 * KB, remedy: 'Leave to the page what only the page needs.' },
};
/** Bytes. */
const MODEL = 2_000_000;
const OPERATORS = 'attention_operators';
/** Fetched by the worker of large models where the page is isolated. */
const THREADS = 'attention_operators_threads';
const TRAINING = 'attention_training';
const TRAINING_WORKER = 'training-worker.js';
const MODEL_WORKER = 'model-worker.js';
/** The scripts that the playground's page names. */
const PAGE = ['early', 'page'];

for (const file of ['attention.mjs', `${OPERATORS}.mjs`, `${THREADS}.mjs`, `${TRAINING}.mjs`]) {
  if (!existsSync(path.join(bindings, file))) fail(`The engine is not built yet: build/wasm/bindings/${file} is missing. Run tools/serve, which builds it first.`);
}
const model = await shippedModel();

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
const options = {
  outdir: site,
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: 'linked',
  legalComments: 'none', // third-party.txt holds them whole
  metafile: true,
  logLevel: 'warning',
  // The page's own scripts are checked by nobody.
  define: { SHIPPED_MODEL: JSON.stringify(model), SHIPPED_NAME: JSON.stringify(model?.name ?? ''), SCRIPT_IS_CHECKED: 'false', SCRIPT_NONCE: '""', HASHES: '{}', MORE_HASHES: 'undefined', PLAYGROUND: '"playground.html"' },
};
// The parts that both pages ask for by name.
const ON_DEMAND = { 'language-model': 'src/parameters/language-model/index.ts', designed: 'src/parameters/designed/index.ts', take: 'src/ui/export/panel.ts' };
const LABS = { labs: 'src/element/lab-host.ts' };
const apart = (parts) => ({
  name: 'parts-apart',
  setup: (on) => Object.entries(parts).forEach(([name, source]) => {
    on.onResolve({ filter: new RegExp(`${source.replace(/^src/, '').replaceAll('.', '\\.')}$`) }, () => ({ path: `./${name}.js`, external: true }));
  }),
});
// Every part first needs the element, so that what the two share is not cut into many small files.
const element = path.join(web, 'src/element/define.ts');
/** The pages read and write links before anything else. */
const links = path.join(web, 'src/link/fragment.ts');
/** `others` are built apart, as scripts of their own. */
const parts = (own, others) => {
  const found = Object.fromEntries(Object.values(own).map((source) => [partName(path.join(web, source)), path.join(web, source)]));
  const away = Object.fromEntries(Object.values(others).map((source) => [partName(path.join(web, source)), path.join(web, source)]));
  return {
    plugins: [smallStyles, apart(others), partsApart([element, links], found, (name) => `import(${JSON.stringify(away[name] ?? `part:${name}`)})`)],
    entryPoints: Object.fromEntries(Object.entries(own).map(([name, source]) => [name, `part:${partName(path.join(web, source))}`])),
  };
};
const [ofPage, ofLabs] = [parts(ON_DEMAND, LABS), parts(LABS, ON_DEMAND)];
const { metafile } = await build({
  ...options, plugins: ofPage.plugins, splitting: true, chunkNames: '[name]-[hash]',
  entryPoints: { early: path.join(web, 'src/pages/preload.ts'), page: path.join(web, 'src/pages/playground.ts'), ...ofPage.entryPoints },
});
// The page of labs is built apart: what the two share would be cut into many small files, which costs time on a slow line.
const { metafile: labs } = await build({
  ...options, plugins: ofLabs.plugins, splitting: true, chunkNames: 'labs-[name]-[hash]',
  entryPoints: { 'labs-page': path.join(web, 'src/pages/labs.ts'), ...ofLabs.entryPoints },
});
// So is the page that comes first: its own first screen needs nothing of the figure, which comes behind it.
const ofLesson = parts({}, { ...ON_DEMAND, ...LABS });
const { metafile: lessonPage } = await build({
  ...options, plugins: ofLesson.plugins, splitting: true, chunkNames: 'lesson-[name]-[hash]',
  entryPoints: { open: path.join(web, 'src/pages/open.ts'), 'lesson-page': path.join(web, 'src/pages/lesson.ts'), 'teach-page': path.join(web, 'src/pages/teach.ts') },
});
// The page for authors has its figure from embed/, and a script for the rest.
await build({ ...options, plugins: [smallStyles, smallSources], entryPoints: { 'configure-page': path.join(web, 'src/pages/configure.ts') } });
const [withFrame, withWords, icon] = await Promise.all([pageFrame(), pageWords(), iconAddress()]);
for (const [file, chunks] of [['index.html', chunksOf(lessonPage, ['lesson-page'])], ['teach.html', chunksOf(lessonPage, ['teach-page'])], ['playground.html', chunksOf(metafile, PAGE)], ['training.html', chunksOf(labs, ['labs-page'])], ['labs.html', chunksOf(labs, ['labs-page'])], ['configure.html', '']]) {
  const page = withFrame(await readFile(path.join(web, file), 'utf8'));
  await writeFile(path.join(site, file), withWords(page.replace('<!-- icon -->', `<link rel="icon" href="${icon}">`).replace('<!-- chunks -->', chunks)));
}
for (const file of ['page.css', 'configure.css', 'teach.css']) {
  const { code } = await transform(await readFile(path.join(web, file), 'utf8'), { loader: 'css', minify: true, charset: 'utf8' });
  await writeFile(path.join(site, file), code);
}
// Training has a thread of its own.
await build({ ...options, format: 'iife', metafile: false, entryPoints: { [TRAINING_WORKER.replace('.js', '')]: path.join(web, 'src/engine/training/worker.ts') } });
/** What cuts texts is the page's. */
const textsOnPage = { name: 'texts on the page', setup: (build) => build.onLoad({ filter: /language-model\/tokenizer-files\.ts$/ }, () => ({ contents: 'export const tokenizerOf = undefined;' })) };
// So has a large language model, which needs the operators' glue itself: where the page has it inside, no file lies beside.
await build({ ...options, format: 'iife', metafile: false, plugins: [operatorsApart(bindings), textsOnPage], define: { ...options.define, 'import.meta.url': 'location.href' }, entryPoints: { [MODEL_WORKER.replace('.js', '')]: path.join(web, 'src/parameters/language-model/worker.ts') } });
// Each language but English: one file that needs no other, so that any copy of the scripts can take it up.
const languages = await builtCatalogues();
await build({
  ...options, format: 'iife', metafile: false, charset: 'utf8', alias: { lit: path.join(web, 'languages/tags.mjs'), '@lit/localize': path.join(web, 'languages/tags.mjs') },
  entryPoints: Object.fromEntries(languages.map(({ name, file }) => [`language-${name}`, file])),
});
await smallScripts(site, new Set([...atOnce(metafile.outputs), ...atOnce(labs.outputs, ['labs-page']), ...atOnce(lessonPage.outputs, ['lesson-page'])].map((file) => path.basename(file))));
await copyFile(path.join(bindings, 'attention.wasm'), path.join(site, 'attention.wasm'));
// The words the designed heads know: loaded when they are chosen.
await writeFile(path.join(site, 'lexicon.txt'), await keptLexicon(path.join(root, 'build/lexicon.txt')));
// The lesson in other languages.
const lessons = languages.map(({ name }) => [`lesson-${name}.json`, path.join(web, 'lessons', `${name}.json`)]);
for (const [name, file] of lessons) await copyFile(file, path.join(site, name));
// A trained model, and what runs it: loaded when the reader asks for them.
for (const name of [OPERATORS, THREADS]) {
  await copyFile(path.join(bindings, `${name}.wasm`), path.join(site, `${name}.wasm`));
  const glue = await transform(await readFile(path.join(bindings, `${name}.mjs`), 'utf8'), { minify: true, format: 'esm', target: 'es2022' });
  await writeFile(path.join(site, `${name}.mjs`), glue.code);
}
await copyFile(path.join(bindings, `${TRAINING}.wasm`), path.join(site, `${TRAINING}.wasm`));
if (model) await copyFile(path.join(web, 'model', model.name), path.join(site, model.name));
await copyFile(path.join(root, 'LICENSE'), path.join(site, 'licence.txt'));
await copyFile(path.join(root, 'THIRD_PARTY.md'), path.join(site, 'third-party.txt'));
await writeManuals(path.join(web, 'docs'), path.join(site, 'docs'));
await buildPackage({ root, bindings, define: options.define, beside: onSite(['attention.wasm', `${OPERATORS}.wasm`, `${THREADS}.mjs`, `${THREADS}.wasm`, `${TRAINING}.wasm`, TRAINING_WORKER, MODEL_WORKER, 'lexicon.txt', ...(model ? [model.name] : []), ...languages.map(({ name }) => `language-${name}.js`), ...lessons.map(([name]) => name)]) });
await cp(path.join(root, 'build/package/dist'), path.join(site, 'embed'), { recursive: true });
// All of it in one download, for authors.
execFileSync('tar', ['-czf', path.join(site, 'attention-playground.tgz'), '-C', path.join(root, 'build/package/dist'), '.']);
await writeOffline(site);
await report(metafile);
await reportPackage(path.join(site, 'embed'));

function onSite(names) {
  return Object.fromEntries(names.map((name) => [name, path.join(site, name)]));
}

/** What a page's scripts import at once is asked for at once, too. */
function chunksOf({ outputs }, scripts) {
  return atOnce(outputs, scripts).slice(scripts.length).map((file) => `<link rel="modulepreload" href="${path.basename(file)}">`).join('\n  ');
}

/** The only model in web/model, whose name holds its hash; null where there is none. */
async function shippedModel() {
  const names = existsSync(path.join(web, 'model')) ? (await readdir(path.join(web, 'model'))).filter((name) => name.endsWith('.safetensors')) : [];
  if (names.length > 1) fail(`web/model holds ${names.length} models, and one is shipped. Remove the others.`);
  const [name] = names;
  if (!name) return null;
  const bytes = await readFile(path.join(web, 'model', name));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  if (!name.endsWith(`-${hash}.safetensors`)) fail(`web/model/${name} is named after another hash than its own, ${hash}. Export it again.`);
  return { name, bytes: bytes.length };
}

/** Scripts of the site, and the files that they import before they run. */
function atOnce(outputs, scripts = PAGE) {
  const found = scripts.map((script) => `build/site/${script}.js`);
  for (const file of found) found.push(...importsOf(outputs[file]).filter((other) => !found.includes(other)));
  return found;
}

/** What it asks for after the first figure, without being told to. */
function afterwards(outputs) {
  const first = atOnce(outputs);
  const later = Object.keys(outputs).filter((file) => /\/(rest|below)-[^/]*\.js$/.test(file));
  return [...later, ...later.flatMap((file) => importsOf(outputs[file]).filter((other) => !first.includes(other)))];
}

function importsOf({ imports }) {
  return imports.filter(({ kind }) => kind === 'import-statement').map(({ path: file }) => file);
}

async function report({ outputs }) {
  const wasm = await weigh('attention.wasm');
  const lexicon = await weigh('lexicon.txt');
  const first = await weigh(...atOnce(outputs));
  const later = await weigh(...afterwards(outputs));
  const script = { raw: first.raw + later.raw, gzip: first.gzip + later.gzip };
  const reader = await weigh(...atOnce(outputs, ['language-model']).filter((file) => !atOnce(outputs).includes(file)));
  const [labsPage, eachLab, lessons] = await labsWeigh(labs);
  const configurator = await weigh('configure-page.js');
  print('the page before its figure', first.raw, first.gzip);
  print('the rest, after the figure', later.raw, later.gzip);
  hold('all JavaScript of the page', script, BUDGETS.script, WHERE);
  for (const { name } of languages) hold(`the words of ${name}, on demand`, await weigh(`language-${name}.js`), BUDGETS.words, WHERE);
  hold('wasm', wasm, BUDGETS.wasm, WHERE);
  const page = await weigh('playground.html', 'page.css');
  hold('the page in all', { raw: page.raw + script.raw + wasm.raw, gzip: page.gzip + script.gzip + wasm.gzip }, BUDGETS.page, WHERE);
  const door = await weigh(...atOnce(lessonPage.outputs, ['lesson-page']));
  const front = await weigh('index.html', 'page.css');
  hold('the lesson before its first screen', { raw: front.raw + door.raw + wasm.raw, gzip: front.gzip + door.gzip + wasm.gzip }, BUDGETS.lesson, WHERE);
  hold('lexicon, on demand', lexicon, BUDGETS.lexicon, WHERE);
  hold('the page of labs, before one', labsPage, BUDGETS.script, WHERE);
  hold('the largest lab, on demand', eachLab, BUDGETS.lab, WHERE);
  hold('the lessons on training', lessons, BUDGETS.lessons, WHERE);
  hold('the page for authors', configurator, BUDGETS.configurator, WHERE);
  hold('language models, on demand', reader, BUDGETS.languageModel, WHERE);
  hold('their operators, script', await weigh(`${OPERATORS}.mjs`), BUDGETS.glue, WHERE);
  hold('their operators, wasm', await weigh(`${OPERATORS}.wasm`), BUDGETS.operators, WHERE);
  hold('by threads, script', await weigh(`${THREADS}.mjs`), BUDGETS.glue, WHERE);
  hold('by threads, wasm', await weigh(`${THREADS}.wasm`), BUDGETS.threads, WHERE);
  hold('the worker of large ones', await weigh(MODEL_WORKER), BUDGETS.modelWorker, WHERE);
  hold('training, on demand, wasm', await weigh(`${TRAINING}.wasm`), BUDGETS.training, WHERE);
  hold('its worker', await weigh(TRAINING_WORKER), BUDGETS.trainingWorker, WHERE);
  if (model) console.log(`${'the model'.padEnd(30)} ${model.bytes.toLocaleString('en').padStart(9)} bytes  (budget ${MODEL.toLocaleString('en')})`);
  if ((model?.bytes ?? 0) > MODEL) fail(`The model is over its budget of ${MODEL.toLocaleString('en')} bytes in ${WHERE}. Train a smaller one.`);
}

function weigh(...files) {
  return weighIn(site, ...files.map((file) => path.basename(file)));
}

/** What comes before any lab; the largest lab with what it needs; and training. */
async function labsWeigh({ outputs }) {
  const first = atOnce(outputs, ['labs-page', 'labs']);
  const each = Object.keys(outputs).filter((file) => /\/labs-labs-[^/]*\.js$/.test(file));
  const isTraining = (file) => Object.keys(outputs[file].inputs).some((source) => source.endsWith('labs/training/lab.ts'));
  const whole = (file) => weigh(file, ...importsOf(outputs[file]).filter((other) => !first.includes(other)));
  const weights = await Promise.all(each.filter((file) => !isTraining(file)).map(whole));
  return [await weigh(...first), weights.reduce((most, one) => (one.gzip > most.gzip ? one : most), { raw: 0, gzip: 0 }), await whole(each.find(isTraining))];
}
