// The part of the page from which things are taken along; what makes them comes when it is opened.
import { html, render } from 'lit';
import type { TakeInput, TakePanel } from './take/panel.ts';

export class Taking {
  #open = false;
  #panel: TakePanel | null = null;
  #input: TakeInput | null = null;
  #problem = '';

  constructor(private readonly host: HTMLElement) {}

  update(input: TakeInput | null): void {
    this.#input = input;
    this.host.hidden = !input;
    this.#show();
    if (this.#open) this.#panel?.update(input);
  }

  #show(): void {
    render(html`
      <details class="take" ?open=${this.#open} @toggle=${(event: Event) => void this.#toggle((event.target as HTMLDetailsElement).open)}>
        <summary><h2>Take it with you</h2></summary>
        <p class="problem" role="alert">${this.#problem}</p>
        <div class="take-body"></div>
      </details>
    `, this.host);
  }

  async #toggle(open: boolean): Promise<void> {
    this.#open = open;
    if (!open) return;
    try {
      const { TakePanel } = await import('./take/panel.ts');
      this.#panel ??= new TakePanel(this.host.querySelector('.take-body') as HTMLElement);
      this.#problem = '';
    } catch {
      this.#problem = 'This part could not be loaded. Look whether you are online, close it and open it again.';
    }
    this.update(this.#input);
  }
}
