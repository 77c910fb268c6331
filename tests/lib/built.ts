// What tests take from build/.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a built file or folder; without it, an error that says how it is built. */
export function built(name: string): string {
  const place = fileURLToPath(new URL(`../../build/${name}`, import.meta.url));
  if (!existsSync(place)) throw new Error(`build/${name} is missing. tools/test builds what a test needs before it runs it: tools/test LANE FILE, as in tools/test page switches.`);
  return place;
}
