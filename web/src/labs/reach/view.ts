// The lab of reach as it is seen: figures one below the other, each with one claim of its own; or one of them alone.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { withSubs } from '../../text/word.ts';
import { sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/lab.ts';
import { costFigure, tableFigure } from './cost-views.ts';
import { FOLDED, type Figure, type ReachData, type ReachEvents, SHOWN, type Shown } from './data.ts';
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
  const sentence = sentenceField(msg('Your sentence'), text, events.type);
  const none = words.length === 0 ? html`<p class="muted">${msg('Type a word.')}</p>` : null;
  if (knobs.show !== 'all') {
    const { make, name, claim, why } = CHOICES[knobs.show];
    const made = none ? null : make(data, events);
    return frame({
      title: name(), lesson: html`<p class="lab-claim">${claim()}</p><p>${why()}</p>`, controls: html`${sentence}${made?.controls}`,
      said: made?.said, figure: none ?? made?.figure, tries: [...made?.tries ?? [], { label: msg('All figures of this lab'), act: () => events.set({ show: 'all' }) }],
    });
  }
  const part = (shown: Shown) => figurePart(CHOICES[shown], data, events);
  return frame({
    title: msg('Reach: how far a word is heard, and at what price'),
    lesson: html`<p>${msg('Each figure below makes one claim about your sentence, and has controls of its own.')}</p>`,
    controls: sentence,
    figure: none ?? SHOWN.filter((shown) => !FOLDED.includes(shown)).map(part),
    more: none ? null : { title: msg('Two more: what each row predicts, and why three matrices are enough'), body: data.isUnfolded ? html`<div class="lab-figure">${FOLDED.map(part)}</div>` : nothing, toggled: events.unfold },
  });
}

function figurePart({ make, name, claim, why }: Choice, data: ReachData, events: ReachEvents): TemplateResult {
  const { controls, said, figure, tries } = make(data, events);
  return html`
    <section class="lab-part">
      <header class="lab-head"><h3>${name()}</h3><div class="lab-lesson"><p class="lab-claim">${claim()}</p><p>${why()}</p></div></header>
      ${controls ? html`<div class="lab-controls" data-sets>${controls}</div>` : nothing}
      <p class="lab-said" role="status">${said}</p>
      ${tries ? html`<p class="lab-tries" data-sets>${tries.map(({ label, act }) => html`<button type="button" class="plain" @click=${act}>${withSubs(label)}</button>`)}</p>` : nothing}
      ${figure}
    </section>
  `;
}
