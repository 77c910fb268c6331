// What a reader takes along: a figure, the numbers of any stage, the layer as a script. All of it is made here; nothing is sent.
import { msg, str } from '@lit/localize';
import '../shared.ts';
import { type TemplateResult, html, nothing, render } from 'lit';
import type { ArrayId, StageInfo } from '../engine.ts';
import type { Selection } from '../fragment.ts';
import { count } from '../format.ts';
import { type Picture, maskedOf, weightsOf } from '../picture.ts';
import { valueWords } from '../setting-words.ts';
import { stageWords } from '../stage-words.ts';
import { axes } from '../views/axes.ts';
import { withSubs } from '../views/controls.ts';
import type { Paint } from '../views/paint.ts';
import { sourceWords } from '../views/source-words.ts';
import { ORDER, PARAMETERS } from '../walk-stages.ts';
import { png } from './canvas.ts';
import { type Figure, figure } from './figure.ts';
import { type Dialect, MOST_NUMBERS, numbersOf, script } from './script.ts';
import { svg } from './svg.ts';
import { csv, json } from './tables.ts';

export interface TakeInput { picture: Picture; selection: Selection; stages: readonly StageInfo[]; paint: Paint }

const NAMES: Record<Dialect, string> = { torch: 'PyTorch', numpy: 'NumPy' };

export class TakePanel {
  #of: Picture | null = null;
  #chosen: ArrayId = 'weights';
  #said = '';
  #problem = '';

  constructor(private readonly host: HTMLElement, private readonly now: () => TakeInput | null) {}

  update(): void {
    const picture = this.now()?.picture ?? null;
    if (picture !== this.#of) this.#said = this.#problem = '';
    this.#of = picture;
    this.#show();
  }

  #show(): void {
    const input = this.now();
    render(input ? this.#body(input) : nothing, this.host);
  }

  #body(input: TakeInput): TemplateResult {
    const { picture: { trace }, stages } = input;
    const arrays = arraysOf(input);
    if (!arrays.includes(this.#chosen)) this.#chosen = 'weights';
    const numbers = numbersOf(trace);
    const label = (id: ArrayId) => stageWords(stages, id) ?? id;
    const button = (name: string, words: unknown, act: (input: TakeInput) => unknown) => html`<button type="button" class="plain" data-take=${name} @click=${() => void this.#try(act)}>${words}</button>`;
    return html`
      <p>${msg('Everything is made in this browser, and nothing leaves it.')}</p>
      <dl class="take-list">
        <dt>${msg(str`The figure, head ${input.selection.head + 1}`)}</dt>
        <dd>${button('svg', 'SVG', (input) => save(`${fileName('weights', input)}.svg`, 'image/svg+xml', svg(drawn(input))))} ${button('png', 'PNG', async (input) => save(`${fileName('weights', input)}.png`, 'image/png', await png(drawn(input))))}</dd>
        <dt><label>${msg('The numbers of')} <select data-take-array @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value as ArrayId)}>
          ${arrays.map((id) => html`<option value=${id} ?selected=${id === this.#chosen}>${label(id)} [${trace.extents(id).join(' × ')}]</option>`)}
        </select></label></dt>
        <dd>${button('csv', 'CSV', (input) => save(`${this.#chosen}.csv`, 'text/csv', csv(this.#table(input))))} ${button('json', 'JSON', (input) => save(`${this.#chosen}.json`, 'application/json', json(this.#table(input))))}</dd>
        <dt>${msg('The whole layer as a script that prints the same weights')}</dt>
        <dd>${numbers > MOST_NUMBERS
          ? html`<span class="muted">${msg(str`It would hold ${count(numbers)} numbers; ${count(MOST_NUMBERS)} are the most. Choose a smaller d_model or a shorter text.`)}</span>`
          : (['torch', 'numpy'] as const).map((dialect) => html`${button(dialect, msg(str`Copy as ${NAMES[dialect]}`), (input) => this.#copy(input, dialect))} ${button(`${dialect}-file`, msg('or save it'), ({ picture }) => save(`attention_${dialect}.py`, 'text/x-python', script(picture.trace, dialect)))} `)}</dd>
      </dl>
      <p class="problem" role="alert">${withSubs(this.#problem)}</p>
      <p class="muted" role="status">${this.#said}</p>
    `;
  }

  #choose(id: ArrayId): void {
    this.#chosen = id;
    this.#show();
  }

  #table({ picture: { trace }, stages }: TakeInput) {
    const info = stages.find((stage) => stage.id === this.#chosen);
    return { id: this.#chosen, label: info?.label ?? this.#chosen, axes: info?.axes ?? [], trace };
  }

  /** On the newest run, which may be newer than what is drawn. */
  async #try(act: (input: TakeInput) => unknown): Promise<void> {
    const input = this.now();
    if (!input) return;
    this.#of = input.picture;
    this.#said = this.#problem = '';
    try {
      const said = await act(input);
      this.#said = typeof said === 'string' ? said : '';
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#show();
  }

  async #copy({ picture: { trace } }: TakeInput, dialect: Dialect): Promise<string> {
    const text = script(trace, dialect);
    await navigator.clipboard.writeText(text).catch(() => {
      throw new Error(msg('This page may not write to the clipboard. Save the script instead.'));
    });
    return msg(str`Copied: ${count(text.split('\n').length)} lines, ${count(numbersOf(trace))} numbers. Run it with Python and ${NAMES[dialect]}.`);
  }
}

/** Stages and the parameters that they are made with, in the order of the walk. */
function arraysOf({ picture: { trace } }: TakeInput): ArrayId[] {
  const parameters = [...new Set(Object.values(PARAMETERS).flat())].filter((id) => trace.present(id) && trace.extents(id).length > 0);
  return [...ORDER.filter((id) => trace.present(id)), ...parameters];
}

const fileName = (stage: string, { selection: { head } }: TakeInput): string => `${stage}-head-${head + 1}`;

function drawn({ picture, selection: { head }, paint }: TakeInput): Figure {
  const { trace, rows, tokens, keyTokens } = picture;
  const { S } = trace.shape;
  const [weights, masked] = [weightsOf(picture, head), maskedOf(picture, head)];
  const asks = rows === 'queries';
  const place = (row: number, column: number) => (asks ? row * S + column : column * S + row);
  const words = (list: readonly { text: string }[]) => list.map(({ text }) => text);
  const { down, across } = axes(rows, picture.keyText !== null);
  const { settings, shape } = trace;
  const source = picture.source === 'random' ? msg(str`random parameters (seed ${settings.seed})`) : sourceWords(picture, head);
  const made = msg(str`mask ${valueWords(settings.mask)}, scale ${valueWords(settings.scale)}, positions ${valueWords(settings.positions)}, ${source}`);
  return figure({
    rows: words(asks ? tokens : keyTokens), columns: words(asks ? keyTokens : tokens),
    weight: (row, column) => (masked[place(row, column)] === -Infinity ? null : (weights[place(row, column)] ?? 0)),
    title: msg(str`Attention weights, head ${head + 1} of ${shape.H}`),
    axes: { down: down.join(' '), across: String(across) },
    about: `${made} · Attention Playground`,
    colours: { ramp: paint.ramp, paper: paint.paper, ink: paint.ink, muted: paint.muted, hatch: paint.hatch, border: paint.border },
  });
}

function save(name: string, type: string, content: string | Blob): string {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return msg(str`Saved as ${name}.`);
}
