// What shows a language model; it comes when the first one has.
export { ModelPanel } from './panel.ts';
export { modelStyles } from '../styles/language-model.ts';
