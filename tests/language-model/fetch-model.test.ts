// The shipped model on its way to the reader: progress, damage, no network, a cache that may be missing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { refusal } from '../lib/model-files.ts';
import { fetchModel } from '../../web/src/parameters/language-model/fetch.ts';

const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
const name = `everyday-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.safetensors`;
const file = { name, bytes: bytes.length, url: `https://page.example/there/${name}` };

const real = { fetch: globalThis.fetch, caches: Object.getOwnPropertyDescriptor(globalThis, 'caches') };
let asked: string[] = [];
let answer: (signal?: AbortSignal) => Promise<Response> | Response;

/** What came so far is sent in pieces. */
const inPieces = (whole: Uint8Array, size = 30_000) => new Response(new ReadableStream({
  start(stream) {
    for (let at = 0; at < whole.length; at += size) stream.enqueue(whole.slice(at, at + size));
    stream.close();
  },
}));

class Shelf {
  readonly held = new Map<string, Response>();
  async match(address: string) {
    return this.held.get(address)?.clone();
  }
  async put(address: string, response: Response) {
    this.held.set(address, response);
  }
  async keys() {
    return [...this.held.keys()].map((url) => ({ url }));
  }
  async delete(address: string) {
    return this.held.delete(address);
  }
}
let shelf: Shelf;
/** By name; the first that is asked for is `shelf`. */
const shelves = new Map<string, Shelf>();
const setCaches = (value: unknown) => Object.defineProperty(globalThis, 'caches', { value, configurable: true });

beforeEach(() => {
  asked = [];
  answer = () => inPieces(bytes);
  shelf = new Shelf();
  shelves.clear();
  setCaches({ open: async (name: string) => shelves.get(name) ?? shelves.set(name, shelves.size === 0 ? shelf : new Shelf()).get(name) });
  globalThis.fetch = (async (address: string, { signal }: RequestInit = {}) => {
    asked.push(String(address));
    return answer(signal ?? undefined);
  }) as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = real.fetch;
  if (real.caches) Object.defineProperty(globalThis, 'caches', real.caches);
  else Reflect.deleteProperty(globalThis, 'caches');
});

test('it is fetched from beside the script, with progress, once; then it comes from the cache', async () => {
  const shares: number[] = [];
  assert.deepEqual(await fetchModel(file, { progress: (share) => shares.push(share) }), bytes);
  assert.deepEqual(shares, [0.3, 0.6, 0.9, 1]);
  assert.deepEqual(asked, [`https://page.example/there/${name}`]);
  assert.deepEqual(await fetchModel(file, { progress: (share) => shares.push(share) }), bytes);
  assert.equal(asked.length, 1);
  assert.equal(shares.at(-1), 1);
});

test('the cache holds the newest model alone, and a damaged one is fetched again', async () => {
  shelf.held.set('https://page.example/there/everyday-00000000.safetensors', new Response('old'));
  await fetchModel(file);
  assert.deepEqual([...shelf.held.keys()], [`https://page.example/there/${name}`]);
  shelf.held.set(`https://page.example/there/${name}`, new Response(bytes.slice().fill(9, 50, 51)));
  assert.deepEqual(await fetchModel(file), bytes);
  assert.equal(asked.length, 2);
});

test('two deployments on one origin leave each other’s model alone', async () => {
  const other = { ...file, url: `https://page.example/elsewhere/${name}` };
  await fetchModel(file);
  await fetchModel(other);
  await fetchModel(file);
  await fetchModel(other);
  assert.deepEqual(asked, [file.url, other.url], 'each was fetched once');
  assert.deepEqual([...shelves.keys()], ['attention-playground-models https://page.example/there/', 'attention-playground-models https://page.example/elsewhere/']);
});

const caches: [string, unknown][] = [
  ['missing', undefined],
  ['forbidden', { open: async () => { throw new DOMException('', 'SecurityError'); } }],
  ['full', { open: async () => Object.assign(new Shelf(), { put: async () => { throw new DOMException('', 'QuotaExceededError'); } }) }],
];
for (const [state, value] of caches) {
  test(`without a cache it works as well: ${state}`, async () => {
    setCaches(value);
    assert.deepEqual(await fetchModel(file), bytes);
    assert.deepEqual(await fetchModel(file), bytes);
    assert.equal(asked.length, 2);
  });
}

const failures: [string, string, RegExp, () => Promise<Response> | Response][] = [
  ['no network', 'unreachable', /online/, () => Promise.reject(new TypeError('Failed to fetch'))],
  ['not found', 'unreachable', /HTTP status 404/, () => new Response('no', { status: 404 })],
  ['a line that breaks', 'unreachable', /online/, () => new Response(new ReadableStream({
    pull: (stream) => stream.error(new TypeError('network error')),
  }))],
  ['a byte that changed', 'corrupted', /damaged/, () => inPieces(bytes.slice().fill(9, 50, 51))],
  ['the first half', 'corrupted', /50,000 of 100,000 bytes/, () => inPieces(bytes.slice(0, 50_000))],
  ['a page in its place', 'corrupted', /damaged/, () => new Response('<!doctype html>')],
  ['more than there is', 'corrupted', /damaged/, () => inPieces(new Uint8Array(300_000))],
];
for (const [what, code, reason, how] of failures) {
  test(`what comes wrong gets a sentence, nothing is kept, and another try may succeed: ${what}`, async () => {
    answer = how;
    await assert.rejects(fetchModel(file), refusal(code, reason));
    assert.equal(shelf.held.size, 0);
    answer = () => inPieces(bytes);
    assert.deepEqual(await fetchModel(file), bytes);
  });
}

test('it can be stopped', async () => {
  const stop = new AbortController();
  answer = (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))));
  const loading = fetchModel(file, { signal: stop.signal });
  setTimeout(() => stop.abort(), 5);
  await assert.rejects(loading, refusal('cancelled'));
});
