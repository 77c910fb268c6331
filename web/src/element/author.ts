// The author's input besides the settings: a cell to look at, a second sentence, a configuration in JSON.
import { msg, str } from '@lit/localize';
import type { Selection } from '../engine/types.ts';
import type { LabInput } from '../labs/kit/lab.ts';
import { atMost } from '../lib/dom.ts';
import { clipped } from '../lib/format.ts';
import { decodeMask, encodeMask, withField } from '../link/address.ts';
import type { Change, Rights } from '../state/state.ts';
import { KNOBS, SETTINGS, type Setting } from '../state/settings.ts';
import type { Store } from '../state/store.ts';
import { noticeSentences } from '../ui/late.ts';
import { ATTRIBUTES, isYes, lockedNames } from './attributes.ts';
import type { ConfigurationSource } from './configuration.ts';
import { PATIENCE_MS } from './surroundings.ts';

const PLACES = [['head', 'head'], ['row', 'query'], ['column', 'key']] as const satisfies readonly (readonly [string, keyof Selection])[];

/** Properties whose value is in the state, or in a lab: they have no copy of it. */
export const IN_USE: ReadonlySet<string> = new Set(['text', 'preset', 'keyText', 'maskCells', 'replay', ...PLACES.map(([name]) => name), ...SETTINGS.map(({ name }) => name)]);

/** Settings that say how the runs of view="training" are trained, in its preset. */
const OF_TRAINING: ReadonlySet<string> = new Set(['seed', 'mask', 'scale', 'heads']);

export interface Author extends HTMLElement {
  view: string;
  controls: string;
  lesson: string | null | undefined;
  atStep: unknown;
  readonly: unknown;
  locked: unknown;
  src: string;
  config: unknown;
  readonly isConfined: boolean;
  requestUpdate(): void;
}

export class AuthorPart {
  /** What was set since the last update. */
  readonly #said = new Map<string, unknown>();
  /** What was set last: a parent that renders again with the same value changes nothing. */
  readonly #last = new Map<string, unknown>();
  /** What a lab's controls are set to. */
  preset = '';
  /** A lesson of the author's own, as it was given; null without one. */
  lesson: unknown = null;
  #read = '';
  /** What was taken up last; and what applies the last of any source. */
  #config: unknown = null;
  #src = '';
  #coming: Promise<void> | null = null;
  #children: MutationObserver | null = null;
  #wrong = new Map<string, string>();

  constructor(private readonly element: Author, private readonly store: Store, private readonly update: () => void) {}

  /** A property, by its attribute or by a program. */
  set(name: string, value: unknown): void {
    if (this.#last.has(name) && isSame(this.#last.get(name), value)) return;
    this.#last.set(name, value);
    this.#said.set(name, value);
    this.element.requestUpdate();
  }

  /** The value in use; until the update, the value that was set. */
  get(name: string): unknown {
    if (this.#said.has(name)) return this.#said.get(name);
    const { state, picture, knobs } = this.store;
    if (this.#isOfTraining(name)) return this.preset.split('&').find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    if (name === 'text') return state.text;
    if (name === 'preset') return this.preset;
    if (name === 'keyText') return state.keyText ?? '';
    if (name === 'replay') return state.replay ?? '';
    if (name === 'maskCells') return encodeMask(state.maskEdits);
    const place = PLACES.find(([each]) => each === name);
    if (place) return picture ? state.selection[place[1]] + 1 : this.#last.get(name);
    return SETTINGS.find((each) => each.name === name)?.format(knobs);
  }

  /** The sentence that the author set; null without one. */
  get ownText(): string | null {
    const text = this.#last.get('text');
    return text == null ? null : String(text);
  }

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
  get ofLab(): Pick<LabInput, 'isReadonly' | 'locked' | 'notices'> {
    const { isReadonly, locked } = this.rights;
    return { isReadonly, locked, notices: noticeSentences(this.store.notices) };
  }

  /** The notices about the author's values have been shown. */
  dismiss(): void {
    this.store.clearNotices();
  }

  /** Applies what has been set: `changed` are the properties that are not in the state. */
  take(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const said = new Map(this.#said);
    this.#said.clear();
    this.store.rights = this.rights;
    this.#check(new Map<PropertyKey, unknown>([...[...changed.keys()].map((name) => [name, (this.element as unknown as Record<PropertyKey, unknown>)[name]] as const), ...said]));
    if (said.has('text')) this.#takeText(said.get('text'));
    if (said.has('preset')) this.preset = String(said.get('preset') ?? '');
    if (this.element.view === 'training') this.#takeLesson(changed, said);
    this.#takeSources();
    if (said.has('keyText')) this.#takeKeyText(said.get('keyText'));
    if (said.has('maskCells')) this.#takeMask(String(said.get('maskCells') ?? ''));
    // The store trains it, and reports one that is invalid.
    if (said.has('replay')) this.#assign({ replay: String(said.get('replay') ?? '') || null });
    if (PLACES.some(([name]) => said.has(name))) this.#look(said);
    for (const setting of SETTINGS) if (said.has(setting.name) && !this.#isOfTraining(setting.name)) this.#takeSetting(setting, said.get(setting.name));
  }

  #assign(part: Change): void {
    this.store.change(part, { by: 'author' });
  }

  #takeText(raw: unknown): void {
    const text = String(raw ?? '');
    if (text !== this.store.state.text) this.#assign({ text });
  }

  #isOfTraining(name: string): boolean {
    return this.element.view === 'training' && OF_TRAINING.has(name);
  }

  /** Attributes for what a preset says, too. */
  #takeLesson(changed: ReadonlyMap<PropertyKey, unknown>, said: ReadonlyMap<string, unknown>): void {
    const { lesson, atStep } = this.element;
    const given = { ...(changed.has('lesson') && { lesson }), ...(changed.has('atStep') && { step: atStep }), ...Object.fromEntries([...said].filter(([name]) => OF_TRAINING.has(name))) };
    for (const [name, value] of Object.entries(given)) {
      if (value === null && OF_TRAINING.has(name)) this.preset = withField(this.preset, name, null);
      else if (value != null && value !== '') this.preset = withField(this.preset, name, String(value));
    }
  }

  #takeSetting({ parse, rule, format }: Setting, raw: unknown): void {
    const { knobs } = this.store;
    // Removing an attribute restores the default; one that was never there changes nothing.
    const wanted = raw === null ? format(KNOBS) : raw;
    if (wanted === undefined || String(wanted) === format(knobs)) return;
    const parsed = parse(String(wanted));
    const now = format(knobs);
    if (!parsed) this.store.notice(() => msg(str`“${clipped(String(raw))}” is not understood: ${rule()}. It is ${now} now.`));
    this.#assign(parsed ?? {});
  }

