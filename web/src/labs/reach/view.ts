// The lab of reach as it is seen: figures to choose from, each with one claim of its own.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { costFigure, tableFigure } from './cost-views.ts';
import { type Figure, type ReachData, type ReachEvents, SHOWN, type Shown } from './data.ts';
import { pathsFigure } from './paths-view.ts';
import { contextFigure, masksFigure, nextFigure } from './words-views.ts';

interface Choice {
  make(data: ReachData, events: ReachEvents): Figure;
  name(): string;
  /** What the figure shows to be so; and why. */
  claim(): string;
  why(): string;
}

const CHOICES: Record<Shown, Choice> = {
  paths: {
    make: pathsFigure, name: () => msg('Steps between words'),
    claim: () => msg('Attention goes from any word to any other in one step; other nets pass a word on, step by step.'),
    why: () => msg('Every step mixes what is passed on with something else. The fewer there are, the more of the first word is left at the last, and the better a net learns that the two belong together.'),
  },
  masks: {
    make: masksFigure, name: () => msg('Three masks'),
    claim: () => msg('Encoder, decoder and translator compute the same; they differ in what a word may look at.'),
    why: () => msg('An encoder reads all words at once. A decoder writes, so no word sees a later one. Between the two sentences of a translator nothing is hidden.'),
  },
  next: {
    make: nextFigure, name: () => msg('Every row predicts'),
    claim: () => msg('With the causal mask one run trains every beginning of the sentence at once.'),
    why: () => msg('Each row sees only what came before it, so each is a question of its own: which word comes next?'),
  },
  context: {
    make: contextFigure, name: () => msg('The context is full'),
    claim: () => msg('What has left the context cannot be looked at any more.'),
    why: () => msg('A model has room for so many words. Each word beyond them pushes the first one out.'),
  },
  cost: {
    make: costFigure, name: () => msg('Full, window, linear'),
    claim: () => msg('Looking less far is cheaper, and something is lost for it.'),
    why: () => msg('Full attention fills a table of n × n cells. A window fills a band of it, and hears farther words only through many layers. Linear attention keeps a sum of all words, and no row of shares.'),
  },
  table: {
    make: tableFigure, name: () => msg('A matrix for each pair'),
    claim: () => msg('Three matrices do the work of one matrix for every pair of words.'),
    why: () => msg('How much one word takes from another could be learnt for each pair of places. Queries, keys and values make it from the words themselves.'),
  },
};

export function reachView(data: ReachData, events: ReachEvents): TemplateResult {
  const { knobs, text, words } = data;
  const { make, claim, why } = CHOICES[knobs.show];
  const made = words.length > 0 ? make(data, events) : null;
  return frame({
    title: msg('Reach: how far a word is heard, and at what price'),
    lesson: html`<p class="lab-claim">${claim()}</p><p>${why()}</p>`,
    controls: html`
      <div class="lab-choices">${segments(msg('Figure'), 'lab-reach-show', SHOWN.map((name) => [name, CHOICES[name].name()] as const), knobs.show, (show) => events.set({ show }))}</div>
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${made?.controls}
    `,
    said: made?.said ?? null,
    figure: made?.figure ?? html`<p class="muted">${msg('Type a word.')}</p>`,
    ...(made?.tries && { tries: made.tries }),
  });
}
