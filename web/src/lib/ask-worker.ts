// Questions to a worker by the names of what it can do, each answered with a promise; and the worker's side of it.

interface Asked { id: number; call: string; args: readonly unknown[] }
/** `told` comes before the answer; `problem` in its place. */
interface Answered { id: number; told?: unknown; result?: unknown; problem?: unknown }

/** A worker that has said nothing by then does not come. */
const WORKER_COMES = 5000;

/** Null where a policy, another origin or a lack of the file forbids it. */
export async function workerAt(address: URL): Promise<Worker | null> {
  if (typeof Worker !== 'function') return null;
  let worker: Worker;
  try {
    worker = new Worker(address);
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

export interface Asking {
  ask(call: string, args: readonly unknown[], told?: (what: unknown) => void): Promise<unknown>;
  /** Ends the worker; what was asked fails. */
  stop(error: Error): void;
}

/** @param errorOf makes an exception of what the worker says was wrong, and of an error that ended it */
export function asking(worker: Worker, errorOf: (problem: unknown) => Error): Asking {
  const waiting = new Map<number, { settle(result: unknown): void; fail(error: Error): void; told(what: unknown): void }>();
  let count = 0;
  const stop = (error: Error) => {
    worker.terminate();
    waiting.forEach(({ fail }) => fail(error));
    waiting.clear();
  };
  worker.onmessage = ({ data: { id, told, result, problem } }: MessageEvent<Answered>) => {
    const asked = waiting.get(id);
    if (told !== undefined) return asked?.told(told);
    waiting.delete(id);
    if (problem === undefined) asked?.settle(result);
    else asked?.fail(errorOf(problem));
  };
  worker.onerror = ({ message }) => stop(errorOf({ message }));
  return {
    stop,
    ask: (call, args, told = () => {}) => new Promise((settle, fail) => {
      count += 1;
      waiting.set(count, { settle, fail, told });
      worker.postMessage({ id: count, call, args } satisfies Asked);
    }),
  };
}

/** Buffers of an answer: they are given away, not copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach((each) => buffersOf(each, found));
  return found;
}

/** In a worker. What is asked is answered in its order, and says by itself what was wrong. */
export function answering(answer: (call: string, args: readonly unknown[], tell: (what: unknown) => void) => unknown, problemOf: (error: unknown) => object): void {
  onmessage = async ({ data: { id, call, args } }: MessageEvent<Asked>) => {
    const answered: Answered = { id };
    try {
      answered.result = await answer(call, args, (told) => postMessage({ id, told } satisfies Answered));
    } catch (error) {
      answered.problem = problemOf(error);
    }
    postMessage(answered, { transfer: [...buffersOf(answered.result)] });
  };
  postMessage({ id: 0 } satisfies Answered); // it runs
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
