import { belowStyles } from './below.ts';
import { figureStyles } from './figure.ts';
import { sentence } from './sentence.ts';
import { theme } from './theme.ts';
import { touchStyles } from './touch.ts';
import { viewStyles } from './views.ts';

/** Of what is seen first; `whole.ts` holds all. */
export const styles = [theme, sentence, figureStyles, belowStyles, viewStyles, touchStyles];
