// What every browser can be asked to do, and what they share in doing it.
import { existsSync } from 'node:fs';
import path from 'node:path';

export type EngineName = 'chromium' | 'firefox' | 'webkit';

export interface Engine {
  readonly name: EngineName;
  readonly version: string;
  newTab(options?: TabOptions): Promise<Tab>;
  close(): Promise<void>;
}

export interface TabOptions {
  /** In CSS pixels; 1280 by 900 without them. */
  width?: number;
  height?: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** A function that runs in the page and finds an element there, through shadow roots if it must. */
export type Found = () => Element | null | undefined;

/** A document: that of the tab, or of a frame in it. Functions run in the page: they see nothing of the test but their arguments. */
export interface View {
  /** Arguments and result travel as JSON; a promise is awaited. */
  evaluate<R, A extends unknown[]>(run: (...parts: A) => R | Promise<R>, ...parts: A): Promise<R>;
  /** Until it says something truthy, which is the result. */
  waitFor<R, A extends unknown[]>(run: (...parts: A) => R | Promise<R>, ...parts: A): Promise<R>;
  /** With the pointer: in the element's middle, or that many pixels from its top left corner. */
  click(find: Found, at?: Spot): Promise<void>;
  /** The document of an iframe of this one, of any origin. */
  frame(find: Found): Promise<View>;
}

/** What a page holds after everything is let go that can be. */
export interface Held {
  bytes: number;
  nodes: number;
  listeners: number;
}

export interface Tab extends View {
  goto(url: string): Promise<void>;
  /** Where the focus is. */
  type(text: string): Promise<void>;
  /** A key by its name in KeyboardEvent.key, with those held before it: Tab, ArrowRight, Control+a. */
  press(key: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** As paper, the bytes of a PDF; null from WebKit, whose driver cannot. */
  print(): Promise<Uint8Array | null>;
  /** Null where the engine does not say. */
  held(): Promise<Held | null>;
  /** Errors and warnings of the console and uncaught errors since the tab was opened; WebKit knows those of pages with record-problems.js. */
  problems(): Promise<string[]>;
  /** Addresses asked for since the tab was opened; WebKit knows those of the page that is open. */
  requests(): Promise<string[]>;
  close(): Promise<void>;
}

export const SIZE = { width: 1280, height: 900 };
const PATIENCE = 30_000;

/** A call as text: what a compiler's helper it may lean on is called, it brings along. */
const call = (run: (...parts: never[]) => unknown, parts: readonly unknown[]): string =>
  `((__name) => (${String(run)})(...${JSON.stringify(parts).replace(/[\u2028\u2029]/g, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'))}))((f) => f)`;

/** An expression whose value is what the function says, as JSON in a promise. */
export const asked = (run: (...parts: never[]) => unknown, parts: readonly unknown[]): string =>
  `Promise.resolve(${call(run, parts)}).then((said) => JSON.stringify(said) ?? null)`;

export const element = (find: Found): string => call(find, []);

export const answer = <R>(text: unknown): R => (typeof text === 'string' ? JSON.parse(text) : undefined) as R;

export async function waitFor<R, A extends unknown[]>(view: Pick<View, 'evaluate'>, run: (...parts: A) => R | Promise<R>, parts: A): Promise<R> {
  for (const end = Date.now() + PATIENCE; ;) {
    const said = await view.evaluate(run, ...parts);
    if (said) return said;
    if (Date.now() > end) throw new Error(`In ${PATIENCE / 1000} s this was never so: ${String(run)}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** The first of these programs that is here. */
export function program(variable: string, goal: string, ...names: readonly string[]): string {
  const named = process.env[variable];
  if (named) return named;
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];
  const found = names.flatMap((name) => (path.isAbsolute(name) ? [name] : folders.map((folder) => path.join(folder, name)))).find(existsSync);
  if (!found) throw new Error(`${names[0]} is missing: run tools/setup ${goal}, or set ${variable} to its path.`);
  return found;
}
