// What shows one row stage by stage; it comes behind the first figure.
export { StageView } from './stage.ts';
export { stageStyles } from '../styles/stage.ts';
