// The package's modules that register the tag.
import '../shared.ts';

export { AttentionPlayground } from '../attention-playground.define.ts';
