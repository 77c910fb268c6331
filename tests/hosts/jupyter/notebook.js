// A notebook of two cells, of which one is open at a time: #1 or #2. Tests speak for Python.
import { CommandRegistry } from '@lumino/commands';
import { newModel, show } from './manager.js';

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
