// The package's modules that register the tag.

export { AttentionPlayground } from '../element/define.ts';
