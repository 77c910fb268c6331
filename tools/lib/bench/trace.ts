// Reads Chromium's own trace: what the main thread of the page did, task by task.
import type { Browser, Page } from 'playwright-core';

export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { data?: { type?: string } };
}

export interface Task {
  start: number;
  end: number;
  /** Milliseconds of processor time: what the thread itself used, without what others took from it. */
  work: number;
  /** Milliseconds by the clock. */
  elapsed: number;
}

export interface Moment {
  name: string;
  at: number;
}

/** The smallest set that holds tasks (toplevel), events and paints (devtools.timeline) and marks: tracing costs time, too. */
const CATEGORIES = ['-*', 'toplevel', 'devtools.timeline', 'blink.user_timing'];

/** All that Chromium writes down meanwhile. */
export async function eventsOf(page: Page, categories: string[], act: () => Promise<void>): Promise<TraceEvent[]> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, { categories });
  await act();
  return (JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }).traceEvents;
}

export class MainThread {
  private constructor(readonly tasks: readonly Task[], readonly moments: readonly Moment[]) {}

  /** Traces what happens meanwhile. The page must set the performance marks, by which its thread is found. */
  static async watch(page: Page, marks: readonly string[], act: () => Promise<void>): Promise<MainThread> {
    const traceEvents = await eventsOf(page, CATEGORIES, act);
    const marked = traceEvents.find(({ name }) => marks.includes(name));
    if (!marked) throw new Error(`The trace has no mark “${marks.join('” or “')}”: the page did not do what was asked of it.`);
    return MainThread.#read(traceEvents.filter(({ pid, tid }) => pid === marked.pid && tid === marked.tid), marks);
  }

  static #read(events: TraceEvent[], marks: readonly string[]): MainThread {
    events.sort((a, b) => a.ts - b.ts);
    const tasks: Task[] = [];
    const moments: Moment[] = [];
    for (const { name, ph, ts, dur, tdur, args } of events) {
      if (name === 'ThreadControllerImpl::RunTask' && ph === 'X' && dur !== undefined) {
        // A task within a task is counted in the outer one. Of the shortest tasks no processor time is written.
        if (ts >= (tasks.at(-1)?.end ?? 0)) tasks.push({ start: ts, end: ts + dur, work: (tdur ?? 0) / 1000, elapsed: dur / 1000 });
      } else if (name === 'EventDispatch') {
        moments.push({ name: args?.data?.type ?? '', at: ts });
      } else if (name === 'Paint' || marks.includes(name)) {
        moments.push({ name, at: ts });
      }
    }
    if (!tasks.some(({ work }) => work > 0)) throw new Error('This browser traces no processor time of threads; measure with another.');
    return new MainThread(tasks, moments);
  }

  /** The index of the task that runs at this time. */
  taskAt(at: number): number {
    const index = this.tasks.findIndex(({ start, end }) => start <= at && at < end);
    if (index < 0) throw new Error('The trace is not whole: something happened outside any task.');
    return index;
  }

  /** Sums of all tasks between two indices, both included. */
  sum(from: number, to: number): { work: number; elapsed: number } {
    let [work, elapsed] = [0, 0];
    for (const task of this.tasks.slice(from, to + 1)) {
      work += task.work;
      elapsed += task.elapsed;
    }
    return { work, elapsed };
  }
}
