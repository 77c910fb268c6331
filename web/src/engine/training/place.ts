// Where a training is done: in a worker where one can be had, otherwise on the page.
import { AttentionError } from '../error.ts';
import { trainingBytes } from '../bytes/training.ts';
import { type Call, TrainingHost } from './host.ts';
import { TrainingModule } from './module.ts';
import { refusal } from './sentences.ts';
import type { TrainingOptions, TrainingPlace } from './types.ts';
import type { Answered, Asked } from './worker.ts';

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
/** A worker that has said nothing by then does not come. */
const WORKER_COMES = 5000;

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
  if (options.place !== 'page' && typeof Worker === 'function') {
    const worker = await workerOf(options);
    if (worker) return workerPlace(worker, module);
  }
  return pagePlace(await TrainingModule.start(() => module));
}

function pagePlace(module: TrainingModule): Place {
  const host = new TrainingHost(module);
  return {
    place: 'page', budget: PAGE_BUDGET, close: () => host.free(),
    ask: async (call, ...args) => (host[call] as (...args: unknown[]) => never)(...args),
  };
}

/** Null where a policy, another origin or a lack of the file forbids it. */
async function workerOf({ baseUrl }: TrainingOptions): Promise<Worker | null> {
  let worker: Worker;
  try {
    worker = new Worker(new URL(WORKER, baseUrl ?? import.meta.url));
  } catch {
    return null;
  }
  let patience: ReturnType<typeof setTimeout> | undefined;
  const comes = await new Promise<boolean>((settle) => {
    worker.onmessage = () => settle(true);
    worker.onerror = (event) => {
      event.preventDefault();
      settle(false);
    };
    patience = setTimeout(() => settle(false), WORKER_COMES);
  });
  // It would keep the worker, and whoever hears its errors.
  clearTimeout(patience);
  if (!comes) worker.terminate();
  return comes ? worker : null;
}

async function workerPlace(worker: Worker, module: Promise<WebAssembly.Module>): Promise<Place> {
  const waiting = new Map<number, { settle(result: unknown): void; fail(error: Error): void }>();
  let count = 0;
  const stop = (error: Error) => {
    worker.terminate();
    waiting.forEach(({ fail }) => fail(error));
    waiting.clear();
  };
  worker.onmessage = ({ data: { id, result, broken, message } }: MessageEvent<Answered>) => {
    const { settle, fail } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (broken) fail?.(refusal(broken));
    else if (message !== undefined) fail?.(new AttentionError('training', message));
    else settle?.(result);
  };
  worker.onerror = (event) => stop(new AttentionError('training', event.message));
  const ask = (call: Asked['call'], args: unknown[]) => new Promise<never>((settle, fail) => {
    count += 1;
    waiting.set(count, { settle: settle as (result: unknown) => void, fail });
    worker.postMessage({ id: count, call, args } satisfies Asked);
  });
  try {
    await ask('start', [await module]);
  } catch (error) {
    worker.terminate();
    // Says why there is no engine.
    throw await TrainingModule.start(() => module).then(() => error, (cause: unknown) => cause);
  }
  return { place: 'worker', budget: WORKER_BUDGET, close: () => stop(refusal({ code: 'training_freed', rule: 0, name: '', numbers: [] })), ask: (call, ...args) => ask(call, args) };
}
