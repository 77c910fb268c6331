// The worked numbers as they are seen: one example at a time.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Engine } from '../../engine.ts';
import type { Paint } from '../../views/paint.ts';
import { type Cells, type Draft, draftProblem } from '../views/cells.ts';
import { button, segments } from '../views/controls.ts';
import { type Try, frame } from '../views/frame.ts';
import { EXAMPLES, type ArrayName, type ExampleName, type Knobs } from './examples.ts';
import { headsExample } from './heads-view.ts';
import { lengthExample, sharesExample } from './lengths-view.ts';
import { moduleExample } from './module-view.ts';
import { planeExample } from './plane-view.ts';
import { threeExample } from './three-view.ts';
import { valueExample } from './value-view.ts';
import type { Run } from './worked.ts';

export interface NumbersData {
  knobs: Readonly<Knobs>;
  engine: Engine;
  run: Run;
  paint: Paint;
  draft: Draft<ArrayName> | null;
  /** Whether the shown example has the numbers it starts with. */
  isAsPrinted: boolean;
}

export interface NumbersEvents {
  example(name: ExampleName): void;
  row(index: number): void;
  count(places: number): void;
  set(part: Partial<Knobs>): void;
  type(array: ArrayName, index: number, text: string): void;
  leave(): void;
  asPrinted(): void;
}

/** One example: where it is from, its figure, what is seen in it, and what to try. */
export interface Example { from: unknown; figure: TemplateResult; said: unknown; tries?: readonly Try[] }

/** Numbers of one array as fields. */
export const cellsOf = ({ knobs, draft }: NumbersData, { type, leave }: NumbersEvents, array: ArrayName): Cells<ArrayName> => ({ array, numbers: knobs[array], draft, type, leave });

const MADE: Record<ExampleName, (data: NumbersData, events: NumbersEvents) => Example> = {
  value: valueExample, plane: planeExample, three: threeExample, heads: headsExample, module: moduleExample, length: lengthExample, shares: sharesExample,
};

const NAMES: Record<ExampleName, () => string> = {
  value: () => msg('0.27 of a value'), plane: () => msg('Three directions'), three: () => msg('Three keys'), heads: () => msg('720 in 12 heads'),
  module: () => msg('A 5 × 4 module'), length: () => msg('Length √d'), shares: () => msg('A row’s shares'),
};

export function numbersView(data: NumbersData, events: NumbersEvents): TemplateResult {
  const { knobs, draft, isAsPrinted } = data;
  const { from, figure, said, tries } = MADE[knobs.example](data, events);
  return frame({
    title: msg('Worked numbers: do it once by hand'),
    lesson: html`
      <p>${msg('Articles and courses print small examples. Here the engine computes them again, step by step, so that you can follow with a pencil.')}</p>
      <p>${msg('Every number in a field can be changed, and all that follows from it changes with it.')}</p>
    `,
    controls: html`
      <div class="lab-choices">${segments(msg('Example'), 'lab-numbers-example', EXAMPLES.map((name) => [name, NAMES[name]()] as const), knobs.example, events.example)}</div>
      ${isAsPrinted ? nothing : button(msg('As in the text'), events.asPrinted)}
    `,
    said,
    figure: html`<p class="lab-from">${from}</p>${draftProblem(draft)}${figure}`,
    ...(tries && { tries }),
  });
}
