// A server of one folder, and a page to be measured in one, for benchmarks.
import { createServer } from 'node:http';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm', '.txt': 'text/plain' };

/** As static hosts serve it: compressed, each file with its type; and `pages` by their names. `?later=500` comes after so many milliseconds. */
export async function serve(folder: string, pages: Readonly<Record<string, string>> = {}): Promise<{ address: string; close(): void }> {
  const compress = promisify(gzip);
  const made = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
      const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const body = made.get(file) ?? await compress(pages[pathname.slice(1)] ?? await readFile(file), { level: 9 });
      made.set(file, body);
      if (searchParams.has('later')) await sleep(Number(searchParams.get('later')));
      response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream', 'content-encoding': 'gzip', 'content-length': body.length });
      response.end(body);
    })().catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

/** A folder with a script, bundled, an empty page of the same name, and the files that the script loads. */
export async function makePage(folder: string, script: string, files: readonly string[], define: Readonly<Record<string, string>> = {}): Promise<void> {
  const name = path.basename(script, '.ts');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const esbuild = createRequire(new URL('../../../web/package.json', import.meta.url))('esbuild');
  await esbuild.build({ entryPoints: [script], outfile: path.join(folder, `${name}.js`), bundle: true, format: 'esm', target: 'es2022', platform: 'browser', minify: true, logLevel: 'error', define });
  for (const file of files) await copyFile(file, path.join(folder, path.basename(file)));
  await writeFile(path.join(folder, `${name}.html`), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Measured</title><link rel="icon" href="data:,">');
}
