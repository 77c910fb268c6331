// A notebook of two cells, of which one is open at a time: #1 or #2. Tests speak for Python.
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
  Object.assign(globalThis, { notebook: { ...made, view, show } });
}

document.querySelector('#dark').onclick = () => { document.body.dataset.jpThemeLight = 'false'; };
addEventListener('hashchange', open);
await open();
