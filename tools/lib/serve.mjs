// node tools/lib/serve.mjs FOLDER HOST [PORT]: serves static files until Ctrl-C.
import { createRequire } from 'node:module';
import { createServer as createPages, request } from 'node:http';
import { createServer } from 'node:net';

const [folder, host, wanted] = process.argv.slice(2);
const esbuild = createRequire(new URL('../../web/package.json', import.meta.url))('esbuild');

const giveUp = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

/** The error code of listening on a port, or null when it is free. */
const listenError = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });

let port = Number(wanted || 8000);
if (port < 1 || port > 65535) giveUp(`--port must be a number from 1 to 65535, not '${wanted}'.`);
for (let tries = 0; ; tries++, port++) {
  const code = await listenError(port);
  if (!code) break;
  if (code === 'EACCES') giveUp(`Only root may use port ${port}. Choose one above 1023 with --port.`);
  if (code !== 'EADDRINUSE') giveUp(`Cannot listen on ${host} (${code}). Choose an address of this machine with --host.`);
  if (wanted) giveUp(`Port ${port} is in use. Choose another with --port, or leave --port out to get a free one.`);
  if (tries === 20) giveUp(`Ports 8000 to ${port} are all in use. Choose one with --port.`);
}

// Pages that say so may share memory among threads. The last lets a sandboxed frame, which has no origin, have its own scripts.
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-resource-policy': 'cross-origin' };

const context = await esbuild.context({ logLevel: 'silent' });
const files = await context.serve({ servedir: folder, host: '127.0.0.1', port: 0 });
const pages = createPages(({ url, method, headers }, answer) => {
  // esbuild answers to names that it knows; this server has whatever name its machine has.
  const asked = request({ host: '127.0.0.1', port: files.port, path: url, method, headers: { ...headers, host: `127.0.0.1:${files.port}` } }, (found) => {
    answer.writeHead(found.statusCode, { ...found.headers, ...ISOLATED });
    found.pipe(answer);
  });
  asked.on('error', () => answer.destroy()).end();
});
await new Promise((resolve) => pages.listen(port, host, resolve));
const taken = !wanted && port !== 8000 ? ' (8000 is in use)' : '';
console.log(`Attention Playground: http://${host.includes(':') ? `[${host}]` : host}:${port}/${taken} · Ctrl-C stops it`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    pages.close();
    pages.closeAllConnections();
    await context.dispose();
    process.exit(0);
  });
}
