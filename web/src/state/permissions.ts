// What a reader may change: everything, unless the author of the page has said otherwise.
import { type Knobs, SETTINGS, fieldsOf } from './settings.ts';
import type { State } from './state.ts';

export interface Rights {
  readonly isReadonly: boolean;
  /** Attributes of settings, and "text", that stay as they are. */
  readonly locked: ReadonlySet<string>;
}

export const ALL_RIGHTS: Rights = { isReadonly: false, locked: new Set() };

export const may = ({ isReadonly, locked }: Rights, name: string): boolean => !isReadonly && !locked.has(name);

/** What of the parameters' numbers may be set by hand. */
const OWNED: Partial<Record<keyof State, string>> = {
  text: 'text', keyText: 'text', maskEdits: 'mask', edits: 'parameters', given: 'parameters', source: 'parameters', rows: 'rows', layer: 'layer', actsOn: 'acts-on', silenced: 'parameters', patches: 'parameters',
};

/** Without what may not be changed; null where nothing is left. */
export function permitted(rights: Rights, part: Partial<State>, now: State): Partial<State> | null {
  if (rights.isReadonly) return null;
  if (rights.locked.size === 0) return part;
  const left = Object.fromEntries(Object.entries(part).filter(([field]) => may(rights, OWNED[field as keyof State] ?? '')));
  if (part.settings) {
    const settings: Record<string, unknown> = { ...part.settings };
    for (const field of lockedFields(rights)) if (field in settings) settings[field] = now.settings[field as keyof typeof now.settings];
    left['settings'] = settings;
  }
  return Object.keys(left).length > 0 ? left as Partial<State> : null;
}

function lockedFields({ locked }: Rights): (keyof Knobs)[] {
  return SETTINGS.filter(({ attribute }) => locked.has(attribute)).flatMap((each) => (each.attribute === 'scale' ? ['scale', 'scale_factor'] : fieldsOf(each))) as (keyof Knobs)[];
}
