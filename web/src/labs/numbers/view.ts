// The worked numbers as they are seen: one example at a time.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { button, draftProblem, segments } from '../kit/controls.ts';
import { frame } from '../kit/frame.ts';
import { EXAMPLES, type ExampleName } from './examples.ts';
import { moduleExample } from './module-view.ts';
import type { Example, NumbersData, NumbersEvents } from './shared.ts';
import { headsExample, lengthExample, sharesExample, valueExample } from './small-views.ts';
import { planeExample, threeExample } from './vector-views.ts';

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
