// The service worker: keeps the whole page on the reader's device, so that it opens and works without a network.
// A window has all its files from the build that it was opened with: two builds are never mixed.

interface Build {
  /** The hash of all files. */
  version: string;
  /** Each file's path, from the worker's folder, and what subresource integrity calls it. */
  files: Readonly<Record<string, string>>;
}

/** Put in by the build. */
declare const BUILD: Build;

interface Waiting extends Event { waitUntil(done: Promise<unknown>): void }
interface Asked extends Waiting {
  readonly request: Request;
  readonly clientId: string;
  /** Of the window that a navigation is about to open. */
  readonly resultingClientId: string;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { matchAll(options: { includeUncontrolled: true; type: 'all' }): Promise<readonly { readonly id: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', act: (event: Waiting) => void): void;
  addEventListener(name: 'fetch', act: (event: Asked) => void): void;
}

const worker = globalThis as unknown as Scope;
const home = worker.registration.scope;
const PREFIX = `attention-page ${home} `;
/** Which build each window was opened with; in a cache, since a worker forgets when it rests. */
const WINDOWS = `attention-windows ${home}`;
/** A window that is opening is not counted among the open ones yet. */
const OPENING_MS = 60_000;
/** Threads share memory, which isolated pages alone may do: a server that isolates all its files has this worker isolated, too. Elsewhere they are not kept. */
const OF_THREADS = /^attention_operators_threads\./;
const addressOf = (path: string): string => new URL(path, home).href;

worker.addEventListener('install', (event) => {
  event.waitUntil(keepAll().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(tidy());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/)[0] ?? '';
  if (request.method !== 'GET' || !address.startsWith(home)) return;
  const path = address.slice(home.length) || 'index.html';
  if (request.mode !== 'navigate') event.respondWith(given(event.clientId, path, request));
  else if (Object.hasOwn(BUILD.files, path)) event.respondWith(opened(event, path));
});

/** Every file as this build made it, checked by its hash; what an earlier try has brought is not asked for again. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(PREFIX + BUILD.version);
  await Promise.all(Object.entries(BUILD.files).map(async ([path, integrity]) => {
    if (!globalThis.crossOriginIsolated && OF_THREADS.test(path)) return;
    if (await cache.match(addressOf(path))) return;
    const { ok, status, body, headers } = await fetch(addressOf(path), { integrity, cache: 'no-cache' });
    if (!ok) throw new Error(`${path} could not be fetched: ${status}`);
    // Made again, since no window may be opened with an answer that was redirected.
    await cache.put(addressOf(path), new Response(body, { headers }));
  }));
}

async function opened({ request, resultingClientId }: Asked, path: string): Promise<Response> {
  const kept = await keptIn(BUILD.version, path);
  if (!kept) return fetch(request);
  await remember(resultingClientId);
  return kept;
}

/** To a window of a kept build from that build alone; to any other from the network, as if there were no worker. */
async function given(window: string, path: string, request: Request): Promise<Response> {
  const version = await versionOf(window);
  return (version && await keptIn(version, path)) || fetch(request);
}

async function keptIn(version: string, path: string): Promise<Response | undefined> {
  return caches.match(addressOf(path), { cacheName: PREFIX + version });
}

const versions = new Map<string, string>();

async function remember(window: string): Promise<void> {
  versions.set(window, BUILD.version);
  await (await caches.open(WINDOWS)).put(addressOf(window), new Response(JSON.stringify({ version: BUILD.version, since: Date.now() })));
}

async function versionOf(window: string): Promise<string | null> {
  if (!versions.has(window)) {
    const known = await caches.match(addressOf(window), { cacheName: WINDOWS });
    if (!known) return null;
    versions.set(window, (await known.json() as { version: string }).version);
  }
  return versions.get(window) ?? null;
}

/** Lets go of windows that are closed, and of builds that no window was opened with. */
async function tidy(): Promise<void> {
  const windows = await caches.open(WINDOWS);
  const open = new Set((await worker.clients.matchAll({ includeUncontrolled: true, type: 'all' })).map(({ id }) => addressOf(id)));
  const used = new Set([PREFIX + BUILD.version]);
  for (const request of await windows.keys()) {
    const { version, since } = await (await windows.match(request))?.json() as { version: string; since: number };
    if (open.has(request.url) || Date.now() - since < OPENING_MS) used.add(PREFIX + version);
    else await windows.delete(request);
  }
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && !used.has(name)) await caches.delete(name);
}

export {};
