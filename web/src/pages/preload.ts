// The page's first script: the engine is asked for while the others are still on their way, and what they are all built on
// is made meanwhile.
import 'lit';
import { Engine } from '../engine/engine.ts';
import { keepScreenSheet } from '../ui/late.ts';
import { styles } from '../ui/styles/first.ts';
import { screenStyles } from '../ui/styles/screen.ts';

// Whoever needs it says what went wrong.
Engine.load().catch(() => {});
keepScreenSheet(screenStyles);
for (const sheet of [...styles, screenStyles]) void sheet.styleSheet;
