// Starts a training in a worker if possible, otherwise on the page.
import { asking, workerAt } from '../../lib/ask-worker.ts';
import { AttentionError } from '../error.ts';
import { trainingBytes } from '../bytes/training.ts';
import { type Call, TrainingHost } from './host.ts';
import { TrainingModule } from './module.ts';
import { refusal } from './sentences.ts';
import type { TrainingOptions, TrainingPlace } from './types.ts';
import type { Problem } from './worker.ts';

export interface Place {
  readonly place: TrainingPlace;
  /** Milliseconds that one call may take. */
  readonly budget: number;
  ask<Name extends Call>(call: Name, ...args: Parameters<TrainingHost[Name] extends (...args: never) => unknown ? TrainingHost[Name] : never>): Promise<ReturnType<TrainingHost[Name] extends (...args: never) => unknown ? TrainingHost[Name] : never>>;
  close(): void;
}

/** Of a frame: on the page they are the reader's, too. */
const [PAGE_BUDGET, WORKER_BUDGET] = [3, 12];
const [MODULE, WORKER] = ['attention_training.wasm', 'training-worker.js'];

async function compiled({ baseUrl, wasm }: TrainingOptions): Promise<WebAssembly.Module> {
  const bytes = wasm ?? (await trainingBytes?.());
  if (bytes) return WebAssembly.compile(bytes);
  const response = await fetch(new URL(MODULE, baseUrl ?? import.meta.url));
  if (!response.ok) throw new Error(`${response.status}: ${response.url}`);
  if (response.headers.get('content-type') !== 'application/wasm') return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}

/** @throws AttentionError */
export async function placeOf(options: TrainingOptions): Promise<Place> {
  const module = compiled(options);
  module.catch(() => {});
  const worker = options.place === 'page' ? null : await workerAt(new URL(WORKER, options.baseUrl ?? import.meta.url));
  if (worker) return workerPlace(worker, module);
  return pagePlace(await TrainingModule.start(() => module));
}

function pagePlace(module: TrainingModule): Place {
  const host = new TrainingHost(module);
  return {
    place: 'page', budget: PAGE_BUDGET, close: () => host.free(),
    ask: async (call, ...args) => (host[call] as (...args: unknown[]) => never)(...args),
  };
}

async function workerPlace(worker: Worker, module: Promise<WebAssembly.Module>): Promise<Place> {
  const { ask, stop } = asking(worker, (problem) => {
    const { broken, message } = problem as Problem;
    return broken ? refusal(broken) : new AttentionError('training', message);
  });
  try {
    await ask('start', [await module]);
  } catch (error) {
    worker.terminate();
    // Says why there is no engine.
    throw await TrainingModule.start(() => module).then(() => error, (cause: unknown) => cause);
  }
  return { place: 'worker', budget: WORKER_BUDGET, close: () => stop(refusal({ code: 'training_freed', rule: 0, name: '', numbers: [] })), ask: (call, ...args) => ask(call, args) as Promise<never> };
}
