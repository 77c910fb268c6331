// The page on which a teacher makes a lesson: fields on one side, the lesson as it is played on the other. It is kept in this
// browser while it is made, and given away as a link or a file.
import '../element/define.ts';
import { msg } from '@lit/localize';
import { html, nothing, render } from 'lit';
import { onLanguage } from '../lib/language.ts';
import { packedLesson, lessonOf } from '../lesson/address.ts';
import { parseLesson, readLesson } from '../lesson/format.ts';
import { languageSwitch, themeSwitch } from './switches.ts';
import { type Draft, type DraftStep, NEW_STEP, draftOfLesson, form, lessonOfDraft } from './teach-form.ts';

const KEPT = 'attention-lesson-draft';
const EMPTY: Draft = { title: '', lang: document.documentElement.lang || 'en', text: 'The animal didn’t cross the street because it was too tired', steps: [NEW_STEP] };

const host = document.querySelector<HTMLElement>('#teach') as HTMLElement;
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
if (list && status) languageSwitch(list, status, 'teach');

let draft = recall();
let problem = '';
let said = '';
/** The lesson in the preview; null before the fields make one. */
let shown: object | null = null;

function recall(): Draft {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept ? draftOfLesson(JSON.parse(kept) as object) : EMPTY;
  } catch {
    return EMPTY;
  }
}

function keep(): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(lessonOfDraft(draft)));
  } catch {
    // It lasts as long as the page.
  }
}

function change(next: Draft): void {
  draft = next;
  said = '';
  keep();
  check();
  draw();
}

/** What is wrong with the lesson as it stands, or nothing. */
function check(): void {
  try {
    readLesson(lessonOfDraft(draft));
    problem = '';
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
}

const withSteps = (steps: readonly DraftStep[]): void => change({ ...draft, steps });

function moved(at: number, by: 1 | -1): DraftStep[] {
  const steps = [...draft.steps];
  const [step] = steps.splice(at, 1);
  if (step) steps.splice(at + by, 0, step);
  return steps;
}

/** From that step on: the others are cut off before it. */
function look(at: number): void {
  check();
  if (problem === '') {
    const whole = lessonOfDraft(draft) as { steps: object[] };
    shown = { ...whole, steps: [...whole.steps.slice(at), ...whole.steps.slice(0, at)] };
  }
  draw();
}

const json = (): string => `${JSON.stringify(lessonOfDraft(draft), null, 2)}\n`;

async function address(): Promise<string> {
  return `${new URL('./', location.href).href}#lesson=${await packedLesson(JSON.stringify(lessonOfDraft(draft)))}`;
}

async function copy(): Promise<void> {
  const link = await address();
  try {
    await navigator.clipboard.writeText(link);
    said = msg('The link is copied. It holds the whole lesson.');
  } catch {
    said = link;
  }
  draw();
}

async function play(): Promise<void> {
  location.assign(await address());
}

function download(): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([json()], { type: 'application/json' }));
  link.download = 'lesson.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function open(text: () => Promise<object>): Promise<void> {
  try {
    change(draftOfLesson(await text()));
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
    draw();
  }
}

function draw(): void {
  render(html`
    <div class="teach">
      <div class="teach-bar">
        <button type="button" ?disabled=${problem !== ''} @click=${() => void play()}>${msg('Play the lesson')}</button>
        <button type="button" ?disabled=${problem !== ''} @click=${() => void copy()}>${msg('Copy its link')}</button>
        <button type="button" ?disabled=${problem !== ''} @click=${download}>${msg('Save as a file')}</button>
        <label class="file">${msg('Open a file')}<input type="file" accept=".json,application/json" @change=${(event: Event) => {
          const [file] = (event.target as HTMLInputElement).files ?? [];
          if (file) void open(async () => parseLesson(await file.text()));
        }}></label>
        <button type="button" @click=${() => change(EMPTY)}>${msg('Start over')}</button>
      </div>
      <p role="status">${said}</p>
      <p class="teach-problem" role="alert">${problem}</p>
      <div class="teach-columns">
        <form @submit=${(event: Event) => event.preventDefault()}>${form(draft, {
          lesson: (part) => change({ ...draft, ...part }),
          step: (at, part) => withSteps(draft.steps.map((step, i) => (i === at ? { ...step, ...part } : step))),
          move: (at, by) => withSteps(moved(at, by)),
          remove: (at) => withSteps(draft.steps.filter((_, i) => i !== at)),
          add: () => withSteps([...draft.steps, NEW_STEP]),
          look,
        })}</form>
        <section class="teach-preview" aria-label=${msg('Preview')} ?hidden=${!shown}>${shown ? html`<attention-playground view="lesson" loading="eager" .config=${shown}></attention-playground>` : nothing}</section>
      </div>
    </div>
  `, host);
}

/** A state of the playground comes as #add=, a lesson as #lesson=; the address is clean again afterwards. */
async function arrive(): Promise<void> {
  const added = /^#add=(.*)$/s.exec(location.hash)?.[1];
  const lesson = /^#lesson=([\w-]+)/.exec(location.hash)?.[1];
  if (added !== undefined || lesson !== undefined) history.replaceState(null, '', location.pathname);
  if (added !== undefined) {
    const isBlank = JSON.stringify(draft.steps) === JSON.stringify([NEW_STEP]);
    return withSteps([...(isBlank ? [] : draft.steps), { ...NEW_STEP, link: decodeURIComponent(added) }]);
  }
  if (lesson !== undefined) return open(() => lessonOf(lesson));
  check();
  draw();
}

onLanguage(draw);
addEventListener('hashchange', () => void arrive());
if (toggle) themeSwitch(toggle, () => {});
void arrive();
