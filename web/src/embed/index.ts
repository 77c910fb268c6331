// What the package exports: the element's class, and what goes into it and comes out.

export { AttentionPlayground } from '../element/element.ts';
