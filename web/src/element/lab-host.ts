// A lab in the element's place: fetched when it comes near the screen, and let go when the element goes.
import { msg } from '@lit/localize';
import { html, render } from 'lit';
import { Engine } from '../engine/engine.ts';
import type { Lab, LabInput, LabTools } from '../labs/kit/lab.ts';
import { adopt } from '../lib/dom.ts';
import type { LabName } from '../state/views.ts';

export interface LabEvents extends Pick<LabTools, 'changed' | 'answered'> {
  /** The lab has been drawn for the first time. */
  ready(): void;
  failed(problem: { code: string; message: string }): void;
}

export class LabHost {
  #shown: { name: LabName; lab: Pick<Lab, 'update' | 'free'>; place: Element } | null = null;
  #wanted: LabName | null = null;
  #input: LabInput | null = null;
  #loading: LabName | null = null;
  #near = false;
  #watch: IntersectionObserver | null = null;

  constructor(private readonly coreSrc: () => string, private readonly events: LabEvents) {}

  update(host: HTMLElement, name: LabName, input: LabInput): void {
    this.#wanted = name;
    this.#input = input;
    if (!this.#watch) {
      this.#watch = new IntersectionObserver((entries) => {
        this.#near ||= entries.some(({ isIntersecting }) => isIntersecting);
        if (this.#near) void this.#show(host);
      }, { rootMargin: '600px' });
      this.#watch.observe(host);
      if (!this.#shown) host.classList.add('waiting');
    }
    if (this.#near) void this.#show(host);
  }

  /** The figure of that number or title, as its buttons give it. @throws Error with a sentence */
  async exported(kind: 'svg' | 'png' | 'csv' | 'json', which: string, about: object): Promise<string | Blob> {
    const { exportedFigure } = await import('../labs/index.ts');
    if (!this.#shown) throw new Error(msg('There is no figure yet: wait for attention-ready.'));
    return exportedFigure(this.#shown.place, kind, which, about);
  }

  disconnect(): void {
    this.#watch?.disconnect();
    this.#watch = null;
    this.#near = false;
    this.#wanted = null;
    this.#leave();
  }

  #leave(): void {
    this.#shown?.lab.free();
    this.#shown = null;
  }

  async #show(host: HTMLElement): Promise<void> {
    const name = this.#wanted;
    const input = this.#input;
    if (!name || !input) return;
    if (this.#shown?.name === name) return this.#shown.lab.update(input);
    if (this.#loading === name) return;
    this.#loading = name;
    this.#leave();
    try {
      const { openLab } = await import('../labs/index.ts');
      // Of its own: what was rendered here before belongs to another.
      const place = document.createElement('div');
      const { lab, styles } = await openLab(name, place, Engine.load(this.coreSrc()), this.events);
      this.#loading = null;
      // Another may be wanted by now, or none.
      if (this.#wanted !== name) return this.#superseded(host, lab);
      adopt(host.getRootNode() as ShadowRoot, styles);
      this.#shown = { name, lab, place };
      render(place, host);
      lab.update(this.#input ?? input);
      await lab.settled;
      // Figures take their widths from a first layout.
      await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
      if (this.#shown?.lab !== lab) return;
      host.classList.remove('waiting');
      this.events.ready();
    } catch (error) {
      this.#loading = null;
      host.classList.remove('waiting');
      const message = error instanceof Error ? error.message : String(error);
      render(html`<p class="problem" role="alert">${msg('This lab could not be loaded.')} ${message} <button type="button" class="plain" @click=${() => void this.#show(host)}>${msg('Try again')}</button></p><slot></slot>`, host);
      this.events.failed({ code: 'lab_unavailable', message });
    }
  }

  #superseded(host: HTMLElement, lab: Pick<Lab, 'free'>): void {
    lab.free();
    if (this.#wanted) void this.#show(host);
  }
}
