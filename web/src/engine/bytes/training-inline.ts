// The bytes of training's module, which the build puts beside this.
import { inflate } from './inflate.ts';

declare const TRAINING: string;

export const trainingBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(TRAINING);
