// A notebook of two cells, of which one is open at a time: #1 or #2. Tests speak for Python.
// Jupyter's own model manager and views, and the anywidget front end, in a page without a kernel: what would go to Python is kept.
import 'anywidget';
import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import { CommandRegistry } from '@lumino/commands';

const modules = { '@jupyter-widgets/base': base, anywidget: globalThis.anywidget(base) };
const VERSION = modules.anywidget.AnyModel.model_module_version;

/** The line to a kernel that takes each message at once, as an idle one does. */
class Line {
  comm_id = crypto.randomUUID();
  target_name = 'jupyter.widget';
  sent = [];
  #hear = () => {};
  on_msg(hear) { this.#hear = hear; }
  on_close() {}
  close() {}
  send(data, callbacks) {
    this.sent.push(structuredClone(data));
    setTimeout(() => callbacks?.iopub?.status?.({ content: { execution_state: 'idle' } }));
    return String(this.sent.length);
  }
  /** Python sets traits. */
  hear(state) { return this.#hear({ content: { data: { method: 'update', state } } }); }
}

class Manager extends ManagerBase {
  async loadClass(name, module) { return modules[module][name]; }
  async _get_comm_info() { return {}; }
  async _create_comm() { return new Line(); }
}

const manager = new Manager();

/** What a widget of a notebook becomes: its model, and the line to its kernel. */
async function newModel(traits) {
  const comm = new Line();
  const names = {
    model_name: 'AnyModel', model_module: 'anywidget', model_module_version: VERSION,
    view_name: 'AnyView', view_module: 'anywidget', view_module_version: VERSION,
  };
  const own = Object.fromEntries(Object.entries(names).map(([name, value]) => [`_${name}`, value]));
  const model = await manager.new_model({ ...names, comm }, { ...own, _anywidget_id: 'course.Attention', ...traits });
  return { model, comm };
}

/** In an output cell, as often as the notebook shows it. */
async function show(model, cell) {
  const view = await manager.create_view(model);
  cell.replaceChildren(view.el);
  view.trigger('displayed');
  return view;
}

const sent = await (await fetch('cells.json')).text();
const cells = sent.trim().split('\n').map((line) => JSON.parse(line));
const output = document.querySelector('.output');
let view = null;

async function open() {
  view?.remove();
  const number = Number(location.hash.slice(1) || 1);
  document.querySelector('p a').href = `#${3 - number}`;
  const made = await newModel(cells[number - 1]);
  view = await show(made.model, output);
  Object.assign(globalThis, { notebook: { ...made, view, pressed, show, newModel, cells } });
}

/** As in JupyterLab, where A adds a cell above, and keys are heard on their way down. */
const pressed = [];
const commands = new CommandRegistry();
commands.addCommand('above', { execute: () => pressed.push('above') });
commands.addKeyBinding({ command: 'above', keys: ['A'], selector: 'body' });
addEventListener('keydown', (event) => commands.processKeydownEvent(event), true);

document.querySelector('#dark').onclick = () => { document.body.dataset.jpThemeLight = 'false'; };
addEventListener('hashchange', open);
await open();
