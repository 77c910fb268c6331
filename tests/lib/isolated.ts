// A static server whose pages are cross-origin isolated, as shared memory and threads need; with
// `isolated: false`, one whose pages are not.
import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
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
      const body = await readFile(path.join(folder, name));
      response.writeHead(200, { 'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream', ...(isolated && ISOLATED) });
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
