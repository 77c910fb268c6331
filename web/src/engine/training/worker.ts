// The worker's script: a host, asked by messages, one at a time.
import { answering, messageOf } from '../../lib/ask-worker.ts';
import type { Broken } from '../error.ts';
import { TrainingHost } from './host.ts';
import { TrainingModule } from './module.ts';
import { TrainingRefusal } from './sentences.ts';

export interface Problem {
  broken?: Broken | undefined;
  message: string;
}

let host: TrainingHost;

async function answer(call: string, args: readonly unknown[]): Promise<unknown> {
  if (call === 'start') {
    host = new TrainingHost(await TrainingModule.start(async () => args[0] as WebAssembly.Module));
    return null;
  }
  return (host as unknown as Record<string, (...asked: readonly unknown[]) => unknown>)[call]?.(...args);
}

answering(answer, (error): Problem => ({ broken: error instanceof TrainingRefusal ? error.broken : undefined, message: messageOf(error) }));
