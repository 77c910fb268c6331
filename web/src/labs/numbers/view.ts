// The worked numbers as they are seen: one example at a time, each with what it shows.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { button, draftProblem, segments } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { EXAMPLES, type Example, type ExampleName, type NumbersData, type NumbersEvents } from './examples.ts';
import { moduleExample } from './module-view.ts';
import { headsExample, sharesExample, valueExample } from './small-views.ts';
import { planeExample, threeExample } from './vector-views.ts';

interface Choice {
  make(data: NumbersData, events: NumbersEvents): Example;
  name(): string;
  claim(): string;
}

const CHOICES: Record<ExampleName, Choice> = {
  value: { make: valueExample, name: () => msg('0.27 of a value'), claim: () => msg('A context is values added up, each times its weight.') },
  plane: { make: planeExample, name: () => msg('Three directions'), claim: () => msg('The key that points where the query points gets the largest share.') },
  three: { make: threeExample, name: () => msg('Three keys'), claim: () => msg('One row of attention: multiply, divide, softmax, add up.') },
  heads: { make: headsExample, name: () => msg('720 in 12 heads'), claim: () => msg('Heads cut the numbers of a word into equal parts.') },
  module: { make: moduleExample, name: () => msg('A 5 × 4 module'), claim: () => msg('All of attention on one page: five words of four numbers each.') },
  shares: { make: sharesExample, name: () => msg('A row’s shares'), claim: () => msg('The shares of a row add up to 1, so what is not printed can be worked out.') },
};

export function numbersView(data: NumbersData, events: NumbersEvents): TemplateResult {
  const { knobs, draft, isAsPrinted } = data;
  const { make, claim } = CHOICES[knobs.example];
  const { from, figure, said, tries } = make(data, events);
  return frame({
    title: msg('Worked numbers: do it once by hand'),
    lesson: html`
      <p class="lab-claim">${claim()}</p>
      <p class="lab-from">${from}</p>
      <p>${msg('Follow with a pencil. Every number in a field can be changed, and all that follows from it changes with it.')}</p>
    `,
    controls: html`
      <div class="lab-choices">${segments(msg('Example'), 'lab-numbers-example', EXAMPLES.map((name) => [name, CHOICES[name].name()] as const), knobs.example, events.example)}</div>
      ${isAsPrinted ? nothing : button(msg('As printed'), events.asPrinted)}
    `,
    said,
    figure: html`${draftProblem(draft)}${figure}`,
    ...(tries && { tries }),
  });
}
