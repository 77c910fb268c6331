// Panels loaded after the first figure: the parameters, numbers set by hand, one word in two sentences.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Edit } from '../../engine/engine.ts';
import { clipped, count, listed, percent, plural } from '../../lib/format.ts';
import { short } from '../../text/numbers.ts';
import { isSmall } from '../../link/codecs.ts';
import type { Reading } from '../../parameters/language-model/reader.ts';
import type { Dropped } from '../../lib/dropped.ts';
import type { Picture } from '../../state/result.ts';
import type { Kept } from '../../state/run.ts';
import type { Store } from '../../state/store.ts';
import { withSubs } from '../../text/word.ts';
import type { Senses } from '../senses/senses.ts';
import type { Yours } from './paste.ts';

export class Panels {
  #editsOpen = false;
  /** What takes the reader's own matrices. */
  readonly #yours: Later<{ own: Yours; panel(): TemplateResult; here(): TemplateResult; words(): TemplateResult }>;
  /** Files were dropped while other parameters are in use. */
  #isDropped = false;
  /** One word in two sentences. */
  readonly #senses: Later<Senses>;
  /** The reader has opened it, and it is loading. */
  #opening = false;

  /** `update` draws again. */
  constructor(private readonly store: Store, private readonly update: () => void) {
    this.#yours = new Later(async () => {
      const { Yours, yours, trainedHere, dropWords } = await import('./paste.ts');
      const own = this.#make(Yours);
      return { own, panel: () => yours(own.data, own), here: () => trainedHere(own.here, own), words: () => dropWords(own.data, own) };
    }, update);
    this.#senses = new Later(async () => {
      const { Senses } = await import('../senses/senses.ts');
      const senses = new Senses(store, update);
      if (this.#opening) senses.open();
      this.#opening = false;
      return senses;
    }, update);
  }

  #make(Kind: typeof Yours): Yours {
    const { store, update } = this;
    return new Kind({
      wanted: () => store.state,
      sizes: () => ({ settings: store.settings, T: store.tokens.length, S: store.keyTokens.length }),
      trace: () => store.picture?.trace ?? null,
      change: (part) => {
        store.clearNotices();
        store.change(part);
      },
      update,
      openModel: (files, progress) => store.openModel(files, progress),
      closeModel: () => store.closeModel(),
      model: () => store.models.of('yours'),
      here: () => store.models.of('trained-here'),
    });
  }

  /** Files, wherever they were dropped. */
  async drop(dropped: Dropped): Promise<void> {
    const files = await droppedFiles(dropped);
    if (files.length === 0) return;
    this.#isDropped = true;
    if (!this.#yours.here) await this.#yours.bring();
    this.#yours.here?.own.files(files);
    this.update();
  }

  get #sensesOpen(): boolean {
    return this.#opening || this.store.state.otherText !== null;
  }

  /** Ready weights say nothing of another sentence. */
  senses(picture: Picture | null, head: number): TemplateResult | typeof nothing {
    if (picture?.ready) return nothing;
    const open = this.#sensesOpen;
    return html`
      <details class="senses" ?open=${open} @toggle=${(event: Event) => this.#toggleSenses((event.target as HTMLDetailsElement).open)}>
        <summary><h2>${msg('One word, two sentences')}</h2></summary>
        ${!open ? nothing : (this.#senses.here?.render(picture, head) ?? this.#senses.room())}
      </details>
    `;
  }

  #toggleSenses(open: boolean): void {
    if (open === this.#sensesOpen) return;
    if (open && this.#senses.here) return this.#senses.here.open();
    this.#opening = open;
    if (open) this.update();
    else this.store.change({ otherText: null });
  }

  /** Under the switches: a description of the parameters, unless they are random. */
  source(picture: Picture | null): TemplateResult | typeof nothing {
    const { source, edits, given } = this.store.state;
    const isOwn = source === 'yours' || source === 'trained-here';
    if (isOwn) this.#isDropped = false;
    if (source === 'random' && edits.length === 0 && !this.#isDropped) return nothing;
    const tooLarge = source === 'yours' && given && !isSmall(given);
    return html`
      <div class="source-panel">
        ${source === 'designed' && picture?.designed ? designedPanel(picture) : nothing}
        ${source === 'trained' && picture?.reading ? trainedPanel(picture.reading) : nothing}
        ${isOwn ? (this.#yours.here?.[source === 'yours' ? 'panel' : 'here']() ?? this.#yours.room()) : this.#isDropped ? (this.#yours.here?.words() ?? this.#yours.room()) : nothing}
        ${tooLarge ? html`<p class="muted">${msg('These matrices are too large for the page’s address: a link to it leads to random ones.')}</p>` : nothing}
        ${editsPanel(edits, this.#editsOpen ? this.#editLines(edits) : null, {
          toggle: (open) => {
            if (open === this.#editsOpen) return;
            this.#editsOpen = open;
            this.update();
          },
          putBack: (edit) => this.store.change({ edits: this.store.state.edits.filter((each) => each !== edit) }),
          putAllBack: () => this.store.change({ edits: [] }),
        })}
      </div>
    `;
  }

  #lines: { of: Picture | null; edits: readonly Edit[]; lines: EditLine[] } = { of: null, edits: [], lines: [] };

  /** Each number as it would be without edits: the same run once more, without them. */
  #editLines(edits: readonly Edit[]): EditLine[] {
    const { picture } = this.store;
    if (this.#lines.of === picture && this.#lines.edits === edits) return this.#lines.lines;
    const made = this.store.without();
    const linesOf = (before: Kept | null) => {
      this.#lines = { of: picture, edits, lines: edits.map((edit): EditLine => ({ edit, from: before ? numberOf(before.picture, edit) : null })) };
      before?.free();
    };
    if (made instanceof Promise) linesOf(null), void made.then(linesOf).then(() => this.update());
    else linesOf(made);
    return this.#lines.lines;
  }
}

function numberOf({ trace }: Picture, edit: Edit): number | null {
  const isWord = 'token' in edit;
  const inKeys = isWord && !trace.tokens.includes(edit.token);
  const id = !isWord ? edit.array : inKeys ? 'key_content' : 'content';
  if (!trace.present(id)) return null;
  const row = !isWord ? edit.row : (inKeys ? trace.keyTokens : trace.tokens).indexOf(edit.token);
  const columns = trace.extents(id).at(-1) ?? 0;
  const numbers = id === 'content' || id === 'key_content' ? trace.stage(id) : trace.parameter(id);
  return row < 0 || edit.column >= columns ? null : (numbers[row * columns + edit.column] ?? null);
}

// A part of the page that is loaded on demand. A failed load is reported, and the reader may try again.

class Later<Part> {
  #here: Part | null = null;
  #isComing = false;
  #isMissing = false;

  /** `update` draws again: it is here, or it is missing. */
  constructor(private readonly fetch: () => Promise<Part>, private readonly update: () => void) {}

  get here(): Part | null {
    return this.#here;
  }

  async bring(): Promise<void> {
    if (this.#isComing) return;
    this.#isComing = true;
    try {
      this.#here = await this.fetch();
      this.#isMissing = false;
    } catch {
      this.#isComing = false;
      this.#isMissing = true;
    }
    this.update();
  }

  /** In its place until it is here; asks for it. */
  room(): TemplateResult | typeof nothing {
    if (!this.#isMissing) void this.bring();
    return this.#isMissing ? html`<p class="problem" role="alert">${msg('This part could not be loaded.')} <button type="button" class="plain" @click=${() => void this.bring()}>${msg('Try again')}</button></p>` : nothing;
  }
}

// Under the switches: details of parameters that are not random.

/** Of the words that are not known. */
const SHOWN = 12;

/** What each designed head is meant to find, and how often it does. */
function designedPanel({ designed, tokens, keyTokens }: Picture): TemplateResult | typeof nothing {
  if (!designed) return nothing;
  const unknown = new Set([...tokens.filter((_, i) => !designed.known[i]), ...keyTokens.filter((_, i) => !designed.keysKnown[i])].map(({ text }) => text));
  return html`
    <div class="designed" part="designed">
      <p>${msg(html`These parameters were <b>designed</b> by hand, not learnt: each of the ${designed.dimensions.length} numbers of a word has a name, and each head looks for one thing.`)}</p>
      ${unknown.size > 0
        ? html`<p class="unknown-words">${unknownWords([...unknown])}</p>`
        : nothing}
      <details>
        <summary>${msg('What the heads look for, and how often they are right')}</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label=${msg('Designed heads')}>
          <table class="designed-heads">
            <thead><tr><th scope="col">${msg('head')}</th><th scope="col">${msg('looks for')}</th><th scope="col">${msg('right')}</th><th scope="col">${msg('a fixed distance back gets')}</th><th scope="col">${msg('of cases')}</th></tr></thead>
            <tbody>${designed.heads.map(({ name, about, measured }, h) => html`
              <tr><th scope="row">${h + 1}&nbsp;${name}</th><td>${about}</td>
                ${measured
                  ? html`<td>${percent(measured.accuracy)}</td><td>${msg(str`${percent(measured.baseline)}, always ${measured.back} back`)}</td><td>${count(measured.cases)}</td>`
                  : html`<td colspan="3" class="muted">${msg('not measured')}</td>`}
              </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="muted">${msg(html`Measured on 2,001 English sentences that others have marked; the design was adjusted while looking at them; <a href="docs/designed.md">how</a>.`)}</p>
        <details>
          <summary>${msg(str`The names of a word’s ${designed.dimensions.length} numbers`)}</summary>
          <ol class="dimensions">${designed.dimensions.map(({ words, groupWords }) => html`<li>${words} <span class="muted">${groupWords}</span></li>`)}</ol>
        </details>
      </details>
    </div>
  `;
}

function unknownWords(unknown: readonly string[]): TemplateResult {
  const shown = listed(unknown.slice(0, SHOWN).map((text) => html`<b><bdi lang="">${text}</bdi></b>`));
  if (unknown.length > SHOWN) return msg(html`Don’t know these words: ${shown} and ${count(unknown.length - SHOWN)} more. Only letters and place tell them from others.`);
  return unknown.length === 1
    ? msg(html`Don’t know this word: ${shown}. Only letters and place tell it from others.`)
    : msg(html`Don’t know these words: ${shown}. Only letters and place tell them from others.`);
}

/** A description of the model, and a link to more. */
function trainedPanel({ reader }: Reading): TemplateResult {
  const { layers, heads, d_model, vocabulary, context } = reader.configuration;
  return html`<p class="trained" part="trained">${msg(str`A small language model, trained for this page: ${layers} layers of ${heads} heads, d_model ${d_model}, ${count(vocabulary)} words and pieces, at most ${count(context)} at once.`)}
    ${msg(html`It guesses next words well enough for its heads to have work to do, and writes no sensible story. <a href="docs/model.md">What it learnt from, and what was measured</a>.`)}</p>`;
}

interface EditLine {
  edit: Edit;
  /** As the number would be without; null while this run has no such number. */
  from: number | null;
}

interface EditsEvents {
  toggle(open: boolean): void;
  putBack(edit: Edit): void;
  putAllBack(): void;
}

/** Numbers set by hand: `lines` only while they are looked at. */
function editsPanel(edits: readonly Edit[], lines: readonly EditLine[] | null, events: EditsEvents): TemplateResult | typeof nothing {
  if (edits.length === 0) return nothing;
  return html`
    <details class="edits" part="edits" ?open=${lines !== null} @toggle=${(event: Event) => events.toggle((event.target as HTMLDetailsElement).open)}>
      <summary>${plural(edits.length, msg('1 number is set by hand'), msg(str`${count(edits.length)} numbers are set by hand`))}</summary>
      <ul class="yours-list">
        ${lines?.map(({ edit, from }) => html`
          <li>${place(edit)}: ${from === null ? html`<span class="muted">${msg('not in this run')}</span>` : html`${short(from)} → <b>${short(edit.value)}</b>`}
            <button type="button" class="quiet" @click=${() => events.putBack(edit)}>${msg('Put back')}</button></li>
        `)}
        <li><button type="button" class="quiet" data-put-all-back @click=${events.putAllBack}>${msg('Put all back')}</button></li>
      </ul>
    </details>
  `;
}

function place(edit: Edit): TemplateResult {
  return 'token' in edit
    ? msg(html`every <bdi lang="">${clipped(edit.token)}</bdi>, number ${edit.column + 1}`)
    : msg(html`${withSubs(edit.array)}, row ${edit.row + 1}, column ${edit.column + 1}`);
}

/** How deep a folder is looked into: a whole cache of Hugging Face has models in its fourth. */
const DEEPEST = 5;

/** The files, and those that lie in folders, which say where. */
export async function droppedFiles({ files, entries }: Dropped): Promise<readonly File[]> {
  if (!entries.some(({ isDirectory }) => isDirectory)) return files;
  try {
    return (await Promise.all(entries.map((entry) => filesOf(entry)))).flat();
  } catch {
    return files; // the browser does not let them be read
  }
}

async function filesOf(entry: FileSystemEntry, folder = ''): Promise<File[]> {
  if (entry.isDirectory) {
    const path = `${folder}${entry.name}/`;
    return path.split('/').length > DEEPEST + 1 || entry.name === '.git' ? [] : (await Promise.all((await children(entry as FileSystemDirectoryEntry)).map((each) => filesOf(each, path)))).flat();
  }
  const file = await new Promise<File>((resolve, reject) => { (entry as FileSystemFileEntry).file(resolve, reject); });
  return [folder === '' ? file : Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}${file.name}` })];
}

/** They come in parts, until none comes. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (part.length === 0) return found;
    found.push(...part);
  }
}
