// What figures are computed by. A build whose script carries a smaller engine for its first figure puts first-engine.ts in
// this one's place.
import { Engine } from './engine.ts';
import type { FirstEngine } from './first-engine.ts';

/** What is there soonest. @param coreSrc where attention.wasm lies, when not beside the script */
export const startEngine = (coreSrc: string): Promise<Engine | FirstEngine> => Engine.load(coreSrc);

/** The engine with all that it can do. */
export const wholeEngine = (coreSrc: string): Promise<Engine> => Engine.load(coreSrc);
