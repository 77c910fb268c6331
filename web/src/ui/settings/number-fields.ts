// The fields that take a number: what was typed, and what is wrong with it while it cannot be used.
import { msg, str } from '@lit/localize';
import type { Clamped } from '../../engine/types.ts';
import { type Knobs, type SettingName, parseNumber, setting } from '../../state/settings.ts';
import type { Sentence } from '../../state/state.ts';
import { said } from '../../text/core-sentences.ts';

interface InUse {
  settings: Readonly<Knobs>;
  /** The value in use, as the reader knows it: "× 0.25". */
  words: string;
  clamp(wanted: Knobs): Pick<Clamped, 'notices'>;
}

export class NumberFields {
  #problems: Partial<Record<SettingName, Sentence>> = {};
  #drafts: Partial<Record<SettingName, string>> = {};

  get problems(): Partial<Record<SettingName, string>> {
    return Object.fromEntries(Object.entries(this.#problems).map(([name, say]) => [name, say()]));
  }

  /** Text as typed, kept until the field is left: "0." must not turn into "0" under the reader's hands. */
  get drafts(): Partial<Record<SettingName, string>> {
    return this.#drafts;
  }

  clear(): void {
    this.#problems = {};
    this.#drafts = {};
  }

  /** Takes what was typed; returns the settings it asks for, or null when it cannot be used. */
  type(name: SettingName, text: string, inUse: InUse): Partial<Knobs> | null {
    const parsed = parseNumber(text) === null ? null : setting(name).parse(text);
    const problem = problemWith(name, text, parsed, inUse);
    this.#problems = problem === null ? {} : { ...this.#problems, [name]: problem };
    this.#drafts = { ...this.#drafts, [name]: text };
    return problem === null ? parsed : null;
  }

  settle(name: SettingName): void {
    if (!this.#problems[name]) delete this.#drafts[name];
  }
}

function problemWith(name: SettingName, text: string, parsed: Partial<Knobs> | null, inUse: InUse): Sentence | null {
  const { control } = setting(name);
  const whole = !('own' in control) || control.own?.whole !== false;
  const { words } = inUse;
  if (text.trim() === '') return () => (whole ? msg(str`Type a whole number. Still ${words}.`) : msg(str`Type a finite number. Still ${words}.`));
  const typed = text.slice(0, 20);
  if (!parsed) return () => (whole ? msg(str`“${typed}” is not a whole number. Still ${words}.`) : msg(str`“${typed}” is not a finite number. Still ${words}.`));
  // The engine's own rule; what it would use instead is not what stays in use here.
  const [notice] = inUse.clamp({ ...inUse.settings, ...parsed }).notices;
  return notice ? () => msg(str`${said(notice.broken)} Still ${words}.`) : null;
}
