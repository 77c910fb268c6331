// What steers the walk: a transport through the stages.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html } from 'lit';

export interface ToolsView {
  /** Stages of this run, in order, by name. */
  names: readonly string[];
  step: number;
  playing: boolean;
  /** What has just happened to the numbers. */
  sentence: unknown;
}

export interface ToolsEvents {
  play(): void;
  step(to: number): void;
}

const SIGNS = { first: 'M1 1h2v10H1zM13 1v10L4 6z', back: 'M11 1v10L2 6z', on: 'M3 1v10l9-5z', last: 'M11 1h2v10h-2zM1 1v10l9-5z' };

export function tools(view: ToolsView, events: ToolsEvents): TemplateResult {
  return html`<div class="walk-tools">${transport(view, events)}</div>`;
}

function transport({ names, step, playing, sentence }: ToolsView, events: ToolsEvents): TemplateResult {
  const last = names.length - 1;
  // Counted as the cards are: the first stage is the words, which stand beside all of them.
  const [number, all] = [step + 2, names.length + 1];
  const button = (words: string, sign: string, to: number, off: boolean) => html`
    <button type="button" class="transport-button" aria-label=${words} title=${words} ?disabled=${off} @click=${() => events.step(to)}><svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true"><path fill="currentColor" d=${sign}></path></svg></button>
  `;
  return html`
    <div class="transport" role="group" aria-label=${msg('Step through the stages')}>
      <div class="transport-line">
        ${button(msg('To the first stage'), SIGNS.first, 0, step === 0)}
        ${button(msg('One stage back'), SIGNS.back, step - 1, step === 0)}
        <button type="button" class="transport-button play" aria-pressed=${playing ? 'true' : 'false'} @click=${events.play}>${playing ? msg('Stop') : msg('Play')}</button>
        ${button(msg('One stage on'), SIGNS.on, step + 1, step === last)}
        ${button(msg('To the last stage'), SIGNS.last, last, step === last)}
        <input type="range" min="2" max=${all} step="1" .value=${String(number)} aria-label=${msg('Stage')} aria-valuetext=${msg(str`${number} of ${all}, ${names[step] ?? ''}`)}
          @input=${(event: Event) => events.step(Number((event.target as HTMLInputElement).value) - 2)}>
      </div>
      <p class="transport-words"><span class="muted">${msg(str`${number} of ${all}`)}</span> <b>${msg(str`${names[step] ?? ''}.`)}</b> ${sentence}</p>
    </div>
  `;
}
