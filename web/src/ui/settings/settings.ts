// The line of switches: what is chosen, slid and typed there, and what each says that it does.
import type { TemplateResult } from 'lit';
import { short } from '../../lib/format.ts';
import { type Picture, isCross, weightsRow } from '../../state/result.ts';
import { type Effect, KNOBS, SETTINGS, type SettingName, setting } from '../../state/settings.ts';
import type { Store } from '../../state/store.ts';
import type { Part } from '../../state/views.ts';
import { NumberFields } from './number-fields.ts';
import { isFixed, switches } from './template.ts';

export class SwitchesPart {
  readonly #fields = new NumberFields();
  #moreOpen = false;

  constructor(private readonly store: Store, private readonly update: () => void) {}

  render(parts: ReadonlySet<Part>, isNarrow: boolean): TemplateResult {
    const { picture, knobs } = this.store;
    return switches(
      {
        settings: knobs, effect: picture && this.#effect(picture), problems: this.#fields.problems, drafts: this.#fields.drafts,
        isNarrow, isWhole: parts.has('rest'), isLocked: (name) => !this.store.may(name), moreOpen: this.#moreOpen, changed: SETTINGS.filter((each) => each.group !== 'Main' && !isFixed(each, knobs.source, Boolean(picture?.reading)) && each.format(knobs) !== each.format(KNOBS)).length,
      },
      {
        choose: (name, value) => this.#turn(name, value),
        slide: (name, value) => this.#turn(name, value, name),
        type: (name, text) => this.#type(name, text),
        settle: (name) => {
          this.#fields.settle(name);
          this.update();
        },
        more: () => {
          this.#moreOpen = !this.#moreOpen;
          this.update();
        },
      },
    );
  }

  #turn(name: SettingName, value: string, kind = ''): void {
    const wanted = setting(name).parse(value);
    if (!wanted) return;
    this.store.clearNotices();
    this.#fields.clear();
    this.store.turn(wanted, kind);
  }

  #type(name: SettingName, text: string): void {
    const { knobs } = this.store;
    const wanted = this.#fields.type(name, text, {
      settings: knobs,
      words: name === 'scale' ? `× ${short(this.store.picture?.trace.factor ?? knobs.scale_factor)}` : setting(name).format(knobs),
      clamp: (other) => this.store.clamp(other),
    });
    if (wanted) {
      this.store.clearNotices();
      this.store.turn(wanted, name);
    }
    this.update();
  }

  /** What a line under a switch does not ask for is not computed. */
  #effect(picture: Picture): Effect {
    const { trace, hidden } = picture;
    const { head, query } = this.store.selection;
    const { source, rows, layer, actsOn } = this.store.knobs;
    return {
      settings: { ...trace.settings, source, rows, layer, actsOn }, layers: picture.reading?.reader.configuration.layers ?? 0, shape: trace.shape, factor: trace.factor, hidden, cross: isCross(picture),
      get largest() {
        return Math.max(...weightsRow(picture, head, query));
      },
      get dropped() {
        const kept = trace.head('dropped_weights', head);
        return trace.head('weights', head).reduce((gone, weight, i) => gone + Number(weight !== 0 && kept[i] === 0), 0);
      },
    };
  }
}
