// The walk as a reader uses it: its cards, the number that is looked at, and what is written about it.
import assert from 'node:assert/strict';
import { read } from './shown-numbers.ts';
import { type Playground, base64Of, floatsOf } from './page.ts';
import type { LanguageModel } from '../../web/src/parameters/language-model/language-model.ts';
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
    await this.playground.redrawn();
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

  /** All that is written of the number. */
  written() {
    return this.fold.evaluate((fold) => {
      const text = (element: Element | null | undefined) => element?.textContent?.trim() ?? '';
      const all = (selector: string, name: string) => Object.fromEntries([...fold.querySelectorAll(selector)].map((each) => [each.getAttribute(name) ?? '', text(each)]));
      const operands = (line: Element) => [...line.querySelectorAll('[data-forward-operand], [data-forward-parameter]')].map((each) => {
        const isStage = each.hasAttribute('data-forward-operand');
        const name = text(isStage ? each.querySelector('.operand-name') : each.previousElementSibling);
        const [array = '', index] = (each.getAttribute('data-forward-operand') ?? each.getAttribute('data-forward-parameter') ?? '').split(' ');
        return { array, index: Number(index), isStage, name, value: isStage ? text(each).slice(name.length).trim() : text(each) };
      });
      return {
        rule: text(fold.querySelector('.explained-title + p')),
        lines: [...fold.querySelectorAll('.operands li')].map((line) => ({ operands: operands(line), product: text(line.querySelector('[data-forward-product]')) })).filter((line) => line.operands.length > 0),
        sum: text(fold.querySelector('[data-forward-sum]')),
        constants: all('[data-constant]', 'data-constant'),
        files: all('[data-forward-file]', 'data-forward-file'),
        names: Object.fromEntries([...fold.querySelectorAll<HTMLOptionElement>('[data-forward=stage] option')].map((option) => [option.value, text(option)])),
      };
    });
  }

  async constant(name: string): Promise<number> {
    return full(await this.fold.locator(`[data-constant="${name}"]`).innerText());
  }
}

const inFiles = new WeakMap<Uint8Array, Map<string, { shape: readonly number[]; numbers: number[] }>>();
/** Numbers of 8 bits as they lie there: what they are times must be named, too. */
async function tensorIn(bytes: Uint8Array, name: string): Promise<{ shape: readonly number[]; numbers: number[] }> {
  const known = inFiles.get(bytes) ?? new Map<string, { shape: readonly number[]; numbers: number[] }>();
  inFiles.set(bytes, known);
  const found = known.get(name);
  if (found) return found;
  const file = await Safetensors.open(bytes);
  const shape = file.shape(name);
  const numbers: number[] = [];
  if (file.type(name) !== 'I8') for (const number of await file.read(name, shape)) numbers.push(number);
  else for await (const part of file.parts(name, shape)) for (const number of part.numbers) numbers.push(number);
  known.set(name, { shape, numbers });
  return { shape, numbers };
}

/** Numbers of a file by the place that the page names, as “wte.weight[3, 5]”, “wte.weight[3, :]” or “up.weight[3, :] × up.scale[3]”. */
export async function inFile(bytes: Uint8Array, place: string): Promise<number[]> {
  const [own = '', by] = place.split(' × ');
  const [, name = '', inside = ''] = /^(.*)\[(.*)\]$/.exec(own) ?? [];
  const { shape, numbers } = await tensorIn(bytes, name);
  const scale = by === undefined ? 1 : (await inFile(bytes, by))[0] ?? NaN;
  const [row, column] = inside.split(', ');
  const width = shape.at(-1) ?? 1;
  const found = column === undefined ? [numbers[Number(row)] ?? NaN]
    : column === ':' ? numbers.slice(Number(row) * width, (Number(row) + 1) * width)
    : row === ':' ? numbers.filter((_, i) => i % width === Number(column))
    : [numbers[Number(row) * width + Number(column)] ?? NaN];
  return found.map((number) => number * scale);
}

const close = (got: number, expected: number, what: string, within = 1e-5) => assert.ok(Math.abs(got - expected) <= within * Math.max(1, Math.abs(expected)), `${what}: ${got}, not ${expected}`);

/** The likeliest word's chance is that of the table, and what softmax makes of its logit, to which it is followed. */
export async function assertShare(forwards: Forwards): Promise<number> {
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
  return logit;
}

/** The likeliest word's chance is followed to the row behind the last layer; what is shown is computed again from other numbers that are shown, and from the file's. */
export async function assertChance(forwards: Forwards, bytes: Uint8Array, { D, epsilon, isRms, hasTransform }: { D: number; epsilon: number; isRms: boolean; hasTransform: boolean }): Promise<void> {
  const { fold } = forwards;
  const logit = await assertShare(forwards);

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

/** What a number must be made of. */
export interface MadeOf { stages: readonly string[]; parameters?: readonly string[] }
export interface FollowedModel { numberOf(stage: string, index: number): number; widthOf(stage: string): number; epsilon: number }

/** A row of a layer of a model in Node, and its rows before the first and behind the last. */
export function followed(model: LanguageModel, text: string, { layer, query, epsilon }: { layer: number; query: number; epsilon: number }): FollowedModel {
  const measures = model.measure(model.run(model.tokenize(text).map(({ id }) => id)));
  const { layers } = model.configuration;
  const at = (stage: string) => (['places', 'placed', 'embedding'].includes(stage) ? -1 : ['last', 'transformed', 'activated', 'final', 'logit', 'chance'].includes(stage) ? layers : layer);
  const known = new Map<string, number[]>();
  const numbersOf = (stage: string) => {
    const found = known.get(stage) ?? [];
    known.set(stage, found);
    return found;
  };
  const numberOf = (stage: string, index: number) => (numbersOf(stage)[index] ??= measures.number(at(stage), query, stage, index).result);
  return { numberOf, epsilon, widthOf: (stage) => {
    const { d_model, d_mlp } = model.configuration;
    return ['gate', 'up', 'active', 'hidden'].includes(stage) ? d_mlp : stage === 'contexts' ? measures.number(layer, query, 'attention', 0).terms.length : d_model;
  } };
}

const layerNorm = /^Layer norm:/;
const isSame = (got: number, expected: number, what: string, within = 2e-5) => close(got, expected, what, within);
/** The normal distribution's share below x: Abramowitz and Stegun, 7.1.26. */
function below(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x) / Math.SQRT2);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x / 2) / 2;
  return x < 0 ? tail : 1 - tail;
}

