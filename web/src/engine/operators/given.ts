// Converts JavaScript arguments for the module: null counts as left out, 64-bit integers become numbers, and a value of
// another type is rejected with a sentence.
import { AttentionError } from '../error.ts';

/** An array or typed array; integers of 64 bits, too. */
export type Numbers = ArrayLike<number> | ArrayLike<bigint>;

function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  return Array.isArray(value) ? 'an array' : `an object of type ${value.constructor?.name ?? 'Object'}`;
}

export function refuse(name: string, value: unknown, rule: string): never {
  throw new AttentionError('invalid_argument', `${name} must be ${rule}, and is ${kind(value)}.`);
}

/** `otherwise` is the value if it is left out; without it, it is required. */
export function number(value: number | bigint | null | undefined, name: string, otherwise?: number): number {
  const given = value ?? otherwise;
  if (typeof given === 'bigint') return Number(given);
  return typeof given === 'number' ? given : refuse(name, value, 'a number');
}

/** 0 and 1 are taken, too. */
export function flag(value: boolean | null | undefined, name: string): boolean {
  const given: unknown = value ?? false;
  return typeof given === 'boolean' ? given : given === 0 || given === 1 ? given === 1 : refuse(name, value, 'true or false');
}

export function choice<T extends string>(value: T | null | undefined, name: string, all: readonly [T, ...T[]]): T {
  const given = value ?? all[0];
  return all.includes(given) ? given : refuse(name, value, all.map((each) => `'${each}'`).join(' or '));
}

export function list(value: Numbers | null | undefined, name: string): ArrayLike<number> | null {
  return value === null || value === undefined ? null : givenList(value, name);
}

export function givenList(value: Numbers, name: string): ArrayLike<number> {
  const rule = 'an array or a typed array of numbers';
  if (typeof value !== 'object' || value === null || typeof value.length !== 'number') return refuse(name, value, rule);
  if (ArrayBuffer.isView(value) && typeof value[0] !== 'bigint') return value as ArrayLike<number>;
  return Array.from(value as ArrayLike<number | bigint>, (each) => (typeof each === 'bigint' ? Number(each) : typeof each === 'number' ? each : refuse(`Each of ${name}`, each, 'a number')));
}

/** Options, parameters and the like. */
export function fields<T extends object>(value: T, name: string): T {
  return typeof value === 'object' && value !== null ? value : refuse(name, value, 'an object');
}

/** The module's handle of something, until its free(). */
export class Held<Handle extends { delete(): void }> {
  #handle: Handle | null;

  /** @param what as a sentence begins: "This tensor" */
  constructor(handle: Handle, readonly what: string) {
    this.#handle = handle;
  }

  get handle(): Handle {
    if (this.#handle) return this.#handle;
    throw new AttentionError('freed', `${this.what} was freed, and its memory with it. Make another.`);
  }

  /** Further calls do nothing. */
  free(): void {
    this.#handle?.delete();
    this.#handle = null;
  }
}

/** Returns the module's answer; what it cannot take, such as a tensor of another instance, is reported in a sentence. */
export function call<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (cause) {
    if (!(cause instanceof TypeError) && (cause as Error | null)?.name !== 'BindingError') throw cause;
    throw new AttentionError('invalid_argument', `The module cannot take this: ${(cause as Error).message.replace(/\.$/, '')}. Give it tensors and numbers of its own instance.`, { cause });
  }
}
