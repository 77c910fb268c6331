// Three browsers behind one small interface, so that a test is written once and run by all of them.
import { chromiumEngine } from './engines/chromium.ts';
import { firefoxEngine } from './engines/firefox.ts';
import type { Engine, EngineName } from './engines/engine.ts';
import { webkitEngine } from './engines/webkit.ts';

export type { Engine, EngineName, Found, Spot, Tab, TabOptions, View } from './engines/engine.ts';

const OPENERS: Record<EngineName, () => Promise<Engine>> = { chromium: chromiumEngine, firefox: firefoxEngine, webkit: webkitEngine };

/** Starts a browser; a sentence says what is missing. Close it when the file's tests are done. */
export const openEngine = (name: EngineName): Promise<Engine> => OPENERS[name]();

/** The browsers to test with: ATTENTION_ENGINES, words between commas; Chromium alone without it. */
export function wantedEngines(): EngineName[] {
  const names = (process.env['ATTENTION_ENGINES'] ?? 'chromium').split(/[\s,]+/).filter(Boolean);
  for (const name of names) if (!Object.hasOwn(OPENERS, name)) throw new Error(`ATTENTION_ENGINES names “${name}”; there are ${Object.keys(OPENERS).join(', ')}.`);
  return names as EngineName[];
}
