// What is read from text: numbers and choices, written again, and addresses.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite number written in plain decimals, or null. Takes the minus sign this page prints. */
export function parseNumber(raw: string): number | null {
  const text = raw.trim().replace('\u2212', '-');
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export function parseWhole(raw: string): number | null {
  const value = parseNumber(raw);
  return value !== null && Number.isInteger(value) ? value : null;
}

export function oneOf<T extends string>(raw: string, choices: readonly T[]): T | null {
  return choices.find((choice) => choice === raw.trim()) ?? null;
}

const YES = ['', 'on', 'true', '1', 'yes'];
const NO = ['off', 'false', '0', 'no'];

/** An attribute that is there without a value says yes, and so does one that is its own value. */
export function parseYesNo(raw: string, attribute: string): boolean | null {
  const text = raw.trim().toLowerCase();
  if (YES.includes(text) || text === attribute) return true;
  return NO.includes(text) ? false : null;
}

/** The shortest decimal that reads back as the same float32, which is what the engine keeps. */
export function shortest(x: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const value = Number(x.toPrecision(digits));
    if (Math.fround(value) === Math.fround(x)) return String(value);
  }
  return String(Number(x.toPrecision(9)));
}

export function divisors(n: number): number[] {
  const found: number[] = [];
  for (let i = 1; i <= n; i += 1) if (n % i === 0) found.push(i);
  return found;
}

/** Whether an address is of the same site as `base`. What strangers have a page show leads to, and loads from, that site alone. Files and frames that are shut in have no origin to compare by. */
export function isOwnAddress(value: string, base: string): boolean {
  try {
    const [there, here] = [new URL(value, base), new URL(base)];
    return there.protocol === here.protocol && there.host === here.host;
  } catch {
    return false;
  }
}
