// Opens a lesson on how attention learns.
import { AttentionError } from '../error.ts';
import type { OpenTraining } from './types.ts';

export type * from './types.ts';
export { LESSONS } from './types.ts';

export const openTraining: OpenTraining = async () => {
  throw new AttentionError('not_built', 'Training is not built into this page yet.');
};
