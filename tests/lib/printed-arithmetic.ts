// Every piece of arithmetic that the page prints of a state, worked out: a cell's steps and its row, and one number of every
// stage; and the results against the double reference of the native build.
import assert from 'node:assert/strict';
import { type Span, holdsAs, meet, read, spanOf } from './shown-numbers.ts';
import { type Stages, firstFar, isNear, referenceStages } from './native.ts';
import type { Random } from './random.ts';
import type { ArrayId, Explanation, ParameterId, Request, Session, Settings, StageId, Trace } from '../../web/src/engine/engine.ts';
import { extent, placeOf } from '../../web/src/engine/places.ts';
import { exact } from '../../web/src/text/numbers.ts';
import { engineKey, tokenize } from '../../web/src/engine/tokens.ts';
import type { Selection } from '../../web/src/engine/types.ts';
import { type Picture, isCross, makePicture } from '../../web/src/state/result.ts';
import { parametersOf, stagesOf } from '../../web/src/state/stage-groups.ts';
import { live, liveShort } from '../../web/src/text/formulas.ts';
import { inspector } from '../../web/src/ui/inspector/inspector.ts';
import { explanation } from '../../web/src/ui/walk/explanation.ts';

// What a template says, without a browser: its elements by their classes, and their text.
interface Template { strings: readonly string[]; values: readonly unknown[] }

const isTemplate = (value: unknown): value is Template => typeof value === 'object' && value !== null && '_$litType$' in value;

/** Values inside a tag are attributes, which are left out. */
function markup(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(markup).join('');
  if (!isTemplate(value)) return '';
  let [all, inTag] = ['', false];
  value.strings.forEach((text, i) => {
    all += text;
    if (/[<>]/.test(text)) inTag = text.lastIndexOf('<') > text.lastIndexOf('>');
    // A class that is put together is read, too.
    const given = value.values[i];
    if (i < value.values.length) all += inTag ? (/class=$/.test(text) ? `"${String(given)}"` : '""') : markup(given);
  });
  return all;
}

const EMPTY = new Set(['br', 'input', 'wbr']);

class Element {
  readonly children: (Element | string)[] = [];

  constructor(readonly name = '', readonly classes: readonly string[] = []) {}

  /** Every element of a class or of a name, in order. */
  all(wanted: string): Element[] {
    return this.children.flatMap((child) => (typeof child === 'string' ? [] : [...(child.name === wanted || child.classes.includes(wanted) ? [child] : []), ...child.all(wanted)]));
  }

  /** @param leave classes of elements whose text is left out */
  text(...leave: string[]): string {
    const said = this.children.map((child) => (typeof child === 'string' ? child : child.classes.some((each) => leave.includes(each)) ? '' : child.name === 'br' ? ' ' : child.text(...leave)));
    return said.join('').replace(/[ \n]+/g, ' ').trim();
  }
}

