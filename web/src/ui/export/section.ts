// The part of the page from which things are taken along; what makes them comes when it is opened.
import { msg } from '@lit/localize';
import { html, render } from 'lit';
import type { TakeEvents, TakePanel } from './panel.ts';

export class Taking {
  #open = false;
  #panel: TakePanel | null = null;
  #failed = false;

  constructor(private readonly host: HTMLElement, private readonly events: TakeEvents) {}

  update(isShown = !this.host.hidden): void {
    this.host.hidden = !isShown || !this.events.now();
    this.#show();
    if (this.#open) this.#panel?.update();
  }

  #show(): void {
    render(html`
      <details class="take" ?open=${this.#open} @toggle=${(event: Event) => void this.#toggle((event.target as HTMLDetailsElement).open)}>
        <summary><h2>${msg('Take it with you')}</h2></summary>
        <p class="problem" role="alert">${this.#failed ? msg('This part could not be loaded. Check that you are online, close it and open it again.') : ''}</p>
        <div class="take-body"></div>
      </details>
    `, this.host);
  }

  async #toggle(open: boolean): Promise<void> {
    this.#open = open;
    if (!open) return;
    try {
      const { TakePanel } = await import('./panel.ts');
      this.#panel ??= new TakePanel(this.host.querySelector('.take-body') as HTMLElement, this.events);
      this.#failed = false;
    } catch {
      this.#failed = true;
    }
    this.update();
  }
}
