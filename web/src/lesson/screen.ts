// One screen of a lesson: the rail of questions, the question and its answer in one place, the figure, what to try, the footer.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Theme } from '../lib/colour.ts';
import { gap } from '../lib/format.ts';
import { type Arc, door } from './door.ts';
import { type DoorRow, MOST_DOOR_WORDS } from './door-run.ts';
import type { Lesson, Step, Try } from './lesson.ts';
import { type Marked, marked as said, plainText } from './marking.ts';
import type { Place } from '../link/lesson-place.ts';

export type { Marked } from './marking.ts';

export interface ScreenData {
  lesson: Lesson;
  step: Step;
  index: number;
  place: Place;
  guess: number | null;
  theme: Theme;
  row: DoorRow | null;
  arcs: readonly Arc[];
  isWrapped: boolean;
  isStacked: boolean;
  marked: Marked;
  figure: unknown;
  /** Of a training run; empty for its first. */
  job: string;
  /** Whether the way on is the answer first. */
  isAsking: boolean;
  /** Whether the way on is first to the end of what plays. */
  isPlaying: boolean;
  isTyping: boolean;
  isListComing: boolean;
  problem: string;
  text: string;
  playground: string | null;
}

export interface ScreenEvents {
  forward(): void;
  back(): void;
  open(step: string): void;
  pick(guess: number): void;
  again(): void;
  write(on: boolean): void;
  type(text: string): void;
  replace(text: string): void;
}

export function screen(data: ScreenData, events: ScreenEvents): TemplateResult {
  const { place, step, figure, row } = data;
  return html`
    <div class="lesson" part="lesson" ?data-shown=${place.shown} ?data-presenter=${place.presenter} data-kind=${step.show.view === 'door' ? 'door' : 'figure'}>
      ${rail(data, events)}
      <article class="step" aria-labelledby="question" data-step=${step.id} ?data-asks=${step.show.view === 'training' && !step.answer}>
        <div class="top">${ask(data)}${choices(data, events)}</div>
        <div class="stage">
          ${row ? door({ row, shown: place.shown, guess: data.guess, theme: data.theme, arcs: data.arcs, isWrapped: data.isWrapped, isStacked: data.isStacked }, (word) => events.pick(word)) : step.show.view === 'door' ? html`<div class="door"></div>` : figure}
        </div>
        ${foot(data, events)}
      </article>
      ${footer(data, events)}
    </div>
  `;
}

function rail({ lesson, index }: ScreenData, events: ScreenEvents): TemplateResult {
  const count = lesson.steps.length;
  return html`
    <nav class="rail" aria-label=${lesson.title}>
      <ol>${lesson.steps.map(({ id, question }, i) => html`
        <li .style=${`--letters: ${plainText(question).length}`}><button type="button" class=${i < index ? 'done' : i === index ? 'here' : 'ahead'} aria-current=${i === index ? 'step' : nothing} @click=${() => events.open(id)}><span class="number">${i + 1}</span> <span class="name">${said(question)}</span></button></li>`)}
      </ol>
      <p class="count">${msg(str`Step ${index + 1} of ${count}`)}</p>
    </nav>
  `;
}

/** The question and what may come in its place lie in one cell, as high as the highest: nothing below moves. */
function ask({ step, place: { shown }, guess, row, job, marked: { isRight, values } }: ScreenData): TemplateResult {
  const { question, before, jobs, after } = step;
  const variant = guess === null ? 'unasked' : isRight === false ? 'wrong' : 'right';
  // The longest word, as a guess, makes the longest answer.
  const longest = { ...values, guess: row?.words.reduce((most, { text }) => (text.length > most.length ? text : most), '') ?? values['guess'] };
  const here = shown && step.answer ? variant : Object.hasOwn(jobs, job) ? `job ${job}` : '';
  const isHere = (kind: string) => kind === here;
  // The word that looks back is found once the list of words has come.
  const isComing = (text: string) => step.show.view === 'door' && row === null && text.includes('{');
  const part = (kind: string, title: string, text: string, filled: typeof values) => html`
    <div class="ask-part" ?data-here=${isHere(kind)} aria-hidden=${isHere(kind) ? nothing : 'true'}>
      <h2 id=${isHere(kind) ? 'question' : nothing} tabindex=${isHere(kind) ? '-1' : nothing} aria-describedby=${isHere(kind) ? 'lead' : nothing} ?data-coming=${isComing(title)}><span>${said(title, filled)}</span></h2>
      <p class="lead" id=${isHere(kind) ? 'lead' : nothing} ?data-coming=${isComing(text)}>${said(text, filled)}</p>
    </div>`;
  const answers = (['right', 'wrong', 'unasked'] as const).filter((kind) => after[kind] !== '').map((kind) => part(kind, after.title || question, after[kind], isHere(kind) ? values : longest));
  return html`<div class="ask">${part('', question, before, values)}${Object.entries(jobs).map(([id, words]) => part(`job ${id}`, question, words, values))}${step.answer ? answers : nothing}</div>`;
}

