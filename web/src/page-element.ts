// The element on the playground's page, with what its other files share: each of its parts first needs this.
import './shared.ts';
import './attention-playground.define.ts';
