// The documentation systems that are tried, one entry each, and how a system's site is made. Its folder here holds a small course as
// an author would write it, in which @first@ and @second@ stand for the figures' snippets, and @attention@ for their part of a file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, type Part, SYSTEMS as SNIPPETS, type SystemId, snippet } from '../../web/src/pages/configurator/snippets.ts';

export interface Page {
  /** In the folder. */
  source: string;
  snippet: SystemId;
  /** Where the package lies, when not where the snippet says. */
  base?: string;
  /** Below the site's address. */
  address: string;
}

export interface System {
  name: string;
  /** Prints its version. */
  version: readonly string[];
  /** In a copy of the folder; each is a program and its arguments. */
  build: readonly (readonly string[])[];
  /** The folder with the site, which is served at /SYSTEM/OUT/. */
  out: string;
  first: Page;
  second: Page;
  /** A selector of what turns the page dark. */
  dark: string;
  /** Whether a link changes the page without loading a new one. */
  staysLoaded: boolean;
  /** Selectors of what turns the page, when not the last link of a paragraph. */
  turns?: { first: string; second: string };
  /** A page that was left is still there, with what was typed in it. */
  keepsPages?: boolean;
  /** The figure is made by a script alone: there is no page without JavaScript, and no fallback in it. */
  isScripted?: boolean;
  /** Its lines are those for files from another host, with their hashes, which browsers check on one's own as well. */
  isHashed?: boolean;
  /** The theme writes style sheets without what the lines say of them. */
  leavesStyleBare?: boolean;
  /** Files that have no HTML in them, and hold the fallback of both pages. */
  plain?: readonly string[];
}

/** A package says its version in its own package.json; some export no way to it. */
const installed = (name: string) => ['grep', '"version"', `node_modules/${name}/package.json`];

/** anywidget's front end comes as an AMD module, which asks for a `define` at once. */
const AMD = '--banner:js=globalThis.define = (_, factory) => { globalThis.anywidget = factory; };';

export const SYSTEMS = {
  mkdocs: {
    name: 'Material on MkDocs', version: ['mkdocs', '--version'],
    build: [['mkdocs', 'build', '--quiet', '--strict']], out: 'site',
    first: { source: 'docs/index.md', snippet: 'mkdocs', address: '' },
    second: { source: 'docs/second.md', snippet: 'mkdocs', address: 'second/' },
    dark: 'label[for=__palette_2]', staysLoaded: true,
  },
  sphinx: {
    name: 'Sphinx, MyST-Parser', version: ['sphinx-build', '--version'],
    build: [['sphinx-build', '-q', '-W', '-b', 'html', '.', 'html'], ['sphinx-build', '-q', '-W', '-b', 'text', '.', 'text'], ['sphinx-build', '-q', '-W', '-b', 'latex', '.', 'latex']],
    out: 'html',
    first: { source: 'index.rst', snippet: 'sphinx', address: 'index.html' },
    second: { source: 'second.md', snippet: 'myst-parser', address: 'second.html' },
    dark: '#dark', staysLoaded: false, isHashed: true, leavesStyleBare: true, plain: ['text/index.txt', 'text/second.txt'],
  },
  hugo: {
    name: 'Hugo', version: ['hugo', 'version'],
    build: [['hugo', '--quiet', '--baseURL', '/hugo/public/']], out: 'public',
    first: { source: 'content/_index.md', snippet: 'hugo', address: '' },
    second: { source: 'content/second.md', snippet: 'markdown', base: '../attention/', address: 'second/' },
    dark: '#dark', staysLoaded: false, isHashed: true,
  },
  jekyll: {
    name: 'Jekyll', version: ['jekyll', '--version'],
    build: [['jekyll', 'build', '--quiet', '--baseurl', '/jekyll/_site']], out: '_site',
    first: { source: 'index.md', snippet: 'jekyll', address: 'index.html' },
    second: { source: 'second.md', snippet: 'jekyll', address: 'second.html' },
    dark: '#dark', staysLoaded: false, isHashed: true,
  },
  vitepress: {
    name: 'VitePress', version: installed('vitepress'),
    build: [['vitepress', 'build']], out: 'site',
    first: { source: 'index.md', snippet: 'vitepress', base: '/vitepress/site/attention/', address: '' },
    second: { source: 'second.md', snippet: 'vitepress', base: '/vitepress/site/attention/', address: 'second.html' },
    dark: '.VPSwitchAppearance', staysLoaded: true, isHashed: true,
  },
  docusaurus: {
    name: 'Docusaurus', version: installed('@docusaurus/core'),
    build: [['docusaurus', 'build']], out: 'build',
    first: { source: 'docs/index.md', snippet: 'docusaurus', base: '/docusaurus/build/attention/', address: '' },
    second: { source: 'docs/second.md', snippet: 'docusaurus', base: '/docusaurus/build/attention/', address: 'second' },
    dark: 'button[class*=toggleButton]', staysLoaded: true, isHashed: true,
  },
  reveal: {
    name: 'reveal.js', version: installed('reveal.js'), build: [], out: '.',
    first: { source: 'index.html', snippet: 'reveal', address: '#/1' },
    second: { source: 'index.html', snippet: 'reveal', address: '#/2' },
    dark: '#dark', staysLoaded: true, turns: { first: '.navigate-left', second: '.navigate-right' }, keepsPages: true,
  },
  mystmd: {
    name: 'mystmd', version: installed('mystmd'),
    build: [
      ['myst', 'build', '--site'],
      ['esbuild', 'book.jsx', '--bundle', '--format=esm', '--jsx=automatic', '--outdir=_build/site', '--log-level=warning'],
      ['cp', 'index.html', '_build/site'],
    ],
    out: '_build/site',
    first: { source: 'index.md', snippet: 'myst', address: '#/' },
    second: { source: 'second.md', snippet: 'myst', address: '#/second' },
    dark: '#dark', staysLoaded: true, keepsPages: true, isScripted: true,
  },
  jupyter: {
    name: 'anywidget in Jupyter', version: installed('anywidget'),
    build: [
      ['esbuild', 'notebook.js', '--bundle', '--format=esm', AMD, '--outdir=site', '--log-level=warning'],
      ['sh', '-c', 'python3 cells.py >site/cells.json && cp index.html site'],
    ],
    out: 'site',
    first: { source: 'cells.py', snippet: 'jupyter', address: '#1' },
    second: { source: 'cells.py', snippet: 'jupyter', address: '#2' },
    dark: '#dark', staysLoaded: true, isScripted: true,
  },
} satisfies Record<string, System>;

