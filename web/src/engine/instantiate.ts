// How a WebAssembly module is started, and why one is not.
import { msg } from '@lit/localize';
import { AttentionError } from './error.ts';

// The smallest module that needs SIMD128: i8x16.popcnt of a splat.
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
);

/** Why there is no engine, by the error's code: a function, because the page's language can change. */
export const STARTING: Readonly<Record<'no_simd' | 'core_unavailable', () => string>> = {
  no_simd: () => msg('This browser has no WebAssembly SIMD, which the engine needs. Open the page in Chrome 91, Firefox 89, Safari 16.4 or newer.'),
  core_unavailable: () => msg("The engine could not be started. attention.wasm must lie beside the script (or at core-src), and the page's content security policy must allow 'wasm-unsafe-eval'."),
};

function requireSimd(): void {
  if (typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE)) return;
  throw new AttentionError('no_simd', STARTING.no_simd());
}

/** @throws AttentionError with a code of STARTING */
export async function started<Module>(compile: () => Promise<WebAssembly.Module>, create: (options: { wasm: WebAssembly.Module }) => Promise<Module>): Promise<Module> {
  requireSimd();
  try {
    // WebKit compiles where a policy forbids WebAssembly and refuses only the instance, of which Emscripten's promise does not
    // hear. What is fetched is asked for before a page's first drawing keeps the answer to that waiting.
    const [wasm] = await Promise.all([compile(), WebAssembly.instantiate(SIMD_PROBE)]);
    return await create({ wasm });
  } catch (cause) {
    throw new AttentionError('core_unavailable', STARTING.core_unavailable(), { cause });
  }
}
