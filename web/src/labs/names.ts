// The labs, in the order in which they are read. Each name is a `view` of the element and a place on the page of labs.
export const LABS = [
  'lab-scale', 'lab-mask', 'lab-heads', 'lab-lookup', 'lab-cost', 'lab-order', 'lab-reach', 'lab-numbers', 'lab-quiz',
] as const;

export type LabName = (typeof LABS)[number];

export const isLab = (view: string): view is LabName => (LABS as readonly string[]).includes(view);