export type HostId = keyof typeof SYSTEMS;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = path.join(ROOT, 'build/package/dist');
/** Is served: a system's site is at /SYSTEM/OUT/. */
export const HOSTS = path.join(ROOT, 'build/hosts');

export const FIRST: Figure = {
  attributes: { view: 'cell', heads: '2', mask: 'causal' },
  text: 'the cat sat on the mat', fallback: 'Attention weights of “the cat sat on the mat”.',
};

/** What HTML, Markdown, Liquid, Jinja, Hugo, Vue, MDX, reStructuredText or a shell could take for their own. */
const SIGNS = [
  '"><script>hacked()</script>', "'&lt;&amp;&#34;", '{{ 7*7 }}', '{% raw %}', '{{< x >}}', '${hacked()}', '{hacked()}', '`a` ``b``', '\\" \\n \\{',
  '*b* _i_ [l](/x) ![p](/x) |r| $m$ $$d$$', ':role:`x` |sub| target_', '<!-- c -->', '-- … :smile:', 'né 语言 🐈',
].join(' ');
export const SECOND: Figure = {
  attributes: { heads: '4', mask: 'none', readonly: true }, text: `one\n\n\ttwo ${SIGNS}`, fallback: `# ${SIGNS}\n\n1. end`,
};

function run([program = '', ...words]: readonly string[], folder: string): string {
  try {
    const own = path.join(folder, 'node_modules/.bin');
    const env = { ...process.env, PATH: `${own}${path.delimiter}${process.env['PATH'] ?? ''}` };
    return execFileSync(program, words, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: string; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw new Error(`${program} is missing: tools/setup hosts installs it, or says what to install.`);
    throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

const sourceOf = (id: HostId): string => path.join(ROOT, 'tests/hosts', id);

export function versionOf(id: HostId): string {
  const { name, version }: System = SYSTEMS[id];
  return `${name} ${/\d+(\.\d+)+/.exec(run(version, sourceOf(id)))?.[0] ?? ''}`;
}

/** The course, without what npm has put beside it, which is used where it lies. */
async function copyCourse(id: HostId, folder: string): Promise<void> {
  const [source, packages] = [sourceOf(id), path.join(sourceOf(id), 'node_modules')];
  await cp(source, folder, { recursive: true, filter: (file) => file !== packages });
  if (!existsSync(path.join(source, 'package.json'))) return;
  if (!existsSync(packages)) throw new Error(`The packages of ${SYSTEMS[id].name} are missing: run tools/setup hosts, which brings them.`);
  await symlink(packages, path.join(folder, 'node_modules'));
}

/** In its place, or at the end of what is there. */
async function put(file: string, mark: string, code: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  await writeFile(file, text.includes(mark) ? text.replace(mark, () => code) : `${text}${code}\n`);
}

async function fill(page: Page, mark: string, figure: Figure, folder: string): Promise<Part[]> {
  const parts = snippet(page.snippet, { ...figure, ...(page.base === undefined ? {} : { base: page.base }) });
  for (const { file, code } of parts) if (file === null) await put(path.join(folder, page.source), mark, code);
  return parts.filter(({ file }) => file !== null);
}

/** Once a run; a file of tests that is not alone in making it takes a place of its own. */
export async function make(id: HostId, place: string = id): Promise<string> {
  const system: System = SYSTEMS[id];
  const folder = path.join(HOSTS, place);
  await rm(folder, { recursive: true, force: true });
  await copyCourse(id, folder);
  await cp(PACKAGE, path.join(folder, SNIPPETS[system.first.snippet].folder), { recursive: true, filter: (file) => !/\.(map|safetensors)$/.test(file) });
  const hashed = system.isHashed ? { integrity: JSON.parse(await readFile(path.join(PACKAGE, 'sri.json'), 'utf8')) as Record<string, string> } : {};
  const parts = [...await fill(system.first, '@first@', { ...FIRST, ...hashed }, folder), ...await fill(system.second, '@second@', { ...SECOND, ...hashed }, folder)];
  const once = new Map(parts.map(({ file, code }) => [file + code, { file: file as string, code }]));
  for (const { file, code } of once.values()) await put(path.join(folder, file), '@attention@', code);
  for (const command of system.build) run(command, folder);
  return folder;
}
