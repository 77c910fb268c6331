// The chunk that `element/page-parts.ts` loads after the first figure.
import { mathStyles } from './styles/math.ts';
import { explanationStyles, panelStyles, walkStyles } from './styles/below.ts';

export { Panels } from './parameters/panels.ts';
export { Taking } from './export/section.ts';
export { Walk } from './walk/walk.ts';
export const laterStyles = [panelStyles, mathStyles, walkStyles, explanationStyles];
