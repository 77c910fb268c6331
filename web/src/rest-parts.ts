// What `rest.ts` asks for right after the first figure.

export { noticeWords } from './core-words.ts';
export { pinnedWords } from './pinned-words.ts';
export { wholeStyles } from './styles/whole.ts';
export { SwitchesPart } from './switches-part.ts';
export { TaskPart } from './task-part.ts';
export { inspector } from './views/inspector.ts';
export { pin } from './views/pin.ts';
export { fromAt, rowAtKey } from './views/row-table.ts';
export { addRow, summedCaption } from './views/summed.ts';
export { weightsTable } from './views/weights-table.ts';
