// Layouts of models that were not trained for this page.
import { msg, str } from '@lit/localize';
import { bert, distilbert } from './bert-layout.ts';
import { hasBesides } from './config-rules.ts';
import { parseObject } from './configuration.ts';
import { gpt2, neo } from './gpt2-layout.ts';
import { llama, llamaByMeta } from './llama-layout.ts';
import type { Beside, Layout } from './load.ts';
import { neox } from './neox-layout.ts';
import { broken, quote } from './safetensors.ts';

/** The first that knows a file reads it. */
export const OTHER_LAYOUTS: readonly Layout[] = [neo, gpt2, llama, llamaByMeta, neox, distilbert, bert];

/** Of adapters (LoRA), which change a model. */
const ADAPTS = /\.lora_[AB]\b/;

/** By its own name, where config.json says it. @param names its tensors' */
export function unknownLayout({ config }: Beside, names: readonly string[]): Error {
  if (names.some((name) => ADAPTS.test(name))) return broken(msg('This is an adapter (LoRA), which changes a model and holds none. Merge it with merge_and_unload() of peft, and choose what save_pretrained() then writes.'));
  const kinds = 'GPT-2, GPT-Neo, Llama, GPT-NeoX, BERT';
  const { model_type: type } = config === undefined ? {} : parseObject(config, 'config.json');
  const what = hasBesides(type);
  if (what) return broken(msg(str`config.json calls this a model of the type ${quote(String(type))}. It has ${what}, which cannot be run yet. Models of these kinds can: ${kinds}. Choose one of them.`));
  return broken(typeof type === 'string'
    ? msg(str`config.json calls this a model of the type ${quote(type)}, and its tensors have names that no model that can be run has. Models of these kinds can: ${kinds}. Choose one of them.`)
    : msg(str`The file’s tensors are named neither as this page’s models nor as those of these kinds: ${kinds}. Choose such a model.`));
}