function elementsOf(template: unknown): Element {
  const open = [new Element()];
  for (const [piece] of markup(template).matchAll(/<[^>]*>|[^<]+/g)) {
    const [, close, name = ''] = /^<(\/?)([a-z][\w-]*)/i.exec(piece) ?? [];
    if (name === '') open.at(-1)?.children.push(piece.replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
    else if (close) while (open.length > 1 && open.pop()?.name !== name);
    else {
      const element = new Element(name, /class=["']?([^"'>]*)/.exec(piece)?.[1]?.split(' ') ?? []);
      open.at(-1)?.children.push(element);
      if (!EMPTY.has(name) && !piece.endsWith('/>')) open.push(element);
    }
  }
  return open[0] as Element;
}

/** Handlers that nobody calls. */
const EVENTS = new Proxy({}, { get: () => () => undefined }) as never;

const single = (text: string): number => Math.fround(read(text).value);
/** A number that is known, as one that is printed. */
const exactly = (x: number): Span => ({ low: x, high: x });

export interface Known { picture: Picture; reference: Stages<Float64Array> }

/** A state as the page has it, and its double. */
export function known(session: Session, { tokens, keyTokens, maskEdits = [], edits, given }: Request, settings: Settings): Known {
  const [text, keyText] = [tokens.join(' '), keyTokens?.join(' ') ?? null];
  const [words, keyWords] = [tokenize(text), keyText === null ? null : tokenize(keyText)];
  const request: Request = { tokens: words.map(engineKey), keyTokens: keyWords?.map(engineKey), maskEdits, edits, given };
  const trace = session.run(request, settings);
  const picture = makePicture({ text, keyText, maskEdits: [...maskEdits], rows: settings.seed % 2 ? 'keys' : 'queries', source: 'random' }, words, keyWords ?? words, trace, {});
  return { picture, reference: referenceStages(request, settings) };
}

class Check {
  readonly found = new Map<string, number>();
  readonly trace: Trace;

  constructor(readonly picture: Picture, readonly reference: Stages<Float64Array>, readonly what: string) {
    this.trace = picture.trace;
  }

  count(kind: string, pieces: number): void {
    this.found.set(kind, (this.found.get(kind) ?? 0) + pieces);
  }

  /** A printed result, beside the double; rounded as it is printed, and as far as single precision goes. */
  isDouble(id: StageId, index: number, printed: string): void {
    const double = this.reference.get(id)[index] ?? NaN;
    const { low, high } = spanOf(printed);
    const { temperature } = this.trace.settings;
    const numbers = Float32Array.from(this.reference.get(id));
    numbers[index] = double < low ? low : double > high ? high : double;
    const at = firstFar(id, numbers, { reference: this.reference, temperature, T: this.trace.shape.T, S: this.trace.shape.S });
    assert.ok(at !== index || isNear(low, double), `${this.what}: ${id}[${index}] is printed as ${printed}, in double ${double}`);
  }

  cell(selection: Selection): void {
    const { picture, trace } = this;
    const cell = trace.cell(selection);
    const shown = elementsOf(inspector({ picture, selection, cell, rowsFrom: 0, arcs: false, both: null, termsOpen: true }, EVENTS));
    const where = `${this.what}: head ${selection.head}, query ${selection.query}, key ${selection.key}`;
    const place = (selection.head * trace.shape.T + selection.query) * trace.shape.S + selection.key;
    const sum = cell.exp_sum > 0 ? exactly(cell.exp_sum) : null;
    const ids = stagesOf(trace).filter((id) => ['scores', 'scaled_scores', 'capped_scores', 'masked_scores', 'weights', 'dropped_weights'].includes(id));
    const steps = shown.all('step');
    assert.equal(steps.length, ids.length, where);
    let before: Span | null = null;
    for (const [i, id] of ids.entries()) {
      const [work, result] = ['step-work', 'step-result'].map((part) => steps[i]?.all(part)[0]?.text() ?? '') as [string, string];
      const size = id === 'scores' ? cell.products.reduce((all, x) => all + Math.abs(x), 0) : Math.abs(Number.isFinite(cell.scaled_score) ? cell.scaled_score : 0);
      this.count(id, holdsAs(work, result, `${where}, ${id}`, { before, sum, size: id.endsWith('weights') ? 0 : size }));
      this.isDouble(id, place, result);
      before = spanOf(result);
    }
    this.terms(shown.all('terms')[0], ({ length }) => length === 5, cell.score, where);
    this.row(shown, where, cell.row_max);
  }

  /** Factors, products and running sums in full precision, each to its last bit. */
  terms(table: Element | undefined, isTerm: (cells: string[]) => boolean, result: number, where: string, bias = 0): void {
    const rows = (table?.all('tr') ?? []).map((row) => row.children.flatMap((child) => (typeof child === 'string' ? [] : [child.text()])));
    let sum = 0;
    for (const [i, left = '', right = '', product = '', running = ''] of rows.filter((cells) => isTerm(cells) && /^\d/.test(cells[0] ?? ''))) {
      const own = Math.fround(single(left) * single(right)) + 0; // −0 is written 0
      assert.equal(single(product), own, `${where}, term ${i}: ${left} × ${right} = ${product}`);
      sum = Math.fround(sum + own);
      assert.equal(single(running), sum, `${where}, term ${i}: running sum ${running}`);
      this.count('terms', 1);
    }
    if (sum !== 0) assert.equal(Math.fround(sum + bias), result, `${where}: the terms come to ${sum}`);
  }

  /** Each line's exp and share, from its score, the row's largest and its sum, as the heads of its columns say. */
  row(shown: Element, where: string, max: number): void {
    const [head, body, foot] = ['thead', 'tbody', 'tfoot'].map((part) => shown.all('row-table')[0]?.all(part)[0]);
    const power = head?.all('th')[2]?.text() ?? '';
    const sum = spanOf(/Σ (\S+)/.exec(foot?.all('td')[2]?.text() ?? '')?.[1] ?? '');
    const { temperature } = this.trace.settings;
    for (const line of body?.all('tr') ?? []) {
      const [score = '', exp = '', share = ''] = line.all('td').map((cell) => cell.text());
      if (Number.isFinite(max)) {
        if (temperature === 0) assert.ok(exp === '0' || (read(exp).value === 1 && meet(spanOf(score), exactly(max))), `${where}: ${power} of ${score} is not ${exp}`);
        else {
          const [low, high] = [spanOf(score).low, spanOf(score).high].map((s) => Math.exp(s / temperature - max)) as [number, number];
          assert.ok(meet({ low, high }, spanOf(exp)) || high < 1e-37, `${where}: exp of ${score} − ${max} is not ${exp}`);
        }
      }
      const own = spanOf(exp);
      if (sum.low > 0) {
        assert.ok(meet({ low: own.low / sum.high, high: own.high / sum.low }, spanOf(share)), `${where}: ${exp} ÷ ${sum.low} is not ${share}`);
      }
      this.count('row', 1);
    }
  }

  number(array: ArrayId, index: number): void {
    const { picture, trace } = this;
    const e = trace.explain(array, index);
    const where = `${this.what}: ${array}[${index}]`;
    const size = sizeOf(e);
    const result = live(e).at(-1)?.replace('= ', '') ?? '';
    const sum = e.constants['exp_sum'];
    // A formula's words stand in quotation marks.
    const work = live(e).slice(0, -1).join(' ').replace(/[“”]/g, '');
    this.count(e.rule, holdsAs(work, result, where, { size }));
    holdsAs(liveShort(e).replace(/[“”]/g, ''), /…/.test(liveShort(e)) ? null : result, where, { size });
    if (this.reference.has(array)) this.isDouble(array as StageId, index, result);
    const about = { settings: trace.settings, shape: trace.shape, cross: isCross(picture) };
    const shown = elementsOf(explanation({
      picture, about, focus: { array, index }, place: placeOf(trace, { array, index }), heads: extent(trace, array).heads, label: '', explanation: e,
      placeOf: (at) => placeOf(trace, at), trail: [], termsOpen: true, pinned: null, edit: null, folded: false, say: exact,
    }, EVENTS));
    assert.equal(single(shown.all('explained-title')[0]?.all('value')[0]?.text() ?? ''), Math.fround(e.result), where);
    this.operands(shown, e, where);
    const bias = e.bias?.value ?? 0;
    if (e.rule === 'dot') {
      this.terms(shown.all('explained-terms')[0], ({ length }) => length === 5, e.result, where, bias);
      const norms = shown.all('norms')[0]?.all('span').filter(({ classes }) => !classes.includes('muted')).map((span) => span.text()).slice(0, 3).join(' × ') ?? '';
      this.count('norms', holdsAs(norms, exactly(e.result - bias), `${where}, as lengths and an angle`, { size: size * 3 }));
    }
    if (e.rule === 'softmax' && sum !== undefined && sum > 0) {
      const exps = (shown.all('explained-terms')[0]?.all('tbody')[0]?.all('tr') ?? []).map((row) => single(row.all('td').at(-1)?.text() ?? ''));
      if (exps.length > 0) assert.ok(Math.abs(exps.reduce((all, x) => all + x, 0) - sum) <= 1e-5 * sum, `${where}: the last column comes to ${exps.reduce((all, x) => all + x, 0)}, not ${sum}`);
    }
    if (e.rule === 'sinusoid' || e.rule === 'angle') {
      const { position = 0, pair = 0, width = 1, is_cosine } = e.constants;
      const angle = position * 10000 ** ((-2 * pair) / width);
      assert.ok(Math.abs((is_cosine ? Math.cos(angle) : Math.sin(angle)) - e.result) < 1e-5, where);
    }
  }

  /** The lines under “Made of …”, one after another. */
  operands(shown: Element, e: Explanation, where: string): void {
    if (['softmax', 'arg-max', 'scale', 'cap', 'drop'].includes(e.rule) || e.result === -Infinity) return; // these list what the formula works on
    const lines = (shown.all('operands')[0]?.all('li') ?? []).map((line) => line.text('operand-name'));
    if (lines.length > 0 && !lines.includes('…')) this.count('operands', holdsAs(lines.join(' '), exactly(e.result), `${where}, operands`, { size: sizeOf(e) }));
  }
}

/** How large the numbers are that a result is made of: rounding in single precision is a share of these. */
const sizeOf = ({ terms, bias, result }: Explanation): number =>
  terms.reduce((sum, { product, left }) => sum + Math.max(...[product, left.value].map(Math.abs).filter(Number.isFinite), 0), Math.abs(bias?.value ?? 0) + (Number.isFinite(result) ? Math.abs(result) : 0));

/** @returns how many pieces of each kind were worked out */
export function checkArithmetic({ picture, reference }: Known, random: Random, what: string): ReadonlyMap<string, number> {
  const { trace } = picture;
  const check = new Check(picture, reference, what);
  const { H, T, S } = trace.shape;
  for (let n = 0; n < 3; n += 1) check.cell({ head: random.whole(0, H - 1), query: random.whole(0, T - 1), key: random.whole(0, S - 1) });
  for (const id of stagesOf(trace)) {
    const arrays: ArrayId[] = [id, ...parametersOf(trace, id) as ParameterId[]];
    for (const array of arrays) {
      const count = trace.extents(array).reduce((product, each) => product * each, 1);
      check.number(array, random.whole(0, count - 1));
    }
  }
  return check.found;
}
