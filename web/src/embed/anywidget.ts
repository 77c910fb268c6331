// A front end for anywidget's protocol: MyST, Jupyter, marimo. The model's keys are the attributes' names, with - or _.
import { AttentionPlayground } from '../element/define.ts';

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

/** MyST's model has methods that throw, for saving a change and for taking listeners off. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing is lost: only the page reads the model.
  }
}

/** In the kind that the model has there. */
function alike(value: unknown, before: unknown): unknown {
  if (typeof before === 'number') return Number(value);
  if (typeof before === 'boolean') return value === true || value === 'on' || value === 'true';
  return String(value);
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  // By its tag: a notebook loads this file for every widget, and the first copy has defined it.
  const figure = document.createElement('attention-playground');
  // JupyterLab has shortcuts on plain keys, and hears them before the figure does.
  figure.toggleAttribute('data-lm-suppress-shortcuts', true);
  const property = figure as unknown as Record<string, unknown>;
  const ends: (() => void)[] = [];
  let isTelling = false;
  const follow = (key: string, take: () => void) => {
    const hear = () => {
      if (!isTelling) take();
    };
    model.on?.(`change:${key}`, hear);
    ends.push(() => model.off?.(`change:${key}`, hear));
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

  /** The values in use that differ from the model's, in the model's types. */
  const others = (said: readonly (readonly [name: string, before: unknown])[]) => said.flatMap(([name, before]) => {
    const value = property[camel(name)];
    if ([value, before].some((each) => each === undefined || each === null)) return [];
    const now = alike(value, before);
    return String(now) === String(before) ? [] : [[name, now] as const];
  });
  const tell = () => {
    const config: unknown = model.get('config');
    const own = others([...keys].map(([name, key]) => [name, model.get(key)]));
    const inside = others(Object.entries(Object(config)).filter(([name]) => AttentionPlayground.observedAttributes.includes(name)));
    if (own.length + inside.length === 0) return;
    isTelling = true;
    for (const [name, now] of own) model.set?.(keys.get(name) as string, now);
    if (inside.length > 0) model.set?.('config', { ...Object(config), ...Object.fromEntries(inside) });
    attempt(() => model.save_changes?.());
    isTelling = false;
    // Set on the element, too: it would ignore an earlier value of the model otherwise.
    for (const [name] of [...own, ...inside]) property[camel(name)] = String(property[camel(name)]);
  };
  for (const event of EVENTS) figure.addEventListener(event, tell);
  el.append(figure);
  return () => {
    for (const end of ends) attempt(end);
    figure.remove();
  };
}

export default { render };
