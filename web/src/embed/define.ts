// The package's modules that register the tag.

export { AttentionPlayground } from '../attention-playground.define.ts';