/**
 * The number that is open is what its written rule makes of its written operands; those are the model's numbers and, at the places
 * that are named, the file's. A sum of products shows the largest of them.
 */
export async function assertMade(forwards: Forwards, bytes: Uint8Array, { stages, parameters = [] }: MadeOf, { numberOf, widthOf, epsilon }: FollowedModel): Promise<void> {
  const [{ stage, index }, result, { rule, lines, sum, constants, files, names }] = [await forwards.place(), await forwards.value(), await forwards.written()];
  const what = `${stage} ${index}`;
  isSame(result, numberOf(stage, index), what);
  assert.equal(new Set(Object.values(names)).size, Object.keys(names).length, 'each stage has a name of its own');
  const all = lines.flatMap(({ operands }) => operands);
  const arrays = (isStage: boolean) => [...new Set(all.filter((each) => each.isStage === isStage).map(({ array }) => array))];
  assert.deepEqual(arrays(true).sort(), [...stages].sort(), what);
  assert.deepEqual(arrays(false).sort(), [...parameters].sort(), what);
  assert.deepEqual(Object.keys(files).sort(), [...parameters].sort(), `${what}: in the file`);
  const given: Record<string, number[]> = {};
  for (const [array, place] of Object.entries(files)) given[array] = await inFile(bytes, place);
  for (const { array, index: at, isStage, name, value } of all) {
    if (isStage && names[array]) assert.equal(name, `${names[array]} ${at + 1}`, what);
    isSame(full(value), isStage ? numberOf(array, at) : given[array]?.length === 1 ? given[array][0] ?? NaN : given[array]?.[lines.find(({ operands }) => operands.some((each) => each.array === array && each.index === at))?.operands[0]?.index ?? -1] ?? NaN, `${what}: ${array} ${at}`);
  }
  const of = (array: string) => Array.from({ length: widthOf(array) }, (_, i) => numberOf(array, i));
  const one = (array: string | undefined) => (array === undefined ? 0 : given[array]?.[0] ?? NaN);
  const [first = '', second = ''] = stages;
  if (/^A row and a column/.test(rule)) {
    const [weight = '', bias] = parameters;
    assert.equal(given[weight]?.length, widthOf(first), `${what}: ${files[weight]}`);
    const products = of(first).map((x, i) => x * (given[weight]?.[i] ?? NaN));
    const largest = [...products.keys()].sort((a, b) => Math.abs(products[b] ?? 0) - Math.abs(products[a] ?? 0)).slice(0, 6);
    const shown = lines.filter(({ product }) => product !== '');
    assert.deepEqual(shown.map(({ operands }) => operands[0]?.index), largest, `${what}: the largest products`);
    shown.forEach(({ product }, i) => isSame(read(product).value, products[largest[i] ?? -1] ?? NaN, `${what}: product`, 1e-3));
    isSame(full(sum), products.reduce((a, b) => a + b), `${what}: sum`);
    return isSame(full(sum) + one(bias), result, `${what}: sum and bias`);
  }
  const [x, y] = [numberOf(first, all.find(({ array }) => array === first)?.index ?? -1), numberOf(second || first, all.find(({ array }) => array === (second || first))?.index ?? -1)];
  const constant = (name: string, expected: number) => isSame(full(constants[name] ?? ''), expected, `${what}: ${name}`);
  if (layerNorm.test(rule) || /^RMSNorm:/.test(rule)) {
    const row = of(first);
    const mean = layerNorm.test(rule) ? row.reduce((a, b) => a + b) / row.length : 0;
    const deviation = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length + epsilon);
    if (layerNorm.test(rule)) constant('mean', mean);
    constant(layerNorm.test(rule) ? 'deviation' : 'rms', deviation);
    constant('normed', (x - mean) / deviation);
    isSame(((x - mean) / deviation) * one(parameters[0]) + one(parameters[1]), result, what);
  } else if (/^(SiLU|GELU)/.test(rule)) {
    const share = /^SiLU/.test(rule) ? 1 / (1 + Math.exp(-x)) : /by tanh/.test(rule) ? (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))) / 2 : below(x);
    constant('share', share);
    isSame(x * share, result, what);
  } else if (/^Two numbers multiplied/.test(rule)) isSame(x * y, result, what);
  else {
    assert.match(rule, /^Two numbers added/, what);
    isSame(parameters.reduce((all, array) => all + one(array), 0) + stages.reduce((all, array) => all + numberOf(array, index), 0), result, what);
  }
}
