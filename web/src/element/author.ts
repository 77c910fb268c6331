// What the author of the page says besides the settings: a cell to look at, a second sentence, a configuration in JSON.
import { msg, str } from '@lit/localize';
import type { Selection } from '../engine/types.ts';
import type { LabInput } from '../labs/kit/lab.ts';
import { decodeMask, encodeMask } from '../link/codecs.ts';
import type { Rights } from '../state/permissions.ts';
import { SETTINGS } from '../state/settings.ts';
import type { Sentence } from '../state/state.ts';
import type { Model } from '../state/store.ts';
import { isLab } from '../state/views.ts';
import { noticeSentences } from '../ui/late.ts';
import { ATTRIBUTES, attribute, lockedNames } from './attributes.ts';
import type { Configuration } from './configuration.ts';

/** A property as React and others set it: the string of an attribute. */
export const isYes = (value: unknown): boolean => value === true || (typeof value === 'string' && !['false', 'off', 'no'].includes(value));

const PLACES = [['head', 'head'], ['row', 'query'], ['key', 'key']] as const satisfies readonly (readonly [string, keyof Selection])[];

export interface Author extends HTMLElement {
  view: string;
  keyText: unknown;
  maskCells: unknown;
  head: unknown;
  row: unknown;
  key: unknown;
  controls: string;
  readonly: unknown;
  locked: unknown;
  src: string;
  config: unknown;
}

export class AuthorPart {
  #read = '';
  #children: MutationObserver | null = null;
  #wrong = new Map<string, string>();

  constructor(private readonly element: Author, private readonly model: Model, private readonly update: () => void) {}

  connect(): void {
    this.#readChild();
    // The parser, or a framework, may bring it later.
    this.#children = new MutationObserver(() => this.#readChild());
    this.#children.observe(this.element, { childList: true, subtree: true, characterData: true });
  }

  disconnect(): void {
    this.#children?.disconnect();
  }

  get rights(): Rights {
    const { controls, readonly, locked } = this.element;
    return { isReadonly: isYes(readonly) || controls === 'none', locked: new Set(lockedNames(String(locked ?? '')).filter((name) => name === 'text' || SETTINGS.some((setting) => setting.attribute === name))) };
  }

  /** What a lab must know of it. */
  get ofLab(): Pick<LabInput, 'isReadonly' | 'isTextLocked' | 'notices'> {
    const { isReadonly, locked } = this.rights;
    return { isReadonly, isTextLocked: locked.has('text'), notices: noticeSentences(this.model.notices) };
  }

  /** What was said of the author's words has been read. */
  dismiss(): void {
    this.model.clearNotices();
  }

  /** Takes up what has changed of the properties. */
  take(changed: ReadonlyMap<PropertyKey, unknown>): void {
    this.#check(changed);
    if (changed.has('config') && this.element.config != null) void this.#configure(this.element.config, true);
    if (changed.has('src') && this.element.src) void this.#fetch(String(this.element.src));
    if (changed.has('keyText')) this.#takeKeyText();
    if (changed.has('maskCells')) this.#takeMask();
    if (PLACES.some(([name]) => changed.has(name))) this.#look();
  }

  /** The properties say what is in use. */
  reflect(): void {
    const { wanted, selection, picture } = this.model;
    this.element.keyText = wanted.keyText ?? '';
    this.element.maskCells = encodeMask(wanted.maskEdits);
    if (picture) for (const [name, field] of PLACES) this.element[name] = selection[field] + 1;
  }

  /** What an attribute cannot be is said, and its default holds. */
  #check(changed: ReadonlyMap<PropertyKey, unknown>): void {
    for (const { attribute: name, property, allows, rule } of ATTRIBUTES) {
      if (!changed.has(property)) continue;
      const raw = (this.element as unknown as Record<string, unknown>)[property];
      const value = raw == null || typeof raw === 'boolean' ? '' : String(raw);
      if (value === '' || allows(value)) this.#wrong.delete(name);
      else if (this.#wrong.get(name) !== value) {
        this.#wrong.set(name, value);
        this.model.notice(() => msg(str`${name} cannot be “${value.slice(0, 40)}”: it is ${rule()}.`));
      }
    }
  }

  #takeKeyText(): void {
    const raw = this.element.keyText;
    const keyText = raw == null || raw === '' ? null : String(raw);
    if (keyText !== this.model.wanted.keyText && raw !== undefined) this.model.set({ keyText });
  }

  #takeMask(): void {
    const raw = String(this.element.maskCells ?? '');
    if (raw === encodeMask(this.model.wanted.maskEdits)) return;
    const maskEdits = raw === '' ? [] : decodeMask(raw);
    if (maskEdits) this.model.set({ maskEdits });
  }

  #look(): void {
    const { selection, picture } = this.model;
    const aim: Partial<Selection> = {};
    for (const [name, field] of PLACES) {
      const value = Number(this.element[name] ?? NaN) - 1;
      if (Number.isInteger(value) && value >= 0 && value !== selection[field]) aim[field] = value;
    }
    if (Object.keys(aim).length === 0) return;
    if (picture) this.model.select(aim);
    else this.model.aim(aim);
  }

  // A configuration.

  #readChild(): void {
    const child = [...this.element.children].find((each): each is HTMLScriptElement => each instanceof HTMLScriptElement && each.type === 'application/json');
    const text = child?.textContent?.trim() ?? '';
    if (text === '' || text === this.#read) return;
    this.#read = text;
    this.#parse(text, () => msg('The configuration inside the element is not valid JSON.'));
  }

  async #fetch(src: string): Promise<void> {
    try {
      const response = await fetch(new URL(src, document.baseURI), { credentials: 'same-origin' });
      if (!response.ok) throw new Error(String(response.status));
      const text = await response.text();
      if (src === String(this.element.src)) this.#parse(text, () => msg(str`The configuration at ${src} is not valid JSON.`));
    } catch {
      this.#say(() => msg(str`The configuration at ${src} could not be loaded. Its server must allow this page to read it.`));
    }
  }

  #parse(text: string, sentence: Sentence): void {
    try {
      void this.#configure(JSON.parse(text), false);
    } catch {
      this.#say(sentence);
    }
  }

  /** What reads one comes with the first. */
  async #configure(raw: unknown, over: boolean): Promise<void> {
    try {
      const { readConfiguration } = await import('./configuration.ts');
      this.#apply(readConfiguration(raw), over);
    } catch {
      this.#say(() => msg('What reads a configuration could not be loaded: all files must lie beside the script.'));
    }
  }

  #say(sentence: Sentence): void {
    this.model.notice(sentence);
    this.update();
  }

  /** `over`: also over what attributes say. */
  #apply({ values, given, notices }: Configuration, over: boolean): void {
    const properties = this.element as unknown as Record<string, unknown>;
    for (const [name, value] of values) {
      const property = attribute(name)?.property ?? SETTINGS.find((setting) => setting.attribute === name)?.name;
      if (property && (over || !this.element.hasAttribute(name))) properties[property] = name === 'readonly' ? isYes(value) : value;
    }
    if (given && isLab(this.element.view)) this.model.notice(() => msg('A lab computes with numbers of its own: what is given is left out.'));
    else if (given) this.model.set({ given, source: 'yours' });
    for (const notice of notices) this.model.notice(notice);
    this.update();
  }
}
