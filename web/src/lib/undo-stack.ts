// Undo and redo over states that are never changed in place.

/** Changes of one kind that follow each other within this time are one step: a burst of typing, a slider's way. */
const SAME_STEP_MS = 1000;
const MOST_STEPS = 200;

export class History<State> {
  #past: State[] = [];
  #future: State[] = [];
  #last = { kind: '', at: -Infinity };

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** The states that undo() would return to, the latest first. */
  get past(): readonly State[] {
    return this.#past.toReversed();
  }

  /** `state` is about to be replaced by a change of this kind. */
  leave(state: State, kind: string, now: number): void {
    const same = kind !== '' && kind === this.#last.kind && now - this.#last.at < SAME_STEP_MS;
    this.#last = { kind, at: now };
    this.#future = [];
    if (same) return;
    this.#past.push(state);
    if (this.#past.length > MOST_STEPS) this.#past.shift();
  }

  undo(present: State): State {
    return this.#move(this.#past, this.#future, present);
  }

  redo(present: State): State {
    return this.#move(this.#future, this.#past, present);
  }

  #move(from: State[], to: State[], present: State): State {
    const state = from.pop();
    if (state === undefined) return present;
    to.push(present);
    this.#last = { kind: '', at: -Infinity };
    return state;
  }
}
