// A lesson in the element's place: its player is fetched when it comes near the screen, and let go when the element goes.
import { msg } from '@lit/localize';
import { html, render } from 'lit';
import { Engine } from '../engine/engine.ts';
import type { Theme } from '../lib/colour.ts';
import { Near, adopt } from '../lib/dom.ts';
import { onLanguage } from '../lib/language.ts';
import type { Player } from '../lesson/index.ts';
import { playgroundAddress } from './open-link.ts';

export interface LessonInput {
  /** What the author gave; null for the lesson that is shipped. */
  raw: unknown;
  /** The reader's sentence; null for the lesson's own. */
  text: string | null;
  theme: Theme;
  playground: unknown;
}

export interface LessonEvents {
  changed(state: { step: string; shown: boolean; text: string | null }): void;
  ready(): void;
  failed(problem: { code: string; message: string }): void;
}

export class LessonHost {
  readonly #near: Near;
  #player: Player | null = null;
  #input: LessonInput | null = null;
  #played: unknown = undefined;
  #isComing = false;
  #end = (): void => {};

  constructor(private readonly element: HTMLElement & { coreSrc: string; loading: string }, private readonly events: LessonEvents) {
    this.#near = new Near(element);
  }

  update(place: HTMLElement, input: LessonInput): void {
    this.#input = input;
    if (this.#player) return this.#take(this.#player, input);
    this.#near.wait(this.element.loading === 'eager', () => void this.#bring(place));
  }

  async #bring(place: HTMLElement): Promise<void> {
    if (this.#isComing) return;
    this.#isComing = true;
    try {
      const { Player, lessonStyles } = await import('../lesson/index.ts');
      if (!this.#input) return;
      const root = place.getRootNode() as ShadowRoot;
      adopt(root, [...(this.element.constructor as unknown as { elementStyles: never[] }).elementStyles, lessonStyles]);
      this.#player = new Player(place, Engine.load(this.element.coreSrc), {
        moved: ({ step, shown, text }) => this.events.changed({ step, shown, text }),
        playground: (text) => playgroundAddress(this.#input?.playground, text === null ? '' : `#text=${encodeURIComponent(text)}`),
        ready: () => this.events.ready(),
      });
      root.addEventListener('keydown', (event) => this.#player?.key(event as KeyboardEvent));
      this.#end = onLanguage(() => {
        this.#played = undefined;
        if (this.#player && this.#input) this.#take(this.#player, this.#input);
      });
      this.#take(this.#player, this.#input);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      render(html`<p class="problem" role="alert">${msg('The lesson could not be loaded.')} ${message}</p>`, place);
      this.events.failed({ code: 'lesson_unavailable', message });
    } finally {
      this.#isComing = false;
    }
  }

  #take(player: Player, input: LessonInput): void {
    player.theme = input.theme;
    if (this.#played !== undefined && this.#played === input.raw) return;
    this.#played = input.raw;
    void this.#play(player, input);
  }

  async #play(player: Player, { raw, text }: LessonInput): Promise<void> {
    const { readLesson, shippedLesson } = await import('../lesson/index.ts');
    try {
      player.play(raw === null ? await shippedLesson() : readLesson(raw), { text });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      player.fail(message);
      this.events.failed({ code: 'bad_lesson', message });
    }
  }

  disconnect(): void {
    this.#near.stop();
    this.#end();
    this.#player?.free();
    this.#player = null;
    this.#input = null;
    this.#played = undefined;
  }
}
