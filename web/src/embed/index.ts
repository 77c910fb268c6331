// The package's exports: the element's class and its types.

export { AttentionPlayground } from '../element/element.ts';
