// How the settings of a lab are read and written: in the attribute `preset` and in a link.
import { type Field as Written, writeFields } from './address.ts';
import { readFields } from './fields.ts';
import { oneOf, parseNumber, parseWhole, parseYesNo } from '../lib/parse.ts';

export interface Field<T> {
  readonly start: T;
  /** The nearest valid value; null if the text is no value. */
  parse(text: string): T | null;
  format(value: T): string;
}

export type Fields<Knobs> = { readonly [Name in keyof Knobs]: Field<Knobs[Name]> };

const within = (parse: (text: string) => number | null) => (start: number, least: number, most: number): Field<number> => ({
  start,
  parse: (text) => {
    const value = parse(text);
    return value === null ? null : Math.max(least, Math.min(most, value));
  },
  format: String,
});

export const whole = within(parseWhole);
export const decimal = within(parseNumber);

/** As many numbers as there are at the start: "6.2,1.4,7.9". */
export function numbers(start: readonly number[], { least, most, isWhole = false }: { least: number; most: number; isWhole?: boolean }): Field<readonly number[]> {
  const each = isWhole ? whole(0, least, most) : decimal(0, least, most);
  return {
    start,
    parse: (text) => {
      const values = text.split(',').map((one) => each.parse(one));
      return values.length === start.length && values.every((value) => value !== null) ? values : null;
    },
    format: (values) => values.join(','),
  };
}

export function choice<T extends string>(start: T, values: readonly T[]): Field<T> {
  return { start, parse: (text) => oneOf(text, values), format: (value) => value };
}

export const flag = (start: boolean): Field<boolean> => ({ start, parse: (text) => parseYesNo(text, ''), format: (value) => (value ? 'on' : 'off') });

/** Words of the reader's own, cut to `most` characters. */
export const words = (start: string, most = 200): Field<string> => ({ start, parse: (text) => text.slice(0, most), format: (value) => value });

/** All settings, with defaults for those left out; and those that could not be used as written. */
export function readKnobs<Knobs extends object>(fields: Fields<Knobs>, text: string): { knobs: Knobs; changed: { name: string; wanted: string; used: string }[] } {
  const { values, broken } = readFields(text);
  const changed: { name: string; wanted: string; used: string }[] = [];
  const names = Object.keys(fields) as (keyof Knobs & string)[];
  const knobs = Object.fromEntries(names.map((name) => {
    const field = fields[name];
    const wanted = values.get(name);
    const value = wanted === undefined ? field.start : (field.parse(wanted) ?? field.start);
    if (wanted === undefined ? broken.has(name) : !same(field.format(value), wanted)) changed.push({ name, wanted: wanted ?? '', used: field.format(value) });
    return [name, value];
  })) as Knobs;
  for (const name of new Set([...values.keys(), ...broken])) if (name !== '' && !names.includes(name as keyof Knobs & string)) changed.push({ name, wanted: values.get(name) ?? '', used: '' });
  return { knobs, changed };
}

/** Only settings that differ from their defaults. */
export function writeKnobs<Knobs extends object>(fields: Fields<Knobs>, knobs: Knobs): string {
  const names = Object.keys(fields) as (keyof Knobs & string)[];
  return writeFields(names.flatMap((name): Written[] => {
    const { start, format } = fields[name];
    const value = format(knobs[name]);
    return value === format(start) ? [] : [[name, value]];
  }));
}

/** "0.50" is 0.5. */
const same = (used: string, wanted: string): boolean => used === wanted || (wanted.trim() !== '' && Number(used) === Number(wanted.replace('−', '-')));
