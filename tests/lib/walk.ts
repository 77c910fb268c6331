// The walk as a reader uses it: its cards, the number that is looked at, and what is written about it.
import assert from 'node:assert/strict';
import { read } from './shown-numbers.ts';
import { type Playground, base64Of, floatsOf } from './page.ts';
import type { ArrayId } from '../../web/src/engine/engine.ts';
import { Safetensors } from '../../web/src/parameters/language-model/safetensors.ts';

export interface OperandOnScreen { array: ArrayId; index: number; text: string; look: string }

export interface Explained {
  name: string;
  title: string;
  value: string;
  words: string;
  /** Written out, not in the table. */
  operands: OperandOnScreen[];
  formula: string;
  constants: Record<string, string>;
  /** ‖a‖, ‖b‖ and cos θ */
  norms: string[];
  trail: number;
  pinned: string;
  difference: string;
}

export interface TermOnScreen { operands: OperandOnScreen[]; product: string; sum: string }

/** A number that the page prints in full, as the float32 that it is. */
export const full = (text: string): number => Math.fround(read(text).value);

export class Walk {
  constructor(readonly playground: Playground) {}

  get page() {
    return this.playground.page;
  }

  get root() {
    return this.page.locator('.walk');
  }

  /** Brought on the screen, and drawn. */
  async show(): Promise<this> {
    await this.playground.ready();
    await this.page.waitForFunction(() => {
      const walk = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.walk');
      return walk?.querySelector('.groups') && !walk.hasAttribute('aria-busy');
    });
    await this.page.locator('.walk h2').scrollIntoViewIfNeeded();
    await this.settle();
    return this;
  }

  /** Until what is shown is of the present run. */
  async settle(): Promise<void> {
    await this.playground.ready();
    // Drawing waits for a paint; what has just come into view is drawn a frame later.
    await this.page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
    await this.page.waitForFunction(() => {
      const walk = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.walk') as HTMLElement | null;
      return walk?.hidden || !walk?.hasAttribute('aria-busy');
    });
  }

  card(id: ArrayId) {
    return this.page.locator(`[data-stage-card=${id}]`);
  }

