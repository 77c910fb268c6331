// Registers the tag, unless another copy of the script already has.
import { AttentionPlayground } from './element.ts';

declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
}

const TAG = 'attention-playground';
// There is none where pages are rendered ahead.
const registry = globalThis.customElements as CustomElementRegistry | undefined;
const other = registry?.get(TAG) as { version?: string } | undefined;

if (!other) registry?.define(TAG, AttentionPlayground);
else if (other.version !== AttentionPlayground.version) {
  console.info(`<${TAG}> is defined already, by version ${other.version ?? 'unknown'}; version ${AttentionPlayground.version} leaves it so. Load one of the two.`);
}

export { AttentionPlayground };
