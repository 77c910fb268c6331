// Panels that come after the first figure: what parameters are made of, numbers set by hand, one word in two sentences.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import type { Edit } from '../../engine/engine.ts';
import { isSmall } from '../../link/codecs.ts';
import type { Picture } from '../../state/result.ts';
import type { Kept } from '../../state/run.ts';
import type { Store } from '../../state/store.ts';
import type { Senses } from '../senses/senses.ts';
import type { Yours } from './paste.ts';
import { type EditLine, designedPanel, editsPanel, trainedPanel } from './template.ts';

export class Panels {
  #editsOpen = false;
  /** What takes the reader's own matrices. */
  readonly #yours: Later<() => TemplateResult>;
  /** One word in two sentences. */
  readonly #senses: Later<Senses>;
  /** The reader has opened it, and it is on its way. */
  #opening = false;

  /** `update` draws again. */
  constructor(private readonly store: Store, private readonly update: () => void) {
    this.#yours = new Later(async () => {
      const { Yours, yours } = await import('./paste.ts');
      const own = this.#make(Yours);
      return () => yours(own.data, own);
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
    });
  }

  get #sensesOpen(): boolean {
    return this.#opening || this.store.state.otherText !== null;
  }

  senses(picture: Picture | null, head: number): TemplateResult {
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

  /** Under the switches: what the parameters are, when they are not simply random. */
  source(picture: Picture | null): TemplateResult | typeof nothing {
    const { source, edits, given } = this.store.state;
    if (source === 'random' && edits.length === 0) return nothing;
    const tooLarge = source === 'yours' && given && !isSmall(given);
    return html`
      <div class="source-panel">
        ${source === 'designed' && picture?.designed ? designedPanel(picture) : nothing}
        ${source === 'trained' && picture?.reading ? trainedPanel(picture.reading) : nothing}
        ${source === 'yours' ? (this.#yours.here?.() ?? this.#yours.room()) : nothing}
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

// A part of the page that comes when it is first wanted. A failed try says so, and the reader may ask again.

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