  stages(): Promise<string[]> {
    return this.page.locator('[data-stage-card]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-stage-card') ?? ''));
  }

  async isOpen(id: ArrayId): Promise<boolean> {
    return (await this.card(id).getAttribute('open')) !== null;
  }

  /** A card that is folded is opened, as a reader opens it. */
  async unfold(id: ArrayId): Promise<void> {
    if ((await this.card(id).count()) === 0 || (await this.isOpen(id))) return;
    await this.card(id).locator('summary').first().click();
    await this.card(id).locator('.stage-body').waitFor();
    await this.settle();
  }

  /** The card's number as it is printed there, and in all its digits, which the mouse is told. */
  async number(id: ArrayId): Promise<{ text: string; exact: string }> {
    await this.unfold(id);
    const value = this.page.locator(`[data-value=${id}] > span`);
    await value.scrollIntoViewIfNeeded();
    await this.settle();
    return { text: (await value.innerText()).trim(), exact: await value.getAttribute('title') ?? '' };
  }

  async value(id: ArrayId): Promise<string> {
    return (await this.number(id)).exact;
  }

  /** The middle of a cell on the screen; its card is scrolled to first. */
  async middleOf(id: ArrayId, row: number, column: number): Promise<{ x: number; y: number }> {
    await this.unfold(id);
    const host = this.page.locator(`[data-array=${id}]`);
    await host.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await this.settle();
    return host.evaluate((element, [r, c]) => {
      const canvas = (element.querySelector('canvas') as HTMLElement).getBoundingClientRect();
      const cell = element.querySelector<HTMLElement>('[role=gridcell]') as HTMLElement;
      const [width, height] = [Number.parseFloat(cell.style.width), Number.parseFloat(cell.style.height)];
      const space = (element.querySelector('.stage-space') as HTMLElement).style;
      const strip = canvas.height > 0 && Number.parseFloat(space.height) % height > 0.01 ? Number.parseFloat(space.height) % height : 0;
      return { x: canvas.left + (c + 0.5) * width - element.scrollLeft, y: canvas.top + strip + (r + 0.5) * height - element.scrollTop };
    }, [row, column] as const);
  }

  async hover(id: ArrayId, row: number, column: number): Promise<void> {
    const { x, y } = await this.middleOf(id, row, column);
    await this.page.mouse.move(x, y);
    await this.settle();
  }

  async choose(id: ArrayId, row: number, column: number): Promise<void> {
    const { x, y } = await this.middleOf(id, row, column);
    await this.page.mouse.click(x, y);
    await this.settle();
  }

  async tap(id: ArrayId, row: number, column: number): Promise<void> {
    const { x, y } = await this.middleOf(id, row, column);
    await this.page.touchscreen.tap(x, y);
    await this.settle();
  }

  /** By the keyboard alone, in the card's own grid. */
  async walkTo(id: ArrayId, row: number, column: number): Promise<void> {
    await this.unfold(id);
    await this.page.locator(`[data-array=${id}] [role=gridcell]`).focus();
    await this.page.keyboard.press('Control+Home');
    for (let i = 0; i < row; i += 1) await this.page.keyboard.press('ArrowDown');
    for (let i = 0; i < column; i += 1) await this.page.keyboard.press('ArrowRight');
    await this.settle();
  }

  /** Where the card's grid says that it is, from 0. */
  async place(id: ArrayId): Promise<{ row: number; column: number; label: string }> {
    await this.unfold(id);
    return this.page.locator(`[data-array=${id}]`).evaluate((element) => ({
      row: Number(element.querySelector('[role=row]')?.getAttribute('aria-rowindex')) - 1,
      column: Number(element.querySelector('[role=gridcell]')?.getAttribute('aria-colindex')) - 1,
      label: element.querySelector('[role=gridcell]')?.getAttribute('aria-label') ?? '',
    }));
  }

  async explained(): Promise<Explained> {
    return this.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot?.querySelector('.explanation') as HTMLElement;
      const text = (selector: string) => root.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
      const operand = (button: Element) => {
        const [array = '', index = ''] = (button.getAttribute('data-operand') ?? '').split(' ');
        const named = button.querySelector('.operand-name')?.textContent ?? '';
        return { array: array as ArrayId, index: Number(index), text: (button.textContent ?? '').slice((button.textContent ?? '').indexOf(named) + named.length).trim(), look: button.className };
      };
      return {
        name: text('.explained-name'), title: text('.explained-title .pair'), value: text('[data-explained]'),
        words: text('.explained-body > p'), operands: [...root.querySelectorAll('.operands .operand')].map(operand),
        formula: text('.explained-formula'),
        constants: Object.fromEntries([...root.querySelectorAll<HTMLElement>('[data-constant]')].map((dd) => [dd.dataset['constant'], dd.innerText.trim()])),
        norms: [...root.querySelectorAll<HTMLElement>('[data-norm]')].map((span) => span.innerText), trail: root.querySelectorAll('.trail button').length,
        pinned: text('[data-pinned]'), difference: text('[data-difference]'),
      };
    });
  }

  /** Every term, in the table that is opened for it; the written ones where there are few. */
  async terms(): Promise<TermOnScreen[]> {
    const details = this.page.locator('.explained-terms');
    if ((await details.count()) > 0 && (await details.getAttribute('open')) === null) {
      await details.locator('summary').click();
      await details.locator('tbody tr').first().waitFor();
    }
    return this.page.locator('.explained-terms tbody tr').evaluateAll((lines) => lines.map((line) => {
      const cells = [...line.children].map((cell) => cell.textContent?.trim() ?? '');
      const operands = [...line.querySelectorAll('.operand')].map((button) => {
        const [array = '', index = ''] = (button.getAttribute('data-operand') ?? '').split(' ');
        return { array: array as never, index: Number(index), text: button.textContent?.trim() ?? '', look: button.className };
      });
      // Exps have no running sum.
      return { operands, product: cells.at(operands.length > 1 ? -2 : -1) ?? '', sum: operands.length > 1 ? (cells.at(-1) ?? '') : '' };
    }));
  }

  async follow(at: number): Promise<void> {
    await this.page.locator('.operands .operand').nth(at).click();
    await this.settle();
  }

  /** A parameter or a stage, with its extents, as the engine has it. */
  async array(id: ArrayId): Promise<{ numbers: Float32Array; extents: number[] }> {
    const { bits, extents } = await this.page.evaluate((wanted) => {
      const trace = (document.querySelector('attention-playground') as import('../../web/src/element/element.ts').AttentionPlayground).trace;
      if (!trace) throw new Error('there is no run');
      const isStage = document.querySelector('attention-playground')?.shadowRoot?.querySelector(`[data-stage-card=${wanted}]`);
      const numbers = isStage ? trace.stage(wanted as never) : trace.parameter(wanted as never);
      return { bits: base64Of(numbers), extents: [...trace.extents(wanted)] };
    }, id);
    return { numbers: floatsOf(bits), extents };
  }

  /** How many of a card's pixels have the accent, in a cell's place grown by two pixels. */
  async accentAt(id: ArrayId, row: number, column: number): Promise<number> {
    await this.unfold(id);
    return this.page.locator(`[data-array=${id}]`).evaluate((element, [r, c]) => {
      const canvas = element.querySelector('canvas') as HTMLCanvasElement;
      const cell = element.querySelector<HTMLElement>('[role=gridcell]') as HTMLElement;
      const [width, height] = [Number.parseFloat(cell.style.width), Number.parseFloat(cell.style.height)];
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const image = context.getImageData(Math.max(0, c * width - 3), Math.max(0, r * height - 1), Math.max(7, width + 4), height + 2);
      const accent = getComputedStyle(element.closest('.root') as Element).getPropertyValue('--accent').trim();
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16)) as [number, number, number];
      let count = 0;
      for (let at = 0; at < image.data.length; at += 4) {
        const near = Math.abs((image.data[at] ?? 0) - red) + Math.abs((image.data[at + 1] ?? 0) - green) + Math.abs((image.data[at + 2] ?? 0) - blue);
        if (near < 24) count += 1;
      }
      return count;
    }, [row, column] as const);
  }

  /** The colour in the middle of each cell of a matrix that is whole on the screen, row after row. */
  async coloursOf(id: ArrayId, rows: number, columns: number): Promise<(readonly [number, number, number])[]> {
    await this.unfold(id);
    return this.page.locator(`[data-array=${id}]`).evaluate((element, [down, across]) => {
      const canvas = element.querySelector('canvas') as HTMLCanvasElement;
      const cell = element.querySelector<HTMLElement>('[role=gridcell]') as HTMLElement;
      const [width, height] = [Number.parseFloat(cell.style.width), Number.parseFloat(cell.style.height)];
      const strip = Math.round(canvas.getBoundingClientRect().height - down * height);
      const { data, width: line } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: down * across }, (_, i) => {
        const at = (Math.floor(strip + (Math.floor(i / across) + 0.5) * height) * line + Math.floor((i % across + 0.5) * width)) * 4;
        return [data[at] ?? NaN, data[at + 1] ?? NaN, data[at + 2] ?? NaN] as const;
      });
    }, [rows, columns] as const);
  }
}

