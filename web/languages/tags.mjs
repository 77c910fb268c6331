// What the templates of a catalogue are tagged with: lit's and @lit/localize's tags, as they come out when nothing is
// compiled, so that a language is one file without imports.
export const html = (strings, ...values) => ({ _$litType$: 1, strings, values });
export const str = (strings, ...values) => ({ strTag: true, strings, values });
/** As they stand: in English. */
export const msg = (template) => template;
