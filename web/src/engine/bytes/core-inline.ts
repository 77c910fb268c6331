// The engine's bytes, which the build puts beside this.
import { inflate } from './inflate.ts';

declare const CORE: string;

export const coreBytes = (): Promise<Uint8Array<ArrayBuffer>> => inflate(CORE);