function choices({ step, place: { shown }, guess, marked: { right } }: ScreenData, events: ScreenEvents): TemplateResult | typeof nothing {
  if (step.choices.length === 0) return nothing;
  const mark = (i: number) => (!shown || right === null ? '' : i === right - 1 ? '✓' : i === guess ? '✗' : '');
  return html`<div class="choices" role="group" aria-label=${msg('Your guess')}>${step.choices.map((choice, i) => html`
    <button type="button" class="choice" ?data-guess=${guess === i} ?disabled=${shown} aria-pressed=${String(guess === i)} @click=${() => events.pick(i)}>${said(choice)}${mark(i) ? html` <span class="mark">${mark(i)}</span>` : nothing}</button>`)}</div>`;
}

function foot(data: ScreenData, events: ScreenEvents): TemplateResult {
  const { step, place: { shown }, row, marked: { values }, problem } = data;
  const isOpen = shown || !step.answer;
  // What to try is of the lesson's sentence: it is not said of others.
  const tried = step.try && (!step.try.replace || exchange(data, step.try.replace)) ? step.try : null;
  return html`
    <div class="foot" ?data-open=${isOpen} ?hidden=${!problem && !data.isListComing && !row && !(isOpen && (step.why || tried))}>
      ${problem ? html`<p class="lesson-problem" role="alert">${problem}</p>` : nothing}
      ${data.isListComing ? html`<p class="note" role="status">${msg('Loading the list of words that this head knows…')}</p>` : nothing}
      ${row ? notes(row, data.lesson) : nothing}
      ${isOpen ? html`<div class="columns">
          ${step.why ? html`<section class="why"><h3>${said(step.why.title, values)}</h3><p>${said(step.why.text, values)}</p></section>` : nothing}
          ${tried || row ? html`<section class="try">${tried ? trial(data, tried) : nothing}${row ? ways(data, events) : nothing}</section>` : nothing}
        </div>` : row ? html`<p class="hint">${data.isTyping ? ownSentence(data, events) : html`${msg('Choose a word to make your guess, or')}${gap()}<button type="button" class="link" @click=${() => events.write(true)}>${msg('type your own sentence')}</button>`}</p>` : nothing}
    </div>
  `;
}

/** What to try, and what comes in its place, lie in one cell: the button below them stays where it is. */
function trial({ text, marked: { values } }: ScreenData, tried: Try): TemplateResult {
  const [now, other] = isChanged(text, tried) ? [tried.after || tried.text, tried.text] : [tried.text, tried.after];
  const title = html`<h3>${said(tried.title, values)}</h3>`;
  return html`<div class="either"><div>${title}<p aria-live="polite">${said(now, values)}</p></div><div aria-hidden="true">${title}<p>${said(other, values)}</p></div></div>`;
}

/** Ways to another sentence: one word for another, and back; or the reader's own. */
function ways(data: ScreenData, events: ScreenEvents): TemplateResult {
  const { step } = data;
  if (data.isTyping) return ownSentence(data, events);
  const change = step.try?.replace;
  const swap = change && exchange(data, change);
  return html`<p class="ways">
    ${swap ? html`<button type="button" class="outlined" @click=${() => events.replace(swap.text)}>${swap.from} → ${swap.to}</button>` : nothing}
    <button type="button" class="link" @click=${() => events.write(true)}>${swap ? msg('or type your own sentence') : msg('Type your own sentence')}</button>
    <button type="button" class="link again" @click=${() => events.again()}>${msg('Guess again')}</button>
  </p>`;
}

