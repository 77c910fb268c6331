// Calls to a worker by name, each answered with a promise; the worker's side of it; and how its further threads rest while
// the page needs their core.
import { inPhase } from './schedule.ts';

/** Without a call: the question is cancelled. */
interface Asked { id: number; call?: string; args: readonly unknown[] }
/** `told` comes before the answer; `problem` in its place. */
interface Answered { id: number; told?: unknown; result?: unknown; problem?: unknown }

/** A worker that has not answered its last call by then is ended without. */
const WORKER_ENDS = 10_000;
/** A worker that has not answered by then counts as unavailable. */
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
  // The listener would keep the worker alive.
  clearTimeout(patience);
  if (!comes) worker.terminate();
  return comes ? worker : null;
}

export interface Asking {
  ask(call: string, args: readonly unknown[], more?: { told?: (what: unknown) => void; dropped?: AbortSignal | undefined }): Promise<unknown>;
  /** Ends the worker after a last call, if any; all waiting calls fail. */
  stop(error: Error, last?: string): void;
}

/** @param errorOf makes an exception of what the worker says was wrong, and of an error that ended it */
export function asking(worker: Worker, errorOf: (problem: unknown) => Error): Asking {
  const waiting = new Map<number, { settle(result: unknown): void; fail(error: Error): void; told(what: unknown): void }>();
  let count = 0;
  const stop = (error: Error, last?: string) => {
    waiting.forEach(({ fail }) => fail(error));
    waiting.clear();
    const end = () => worker.terminate();
    if (last === undefined) return end();
    const patience = setTimeout(end, WORKER_ENDS);
    worker.onmessage = ({ data: { id } }: MessageEvent<Answered>) => {
      if (id !== 0) return;
      clearTimeout(patience);
      end();
    };
    worker.postMessage({ id: 0, call: last, args: [] } satisfies Asked);
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
    ask: (call, args, { told = () => {}, dropped } = {}) => new Promise((settle, fail) => {
      const id = (count += 1);
      waiting.set(id, { settle, fail, told });
      worker.postMessage({ id, call, args } satisfies Asked);
      dropped?.addEventListener('abort', () => { if (waiting.has(id)) worker.postMessage({ id, args: [] } satisfies Asked); }, { once: true });
    }),
  };
}

/** The longest rest, in ms: a page in the background is not painted, so it never ends a rest. */
const MOST_REST = 200;
const INPUTS = ['keydown', 'beforeinput', 'pointerdown'] as const;

/** A word in shared memory: until when, in ms of the clock, the further threads rest; 0 means not at all. */
export const restWord = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

export function isResting(word: Int32Array): boolean {
  const until = Atomics.load(word, 0);
  return until !== 0 && ((until - Date.now()) | 0) > 0;
}

export interface Rests {
  /** Until both phases of what follows are painted. */
  now(): void;
  end(): void;
}

/** Further threads rest from a key or a press, heard before anything else, and whenever they are told to. */
export function restForInput(word: Int32Array): Rests {
  let last = 0;
  const now = () => {
    const own = (last += 1);
    Atomics.store(word, 0, Date.now() + MOST_REST | 0);
    inPhase('full', () => inPhase('full', () => { if (own === last) Atomics.store(word, 0, 0); }));
  };
  for (const name of INPUTS) globalThis.addEventListener(name, now, { capture: true, passive: true });
  return { now, end: () => { for (const name of INPUTS) globalThis.removeEventListener(name, now, { capture: true }); } };
}

/** Buffers of an answer: they are given away, not copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach((each) => buffersOf(each, found));
  return found;
}

/** For an answer: says how far it is, and whether it is wanted no longer. */
export interface Asker {
  tell(what: unknown): void;
  readonly isDropped: boolean;
}

/** In a worker. An answer that waits for nothing comes in the order of the questions; each says by itself what was wrong. */
export function answering(answer: (call: string, args: readonly unknown[], asker: Asker) => unknown, problemOf: (error: unknown) => object): void {
  const open = new Set<number>();
  onmessage = async ({ data: { id, call, args } }: MessageEvent<Asked>) => {
    if (call === undefined) return void open.delete(id);
    const answered: Answered = { id };
    open.add(id);
    try {
      answered.result = await answer(call, args, { tell: (told) => postMessage({ id, told } satisfies Answered), get isDropped() { return !open.has(id); } });
    } catch (error) {
      answered.problem = problemOf(error);
    }
    open.delete(id);
    postMessage(answered, { transfer: [...buffersOf(answered.result)] });
  };
  postMessage({ id: 0 } satisfies Answered); // it runs
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
