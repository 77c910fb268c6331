// The snippets: for each system the lines, the files that they go into, and the files to copy.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { isOwnAddress } from '../../lib/parse.ts';
import { isLab } from '../../state/views.ts';
import { radioGroup } from '../../ui/kit/controls.ts';
import { type Chosen, LAB_WORDS, type Said, value } from './choices.ts';
import { typed } from './fields.ts';
import { type Figure, type Part, SYSTEMS, type SystemId, snippet } from './snippets.ts';

export interface CopyEvents {
  choose(part: Partial<Chosen>): void;
  copy(code: string, place: Element): void;
  /** The author's own matrices, to a file. */
  save(): void;
}

/** What embed/sri.json says: file → hash; null until it is there, or when it is not. */
export type Hashes = Readonly<Record<string, string>> | null;

const where = (part: Part): string => (part.file === null ? msg('Where the figure is to stand:') : msg(str`Once, in ${part.file}:`));

/** `hasMore`: the figure holds something that the lines cannot. `linked`: addresses that the link which opened the page has set. */
export function copying(chosen: Chosen, hashes: Hashes, hasMore: boolean, linked: readonly string[], events: CopyEvents): TemplateResult {
  const id = systemOf(chosen.system);
  const { name, folder } = SYSTEMS[id];
  const parts = snippet(id, figureOf(chosen, hashes));
  return html`
    <h3>${msg('Copy it')}</h3>
    <fieldset data-choice="system">
      <legend>${msg('Into')}</legend>
      <div class="chips">${Object.entries(SYSTEMS).map(([each, system]) => html`
        <label class="chip"><input type="radio" ${radioGroup('choice-system')} value=${each} .checked=${live(each === id)} @change=${() => events.choose({ system: each })}><span>${system.name}</span></label>`)}
      </div>
    </fieldset>
    ${warning(chosen, linked)}
    <ol class="parts">
      <li>${files(id, folder)}</li>
      ${isOwn(chosen.said) ? html`<li class="part-head"><p>${msg(html`Your own matrices go beside them, as <code>${OWN_FILE}</code>; its address counts from the page.`)}</p><button type="button" @click=${events.save}>${msg('Save the file')}</button></li>` : nothing}
      ${parts.map((part) => html`<li>${code(name, part, events)}</li>`)}
    </ol>
    ${hasMore ? html`<p class="note">${msg('Numbers set by hand, silenced heads and a compared sentence are not in the lines: a link to the playground holds them.')}</p>` : nothing}
    ${typed('base', msg('Address of the files, where it is another'), chosen.base, (base) => events.choose({ base }), { placeholder: folder === '' ? 'https://example.org/attention/' : SYSTEMS[id].base, mode: 'url', note: note(id, chosen, hashes) })}
    <p class="note">${msg('This page’s own address holds all that you have chosen: keep it to change the figure later.')}</p>`;
}

const FOREIGN = 'ftp://here.invalid/'; // of no scheme that an address could share

/** Addresses that lead to another site: whoever wrote the link may have chosen them. */
export const foreignIn = ({ base, said }: Chosen): string[] => [base.trim(), said['playground'] ?? ''].filter((address) => address !== '' && !isOwnAddress(address, FOREIGN));

function warning(chosen: Chosen, linked: readonly string[]): TemplateResult | typeof nothing {
  const base = chosen.base.trim();
  const [files, playground] = foreignIn(chosen).filter((address) => linked.includes(address)).reduce(([a, b], address) => (address === base ? [address, b] : [a, address]), ['', '']);
  if (!files && !playground) return nothing;
  return html`<div class="problem linked" role="note">
    ${files ? html`<p>${msg(html`The link that opened this page has set whose files the lines load: <b><bdi>${files}</bdi></b>. Their script would run in your page. Copy the lines only if you know that site; or empty the field “Address of the files” below.`)}</p>` : nothing}
    ${playground ? html`<p>${msg(html`The link that opened this page has set where “Open in the playground” leads: <b><bdi>${playground}</bdi></b>. Your readers’ text would go there. Copy the lines only if you know that site; or empty that field.`)}</p>` : nothing}
  </div>`;
}

