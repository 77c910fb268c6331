// The chunk that `late.ts` loads right after the first figure.

export { noticeWords } from '../text/core-sentences.ts';
export { Pin } from '../state/comparison.ts';
export { pinnedWords } from '../text/settings.ts';
export { wholeStyles } from './styles/late.ts';
export { SwitchesPart } from './settings/settings.ts';
export { TaskPart } from './task/task.ts';
export { inspector } from './inspector/inspector.ts';
export { differenceLegend, maskTools, pin } from './figure/tools.ts';
export { fromAt, rowAtKey } from './inspector/tables.ts';
export { nudge } from './kit/nudge.ts';
export { earlierList } from './sentence/earlier.ts';
export { addRow, summedCaption } from './sentence/summed-rows.ts';
export { weightsTable } from './inspector/tables.ts';
