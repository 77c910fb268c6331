// What `element/page-parts.ts` asks for after the first figure.
import { mathStyles } from './styles/math.ts';
import { panelStyles } from './styles/panels.ts';
import { explanationStyles, walkStyles } from './styles/walk.ts';

export { Panels } from './parameters/panels.ts';
export { Taking } from './export/section.ts';
export { Walk } from './walk/walk.ts';
export const laterStyles = [panelStyles, mathStyles, walkStyles, explanationStyles];
