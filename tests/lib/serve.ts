// Static servers for tests: any headers, pages from memory, and a record of what was asked for; or a folder as it is.
import { readFile, stat } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.txt': 'text/plain; charset=utf-8', '.md': 'text/plain; charset=utf-8', '.woff2': 'font/woff2', '.webmanifest': 'application/manifest+json',
};
const RECORDER = new URL('record-problems.js', import.meta.url);

export interface Serving {
  /** What lies on disk; later ones are looked in when earlier ones have no such file. */
  folders?: readonly string[];
  /** Pages and files by their path, without a slash in front. */
  pages?: Record<string, string>;
  /** Added to, or instead of, what every answer has. */
  headers?(file: string): Record<string, string>;
  /** Whether the server answers 404 for a file that exists. */
  missing?(file: string): boolean;
  /** The folder of the site, as GitHub Pages has it: /book/. */
  base?: string;
}

export interface Served {
  /** With its slash at the end. */
  readonly address: string;
  /** Paths in the order in which they were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Every page gets record-problems.js as its first script, which sees what goes wrong. */
export async function serve({ folders = [], pages = {}, headers = () => ({}), missing = () => false, base = '/' }: Serving): Promise<Served> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const asked = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    if (asked === '/favicon.ico') return void response.writeHead(204).end(); // asked for by the browser, not by the page
    requests.push(asked);
    const file = asked.startsWith(base) ? asked.slice(base.length) : asked.slice(1);
    const body = asked === '/record-problems.js' ? await readFile(RECORDER) : missing(file) ? null : await content(file, folders, pages);
    const type = TYPES[path.extname(file) || '.html'] ?? 'application/octet-stream';
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store', ...headers(file) });
    response.end(body && type.startsWith('text/html') ? recorded(body.toString()) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${base}`, requests,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}

const recorded = (page: string): string => page.replace(/<head[^>]*>|<html[^>]*>|<!doctype[^>]*>|^/i, '$&<script src="/record-problems.js"></script>');

async function content(file: string, folders: readonly string[], pages: Record<string, string>): Promise<Buffer | null> {
  for (const name of file === '' || file.endsWith('/') ? [`${file}index.html`] : [file, `${file}.html`, `${file}/index.html`]) {
    if (Object.hasOwn(pages, name)) return Buffer.from(pages[name] ?? '');
    for (const folder of folders) {
      const found = path.join(folder, name);
      if (found.startsWith(folder) && (await stat(found).catch(() => null))?.isFile()) return readFile(found);
    }
  }
  return null;
}

// Shared memory and threads need these.
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin', // or a sandboxed frame has not even its own scripts
};

export interface StaticServer {
  address: string;
  close(): Promise<void>;
}

/** A folder as it is; its pages are cross-origin isolated, unless `isolated` is false. Closed, it is a network that is off. */
export async function serveFolder(folder: string, { isolated = true } = {}): Promise<StaticServer> {
  const server: Server = createServer(async (request, response) => {
    const name = path.normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    try {
      const file = name.endsWith('/') ? `${name}index.html` : name;
      const body = await readFile(path.join(folder, file));
      response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream', ...(isolated && ISOLATED) });
      response.end(body);
    } catch {
      response.writeHead(404, isolated ? ISOLATED : {});
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