function code(system: string, part: Part, events: CopyEvents): TemplateResult {
  const place = (event: Event) => (event.target as Element).closest('li')?.querySelector('pre') as Element;
  return html`
    <div class="part-head"><p>${where(part)}</p><button type="button" aria-label=${msg(str`Copy: ${part.file ?? system}`)} @click=${(event: Event) => events.copy(part.code, place(event))}>${msg('Copy')}</button></div>
    <pre data-file=${part.file ?? ''} dir="ltr"><code>${part.code}</code></pre>`;
}

/** Systems that take one file, which is whole. */
const ALONE: Readonly<Record<string, string>> = { myst: 'anywidget.mjs', jupyter: 'anywidget.mjs' };

function files(id: string, folder: string): TemplateResult {
  const link = ALONE[id]
    ? html`<a href=${`embed/${ALONE[id]}`} download>${ALONE[id]}</a>`
    : html`<a href="attention-playground.tgz" download>attention-playground.tgz</a>`;
  const put = folder ? msg(html`Put the files into <code>${folder}</code>:`) : msg('Put the files where your readers can reach them:');
  return html`
    <p>${put} ${link}</p>
    ${ALONE[id] ? nothing : html`<p class="note">${msg('Unpack them all: the script asks for the others when they are wanted.')}</p>`}`;
}

function note(id: string, { base }: Chosen, hashes: Hashes): string {
  if (!/^(https?:)?\/\//i.test(base.trim())) return msg('A relative address counts from the page, or from the root of the site where the system says so.');
  if (id === 'iframe') return '';
  if (ALONE[id]) return msg('From another host, it is loaded only if that host sends CORS headers.');
  return hashes === null
    ? msg('The hashes of the files could not be loaded, so the snippet is without them.')
    : msg('From another host, the snippet holds the hashes of the script and the style sheet: that host must send CORS headers, and keep this version of the files.');
}

// What is chosen, as the table of snippets wants it.

export const systemOf = (name: string): SystemId => (Object.hasOwn(SYSTEMS, name) ? name as SystemId : 'html');

/** What is shown without JavaScript where the author has no better sentence. */
export function suggestedFallback(said: Said): string {
  const view = value('view', said);
  const text = value('text', said);
  if (view === 'lesson') return msg('A lesson about attention: questions with figures that need JavaScript and WebAssembly.');
  return isLab(view)
    ? msg(str`${LAB_WORDS[view]()}: a figure that needs JavaScript and WebAssembly.`)
    : msg(str`What the words of “${text}” attend to: a figure that needs JavaScript and WebAssembly.`);
}

/** An address of a folder ends with a slash. */
const folder = (base: string): string => (base === '' || base.endsWith('/') ? base : `${base}/`);
const isElsewhere = (base: string): boolean => /^(https?:)?\/\//i.test(base);

/** Matrices of the author's own are no attribute: they go into a file beside the others. */
export const OWN_FILE = 'figure.json';
export const isOwn = (said: Said): boolean => value('parameters', said) === 'yours';

export function figureOf({ said, system, base, fallback }: Chosen, integrity: Readonly<Record<string, string>> | null): Figure {
  const at = folder(base.trim());
  const left = isOwn(said) ? ['text', 'parameters'] : ['text'];
  const pairs = Object.entries(said).filter(([name]) => !left.includes(name));
  if (isOwn(said) && value('view', said) !== 'lesson') pairs.push(['src', `${at || SYSTEMS[systemOf(system)].base}${OWN_FILE}`]);
  return {
    text: value('text', said),
    attributes: Object.fromEntries(pairs.map(([name, own]) => [name, name === 'readonly' ? true : own])),
    fallback: fallback.trim() || suggestedFallback(said),
    ...(at !== '' && { base: at }),
    ...(integrity && isElsewhere(at) && { integrity }),
  };
}
