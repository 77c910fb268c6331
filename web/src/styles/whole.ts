import type { CSSResult } from 'lit';
import { belowStyles } from './below.ts';
import { figureStyles } from './figure.ts';
import { inspectorStyles } from './inspector.ts';
import { pinStyles } from './pin.ts';
import { printStyles } from './print.ts';
import { sentence } from './sentence.ts';
import { summedStyles } from './summed.ts';
import { switchStyles } from './switches.ts';
import { theme } from './theme.ts';
import { touchStyles } from './touch.ts';
import { viewStyles } from './views.ts';

/** All of the figure's; `more` is of what lies below it. Touch and paper come last. */
export const wholeStyles = (more: readonly CSSResult[] = []): readonly CSSResult[] => [
  theme, sentence, switchStyles, figureStyles, inspectorStyles, belowStyles, pinStyles, summedStyles, viewStyles, ...more, touchStyles, printStyles,
];
