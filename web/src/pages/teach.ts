// The page on which a teacher makes a lesson: fields on one side, the lesson as it is played on the other. It is kept in this
// browser while it is made, and given away as a link or a file.
import '../element/define.ts';
import { msg } from '@lit/localize';
import { html, nothing, render } from 'lit';
import { listed } from '../lib/format.ts';
import { onLanguage } from '../lib/language.ts';
import { fieldOf } from '../link/fields.ts';
import { lessonIn } from '../link/lesson-place.ts';
import { lessonOf, packedLesson, parseLesson, readLesson } from '../lesson/format.ts';
import { shippedLesson } from '../lesson/shipped.ts';
import { save } from '../ui/export/files.ts';
import { languageSwitch, themeSwitch } from './switches.ts';
import { type Draft, type DraftStep, NEW_STEP, draftOfLesson, form, inFields, lacking, lessonOfDraft } from './teach-form.ts';

const KEPT = 'attention-lesson-draft';
const EMPTY: Draft = { title: '', lang: document.documentElement.lang || 'en', text: 'The animal didn’t cross the street because it was too tired', steps: [NEW_STEP], rest: {} };

const host = document.querySelector<HTMLElement>('#teach') as HTMLElement;
const toggle = document.querySelector<HTMLButtonElement>('#theme');
const list = document.querySelector<HTMLSelectElement>('#language');
const status = document.querySelector<HTMLElement>('.language-status');
if (list && status) languageSwitch(list, status, 'teach');

let draft = recall();
/** What it lacks for being played, and what is wrong with it. */
let lacks: string[] = [];
let problem = '';
let said = '';
/** What another lesson has taken the place of; null when it was blank, or once this one is changed. */
let former: Draft | null = null;
/** The step in the preview, and the lesson there; null before the fields make one. */
let at = 0;
let shown: object | null = null;
let [shownAs, shownStep] = ['', ''];

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

const isBlank = ({ title, steps }: Draft): boolean => title === '' && JSON.stringify(steps) === JSON.stringify([NEW_STEP]);

/** Another lesson; the one before can be brought back. */
function replace(next: Draft): void {
  const before = isBlank(draft) ? null : draft;
  at = 0;
  change(next);
  former = before;
  draw();
}

function change(next: Draft): void {
  draft = next;
  said = '';
  former = null;
  keep();
  check();
  draw();
}

/** Shows the lesson as it stands, or says what is missing or wrong; then what was shown last stays. */
function check(): void {
  lacks = lacking(draft);
  problem = '';
  if (lacks.length > 0) return;
  try {
    readLesson(lessonOfDraft(draft));
    look(at);
  } catch (error) {
    problem = inFields(error instanceof Error ? error.message : String(error));
  }
}

const withSteps = (steps: readonly DraftStep[]): void => change({ ...draft, steps });

function moved(at: number, by: 1 | -1): DraftStep[] {
  const steps = [...draft.steps];
  const [step] = steps.splice(at, 1);
  if (step) steps.splice(at + by, 0, step);
  return steps;
}

/** At that step. */
function look(step: number): void {
  at = Math.min(step, draft.steps.length - 1);
  if (lacks.length > 0 || problem !== '') return;
  const wanted = lessonOfDraft(draft) as { steps: { id: string }[] };
  shownStep = wanted.steps[at]?.id ?? '';
  const wantedAs = JSON.stringify(wanted);
  if (wantedAs !== shownAs) [shown, shownAs] = [wanted, wantedAs];
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

/** Counts lessons that were asked for: of several that are on their way, the last comes. */
let openings = 0;

async function open(text: () => Promise<object>): Promise<void> {
  const opening = (openings += 1);
  try {
    const lesson = await text();
    if (opening === openings) replace(draftOfLesson(lesson));
  } catch (error) {
    if (opening !== openings) return;
    problem = error instanceof Error ? error.message : String(error);
    draw();
  }
}

function draw(): void {
  const isWhole = lacks.length === 0 && problem === '';
  render(html`
    <div class="teach">
      <div class="teach-bar">
        <button type="button" ?disabled=${!isWhole} @click=${() => void play()}>${msg('Play the lesson')}</button>
        <button type="button" ?disabled=${!isWhole} @click=${() => void copy()}>${msg('Copy its link')}</button>
        <button type="button" ?disabled=${!isWhole} @click=${() => save('lesson.json', json())}>${msg('Save as a file')}</button>
        <label class="file">${msg('Open a file')}<input type="file" accept=".json,application/json" @change=${(event: Event) => {
          const [file] = (event.target as HTMLInputElement).files ?? [];
          if (file) void open(async () => parseLesson(await file.text()));
        }}></label>
        <button type="button" @click=${() => void open(() => shippedLesson())}>${msg('Start from the seven questions')}</button>
        <button type="button" @click=${() => replace(EMPTY)}>${msg('Start over')}</button>
      </div>
      <p role="status">${said}${former ? html`<button type="button" class="plain" @click=${() => replace(former ?? EMPTY)}>${msg('Bring back the lesson that was here')}</button>` : nothing}</p>
      <p class="teach-problem" role="alert">${problem}</p>
      <div class="teach-columns">
        <form @submit=${(event: Event) => event.preventDefault()}>${form(draft, {
          lesson: (part) => change({ ...draft, ...part }),
          step: (i, part) => withSteps(draft.steps.map((step, other) => (other === i ? { ...step, ...part } : step))),
          move: (i, by) => withSteps(moved(i, by)),
          remove: (i) => withSteps(draft.steps.filter((_, other) => other !== i)),
          add: () => withSteps([...draft.steps, NEW_STEP]),
          look: (i) => {
            look(i);
            draw();
          },
        })}</form>
        <section class="teach-preview" aria-label=${msg('Preview')}>
          ${lacks.length > 0 ? html`<p class="teach-lacks" role="status">${msg(html`The lesson is played here. It still needs ${listed(lacks)}.`)}</p>` : nothing}
          ${shown ? html`<attention-playground view="lesson" loading="eager" preset=${`step=${shownStep}`} .config=${shown}></attention-playground>` : nothing}
        </section>
      </div>
    </div>
  `, host);
}

/** A state of the playground comes as #add=, a lesson as #lesson=; the address is clean again afterwards. */
async function arrive(): Promise<void> {
  const added = fieldOf(location.hash, 'add');
  const lesson = lessonIn(location.hash);
  if (added !== null || lesson !== '') history.replaceState(null, '', location.pathname);
  if (added !== null) {
    const steps = isBlank(draft) ? [] : draft.steps;
    at = steps.length;
    return withSteps([...steps, { ...NEW_STEP, link: added }]);
  }
  if (lesson !== '') return open(() => lessonOf(lesson));
  check();
  draw();
}

onLanguage(draw);
addEventListener('hashchange', () => void arrive());
if (toggle) themeSwitch(toggle, () => {});
void arrive();
