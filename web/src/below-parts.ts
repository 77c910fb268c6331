// What `below.ts` asks for after the first figure.
import { explanationStyles } from './styles/explanation.ts';
import { mathStyles } from './styles/math.ts';
import { panelStyles } from './styles/panels.ts';
import { walkStyles } from './styles/walk.ts';

export { Panels } from './panels.ts';
export { Taking } from './taking.ts';
export { Walk } from './walk.ts';
export const laterStyles = [panelStyles, mathStyles, walkStyles, explanationStyles];
