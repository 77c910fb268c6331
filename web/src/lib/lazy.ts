// A part of the page that comes when it is first wanted. A failed try says so, and the reader may ask again.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';

export class Later<Part> {
  #here: Part | null = null;
  #isComing = false;
  #isMissing = false;

  /** `update` draws again: it is here, or it is missing. */
  constructor(private readonly fetch: () => Promise<Part>, private readonly update: () => void) {}

  get here(): Part | null {
    return this.#here;
  }

  async bring(): Promise<void> {
    if (this.#isComing) return;
    this.#isComing = true;
    try {
      this.#here = await this.fetch();
      this.#isMissing = false;
    } catch {
      this.#isComing = false;
      this.#isMissing = true;
    }
    this.update();
  }

  /** In its place until it is here; asks for it. */
  room(): TemplateResult | typeof nothing {
    if (!this.#isMissing) void this.bring();
    return this.#isMissing ? html`<p class="problem" role="alert">${msg('This part could not be loaded.')} <button type="button" class="plain" @click=${() => void this.bring()}>${msg('Try again')}</button></p>` : nothing;
  }
}
