import { viewStyles } from './alone.ts';
import { figureStyles } from './figure.ts';
import { belowStyles } from './page.ts';
import { sentence } from './sentence.ts';
import { theme, touchStyles } from './theme.ts';

/** Of what is seen first; `late.ts` has all. */
export const styles = [theme, sentence, figureStyles, belowStyles, viewStyles, touchStyles];
