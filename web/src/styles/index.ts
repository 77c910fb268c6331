import { belowStyles } from './below.ts';
import { figureStyles } from './figure.ts';
import { inspectorStyles } from './inspector.ts';
import { touchStyles } from './touch.ts';
import { printStyles } from './print.ts';
import { pinStyles } from './pin.ts';
import { sentence } from './sentence.ts';
import { summedStyles } from './summed.ts';
import { switchStyles } from './switches.ts';
import { theme } from './theme.ts';
import { viewStyles } from './views.ts';

/** Of what is seen first; `below-parts.ts` brings the rest. */
export const styles = [theme, sentence, switchStyles, figureStyles, inspectorStyles, belowStyles, pinStyles, summedStyles, viewStyles, touchStyles, printStyles];
