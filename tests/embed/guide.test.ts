// The authors' guide says what the code says: its tables are made from the schema and from the table of snippets.
// UPDATE_TABLES=1 writes them.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ABOUT } from '../../web/src/attribute-words.ts';
import { ATTRIBUTES, type Attribute } from '../../web/src/attributes.ts';
import { type Figure, type Part, SYSTEMS, type SystemId, snippet } from '../../web/src/configurator/snippets.ts';
import { KNOBS, SETTINGS, type Setting } from '../../web/src/settings.ts';

const GUIDE = new URL('../../web/docs/embedding.md', import.meta.url);
const EXAMPLE: Figure = { attributes: { view: 'heads', heads: '2' }, text: 'the cat sat on the mat', fallback: 'What the words of “the cat sat on the mat” attend to.' };

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) => [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
const code = (text: string) => (text ? `\`${text}\`` : '');

const described = ({ attribute, values, initial }: Attribute) => [code(attribute), ABOUT[attribute] ?? '', values ? values.filter(Boolean).map(code).join(' ') : '', initial.includes(' ') ? initial : code(initial)];

function allowed({ control, rule, attribute }: Setting): string {
  if (control.kind !== 'choice') return rule().replace(`${attribute} is `, '');
  return [...control.choices.map(([id]) => code(id)), ...(control.own ? ['or a number'] : [])].join(' ');
}

function part({ file, code: lines }: Part): string {
  const fence = lines.includes('```') ? '````' : '```';
  return `${file === null ? 'Where the figure is to stand:' : `Once, in \`${file}\`:`}\n\n${fence}\n${lines}\n${fence}`;
}

const TABLES: Readonly<Record<string, () => string>> = {
  attributes: () => table(['attribute', 'what it says', 'values', 'without it'], ATTRIBUTES.map(described)),
  settings: () => table(['attribute', 'setting', 'values', 'without it'], SETTINGS.filter(({ ofModels }) => !ofModels).map((setting) => [code(setting.attribute), setting.label(), allowed(setting), code(setting.format(KNOBS))])),
  snippets: () => Object.entries(SYSTEMS).map(([id, { name, folder }]) => [
    `### ${name}`, ...(folder ? [`The files lie in \`${folder}\`.`] : []), ...snippet(id as SystemId, EXAMPLE).map(part),
  ].join('\n\n')).join('\n\n'),
};

test('each attribute is described, and nothing else', () => {
  assert.deepEqual(Object.keys(ABOUT), ATTRIBUTES.map(({ attribute }) => attribute));
});

for (const [name, made] of Object.entries(TABLES)) {
  test(`the authors’ guide holds what the code says: ${name}`, async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
    const [before = '', rest = ''] = guide.split(begin);
    const [now = '', after = ''] = rest.split(end);
    assert.ok(after, `the guide has a place for ${name}`);
    if (process.env['UPDATE_TABLES']) await writeFile(GUIDE, `${before}${begin}${made()}\n${end}${after}`);
    else assert.equal(now, `${made()}\n`, 'write it with UPDATE_TABLES=1');
  });
}
