// The lab of reach as it is seen: one figure at a time.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';
import { segments, sentenceField } from '../kit/controls.ts';
import { frame } from '../kit/frame.ts';
import { costFigure, tableFigure } from './cost-views.ts';
import { type Figure, type ReachData, type ReachEvents, SHOWN, type Shown } from './data.ts';
import { pathsFigure } from './paths-view.ts';
import { contextFigure, masksFigure, nextFigure } from './words-views.ts';

const MADE: Record<Shown, (data: ReachData, events: ReachEvents) => Figure> = {
  paths: pathsFigure, cost: costFigure, table: tableFigure, context: contextFigure, masks: masksFigure, next: nextFigure,
};

const NAMES: Record<Shown, () => string> = {
  paths: () => msg('Steps between words'), cost: () => msg('Full, window, linear'), table: () => msg('A matrix for each pair'),
  context: () => msg('The context is full'), masks: () => msg('Three masks'), next: () => msg('Every row predicts'),
};

export function reachView(data: ReachData, events: ReachEvents): TemplateResult {
  const { knobs, text, words } = data;
  const made = words.length > 0 ? MADE[knobs.show](data, events) : null;
  return frame({
    title: msg('Reach: how far a word is heard, and at what price'),
    lesson: html`
      <p>${msg('In one layer of attention every word can hear every other: distance does not count. Nets before it passed words on, step by step.')}</p>
      <p>${msg('The price is a table of n × n cells. All that follows from it is here: what is saved by looking less far, and what is lost.')}</p>
    `,
    controls: html`
      <div class="lab-choices">${segments(msg('Figure'), 'lab-reach-show', SHOWN.map((name) => [name, NAMES[name]()] as const), knobs.show, (show) => events.set({ show }))}</div>
      ${sentenceField(msg('Your sentence'), text, events.type)}
      ${made?.controls}
    `,
    said: made?.said ?? null,
    figure: made?.figure ?? html`<p class="muted">${msg('Type a word.')}</p>`,
    ...(made?.tries && { tries: made.tries }),
  });
}
