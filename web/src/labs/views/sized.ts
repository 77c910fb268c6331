// What is drawn to the width that it has: again when that changes, before the browser paints.
import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { type ChildPart, type PartInfo, PartType, directive } from 'lit/directive.js';
import { widthProbe } from '../../width-probe.ts';

/** Until the first layout, within the same frame. */
const UNMEASURED = 560;

class Sized extends AsyncDirective {
  #draw: (width: number) => unknown = () => noChange;
  #width = 0;
  #host: Element | null = null;
  #probe: Element | null = null;
  readonly #resizes = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.setValue(this.#draw(width));
  });

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new Error('sized() stands between tags.');
  }

  override render(draw: (width: number) => unknown): unknown {
    return draw(this.#width || UNMEASURED);
  }

  override update(part: ChildPart, [draw]: [draw: (width: number) => unknown]): unknown {
    this.#draw = draw;
    const host = part.parentNode as Element;
    if (host !== this.#host) {
      this.#resizes.disconnect();
      this.#probe?.remove();
      this.#resizes.observe(this.#probe = widthProbe(host));
      this.#host = host;
    }
    return this.render(draw);
  }

  protected override disconnected(): void {
    this.#resizes.disconnect();
  }

  protected override reconnected(): void {
    if (this.#probe) this.#resizes.observe(this.#probe);
  }
}

/** `draw` is given the width of the element around it, in CSS pixels. */
export const sized = directive(Sized);
