// Layouts of models that were not trained for this page.
import { bert, distilbert } from './bert-layout.ts';
import { gpt2, neo } from './gpt2-layout.ts';
import { llama, llamaByMeta } from './llama-layout.ts';
import type { Layout } from './load.ts';
import { neox } from './neox-layout.ts';

/** The first that knows a file reads it. */
export const OTHER_LAYOUTS: readonly Layout[] = [neo, gpt2, llama, llamaByMeta, neox, distilbert, bert];
