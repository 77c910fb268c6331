import { explanationStyles } from './explanation.ts';
import { figureStyles } from './figure.ts';
import { inspectorStyles } from './inspector.ts';
import { panelStyles } from './panels.ts';
import { sentence } from './sentence.ts';
import { summedStyles } from './summed.ts';
import { switchStyles } from './switches.ts';
import { theme } from './theme.ts';
import { walkStyles } from './walk.ts';

export const styles = [theme, sentence, switchStyles, figureStyles, inspectorStyles, panelStyles, walkStyles, explanationStyles, summedStyles];
