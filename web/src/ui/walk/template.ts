// The template of the walk: a heading, the player, four groups of cards, and the explanation beside them.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { comma, gap, plural } from '../../lib/format.ts';
import type { Picture } from '../../state/result.ts';
import type { Group } from '../../state/stage-groups.ts';
import { inputWords, readsOf } from '../../text/stages.ts';
import { lineOf } from '../../text/stage-lines.ts';
import { axes } from '../../text/caption.ts';
import { headOf, word } from '../../text/word.ts';
import { type CardEvents, type CardView, card, heading } from './card.ts';

/** One card that is folded, or open ones side by side. */
export interface Line {
  readonly cards: readonly CardView[];
  readonly open: boolean;
  /** Whose words stand beside the rows. */
  readonly whose: 'query' | 'key';
  /** Whether its columns are words, too. */
  readonly pairs: boolean;
  /** Of a card, in CSS pixels. */
  readonly width: number;
}

export interface SectionView {
  /** One matrix, or one number's arithmetic, without all that leads there. */
  only: 'stage' | 'sum' | null;
  picture: Picture;
  query: number;
  head: number;
  heads: number;
  hues: readonly string[];
  groups: readonly { group: Group; lines: readonly Line[] }[];
  /** Whether the first stage, the words themselves, is unfolded. */
  tokensOpen: boolean;
  tools: TemplateResult;
  /** Whether the reader has locked the colour ranges, and whether a number lies outside of one. */
  isLocked: boolean;
  outside: boolean;
  explanation: TemplateResult | typeof nothing;
}

export interface SectionEvents extends CardEvents {
  chooseHead(head: number): void;
  lockRanges(): void;
}

const MOST_BUTTONS = 16;

export function section(view: SectionView, events: SectionEvents): TemplateResult {
  const { picture, query, head, heads, only } = view;
  const choice = heads > 1 ? headChoice(view, events) : nothing;
  if (only) return html`${choice}<div class="walk-grid" data-only=${only}>${groupsOf(view, events)}<section class="explanation" aria-label=${msg('This number')} part="explanation">${view.explanation}</section></div>`;
  return html`
    <div class="walk-head">
      <div>
        <h2>${msg('The walk')}</h2>
        <p>${plural(picture.tokens.length, msg(str`From the word to the output, every matrix of head ${headOf(picture, head)}.`), msg(str`From words to the output, every matrix of head ${headOf(picture, head)}.`))}${gap()}${picture.rows === 'queries' ? msg(html`A token keeps its line in every matrix: follow <b class="accent">${word(picture, query)}</b>.`) : msg(html`Follow <b class="accent">${word(picture, query)}</b>.`)}</p>
      </div>
      <div class="range-lock">
        <div class="signed-legend" aria-hidden="true"><div class="signed-ramp"></div><div class="signed-ticks"><span>${msg('−range')}</span><span>0</span><span>${msg('+range')}</span></div></div>
        <button type="button" class="plain lock-range" aria-pressed=${view.isLocked ? 'true' : 'false'} @click=${events.lockRanges}>${view.isLocked ? msg('Let the ranges follow') : msg('Keep these ranges')}</button>
        ${view.outside ? html`<span class="muted"><span class="outside-mark" aria-hidden="true"></span> ${msg('lies outside of its kept range')}</span>` : nothing}
      </div>
    </div>
    ${choice}
    ${view.tools}
    <div class="walk-grid">
      ${groupsOf(view, events)}
      <section class="explanation" aria-label=${msg('This number')} part="explanation">${view.explanation}</section>
    </div>
  `;
}

function groupsOf({ groups, picture, tokensOpen }: SectionView, events: SectionEvents): TemplateResult {
  return html`
    <div class="groups">
      ${repeat(groups.map((each) => ({ ...each, ...titled(each.group, picture) })), ({ group }) => group.id, ({ group, lines, title, about }) => html`
        <section class="group" data-group=${group.id} aria-label=${title}>
          <h3>${title}</h3>
          <p class="muted">${about}${group.id === 'compare' ? html` ${msg(html`In every matrix here, <b>${axes(picture.rows, false).aloud}</b>.`)}` : nothing}</p>
          <div class="cards">
            ${group.id === 'input' ? tokensCard(picture, tokensOpen, events) : nothing}
            ${repeat(lines.flatMap((line) => placed(line, events)), ({ key }) => key, ({ part }) => part())}
          </div>
        </section>
      `)}
    </div>
  `;
}

