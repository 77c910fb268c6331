// The manuals in docs/, copied into the site. A line <!-- table:NAME --> and the line below it give way to a table that is
// made from the settings, so that no manual lists them by hand.
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tables } from './tables.mjs';

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head, rows) => [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
const code = (text) => `\`${text}\``;

function values({ name, attribute, control, rule }, about) {
  if (about[name].values) return about[name].values;
  if (control.kind !== 'choice') return rule().replace(`${attribute} is `, '');
  return [...control.choices.map(([id]) => code(id)), ...(control.own ? ['or a number'] : [])].join(', ');
}

async function made() {
  const { ABOUT_SETTINGS: about, SETTINGS, KNOBS } = await tables();
  return {
    switches: table(['switch', 'name', 'values', 'what it does'], SETTINGS.map((each) => [each.label(), code(each.attribute), values(each, about), about[each.name].does])),
    settings: table(['attribute', 'setting', 'values', 'without it'], SETTINGS.filter(({ ofModels }) => !ofModels)
      .map((each) => [code(each.attribute), each.label(), values(each, about), code(each.format(KNOBS))])),
  };
}

/** Copies a folder of manuals, with their tables. */
export async function writeManuals(from, to) {
  await cp(from, to, { recursive: true });
  const all = await made();
  for (const name of (await readdir(to)).filter((each) => each.endsWith('.md'))) {
    const text = await readFile(path.join(to, name), 'utf8');
    await writeFile(path.join(to, name), text.replace(/^<!-- table:([a-z]+) -->\n.*$/gm, (_, table) => {
      if (!all[table]) throw new Error(`${name} asks for a table of ${table}; there are ${Object.keys(all).join(' and ')}.`);
      return all[table];
    }));
  }
}
