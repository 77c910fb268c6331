// What is loaded, computed and drawn once its fold is open.
import { msg } from '@lit/localize';
import { noChange, nothing } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { type ChildPart, directive } from 'lit/directive.js';
import { adoptMore } from '../../lib/dom.ts';
import { language } from '../../lib/language.ts';
import type { StageWalk, StageWalkData } from './stage-walk.ts';

class Drill extends AsyncDirective {
  #fold: HTMLDetailsElement | null = null;
  #data: StageWalkData | null = null;
  #language = '';
  #walk: StageWalk | null = null;
  #problem = '';

  override render(_data: StageWalkData): unknown {
    return noChange;
  }

  override update(part: ChildPart, [data]: [StageWalkData]): unknown {
    const before = this.#data;
    this.#data = data;
    // While it plays, each frame comes by.
    if (before && isSame(before, data) && this.#language === language()) return noChange;
    this.#language = language();
    if (!this.#fold) (this.#fold = part.parentNode as HTMLDetailsElement).addEventListener('toggle', () => this.#draw());
    return this.#view();
  }

  #view(): unknown {
    const { open } = this.#fold ?? {};
    if (!open || !this.#data) return nothing;
    if (this.#walk) return this.#walk.view(this.#data);
    if (this.#problem === '') void this.#load();
    return this.#problem || msg('Loading…');
  }

  async #load(): Promise<void> {
    try {
      const { StageWalk, walkStyles } = await import('./stage-walk.ts');
      if (!this.#walk) adoptMore((this.#fold as HTMLElement).getRootNode() as ShadowRoot, walkStyles);
      this.#walk ??= new StageWalk(this.#fold as HTMLElement, () => this.#draw());
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#draw();
    // Opened again, it may be there.
    this.#problem = '';
  }

  #draw(): void {
    if (this.isConnected) this.setValue(this.#view());
  }
}

const isSame = (a: StageWalkData, b: StageWalkData): boolean => a.state === b.state && a.layer === b.layer && a.head === b.head && a.place.row === b.place.row && a.place.column === b.place.column && a.paint === b.paint;

/** Stands in a fold, behind its summary. */
export const drill = directive(Drill);