  /** An invalid value is reported, and the default is used. */
  #check(values: ReadonlyMap<PropertyKey, unknown>): void {
    for (const { attribute: name, property, allows, rule } of ATTRIBUTES) {
      if (!values.has(property)) continue;
      const raw = values.get(property);
      const value = raw == null || typeof raw === 'boolean' ? '' : String(raw);
      if (value === '' || allows(value)) this.#wrong.delete(name);
      else if (this.#wrong.get(name) !== value) {
        this.#wrong.set(name, value);
        this.store.notice(() => msg(str`${name} cannot be “${clipped(value)}”: it is ${rule()}.`));
      }
    }
  }

  #takeKeyText(raw: unknown): void {
    const keyText = raw == null || raw === '' ? null : String(raw);
    if (keyText !== this.store.state.keyText && raw !== undefined) this.#assign({ keyText });
  }

  #takeMask(raw: string): void {
    if (raw === encodeMask(this.store.state.maskEdits)) return;
    const maskEdits = raw === '' ? [] : decodeMask(raw);
    if (maskEdits) this.#assign({ maskEdits });
  }

  #look(said: ReadonlyMap<string, unknown>): void {
    const aim: Partial<Selection> = {};
    for (const [name, field] of PLACES) {
      const value = Number(said.get(name) ?? NaN) - 1;
      if (Number.isInteger(value) && value >= 0 && value !== this.store.selection[field]) aim[field] = value;
    }
    if (Object.keys(aim).length > 0) this.#assign({ selection: aim });
  }

  // A configuration.

  #readChild(): void {
    const child = [...this.element.children].find((each): each is HTMLScriptElement => each instanceof HTMLScriptElement && each.type === 'application/json');
    const text = child?.textContent?.trim() ?? '';
    if (text === '' || text === this.#read) return;
    this.#read = text;
    this.#coming = this.#configure({ child: text });
  }

  #takeSources(): void {
    const { config, src } = this.element;
    if (config !== this.#config) {
      this.#config = config;
      if (config != null) this.#coming = this.#configure({ value: config });
    }
    if (src !== this.#src) {
      this.#src = src;
      if (src) this.#coming = this.#configure({ src: String(src) });
    }
  }

  /** The first figure waits for its configuration, so that it shows no other text before; null without one. */
  get awaited(): Promise<unknown> | null {
    this.#takeSources();
    return this.#coming && atMost(PATIENCE_MS, this.#coming);
  }

  /** What reads configurations comes with the first. One promise for all of them: browsers settle several import() of a file that is on its way in any order. */
  #reads: Promise<typeof import('./configuration.ts')> | null = null;

  async #configure(source: ConfigurationSource): Promise<void> {
    try {
      const { configure } = await (this.#reads ??= import('./configuration.ts'));
      await configure(this.element, this.store, source, (lesson) => { this.lesson = lesson; });
    } catch {
      this.#reads = null;
      this.store.notice(() => msg('What reads a configuration could not be loaded: all files must lie beside the script.'));
    }
    this.update();
  }
}

/** In the form of attributes: 4 and "4" are the same value. */
const isSame = (a: unknown, b: unknown): boolean => a === b || (a != null && b != null && String(a) === String(b));
