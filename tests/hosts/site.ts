// Makes a system's site as an author would: the course, the package's files beside it, the snippets in their places.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, type Part, SYSTEMS as SNIPPETS, snippet } from '../../web/src/pages/configurator/snippets.ts';
import { type HostId, type Page, SYSTEMS, type System } from './systems.ts';

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
