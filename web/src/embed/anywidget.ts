// A front end for anywidget's protocol: MyST, Jupyter, marimo. The model's keys are the attributes' names, with - or _.
import { AttentionPlayground } from '../attention-playground.define.ts';

interface Model {
  get(key: string): unknown;
  set?(key: string, value: unknown): void;
  on?(event: string, listener: () => void): void;
  off?(event: string, listener: () => void): void;
  save_changes?(): void;
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const EVENTS = ['attention-ready', 'attention-change', 'attention-select'];

/** Objects of a model: the configuration whole, and matrices of one's own. */
function configurationOf(model: Model): object | null {
  const [config, given] = [model.get('config'), model.get('given')];
  return config || given ? { ...Object(config), ...(given !== undefined && given !== null && { given }) } : null;
}

/** In the kind that the model has there. */
function alike(value: unknown, before: unknown): unknown {
  if (typeof before === 'number') return Number(value);
  if (typeof before === 'boolean') return value === true || value === 'on' || value === 'true';
  return String(value);
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const figure = new AttentionPlayground();
  const property = figure as unknown as Record<string, unknown>;
  const ends: (() => void)[] = [];
  const follow = (key: string, take: () => void) => {
    model.on?.(`change:${key}`, take);
    ends.push(() => model.off?.(`change:${key}`, take));
  };
  // Each attribute that the model has, and its key there.
  const keys = new Map<string, string>();
  for (const name of AttentionPlayground.observedAttributes) {
    for (const key of new Set([name, name.replaceAll('-', '_')])) {
      const take = () => {
        const value = model.get(key);
        if (value === undefined || value === null) return;
        keys.set(name, key);
        if (String(value) !== String(property[camel(name)])) figure.setAttribute(name, String(value));
      };
      take();
      follow(key, take);
    }
  }
  const takeConfiguration = () => { figure.config = configurationOf(model); };
  if (configurationOf(model)) takeConfiguration();
  for (const key of ['config', 'given']) follow(key, takeConfiguration);

  const tell = () => {
    let isOther = false;
    for (const [name, key] of keys) {
      const [value, before] = [property[camel(name)], model.get(key)];
      if (value === undefined || value === null || String(value) === String(before)) continue;
      const now = alike(value, before);
      if (now === before) continue;
      model.set?.(key, now);
      isOther = true;
    }
    if (isOther) model.save_changes?.();
  };
  for (const event of EVENTS) figure.addEventListener(event, tell);
  el.append(figure);
  return () => {
    for (const end of ends) end();
    figure.remove();
  };
}

export default { render };
