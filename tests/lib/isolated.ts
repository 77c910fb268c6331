// A static server whose pages are cross-origin isolated, as shared memory and threads need; with
// `isolated: false`, one whose pages are not. Closed, it is a network that is off.
import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export interface StaticServer {
  address: string;
  close(): Promise<void>;
}

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
