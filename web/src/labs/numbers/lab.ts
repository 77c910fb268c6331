// Numbers that texts print, computed again and open to change.
import { msg, str } from '@lit/localize';
import type { TemplateResult } from 'lit';
import { count } from '../../lib/format.ts';
import { parseNumber } from '../../lib/parse.ts';
import type { Draft } from '../kit/controls.ts';
import { Lab, type LabTools } from '../kit/lab.ts';
import { ARRAYS_OF, type ArrayName, FIELDS, type Knobs, MOST, MOST_SPLIT } from './examples.ts';
import { numbersView } from './view.ts';

const startOf = <Name extends ArrayName>(name: Name): Knobs[Name] => FIELDS[name].start;

export default class NumbersLab extends Lab<Knobs> {
  /** What stands in the field that is being typed in. */
  #draft: Draft<ArrayName> | null = null;

  constructor(host: HTMLElement, tools: LabTools) {
    super(host, tools, FIELDS);
  }

  protected override view(): TemplateResult {
    const { knobs } = this;
    return numbersView({
      knobs, engine: this.engine, paint: this.paint, draft: this.#draft,
      isAsPrinted: ARRAYS_OF[knobs.example].every((name) => FIELDS[name].format(knobs[name]) === FIELDS[name].format(startOf(name))),
      run: (name, tokens, settings, more) => this.run(name, tokens, settings, more),
    }, {
      example: (example) => {
        this.#draft = null;
        this.change({ example });
      },
      row: (row) => this.change({ row: row + 1 }),
      set: (part) => this.change(part),
      type: (array, index, text) => this.#type(array, index, text),
      leave: () => {
        this.#draft = null;
        this.show();
      },
      asPrinted: () => {
        this.#draft = null;
        this.change(Object.fromEntries(ARRAYS_OF[knobs.example].map((name) => [name, startOf(name)])));
      },
    });
  }

  /** Text stays as typed until the field is left: "0." must not turn into "0" under the reader's hands. */
  #type(array: ArrayName, index: number, text: string): void {
    const value = parseNumber(text);
    const before = this.knobs[array];
    const problem = problemWith(array, text, value, before[index] ?? 0);
    this.#draft = { array, index, text, problem };
    if (value === null || problem) this.show();
    else this.change({ [array]: before.with(index, value) });
  }
}

function problemWith(array: ArrayName, text: string, value: number | null, still: number): string | null {
  const isWhole = array === 'split';
  if (text.trim() === '') return msg(str`Type a number. Still ${count(still)}.`);
  if (value === null) return msg(str`“${text.slice(0, 20)}” is not a number. Still ${count(still)}.`);
  if (isWhole && (!Number.isInteger(value) || value < 1 || value > MOST_SPLIT)) return msg(str`Whole numbers from 1 to ${count(MOST_SPLIT)} go here. Still ${count(still)}.`);
  if (!isWhole && Math.abs(value) > MOST) return msg(str`Numbers from −${count(MOST)} to ${count(MOST)} go here. Still ${count(still)}.`);
  return null;
}
