// What makes the site an app that works without a network: its manifest, its icon, and the service worker, which knows
// every file of the build by its hash.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const WORKER = 'service-worker.js';
/** Never asked for by the page: what tools read, what other people's pages copy, the guide's pictures. */
const NOT_KEPT = [/\.map$/, /^embed\//, /\.tgz$/, /^docs\/pictures\//, new RegExp(`^${WORKER}$`)];

const MANIFEST = {
  name: 'Attention Playground',
  short_name: 'Attention',
  description: 'Type a sentence and see what attention does with it. Every number is computed on your device.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#fdfcf9',
  theme_color: '#fdfcf9',
  icons: [{ src: 'icon.svg', type: 'image/svg+xml', sizes: 'any' }],
};

/** The icon as an address of its own, for pages that ask for nothing more. */
export async function iconAddress() {
  const svg = (await readFile(path.join(here, 'icon.svg'), 'utf8')).trim().replaceAll('"', "'");
  return `data:image/svg+xml,${svg.replace(/[<>#%]/g, encodeURIComponent)}`;
}

/** Last of all, since the worker names what is there. */
export async function writeOffline(site) {
  await copyFile(path.join(here, 'icon.svg'), path.join(site, 'icon.svg'));
  await writeFile(path.join(site, 'manifest.webmanifest'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  await writeWorker(site);
}

export async function writeWorker(site) {
  const files = {};
  for (const name of (await filesOf(site)).sort()) {
    if (NOT_KEPT.some((pattern) => pattern.test(name))) continue;
    files[name] = `sha256-${createHash('sha256').update(await readFile(path.join(site, name))).digest('base64')}`;
  }
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  await build({
    entryPoints: [path.join(here, '../src/pages/service-worker.ts')], outfile: path.join(site, WORKER), bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'warning',
    define: { BUILD: JSON.stringify({ version, files }) },
  });
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep).join('/'));
}