/** The fold that follows a model's numbers forwards. */
export class Forwards {
  constructor(readonly playground: Playground) {}

  get fold() {
    return this.playground.page.locator('.model-forwards');
  }

  async open(): Promise<this> {
    await this.fold.locator('summary').click();
    await this.fold.locator('[data-forward-number]').waitFor();
    return this;
  }

  /** The number that is written out, as it is shown. */
  async value(): Promise<number> {
    return full(await this.fold.locator('[data-forward-number]').innerText());
  }

  async place(): Promise<{ stage: string; index: number }> {
    const [stage = '', index] = ((await this.fold.locator('[data-forward-number]').getAttribute('data-forward-number')) ?? '').split(' ');
    return { stage, index: Number(index) };
  }

  async choose(stage: string): Promise<this> {
    await this.fold.locator('[data-forward=stage]').selectOption(stage);
    await this.fold.locator(`[data-forward-number^="${stage} "]`).waitFor();
    return this;
  }

  /** Number `index` of the stage, from 0. */
  async at(stage: string, index: number): Promise<number> {
    await this.choose(stage);
    const field = this.fold.locator('[data-forward=index]');
    await field.fill(String(stage === 'logit' || stage === 'chance' ? index : index + 1));
    await field.press('Enter');
    await this.fold.locator(`[data-forward-number="${stage} ${index}"]`).waitFor();
    return this.value();
  }

