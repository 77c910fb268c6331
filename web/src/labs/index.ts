// The code that labs share, and the loader of each lab. Loaded with the first lab; each lab's own code with that lab.
import type { CSSResult } from 'lit';
import type { Engine } from '../engine/engine.ts';
import { type Operators, loadOperators } from '../engine/operators/operators.ts';
import type { LabName } from '../state/views.ts';
import { wholeStyles } from '../ui/styles/late.ts';
import { mathStyles } from '../ui/styles/math.ts';
import type { Lab, LabTools } from './kit/lab.ts';
import { labFigureStyles, labStyles, plotStyles } from './kit/styles.ts';

type OpenLab = Pick<Lab, 'update' | 'free' | 'settled'>;

interface MakeLab {
  new (host: HTMLElement, tools: LabTools): OpenLab;
  /** Of its own, beside those that all labs have. */
  readonly styles?: readonly CSSResult[];
}

/** Each in a file of its own. */
const MAKERS: Partial<Record<LabName, () => Promise<{ default: MakeLab }>>> = {
  training: () => import('./training/lab.ts'),
  'lab-scale': () => import('./scale/lab.ts'),
  'lab-mask': () => import('./mask/lab.ts'),
  'lab-heads': () => import('./heads/lab.ts'),
  'lab-lookup': () => import('./lookup/lab.ts'),
  'lab-cost': () => import('./cost/lab.ts'),
  'lab-order': () => import('./order/lab.ts'),
  'lab-reach': () => import('./reach/lab.ts'),
  'lab-numbers': () => import('./numbers/lab.ts'),
  'lab-quiz': () => import('./quiz/lab.ts'),
};

export { exportedFigure } from './kit/export.ts';

const styles = [mathStyles, labStyles, plotStyles, labFigureStyles];

let loading: Promise<Operators> | null = null;

/** One instance for all labs of a page; a failed load may be tried again. */
function operators(): Promise<Operators> {
  loading ??= loadOperators().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** @throws AttentionError, or what the browser says of a file that cannot be loaded */
export async function openLab(name: LabName, host: HTMLElement, loading: Promise<Engine>, events: Pick<LabTools, 'changed' | 'answered'>): Promise<{ lab: OpenLab; styles: readonly CSSResult[] }> {
  const [engine, made] = await Promise.all([loading, MAKERS[name]?.()]);
  if (!made) throw new Error(`There is no ${name}.`);
  return { lab: new made.default(host, { engine, operators, ...events }), styles: wholeStyles([...styles, ...made.default.styles ?? []]) };
}