const isChanged = (text: string, { replace: change }: Try): boolean => change !== undefined && !text.includes(change.word) && text.includes(change.by);

/** However it is written. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** One word of the lesson's own sentence for another, and back; null in any other sentence, of which the lesson knows nothing. */
function exchange({ text, lesson, step }: ScreenData, { word, by }: { word: string; by: string }): { text: string; from: string; to: string } | null {
  const own = step.show.sentence || lesson.text;
  if (![own, own.replace(word, () => by)].some((each) => lettersOf(each) === lettersOf(text))) return null;
  const [from, to] = text.includes(word) ? [word, by] : [by, word];
  return text.includes(from) ? { text: text.replace(from, () => to), from, to } : null;
}

/** A sentence is one line: Enter is its end. */
function submits(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

function ownSentence({ text }: ScreenData, events: ScreenEvents): TemplateResult {
  return html`<form class="write" @submit=${(event: Event) => {
    event.preventDefault();
    events.type((event.target as HTMLFormElement).querySelector('textarea')?.value ?? '');
  }}><textarea class="own-sentence" rows="2" lang="" dir="auto" maxlength="300" autocomplete="off" spellcheck="false" .value=${text} aria-label=${msg('Your own sentence')} @keydown=${submits}></textarea><button type="submit" class="outlined">${msg('Use it')}</button><button type="button" class="link" @click=${() => events.write(false)}>${msg('Cancel')}</button></form>`;
}

function notes({ isPronoun, unknown, words }: DoorRow, { words: own }: Lesson): TemplateResult | typeof nothing {
  const sentences = [
    isPronoun ? '' : msg('There is no word like “it”, “she” or “they” here with words before it, so this shows the last word, which looks at itself.'),
    unknown.length > 0 ? msg(str`This head knows English words, and those of the sentence that the lesson opens with. It does not know ${unknown.slice(0, 5).map((word) => `“${word}”`).join(', ')}.`) : '',
    words.length === MOST_DOOR_WORDS && own.length < MOST_DOOR_WORDS ? msg(str`It shows the first ${MOST_DOOR_WORDS} words.`) : '',
  ].filter(Boolean);
  return sentences.length > 0 ? html`<p class="note" role="status">${sentences.join(' ')}</p>` : nothing;
}

function footer({ lesson, step, index, isAsking, isPlaying, place: { presenter }, playground }: ScreenData, events: ScreenEvents): TemplateResult {
  const next = lesson.steps[index + 1];
  const kbd = (key: string) => html`<kbd>${key}</kbd>`;
  const onward = isAsking ? html`<button type="button" class="go" @click=${() => events.forward()}>${msg('Show the answer')} →</button>`
    : next ? html`<button type="button" class="go primary" @click=${() => events.forward()}><span class="next-word">${msg('Next:')} </span>${said(next.question)} →</button>`
      : playground ? html`<a class="go primary" href=${playground}>${msg('Open the playground')} →</a>` : html`<span></span>`;
  return html`
    <footer class="footer">
      <button type="button" class="back" ?disabled=${index === 0} @click=${() => events.back()} aria-label=${msg('Back')}>← <span class="back-word">${msg('Back')}</span></button>
      <p class="keys">${presenter
        ? html`${msg(str`${index + 1} of ${lesson.steps.length}`)} · ${isAsking || isPlaying || next ? html`${kbd('→')} ${isAsking ? msg('show the answer') : isPlaying ? msg('to the end') : msg('next')}` : html`${msg('The lesson is over')}${playground ? html` · ${kbd('Enter')} ${msg('open the playground')}` : nothing}`} · ${kbd('Esc')} ${msg('leave presenter view')}`
        : isAsking && step.show.view === 'door' && step.choices.length === 0 ? html`${kbd('Tab')} ${msg('choose a word')} · ${kbd('Enter')} ${msg('make it your guess')} · ${kbd('→')} ${msg('show the answer')}`
          : html`${next || isAsking ? html`${kbd('←')} ${kbd('→')} ${msg('step through the lesson')}` : msg('The lesson is over')} · ${kbd('P')} ${msg('presenter view')}`}</p>
      ${onward}
    </footer>
  `;
}
