// What the tests of the self-test share: the shipped engine as its examiner, and a question's words.
import { loadEngine } from './module.ts';
import type { Engine, Session } from '../../web/src/engine/engine.ts';
import type { Asked } from '../../web/src/labs/quiz/kinds.ts';

/** Asks one session, run after run. */
export async function examiner(): Promise<{ asked: Asked; free(): void }> {
  const engine: Engine = await loadEngine();
  const session: Session = engine.session();
  return {
    asked: { engine, run: (_, tokens, settings, more) => session.run({ ...more, tokens: [...tokens] }, engine.clamp(settings).settings) },
    free: () => session.free(),
  };
}

/** The words of a template, as they are read. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value && typeof value === 'object' && 'strings' in value) {
    const { strings, values } = value as unknown as { strings: readonly string[]; values: readonly unknown[] };
    return strings.map((part, i) => part.replace(/<[^>]*>/g, '') + (i < values.length ? textOf(values[i]) : '')).join('');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
