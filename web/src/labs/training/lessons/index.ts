// The lessons in the order in which they are read.
import type { Lesson } from '../lesson.ts';
import { heads } from './heads.ts';
import { lookBack } from './look-back.ts';
import { mask } from './mask.ts';
import { positions } from './positions.ts';
import { scale } from './scale.ts';
import { standsFor } from './stands-for.ts';
import { words } from './words.ts';

export const ALL: readonly Lesson[] = [lookBack, mask, scale, heads, words, positions, standsFor];
