// What the element offers, read from its code: its methods, properties and events by the analyzer of custom elements, its
// attributes from the tables that they are in, its parts and variables from the templates and styles.
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { tables } from '../tables.mjs';

const source = fileURLToPath(new URL('../src', import.meta.url));
const CLASS = 'AttentionPlayground';
export const TAG = 'attention-playground';

/** Attributes with what each is for: { name, fieldName, type, values, description, default }. */
export async function attributes() {
  const { ATTRIBUTES, ABOUT, ABOUT_SETTINGS, SETTINGS, KNOBS } = await tables();
  const own = ATTRIBUTES.map(({ attribute, property, type, values = [], initial }) => ({
    name: attribute, fieldName: property, type: type === 'number' ? NUMBER : type, values: values.filter(Boolean), description: ABOUT[attribute], default: initial,
  }));
  const settings = SETTINGS.map(({ attribute, name, label, rule, format, control }) => ({
    name: attribute, fieldName: name, type: typeOf(control), values: control.kind === 'choice' ? control.choices.map(([value]) => value) : [],
    description: `${label()}: ${plain(ABOUT_SETTINGS[name].does)}. ${rule()}.`, default: format(KNOBS),
  }));
  return [...own, ...settings];
}

const NUMBER = 'number | string';

/** As TypeScript writes what a setting may be; a choice of words may have a number besides. */
function typeOf(control) {
  const words = control.kind === 'choice' ? control.choices.map(([value]) => value).filter((value) => Number.isNaN(Number(value))) : [];
  if (words.length === 0) return NUMBER;
  return [...words.map((word) => `'${word}'`), ...(words.includes('on') ? ['boolean'] : []), ...(control.own ? ['number', '`${number}`'] : [])].join(' | ');
}

/** Without what Markdown adds. */
const plain = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('*', '');

async function sources() {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return (await Promise.all(names.map((name) => readFile(path.join(source, name), 'utf8')))).join('\n');
}

/** The class as the analyzer sees it, without what is the element's own. */
async function analyzed() {
  const text = await readFile(path.join(source, 'element/element.ts'), 'utf8');
  const modules = [ts.createSourceFile('element.ts', text, ts.ScriptTarget.ES2022, true)];
  const declarations = create({ modules, context: { dev: false } }).modules.flatMap((each) => each.declarations);
  const { members, events } = declarations.find(({ name }) => name === CLASS);
  const isOffered = ({ name, privacy = 'public', static: isStatic }) => privacy === 'public' && !name.startsWith('#') && (!isStatic || name === 'version');
  return {
    members: members.filter(isOffered).map(({ inheritedFrom, ...member }) => member),
    events: events.filter(({ name }) => name.startsWith('attention-')),
  };
}

const unique = (items) => [...new Set(items)].sort();

/** custom-elements.json, schema 1 */
export async function manifest() {
  const [known, { members, events }, text] = [await attributes(), await analyzed(), await sources()];
  const ofAttribute = new Map(known.filter(({ fieldName }) => fieldName !== 'lang').map((each) => [each.fieldName, each]));
  const typed = ({ type, ...rest }) => ({ ...rest, type: { text: type } });
  const fields = [...ofAttribute.values()].map(({ fieldName, name, type, description, default: initial }) => typed({ kind: 'field', name: fieldName, attribute: name, type, description, default: JSON.stringify(initial) }));
  const variables = new Map([...text.matchAll(/var\((--attention-[a-z-]+)(?:, ([^;()]+|[^;]*?\)))?\)/g)].reverse().map(([, name, initial]) => [name, initial]));
  return {
    schemaVersion: '1.0.0', readme: 'README.md',
    modules: [
      {
        kind: 'javascript-module', path: 'dist/index.js',
        declarations: [{
          kind: 'class', name: CLASS, tagName: TAG, customElement: true, superclass: { name: 'HTMLElement' },
          description: 'Attention on a sentence: what each word looks at, every number shown.',
          attributes: known.map(({ values, default: initial, ...each }) => typed({ ...each, default: JSON.stringify(initial) })),
          members: [...fields, ...members.filter(({ name }) => !ofAttribute.has(name))],
          events: events.map((event) => ({ type: { text: 'CustomEvent' }, ...event })),
          cssParts: unique([...text.matchAll(/\bpart="([a-z-]+)"/g)].map(([, name]) => name)).map((name) => ({ name })),
          cssProperties: unique(variables.keys()).map((name) => ({ name, ...(variables.get(name) && { default: variables.get(name) }) })),
          slots: [{ name: '', description: 'Shown until the script runs, and instead of a figure where there can be none.' }],
        }],
        exports: [{ kind: 'js', name: CLASS, declaration: { name: CLASS, module: 'dist/index.js' } }],
      },
      {
        kind: 'javascript-module', path: 'dist/define.js', declarations: [],
        exports: [{ kind: 'custom-element-definition', name: TAG, declaration: { name: CLASS, module: 'dist/index.js' } }],
      },
    ],
  };
}

/** What Visual Studio Code knows of the tag: names, words and values. */
export function editorData({ modules: [{ declarations: [element] }] }, known) {
  const values = new Map(known.map(({ name, values: each }) => [name, each]));
  return {
    version: 1.1,
    tags: [{
      name: TAG, description: element.description,
      attributes: element.attributes.map(({ name, description, type }) => ({
        name, description, ...(type.text === 'boolean' ? { valueSet: 'v' } : values.get(name).length > 0 && { values: values.get(name).map((value) => ({ name: value })) }),
      })),
    }],
  };
}
