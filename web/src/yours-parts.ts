// What `panels.ts` asks for when the parameters are the reader's own.
export { Yours } from './yours.ts';
export { yours } from './views/yours.ts';
