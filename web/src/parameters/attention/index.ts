// What language-model/index.ts asks for when files without a model are chosen.
import { loadOperators } from '../../engine/operators/operators.ts';
import { readAttention } from './files.ts';
import { AttentionReader } from './reader.ts';

/** Null where no file looks as if it held attention. @throws AttentionError with a sentence */
export async function openAttention(files: readonly File[]): Promise<AttentionReader | null> {
  const attention = await readAttention(files);
  return attention && new AttentionReader(attention, await loadOperators());
}
