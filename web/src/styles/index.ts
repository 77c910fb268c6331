import { figureStyles } from './figure.ts';
import { inspectorStyles } from './inspector.ts';
import { sentence } from './sentence.ts';
import { switchStyles } from './switches.ts';
import { theme } from './theme.ts';

export const styles = [theme, sentence, switchStyles, figureStyles, inspectorStyles];
