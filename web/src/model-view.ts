// What shows a language model; it comes when the first one has.
export { ModelPanel } from './model-panel.ts';
export { modelStyles } from './styles/model.ts';