/** The cards of a line: a card stays the same element, folded or open. */
function placed(line: Line, events: SectionEvents): { key: string; part: () => TemplateResult }[] {
  const cards = line.cards.map((each) => ({ key: each.card.id as string, part: () => card(each, line.width, line.cards.length === 1, events) }));
  return line.open ? [{ key: `beside ${cards[0]?.key}`, part: () => labels(line) }, ...cards] : cards;
}

/** The name of a group; a language model's layer begins with rows, not with words. */
function titled(group: Group, picture: Picture): { title: string; about: string } {
  const reads = group.id === 'input' ? readsOf(picture) : null;
  return reads ? inputWords(reads) : { title: group.title(), about: group.about() };
}

/** Beyond this many the text box tells more. */
const MOST_CHIPS = 200;

/** The first stage: what the text was cut into, by place. */
function tokensCard(picture: Picture, open: boolean, { toggle }: SectionEvents): TemplateResult {
  const { tokens, keyTokens } = picture;
  const list = (words: Picture['tokens'], extent: string) => html`
    <ol class="token-chips" aria-label=${`[${extent}] = [${words.length}]`}>${words.slice(0, MOST_CHIPS).map(({ text }) => html`<li><bdi lang="">${text}</bdi></li>`)}${words.length > MOST_CHIPS ? html`<li class="muted">…</li>` : nothing}</ol>
  `;
  return html`
    <details class="stage tokens-stage" data-tokens-card ?open=${open} @toggle=${(event: Event) => toggle('tokens', (event.target as HTMLDetailsElement).open)}>
      ${heading(1, msg('Tokens'), open ? null : { shape: html`<span class="shape">[T] = [${tokens.length}]${keyTokens === tokens ? nothing : `, [S] = [${keyTokens.length}]`}</span>`, line: lineOf(picture, 'tokens') })}
      ${open ? html`<div class="stage-body">${list(tokens, 'T')}${keyTokens === tokens ? nothing : list(keyTokens, 'S')}</div>` : nothing}
    </details>
  `;
}

/** The words beside the rows. */
function labels({ whose, pairs }: Line): TemplateResult {
  return html`
    <div class="line-break"></div>
    <div class="line-side">
      <p class="line-title">${pairs ? html`<span class="muted">${whose === 'key' ? msg('keys ↓') : msg('queries ↓')}</span>` : nothing}</p>
      <div class="line-labels" data-whose=${whose} aria-hidden="true"></div>
    </div>
  `;
}

/** The names of heads have the hues that tell heads apart in concat. */
function headChoice({ picture, heads, head: chosen, hues }: SectionView, events: SectionEvents): TemplateResult {
  const names = picture.designed?.heads;
  if (heads > MOST_BUTTONS) {
    return html`<p class="walk-heads"><label>${msg('Head')} <select @change=${(event: Event) => events.chooseHead(Number((event.target as HTMLSelectElement).value))}>
      ${Array.from({ length: heads }, (_, head) => html`<option value=${head} ?selected=${head === chosen}>${headOf(picture, head)}</option>`)}
    </select></label></p>`;
  }
  return html`
    <div class="walk-heads" role="group" aria-label=${msg('Head shown in the walk')}>
      ${Array.from({ length: heads }, (_, head) => html`
        <button type="button" class="head-name" aria-pressed=${head === chosen ? 'true' : 'false'} @click=${() => events.chooseHead(head)}>
          <span class="hue" .style=${`background: ${hues[head] ?? ''}`}></span>${msg(str`Head ${headOf(picture, head)}`)}${names?.[head] ? html`<span class="muted">${comma()}${names[head]?.name}</span>` : nothing}
        </button>
      `)}
    </div>
  `;
}

// The player: goes through the stages.

export interface ToolsView {
  /** Stages of this run, in order, by name. */
  names: readonly string[];
  step: number;
  playing: boolean;
  /** What the last step did to the numbers. */
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
      <p class="transport-words"><span class="muted">${msg(str`${number} of ${all}`)}</span> <b>${msg(str`${names[step] ?? ''}.`)}</b>${gap()}${sentence}</p>
    </div>
  `;
}
