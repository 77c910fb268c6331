// What a reader takes along: a link, any figure, the numbers of any stage, the layer as a script. All of it is made here;
// nothing is sent.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing, render } from 'lit';
import type { ArrayId, StageId } from '../../engine/engine.ts';
import { extent } from '../../engine/places.ts';
import { count } from '../../lib/format.ts';
import { type Picture, isCross } from '../../state/result.ts';
import { ORDER, PARAMETERS } from '../../state/stage-groups.ts';
import { headOf, withSubs } from '../../text/word.ts';
import type { WalkInput } from '../walk/view-model.ts';
import { type Choice, figureOf, labelOf, nameOf } from './figures.ts';
import { png, svg } from './render.ts';
import { csv, json, save } from './files.ts';
import { type Dialect, MOST_NUMBERS, numbersOf, script } from './script.ts';

export interface TakeEvents {
  /** The newest run and what is chosen of it. */
  now(): WalkInput | null;
  /** The page's address with the whole state; null in somebody else's page. */
  link(): Link | null;
}

/** What other code takes along. @throws Error with a sentence where there is no such figure or stage */
export async function exported(kind: 'svg' | 'png' | 'csv' | 'json', what: string, input: WalkInput): Promise<string | Blob> {
  const { trace } = input.picture;
  const found = (kind === 'svg' || kind === 'png' ? figuresOf(input) : arraysOf(input)).find((id) => id === what);
  if (!found) throw new Error(msg(str`There is no “${what.slice(0, 40)}” of this sentence to take along.`));
  if (kind === 'svg') return svg(figureOf(found as Choice, input));
  if (kind === 'png') return png(figureOf(found as Choice, input));
  const info = input.stages.find(({ id }) => id === found);
  const table = { id: found as ArrayId, label: info?.label ?? found, axes: info?.axes ?? [], trace };
  return kind === 'csv' ? csv(table) : json(table);
}

const NAMES: Record<Dialect, string> = { torch: 'PyTorch', numpy: 'NumPy' };

export class TakePanel {
  #of: Picture | null = null;
  #chosen: ArrayId = 'weights';
  #figure: Choice = 'weights';
  #said = '';
  #problem = '';
  /** A link that the reader has to copy by hand. */
  #shownLink = '';

  constructor(private readonly host: HTMLElement, private readonly events: TakeEvents) {}

