// Numbers of one row of weights that a step can ask about. The engine has computed the row.

export const MEASURES = {
  'largest-share': (row: Float32Array): number => Math.max(...row),
  'words-seen': (row: Float32Array): number => row.reduce((seen, weight) => seen + (weight > 0 ? 1 : 0), 0),
} as const;

export type MeasureName = keyof typeof MEASURES;

/** Two numbers this near are taken for the same. */
const NEAR = 1e-3;

/** The choice that a change makes right: 1 more, 2 the same, 3 less. */
export function effectOf(name: MeasureName, before: Float32Array, after: Float32Array): number {
  const [then, now] = [MEASURES[name](before), MEASURES[name](after)];
  return Math.abs(now - then) < NEAR ? 2 : now > then ? 1 : 3;
}