  async follow(array: string, index?: number): Promise<this> {
    await this.fold.locator(index === undefined ? `[data-forward-operand^="${array} "]` : `[data-forward-operand="${array} ${index}"]`).first().click();
    await this.fold.locator(`[data-forward-number^="${array} "]`).waitFor();
    return this;
  }

  /** Of the parameters that are shown, by their names: value and place in the file. */
  async parameter(array: string): Promise<{ value: number; file: string }> {
    const shown = await this.fold.locator(`[data-forward-parameter^="${array} "]`).first().innerText();
    return { value: full(shown), file: await this.fold.locator(`[data-forward-file="${array}"]`).innerText() };
  }

  async constant(name: string): Promise<number> {
    return full(await this.fold.locator(`[data-constant="${name}"]`).innerText());
  }
}

/** Numbers of a file by the place that the page names, as “wte.weight[3, 5]” or “wte.weight[3, :]”. */
export async function inFile(bytes: Uint8Array, place: string): Promise<number[]> {
  const [, name = '', inside = ''] = /^(.*)\[(.*)\]$/.exec(place) ?? [];
  const file = await Safetensors.open(bytes);
  const shape = file.shape(name);
  const numbers = await file.read(name, shape);
  const [row, column] = inside.split(', ');
  const width = shape.at(-1) ?? 1;
  if (column === undefined) return [numbers[Number(row)] ?? NaN];
  if (column === ':') return [...numbers.subarray(Number(row) * width, (Number(row) + 1) * width)];
  if (row === ':') return [...numbers.filter((_, i) => i % width === Number(column))];
  return [numbers[Number(row) * width + Number(column)] ?? NaN];
}

const close = (got: number, expected: number, what: string, within = 1e-5) => assert.ok(Math.abs(got - expected) <= within * Math.max(1, Math.abs(expected)), `${what}: ${got}, not ${expected}`);

/** The likeliest word's chance is followed to the row behind the last layer; what is shown is computed again from other numbers that are shown, and from the file's. */
export async function assertChance(forwards: Forwards, bytes: Uint8Array, { D, epsilon, isRms, hasTransform }: { D: number; epsilon: number; isRms: boolean; hasTransform: boolean }): Promise<void> {
  const { fold, playground: { page } } = forwards;
  await forwards.choose('chance');
  const chance = await forwards.value();
  const word = (await forwards.place()).index;
  const said = await page.locator('.expects [data-guess] td').first().innerText();
  const ofTable = Number(said.replace(/[^\d.]/g, '')) / 100;
  assert.ok(Math.abs(chance - ofTable) < 0.006, `${chance} is shown as ${said}`);
  const share = full(await fold.locator(`[data-forward-product="${word}"]`).innerText());
  close(share / full(await fold.locator('[data-forward-sum]').innerText()), chance, 'chance', 2e-3);
  const largest = await forwards.constant('max');
  await forwards.follow('logit', word);
  const logit = await forwards.value();
  close(Math.exp(logit - largest), share, 'share', 2e-3);

  // The logit: the row times the word's row of the output matrix.
  const matrix = await inFile(bytes, (await forwards.parameter('W_U')).file);
  const bias = await fold.locator('[data-forward-file=b_U]').count() === 0 ? 0 : (await inFile(bytes, (await forwards.parameter('b_U')).file))[0] ?? NaN;
  const final: number[] = [];
  for (let i = 0; i < D; i += 1) final.push(await forwards.at('final', i));
  close(matrix.reduce((sum, number, i) => sum + number * (final[i] ?? NaN), bias), logit, 'logit', 1e-4);

  // The final norm: of the row before it.
  await forwards.at('final', 2);
  const gain = (await inFile(bytes, (await forwards.parameter('gain_F')).file))[0] ?? NaN;
  const added = isRms ? 0 : (await inFile(bytes, (await forwards.parameter('bias_F')).file))[0] ?? NaN;
  const read = hasTransform ? 'activated' : 'last';
  const row: number[] = [];
  for (let i = 0; i < D; i += 1) row.push(await forwards.at(read, i));
  const mean = isRms ? 0 : row.reduce((a, b) => a + b) / D;
  const deviation = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / D + epsilon);
  close((((row[2] ?? NaN) - mean) / deviation) * gain + added, final[2] ?? NaN, 'final norm', 1e-4);
}
