// Parts of the classic script: scripts beside it, which share what it holds. The build knows their files, and puts its
// modules' names and makers around this.
import { bringScript } from '../lib/load-script.ts';
import { SCRIPT_ADDRESS } from './script-address.ts';

/** Of each part, the files that it needs beside its own. */
declare const APART: Readonly<Record<string, readonly string[]>>;
/** A module that has come, made when it is first wanted. */
declare const REQUIRE: (name: string) => unknown;
declare const BUILD: string;
/** Of files, what `integrity=` takes: at first of that one alone which brings the others. */
declare const HASHES: Readonly<Record<string, string>>;

const coming = new Map<string, Promise<void>>();

function bring(file: string): Promise<void> {
  const known = coming.get(file);
  if (known) return known;
  const address = new URL(file, SCRIPT_ADDRESS);
  address.search = BUILD;
  const one = bringScript(address);
  coming.set(file, one);
  one.catch(() => coming.delete(file));
  return one;
}

export async function SCRIPT_PART(name: string): Promise<unknown> {
  await Promise.all([`${name}.js`, ...(APART[name] ?? [])].map(bring));
  return REQUIRE(`${name}.js`);
}

export async function MORE_HASHES(): Promise<void> {
  Object.assign(HASHES, (await SCRIPT_PART('hashes') as { hashes: object }).hashes);
}
