// Which language an element's surroundings ask for: its own `lang`, or the nearest around it. Follows both when they change.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { atMost } from '../lib/dom.ts';
import { languageAround, languageLoading, missingLanguage, onLanguage, speak } from '../lib/language.ts';

/** A first figure does not wait longer for the words of another language. */
const PATIENCE_MS = 2000;

export interface LanguageEvents {
  /** All is to be said again. */
  changed(): void;
  /** The wanted language could not be loaded: a sentence on it. */
  missing(say: () => string): void;
}

export class LanguageController implements ReactiveController {
  readonly #watch = new MutationObserver(() => this.listen());
  #end = (): void => {};

  constructor(private readonly host: ReactiveControllerHost & Element, private readonly events: LanguageEvents) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#end = onLanguage(() => this.events.changed());
    this.#watch.observe(document.documentElement, { attributeFilter: ['lang'] });
    this.listen();
  }

  hostDisconnected(): void {
    this.#end();
    this.#watch.disconnect();
  }

  listen(): void {
    if (!this.host.isConnected) return;
    const loading = languageLoading();
    // The page may be on its way to another language, which its `lang` says only when the words are there.
    if (loading) return void loading.then(() => this.listen());
    const wanted = languageAround(this.host);
    void speak(wanted).then((isThere) => {
      if (!isThere) this.events.missing(() => missingLanguage(wanted));
    });
  }

  /** The first figure comes in its language; null where there is nothing to wait for. */
  get firstWords(): Promise<unknown> | null {
    const loading = languageLoading();
    return loading && atMost(PATIENCE_MS, loading);
  }
}
