import { viewStyles } from './alone.ts';
import { figureStyles } from './figure.ts';
import { belowStyles } from './page.ts';
import { screenStyles } from './screen.ts';
import { sentence } from './sentence.ts';
import { theme, touchStyles } from './theme.ts';

/** Of what is seen first; `whole.ts` holds all. */
export const styles = [theme, sentence, figureStyles, belowStyles, viewStyles, screenStyles, touchStyles];
