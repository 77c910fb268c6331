// The worker's script: a host, asked by messages, one at a time.
import type { Broken } from '../error.ts';
import { type Call, TrainingHost } from './host.ts';
import { TrainingModule } from './module.ts';
import { TrainingRefusal } from './sentences.ts';

export interface Asked {
  id: number;
  call: Call | 'start';
  args: unknown[];
}

export interface Answered {
  id: number;
  result?: unknown;
  broken?: Broken;
  message?: string;
}

let host: TrainingHost;

async function answer({ call, args }: Asked): Promise<unknown> {
  if (call === 'start') {
    host = new TrainingHost(await TrainingModule.start(async () => args[0] as WebAssembly.Module));
    return null;
  }
  return (host[call] as (...asked: unknown[]) => unknown)(...args);
}

/** Buffers of an answer: they are given away, not copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach((each) => buffersOf(each, found));
  return found;
}

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const answered: Answered = { id: data.id };
  try {
    answered.result = await answer(data);
  } catch (error) {
    if (error instanceof TrainingRefusal) answered.broken = error.broken;
    answered.message = error instanceof Error ? error.message : String(error);
  }
  postMessage(answered, { transfer: [...buffersOf(answered.result)] });
};
postMessage({ id: 0 } satisfies Answered); // it runs