  update(): void {
    const picture = this.events.now()?.picture ?? null;
    if (picture !== this.#of) this.#said = this.#problem = this.#shownLink = '';
    this.#of = picture;
    this.#show();
  }

  #show(): void {
    const input = this.events.now();
    render(input ? this.#body(input) : nothing, this.host);
  }

  #body(input: WalkInput): TemplateResult {
    const { picture: { trace, ready } } = input;
    const [arrays, figures] = [arraysOf(input), figuresOf(input)];
    if (!arrays.includes(this.#chosen)) this.#chosen = 'weights';
    if (!figures.includes(this.#figure)) this.#figure = 'weights';
    // Ready weights come from no layer that a script could compute.
    const numbers = ready ? 0 : numbersOf(trace);
    const button = (name: string, words: unknown, act: (input: WalkInput) => unknown) => html`<button type="button" class="plain" data-take=${name} @click=${() => void this.#try(act)}>${words}</button>`;
    const link = this.events.link();
    return html`
      <p>${msg('Everything is made in this browser, and nothing leaves it.')}</p>
      <dl class="take-list">
        ${link ? linkRow(button('link', msg('Copy link'), () => this.#copyLink()), link, this.#shownLink) : nothing}
        <dt><label>${msg('The figure')} <select data-take-figure @change=${(event: Event) => this.#set(() => { this.#figure = (event.target as HTMLSelectElement).value as Choice; })}>
          ${figures.map((id) => html`<option value=${id} ?selected=${id === this.#figure}>${figureName(id, input)}</option>`)}
        </select></label></dt>
        <dd>${button('svg', 'SVG', (input) => save(`${nameOf(this.#figure, input)}.svg`, svg(figureOf(this.#figure, input))))} ${button('png', 'PNG', async (input) => save(`${nameOf(this.#figure, input)}.png`, await png(figureOf(this.#figure, input))))}</dd>
        <dt><label>${msg('The numbers of')} <select data-take-array @change=${(event: Event) => this.#set(() => { this.#chosen = (event.target as HTMLSelectElement).value as ArrayId; })}>
          ${arrays.map((id) => html`<option value=${id} ?selected=${id === this.#chosen}>${labelOf(id, input)} [${trace.extents(id).join(' × ')}]</option>`)}
        </select></label></dt>
        <dd>${button('csv', 'CSV', (input) => save(`${this.#chosen}.csv`, csv(this.#table(input))))} ${button('json', 'JSON', (input) => save(`${this.#chosen}.json`, json(this.#table(input))))}</dd>
        ${numbers === 0 ? nothing : html`<dt>${msg('The whole layer as a script that prints the same weights')}</dt>
        <dd>${numbers > MOST_NUMBERS
          ? html`<span class="muted">${msg(str`It would hold ${count(numbers)} numbers; ${count(MOST_NUMBERS)} are the most. Choose a smaller d_model or a shorter text.`)}</span>`
          : (['torch', 'numpy'] as const).map((dialect) => html`${button(dialect, msg(str`Copy as ${NAMES[dialect]}`), (input) => this.#copyScript(input, dialect))} ${button(`${dialect}-file`, msg('or save it'), ({ picture }) => save(`attention_${dialect}.py`, script(picture.trace, dialect)))} `)}</dd>`}
      </dl>
      <p class="problem" role="alert">${withSubs(this.#problem)}</p>
      <p class="muted" role="status">${this.#said}</p>
    `;
  }

  #set(change: () => void): void {
    change();
    this.#show();
  }

  #table(input: WalkInput) {
    const info = input.stages.find((stage) => stage.id === this.#chosen);
    return { id: this.#chosen, label: info?.label ?? this.#chosen, axes: info?.axes ?? [], trace: input.picture.trace };
  }

  /** Acts on the newest run, which may not be drawn yet. */
  async #try(act: (input: WalkInput) => unknown): Promise<void> {
    const input = this.events.now();
    if (!input) return;
    this.#of = input.picture;
    this.#said = this.#problem = this.#shownLink = '';
    try {
      const said = await act(input);
      this.#said = typeof said === 'string' ? said : '';
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#show();
  }

  async #copyLink(): Promise<string> {
    const link = this.events.link();
    if (!link) return '';
    try {
      await navigator.clipboard.writeText(link.address);
    } catch {
      this.#shownLink = link.address;
      return msg('This page may not write to the clipboard. Copy the link from the field.');
    }
    return msg(str`Copied: a link of ${count(link.address.length)} characters.`);
  }

  async #copyScript({ picture: { trace } }: WalkInput, dialect: Dialect): Promise<string> {
    const text = script(trace, dialect);
    await navigator.clipboard.writeText(text).catch(() => {
      throw new Error(msg('This page may not write to the clipboard. Save the script instead.'));
    });
    return msg(str`Copied: ${count(text.split('\n').length)} lines, ${count(numbersOf(trace))} numbers. Run it with Python and ${NAMES[dialect]}.`);
  }
}

/** Stages and the parameters that they are made with, in the order of the walk. */
function arraysOf({ picture: { trace } }: WalkInput): ArrayId[] {
  const parameters = [...new Set(Object.values(PARAMETERS).flat())].filter((id) => trace.present(id) && trace.extents(id).length > 0);
  return [...ORDER.filter((id) => trace.present(id)), ...parameters];
}

/** What is first to be seen comes first. */
function figuresOf(input: WalkInput): Choice[] {
  const { picture } = input;
  const arrays = arraysOf(input);
  const several = ORDER.filter((id): id is StageId => picture.trace.present(id) && extent(picture.trace, id).heads > 1);
  const all = (ids: readonly StageId[]) => ids.map((id): Choice => `all ${id}`);
  const isWeights = (id: ArrayId) => id === 'weights';
  return [
    'weights', ...(isCross(picture) ? [] : ['arcs' as const]), ...all(several.filter(isWeights)),
    ...arrays.filter((id) => !isWeights(id)), ...all(several.filter((id) => !isWeights(id))),
  ];
}

function figureName(choice: Choice, input: WalkInput): string {
  const head = headOf(input.picture, input.selection.head);
  if (choice === 'arcs') return msg(str`Arcs over the sentence, head ${head}`);
  const id = choice.replace('all ', '') as ArrayId;
  const label = labelOf(id, input);
  if (choice.startsWith('all ')) return msg(str`${label}, every head`);
  return extent(input.picture.trace, id).heads > 1 ? msg(str`${label}, head ${head}`) : label;
}

// A link to what the reader sees: what it holds, what it cannot, and the link itself where it must be copied by hand.

export interface Link {
  address: string;
  /** What of the state does not go into an address. */
  without: readonly ('text' | 'matrices' | 'model')[];
}

export function linkRow(button: TemplateResult, { without }: Link, shown: string): TemplateResult {
  return html`
    <dt>${msg('A link to what you see')}</dt>
    <dd>${button}
      ${shown ? html`<input class="field take-link" readonly dir="ltr" aria-label=${msg('The link')} .value=${shown} @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>` : nothing}
      <p class="muted">${msg('It holds your sentences, the switches, what you set by hand and the number you look at, all after the #, which browsers send to no server. A pinned state is not in it.')}
        ${without.map((what) => html` <b>${WITHOUT[what]()}</b>`)}</p></dd>
  `;
}

const WITHOUT: Record<Link['without'][number], () => string> = {
  text: () => msg('Your text is too long for an address and is left out.'),
  matrices: () => msg('Your matrices are too large for an address and are left out.'),
  model: () => msg('The file that you opened stays with you: whoever follows the link sees the page without it.'),
};
