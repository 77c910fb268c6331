// A lab in the element. Loaded with the first lab, together with the code that labs share.
import type { Engine } from '../engine/engine.ts';
import { exportedFigure, openLab } from '../labs/index.ts';
import type { Lab, LabInput, LabTools } from '../labs/kit/lab.ts';
import { adopt } from '../lib/dom.ts';
import { painted } from '../lib/schedule.ts';
import { writeLabLink } from '../link/fields.ts';
import type { LabName } from '../state/views.ts';

export interface LabWanted extends LabInput { name: LabName }

export interface LabEvents extends Pick<LabTools, 'changed' | 'answered'> {
  /** What it is drawn in takes its place. */
  shown(content: Element): void;
  /** It has been drawn for the first time. */
  ready(): void;
  failed(error: unknown, again: () => void): void;
}

export class LabHost {
  #shown: { name: LabName; lab: Pick<Lab, 'update' | 'free'>; place: Element } | null = null;
  #loading: LabName | null = null;

  constructor(private readonly root: ShadowRoot, private readonly engine: () => Promise<Engine>, private readonly wanted: () => LabWanted, private readonly events: LabEvents) {
    this.update();
  }

  update(): void {
    const wanted = this.wanted();
    if (this.#shown?.name === wanted.name) this.#shown.lab.update(wanted);
    else if (this.#loading !== wanted.name) void this.#show(wanted.name);
  }

  /** The figure of that number or title, as its buttons give it; null while there is none. @throws Error with a sentence */
  async exported(kind: 'svg' | 'png' | 'csv' | 'json', which: string, about: object): Promise<string | Blob | null> {
    return this.#shown && exportedFigure(this.#shown.place, kind, which, about);
  }

  /** To this lab, as it is set. */
  get link(): string {
    const { name: view, text, preset } = this.wanted();
    return writeLabLink({ view, text, preset });
  }

  free(): void {
    this.#loading = null;
    this.#shown?.lab.free();
    this.#shown = null;
  }

  async #show(name: LabName): Promise<void> {
    this.free();
    this.#loading = name;
    try {
      // Of its own: what was rendered here before belongs to another.
      const place = document.createElement('div');
      const { lab, styles } = await openLab(name, place, this.engine(), this.events);
      // The view may have changed meanwhile.
      if (this.#loading !== name) return lab.free();
      this.#loading = null;
      adopt(this.root, styles);
      this.#shown = { name, lab, place };
      this.events.shown(place);
      lab.update(this.wanted());
      await lab.settled;
      // Figures take their widths from a first layout.
      await painted();
      if (this.#shown?.lab !== lab) return;
      this.events.ready();
    } catch (error) {
      if (this.#loading !== name && this.#shown?.name !== name) return;
      this.free();
      this.events.failed(error, () => this.update());
    }
  }
}
