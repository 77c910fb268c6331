// The choices: which figure, from small pictures; what it opens with; what readers may do with it.
import { msg, str } from '@lit/localize';
import { type SVGTemplateResult, type TemplateResult, html, nothing, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { attribute, lockedNames } from '../../element/attributes.ts';
import { count } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language.ts';
import { MAX_LINK_TEXT } from '../../link/address.ts';
import { type Group as SettingGroup, SETTINGS, type Setting, type SettingName } from '../../state/settings.ts';
import { GROUPS } from '../../state/stage-groups.ts';
import { type FigureName, LABS, TASKS, isLab } from '../../state/views.ts';
import { STAGE_WORDS } from '../../text/stages.ts';
import { withSubs } from '../../text/word.ts';
import { control, radioGroup } from '../../ui/kit/controls.ts';
import { CONTROL_WORDS, type Chosen, FIGURE_WORDS, LAB_WORDS, LOADING_WORDS, type Said, TASK_WORDS, THEME_WORDS, knobs, value } from './choices.ts';
import { type Option, list, segments, tick, typed } from './fields.ts';

export interface PanelEvents {
  say(said: Said): void;
  choose(part: Partial<Chosen>): void;
  /** What is typed and not understood yet, by attribute; without a text, it is. */
  draft(name: string, text?: string): void;
}

type Drafts = Readonly<Record<string, string>>;

const optionsOf = (words: Readonly<Record<string, () => string>>): Option[] => Object.entries(words).map(([name, label]) => [name, label()]);
const group = (summary: string, ...parts: unknown[]): TemplateResult => html`<details><summary>${summary}</summary>${parts}</details>`;

export function panel(chosen: Chosen, suggested: string, drafts: Drafts, events: PanelEvents): TemplateResult {
  const { said } = chosen;
  const view = value('view', said);
  const say = (name: string) => (text: string) => events.say({ [name]: text });
  return html`
    ${tiles(view, say('view'))}
    ${typed('text', msg('Sentence'), value('text', said), say('text'), { rows: 2, note: mostWords(value('text', said)) })}
    ${view === 'lesson' ? lessonChoices(said, events) : isLab(view) ? labChoices(said, events) : figureChoices(said, view, drafts, events)}
    ${group(msg('Look and loading'),
      segments('theme', msg('Colours'), [['auto', msg('auto')], ['light', THEME_WORDS.light()], ['dark', THEME_WORDS.dark()]], value('theme', said), say('theme')),
      html`<p class="note">${msg('auto: as the page around the figure, or else the reader’s system.')}</p>`,
      list('lang', msg('Language of its words'), [{ label: '', options: [['', msg('as the page around it')], ...Object.entries(LANGUAGES)] }], value('lang', said), say('lang')),
      html`<p class="note">${msg('Here the figure speaks the language of this page.')}</p>`,
      list('loading', msg('Starts'), [{ label: '', options: optionsOf(LOADING_WORDS) }], value('loading', said), say('loading')),
    )}
    ${group(msg('Without JavaScript, and links'),
      typed('fallback', msg('Shown without JavaScript'), chosen.fallback, (fallback) => events.choose({ fallback }), { rows: 3, placeholder: suggested, note: msg('Also shown where a system drops the element: in a PDF, a feed, an e-mail.') }),
      typed('playground', msg('Address of your copy of the playground'), value('playground', said), say('playground'), { placeholder: 'https://example.org/playground/', mode: 'url', note: msg('Readers then find a link that opens their state there.') }),
    )}`;
}

const STEP = /^step=/;

function lessonChoices(said: Said, events: PanelEvents): TemplateResult {
  return html`
    ${typed('src', msg('Address of the lesson’s file'), value('src', said), (src) => events.say({ src }), { placeholder: 'lesson.json', mode: 'url', note: msg('Left empty, it plays the seven questions, as it does here. A file of your own comes from the page “A lesson of your own”: put it beside your page.') })}
    <p class="note"><a href="teach.html">${msg('A lesson of your own')}</a></p>
    ${typed('preset', msg('Opens at the step with this id'), value('preset', said).replace(STEP, ''), (id) => events.say({ preset: id.trim() === '' ? '' : `step=${id.trim()}` }), { placeholder: 'choose', note: msg('Left empty, it opens at its first step.') })}`;
}

function labChoices(said: Said, events: PanelEvents): TemplateResult {
  return html`
    <p class="note">${msg('What you set in the lab itself goes into the snippet, too.')}</p>
    ${segments('controls', msg('Readers may change'), [['none', CONTROL_WORDS.none()], ['basic', CONTROL_WORDS.all()]], value('controls', said) === 'none' ? 'none' : 'basic', (text) => events.say({ controls: text }))}
    ${readonlyTick(said, events)}
    ${locked(['text'], said, events)}`;
}

function figureChoices(said: Said, view: string, drafts: Drafts, events: PanelEvents): TemplateResult {
  const say = (name: string) => (text: string) => events.say({ [name]: text });
  const stages = GROUPS.map(({ title, stages: ids }) => ({ label: title(), options: ids.map((id): Option => [id, STAGE_WORDS[id]()]) }));
  const hasStep = ['playground', 'pipeline', 'matrix', 'cell'].includes(view);
  return html`
    <div class="settings">${settingsOf('Main', said, drafts, events)}</div>
    ${segments('controls', msg('Readers may change'), optionsOf(CONTROL_WORDS), value('controls', said), say('controls'))}
    ${hasStep ? list('step', msg('Opens at the stage'), [{ label: '', options: [['', msg('weights')]] }, ...stages], value('step', said), say('step')) : nothing}
    ${group(msg('What is looked at'),
      html`<p class="note">${msg('Choose a head or a cell in the figure, or type its place here. Places are counted from 1.')}</p>`,
      html`<div class="places">${[['head', msg('Head')], ['row', msg('Row')], ['column', msg('Key')]].map(([name = '', label = '']) => place(name, label, said, drafts, events))}</div>`,
      typed('key-text', msg('Second sentence, for the keys'), value('key-text', said), say('key-text'), { rows: 2, note: mostWords(value('key-text', said)) }),
    )}
    ${group(msg('A question, and what stays fixed'),
      list('task', msg('Ask first'), [{ label: '', options: [['', msg('nothing')], ...TASKS.map((task): Option => [task, TASK_WORDS[task]()])] }], value('task', said), say('task')),
      html`<p class="note">${msg('The numbers come once the reader has answered.')}</p>`,
      readonlyTick(said, events),
      locked(lockable(said), said, events),
    )}
    ${group(msg('More settings'), (['Attention', 'Shape', 'Parameters', 'Positions', 'View'] as const).map((name) => html`<div class="settings">${settingsOf(name, said, drafts, events)}</div>`))}`;
}

function place(name: string, label: string, said: Said, drafts: Drafts, events: PanelEvents): TemplateResult {
  const draft = drafts[name];
  return typed(name, label, draft ?? value(name, said), (text) => {
    const isFine = text === '' || attribute(name)?.allows(text) === true;
    events.draft(name, isFine ? undefined : text);
    if (isFine) events.say({ [name]: text });
  }, { mode: 'numeric', wrong: draft !== undefined, note: draft === undefined ? '' : (attribute(name)?.rule() ?? '') });
}

const readonlyTick = (said: Said, events: PanelEvents): TemplateResult =>
  tick('readonly', msg('Read-only: nothing can be changed, cells can be looked at'), value('readonly', said) !== '', (on) => events.say({ readonly: on ? 'on' : '' }));

/** The sentence, the main settings, and whatever else is set. */
function lockable(said: Said): string[] {
  const now = lockedNames(value('locked', said));
  return ['text', ...SETTINGS.filter(({ group: part, ofModels, attribute: name }) => !ofModels && (part === 'Main' || name in said || now.includes(name))).map(({ attribute: name }) => name)];
}

function locked(names: readonly string[], said: Said, events: PanelEvents): TemplateResult {
  const now = lockedNames(value('locked', said));
  const turn = (name: string) => (on: boolean) => events.say({ locked: [...now.filter((each) => each !== name), ...(on ? [name] : [])].join(' ') });
  const words = (name: string) => (name === 'text' ? msg('Sentence') : withSubs(SETTINGS.find(({ attribute: own }) => own === name)?.label() ?? name));
  return html`
    <fieldset data-choice="locked">
      <legend>${msg('Shown, but fixed')}</legend>
      ${names.map((name) => tick(`locked-${name}`, words(name), now.includes(name), turn(name)))}
    </fieldset>`;
}

/** As in the playground, but for parameters of one's own: those are no attribute. */
function settingsOf(part: SettingGroup, said: Said, drafts: Drafts, events: PanelEvents): TemplateResult[] {
  return SETTINGS.filter(({ group: own, ofModels }) => own === part && !ofModels).map((setting) => field(setting, said, drafts, events));
}

function field(setting: Setting, said: Said, drafts: Drafts, events: PanelEvents): TemplateResult {
  const { name, attribute: own, label } = setting;
  const of = (wanted: SettingName) => SETTINGS.find((each) => each.name === wanted) as Setting;
  const take = (wanted: SettingName, text: string) => {
    events.draft(of(wanted).attribute);
    events.say({ [of(wanted).attribute]: text });
  };
  const draft = drafts[own];
  const data = { settings: knobs(said), effect: null, isLocked: () => false, problems: draft === undefined ? {} : { [name]: setting.rule() }, drafts: draft === undefined ? {} : { [name]: draft } };
  return html`
    <fieldset data-setting=${name}>
      <legend>${withSubs(label())}</legend>
      <div class="control">${control(withoutOwn(setting, said), data, {
        choose: take, slide: take,
        type: (wanted, text) => (of(wanted).parse(text) ? take(wanted, text) : events.draft(of(wanted).attribute, text)),
        settle: (wanted) => events.draft(of(wanted).attribute),
      })}</div>
      <p class=${draft === undefined ? 'unseen' : 'effect problem'} id="effect-${name}">${draft === undefined ? nothing : msg(str`${setting.rule()}.`)}</p>
    </fieldset>`;
}

/** Left out is what needs more than a choice here: matrices, and what a link has trained. */
function withoutOwn(setting: Setting, said: Said): Setting {
  const { control: now } = setting;
  return setting.name === 'parameters' && now.kind === 'choice' ? { ...setting, control: { ...now, choices: now.choices.filter(([id]) => id !== 'yours' && (id !== 'trained-here' || 'replay' in said)) } } : setting;
}

// The kinds of figures, as small pictures to choose from.

const square = (x: number, y: number, size: number) => `M${x} ${y}h${size}v${size}h-${size}z`;
/** A lower triangle of n × n cells. */
function triangle(left: number, top: number, n: number, size: number): string {
  const cells = Array.from({ length: n }, (_, row) => Array.from({ length: row + 1 }, (_, column) => square(left + column * (size + 1), top + row * (size + 1), size)));
  return cells.flat().join('');
}

const filled = (d: string) => svg`<path d=${d} fill="currentColor"/>`;
const drawn = (d: string) => svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="1.5"/>`;
const WORDS = 'M6 26h10M20 26h14M38 26h12';

const PICTURES: Readonly<Record<FigureName | 'lab' | 'lesson', SVGTemplateResult>> = {
  playground: svg`${drawn('M10 12c6-10 30-10 36 0M6 14h44')}${filled(triangle(6, 18, 4, 3))}${drawn('M30 20h20M30 25h20M30 30h12')}`,
  tokens: svg`${drawn('M6 16h10M20 16h14M38 16h12')}${filled('M6 20h10v3h-10zM20 20h14v1h-14zM38 20h12v5h-12z')}`,
  arcs: svg`${drawn(WORDS)}${drawn('M11 22c4-18 29-18 33 0M27 22c2-8 15-8 17 0')}`,
  heads: filled([8, 31].flatMap((x) => [3, 20].map((y) => triangle(x, y, 3, 4))).join('')),
  matrix: filled(triangle(14, 4, 5, 5)),
  cell: svg`${filled(square(6, 12, 12))}${drawn('M24 13h26M24 18h26M24 23h16')}`,
  pipeline: svg`${filled([5, 23, 41].map((x) => square(x, 13, 10)).join(''))}${drawn('M16 18h6M34 18h6')}`,
  stage: svg`${drawn('M5 12h46M5 23h46M5 34h46')}${filled('M8 8h8v4h-8zM24 2h8v10h-8zM40 6h8v6h-8zM8 21h8v2h-8zM24 16h8v7h-8zM40 19h8v4h-8zM24 26h8v8h-8z')}`,
  model: svg`${drawn('M14 3h28v7h-28zM14 14h28v7h-28zM14 25h28v7h-28z')}${filled('M18 6h6v1h-6zM28 5h10v3h-10zM18 17h10v2h-10zM32 16h6v4h-6zM18 27h4v3h-4zM26 28h12v1h-12z')}`,
  lesson: svg`${drawn('M6 4h12M22 4h12M38 4h12M6 12h30M20 26c4-10 18-10 22 0')}${filled('M6 28h10v3h-10zM20 28h10v3h-10zM36 28h12v3h-12z')}`,
  lab: drawn('M6 30h44M8 30c12 0 12-22 20-22s8 22 20 22'),
};

export function tiles(view: string, choose: (view: string) => void): TemplateResult {
  const kind = isLab(view) ? 'lab' : view;
  const tile = (name: FigureName | 'lab' | 'lesson', label: string) => html`
    <label class="tile">
      <input type="radio" ${radioGroup('choice-view')} value=${name} .checked=${live(name === kind)} @change=${() => choose(name === 'lab' ? LABS[0] : name)}>
      <span><svg viewBox="0 0 56 36" width="56" height="36" aria-hidden="true">${PICTURES[name]}</svg>${label}</span>
    </label>`;
  return html`
    <fieldset data-choice="view">
      <legend>${msg('Figure')}</legend>
      <div class="tiles">
        ${(Object.keys(FIGURE_WORDS) as FigureName[]).map((name) => tile(name, FIGURE_WORDS[name]()))}
        ${tile('lesson', msg('A lesson'))}
        ${tile('lab', msg('A lab'))}
      </div>
    </fieldset>
    ${isLab(view) ? list('lab', msg('Which lab'), [{ label: '', options: LABS.map((name) => [name, LAB_WORDS[name]()] as const) }], view, choose) : ''}`;
}

/** Says that the lines leave out the rest of a long sentence. */
const mostWords = (text: string): string => (text.length < MAX_LINK_TEXT ? '' : msg(str`The lines hold at most ${count(MAX_LINK_TEXT)} characters of a sentence; the rest of it is left out.`));
