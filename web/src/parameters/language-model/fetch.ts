// Fetches the model that lies beside the page, once: browsers that have a cache for it keep it, for offline, too.
import { msg, str } from '@lit/localize';
import { AttentionError } from '../../engine/error.ts';
import type { Progress } from './load.ts';

/** A file whose name ends with the first 8 hexadecimal digits of its SHA-256, as web/build.mjs found it. */
export interface ShippedFile {
  name: string;
  bytes: number;
  url: string;
}

/** Put in by the build; null where a build has no model. */
declare const SHIPPED_MODEL: Omit<ShippedFile, 'url'> | null;
/** Its name once more, by itself: bundlers take along what they see by name, and may give it another. */
declare const SHIPPED_NAME: string;
export const shippedModel = (): ShippedFile | null =>
  (typeof SHIPPED_MODEL === 'undefined' || !SHIPPED_MODEL ? null : { ...SHIPPED_MODEL, url: new URL(SHIPPED_NAME, import.meta.url).href });

export interface FetchOptions {
  progress?: Progress | undefined;
  signal?: AbortSignal | undefined;
}

/** Of the deployment whose model it is: others on the same origin keep theirs. */
const cacheOf = (address: string): string => `attention-playground-models ${new URL('.', address).href}`;

/** The file's bytes, checked against its name. @throws AttentionError `unreachable` or `corrupted`; another try may succeed */
export async function fetchModel({ name, bytes: size, url }: ShippedFile, { progress = () => {}, signal }: FetchOptions = {}): Promise<Uint8Array> {
  const kept = await readCache(url);
  if (kept && await isWhole(kept, name, size)) {
    progress(1);
    return kept;
  }
  const bytes = await download(url, size, progress, signal);
  if (!await isWhole(bytes, name, size)) {
    throw new AttentionError('corrupted', msg(str`The model arrived damaged: ${bytes.length.toLocaleString('en')} of ${size.toLocaleString('en')} bytes, or wrong ones. Try again.`));
  }
  await keep(url, bytes);
  return bytes;
}

async function download(address: string, size: number, progress: Progress, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    const response = await fetch(address, signal ? { signal } : {});
    if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`);
    const parts: Uint8Array[] = [];
    let done = 0;
    for (const reader = response.body.getReader(); ;) {
      const { value } = await reader.read();
      if (!value) return joined(parts, done);
      parts.push(value);
      progress(Math.min(1, (done += value.length) / size));
      if (done > size) await reader.cancel(); // another file than the build's
    }
  } catch (cause) {
    if (signal?.aborted) throw new AttentionError('cancelled', msg('Loading the model was stopped. Start it again whenever you like.'), { cause });
    const status = cause instanceof Error && /^HTTP/.test(cause.message) ? cause.message : null;
    throw new AttentionError('unreachable', status
      ? msg(str`The model could not be fetched (${status}). Check that you are online, and try again.`)
      : msg('The model could not be fetched. Check that you are online, and try again.'), { cause });
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** By its length, and by its SHA-256 where the page may compute one (not on plain http). */
async function isWhole(bytes: Uint8Array, name: string, size: number): Promise<boolean> {
  if (bytes.length !== size) return false;
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  if (!digest) return true;
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return name.endsWith(`-${hash.slice(0, 8)}.safetensors`);
}

/** A cache that is missing, forbidden or full is as good as none. */
async function readCache(address: string): Promise<Uint8Array | null> {
  try {
    const found = await (await caches.open(cacheOf(address))).match(address);
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

async function keep(address: string, bytes: Uint8Array): Promise<void> {
  try {
    const cache = await caches.open(cacheOf(address));
    for (const { url } of await cache.keys()) await cache.delete(url); // of an older page
    await cache.put(address, new Response(bytes as Uint8Array<ArrayBuffer>));
  } catch { /* the next visit fetches it again */ }
}
