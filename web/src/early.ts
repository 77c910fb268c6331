// The engine is asked for before anything is drawn: it comes while the page draws itself without it.
import { Engine } from './engine.ts';

// Whoever needs it says what went wrong.
Engine.load().catch(() => {});
