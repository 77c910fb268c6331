// The front end comes as an AMD module, which asks for a `define` at once.
globalThis.define = (_, factory) => { globalThis.anywidget = factory; };
