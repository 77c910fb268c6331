// Registers the tag, unless another copy of the script already has.
import { AttentionPlayground } from './attention-playground.ts';

declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
}

if (!customElements.get('attention-playground')) customElements.define('attention-playground', AttentionPlayground);

export { AttentionPlayground };
