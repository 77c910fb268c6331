// The name that makes radio buttons one group, taken off before they go: Chromium keeps every radio button that was ever
// removed from a shadow tree while it had a name, and all that hung on it.
import { noChange } from 'lit';
import { AsyncDirective, type DirectiveParameters, type ElementPart, directive } from 'lit/async-directive.js';

class RadioGroup extends AsyncDirective {
  #element: HTMLInputElement | null = null;
  #name = '';

  override render(_name: string): unknown {
    return noChange;
  }

  override update(part: ElementPart, [name]: DirectiveParameters<this>): unknown {
    this.#element = part.element as HTMLInputElement;
    this.#name = name;
    if (this.#element.name !== name) this.#element.name = name;
    return noChange;
  }

  protected override disconnected(): void {
    this.#element?.removeAttribute('name');
  }

  protected override reconnected(): void {
    if (this.#element) this.#element.name = this.#name;
  }
}

export const radioGroup = directive(RadioGroup);
