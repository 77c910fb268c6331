// The element's types for React, Preact, Solid, Vue and Svelte. A generator writes its props and events from the manifest; one
// file for each framework adds them to that framework's own types.
import { generateJsxTypes } from '@wc-toolkit/jsx-types';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { TAG } from './manifest.mjs';

const FILE = 'framework-props.d.ts';
/** What is kept of the generator's output: the rest augments all frameworks at once, also those that are not installed. */
const KEPT = ['AttentionPlaygroundProps', 'AttentionPlaygroundSolidJsProps'];

async function props(folder, manifest, names) {
  const [{ declarations: [element] }] = manifest.modules;
  const attributes = new Set(element.attributes.map(({ name }) => name));
  // Attributes and `config`; not `key`, which React and Vue never pass on.
  const members = element.members.filter(({ name, attribute, kind }) => kind !== 'field' || attributes.has(attribute) || name === 'config');
  const described = { ...manifest, modules: [{ ...manifest.modules[0], declarations: [{ ...element, members }] }] };
  generateJsxTypes(described, { outdir: folder, fileName: FILE, globalTypePath: './index.js', useCemTypes: true, excludeCssCustomProperties: true });
  const file = ts.createSourceFile(FILE, await readFile(path.join(folder, FILE), 'utf8'), ts.ScriptTarget.Latest);
  const types = file.statements.filter((each) => ts.isTypeAliasDeclaration(each) && KEPT.includes(each.name.text)).map((each) => each.getFullText(file).trim());
  if (types.length !== KEPT.length) throw new Error(`@wc-toolkit/jsx-types writes no ${KEPT.join(' or ')} any more: look at web/package/frameworks.mjs.`);
  // Solid's `bool:` removes the attribute for false, which leaves its default: not always off.
  const text = types.join('\n\n').replace(/^ *(\/\*\*(?:(?!\*\/)[^])*?\*\/\s*)?"bool:[^;]*;\n/gm, '');
  return `import type { ${names.join(', ')} } from './index.js';\n\n${text}\n`;
}

const IMPORT = `import type { AttentionPlayground, AttentionPlaygroundEventMap } from './index.js';
import type { AttentionPlaygroundProps, AttentionPlaygroundSolidJsProps } from './${FILE.replace('.d.ts', '.js')}';`;
const element = (type) => `'${TAG}': ${type};`;
const jsx = (type) => `namespace JSX {\n    interface IntrinsicElements {\n      ${element(type)}\n    }\n  }`;

/** For each: its own props of every element, and the interface in which it looks up a tag. */
const FRAMEWORKS = {
  react: `import type { DetailedHTMLProps, HTMLAttributes } from 'react';
declare module 'react' {
  ${jsx('DetailedHTMLProps<HTMLAttributes<AttentionPlayground>, AttentionPlayground> & AttentionPlaygroundProps & { class?: string | undefined }')}
}`,
  preact: `import type { HTMLAttributes } from 'preact';
declare module 'preact' {
  ${jsx('HTMLAttributes<AttentionPlayground> & AttentionPlaygroundProps')}
}`,
  solid: `import type {} from 'solid-js';
declare module 'solid-js' {
  ${jsx('JSX.HTMLAttributes<AttentionPlayground> & AttentionPlaygroundProps & AttentionPlaygroundSolidJsProps')}
}`,
  vue: `import type { HTMLAttributes } from 'vue';
/** attention-select is onAttentionSelect there */
type Events = { [Name in keyof AttentionPlaygroundEventMap as Name extends \`attention-\${infer Rest}\` ? \`onAttention\${Capitalize<Rest>}\` : never]?: (event: AttentionPlaygroundEventMap[Name]) => void };
type Figure = new () => AttentionPlayground & { $props: HTMLAttributes & AttentionPlaygroundProps & Events };
declare module 'vue' {
  interface GlobalComponents {
    ${element('Figure')}
  }
}`,
  svelte: `import type { HTMLAttributes } from 'svelte/elements';
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    ${element('HTMLAttributes<AttentionPlayground> & AttentionPlaygroundProps & { [Name in keyof AttentionPlaygroundEventMap as `on:${Name}`]?: (event: AttentionPlaygroundEventMap[Name]) => void }')}
  }
}`,
};

/** Writes a file for each into dist/. @param names of the types that the package exports */
export async function writeFrameworks(dist, manifest, names) {
  await writeFile(path.join(dist, FILE), await props(dist, manifest, names));
  for (const [name, text] of Object.entries(FRAMEWORKS)) {
    const used = IMPORT.replace(/\{ (.*) \}/g, (_, list) => `{ ${list.split(', ').filter((each) => new RegExp(`\\b${each}\\b`).test(text)).join(', ')} }`);
    await writeFile(path.join(dist, `${name}.d.ts`), `${used}\n${text}\n\nexport * from './define.js';\n`);
  }
}
