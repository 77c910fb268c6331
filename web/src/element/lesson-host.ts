// A lesson in the element. Loaded with the first lesson, together with its player.
import { Engine } from '../engine/engine.ts';
import type { Theme } from '../lib/colour.ts';
import { adopt } from '../lib/dom.ts';
import { language, onLanguage } from '../lib/language.ts';
import { readLesson } from '../lesson/format.ts';
import { fieldOf } from '../link/fields.ts';
import { Player } from '../lesson/player.ts';
import { shippedLesson } from '../lesson/shipped.ts';
import { lessonStyles } from '../lesson/styles.ts';
import { styles } from '../ui/styles/first.ts';
import { playgroundAddress } from './surroundings.ts';

export interface LessonInput {
  /** What the author gave; null for the lesson that is shipped. */
  raw: unknown;
  /** The reader's sentence; null for the lesson's own. */
  text: string | null;
  /** “step=choose”: the step that it opens at. */
  preset: string;
  theme: Theme;
}

interface LessonElement extends HTMLElement {
  readonly coreSrc: string;
  readonly playground: unknown;
  emit(name: string, detail: unknown): void;
}

export class LessonHost {
  readonly #player: Player;
  readonly #end: () => void;
  #preset: string;
  #played: unknown = undefined;
  #opened = '';

  constructor(private readonly element: LessonElement, private readonly place: HTMLElement, private readonly wanted: () => LessonInput) {
    const root = place.getRootNode() as ShadowRoot;
    place.toggleAttribute('data-waiting', true);
    adopt(root, [...styles, lessonStyles]);
    this.#preset = wanted().preset;
    this.#player = new Player(place, Engine.load(element.coreSrc), {
      moved: ({ step, shown, text }) => element.emit('attention-change', { view: 'lesson', step, shown, text }),
      playground: (state) => playgroundAddress(element.playground, state),
      ready: () => {
        place.removeAttribute('data-waiting');
        element.emit('attention-ready', { view: 'lesson' });
      },
    });
    root.addEventListener('keydown', this.#keyed);
    this.#end = onLanguage(() => {
      this.#played = undefined;
      this.update();
    });
    this.update();
  }

  readonly #keyed = (event: Event): void => this.#player.key(event as KeyboardEvent);

  update(): void {
    const input = this.wanted();
    const isTurned = input.preset !== this.#preset;
    this.#preset = input.preset;
    this.#player.theme = input.theme;
    if (this.#played === undefined || this.#played !== input.raw) {
      this.#played = input.raw;
      void this.#play(input);
    } else if (isTurned) this.#player.go(stepOf(input));
  }

  async #play({ raw, text, preset }: LessonInput): Promise<void> {
    const spoken = language();
    try {
      const lesson = raw === null ? await shippedLesson() : readLesson(raw);
      if (this.#played !== raw || language() !== spoken) return;
      // Taken up once: the same lesson in another language goes on where the reader is.
      const place = preset === this.#opened ? {} : stepOf({ preset });
      this.#opened = preset;
      this.#player.play(lesson, { text, ...place });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.place.removeAttribute('data-waiting');
      this.#player.fail(message);
      this.element.emit('attention-error', { code: 'bad_lesson', message });
    }
  }

  free(): void {
    this.#end();
    this.element.shadowRoot?.removeEventListener('keydown', this.#keyed);
    this.#player.free();
  }
}

/** Nothing where none is said. */
function stepOf({ preset }: Pick<LessonInput, 'preset'>): { step?: string; shown?: boolean } {
  const step = fieldOf(preset, 'step');
  return step ? { step, shown: false } : {};
}
