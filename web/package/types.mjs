// The package's declarations: the class as its manifest has it, and TypeScript's own of the types that it names.
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { emit, writeAll } from '../declarations.mjs';
import { writeFrameworks } from './frameworks.mjs';

const source = fileURLToPath(new URL('../src/embed/types.ts', import.meta.url));

const doc = (text) => (text ? `  /** ${text.replaceAll('*/', '* /')} */\n` : '');
const parameter = ({ name, type, default: initial, optional }) => `${name}${optional || initial ? '?' : ''}: ${type?.text ?? 'string'}`;

function member({ kind, name, type, description, readonly, static: isStatic, parameters = [], return: result }) {
  const head = `${isStatic ? 'static ' : ''}${readonly ? 'readonly ' : ''}`;
  return kind === 'method'
    ? `${doc(description)}  ${head}${name}(${parameters.map(parameter).join(', ')}): ${result?.type.text ?? 'void'};`
    : `${doc(description)}  ${head}${name}: ${type?.text ?? 'unknown'};`;
}

const TAG_MAP = `declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
}
`;

const WIDGET = `/** What anywidget's protocol gives a front end. */
export interface Model {
  get(key: string): unknown;
  set?(key: string, value: unknown): void;
  on?(event: string, listener: () => void): void;
  off?(event: string, listener: () => void): void;
  save_changes?(): void;
}

declare const widget: {
  /** @returns what takes the figure away */
  render(context: { model: Model; el: HTMLElement }): () => void;
};
export default widget;
`;

/** Writes the declarations into dist/. */
export async function writeTypes(dist, bindings, manifest) {
  const [{ declarations: [{ members, events }] }] = manifest.modules;
  const emitted = emit(source);
  await writeAll(emitted, path.join(dist, 'types'));
  await copyFile(path.join(bindings, 'attention.d.mts'), path.join(dist, 'types/attention.d.mts'));
  const names = [...emitted.get('embed/types.d.ts').matchAll(/^export type \{(.*)\} from|^export interface (\w+)/gm)].flatMap(([, list, name]) => name ?? list.trim().split(/, /));
  const map = events.map(({ name, type }) => `  '${name}': ${type.text};`).join('\n');
  await writeFile(path.join(dist, 'index.d.ts'), `import type { ${names.join(', ')} } from './types/embed/types.js';
export type { ${names.join(', ')} };

export interface AttentionPlaygroundEventMap {
${map}
}

export declare class AttentionPlayground extends HTMLElement {
${members.map(member).join('\n').replaceAll('LinkState', 'State')}
  addEventListener<Name extends keyof AttentionPlaygroundEventMap>(name: Name, listener: (event: AttentionPlaygroundEventMap[Name]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(name: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
`);
  await writeFile(path.join(dist, 'define.d.ts'), `import { AttentionPlayground } from './index.js';\nexport { AttentionPlayground };\n\n${TAG_MAP}`);
  await writeFile(path.join(dist, 'attention-playground.d.ts'), `import type { AttentionPlayground } from './index.js';\n\n${TAG_MAP}`);
  await writeFile(path.join(dist, 'embed-host.d.ts'), 'export {};\n');
  await writeFile(path.join(dist, 'anywidget.d.mts'), WIDGET);
  await writeFrameworks(dist, manifest, names);
}
