// Written by tests/labs/heads.test.ts with UPDATE_TABLES=1, from a training like the lesson's; measured, not chosen.
export const TRAINED = { seed: 4, step: 400, parameters: 6528, one_head: 0.5382, two_heads: 1, chance: 0.5313 } as const;
