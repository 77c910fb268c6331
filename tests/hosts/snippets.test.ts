// Every system's snippet says the same figure, whatever its words hold; those that are built are read in browsers, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Part, SYSTEMS, type SystemId, snippet } from '../../web/src/pages/configurator/snippets.ts';
import { FIRST, SECOND } from './site.ts';

const inPage = (parts: readonly Part[]): string => parts.filter(({ file }) => file === null).map(({ code }) => code).join('\n');
const decoded = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
const expected = { text: SECOND.text, ...SECOND.attributes };

const SYNTAX = /[<>{}`\\\n]|&(?!#\d+;)/;

function readText(inside: string): string {
  assert.doesNotMatch(inside, SYNTAX, 'no sign of any syntax is left');
  return decoded(inside);
}

/** An expression on one line, which no Markdown is looked for in. */
const readExpression = (inside: string): string => JSON.parse(/^\{(".*")\}$/.exec(inside)?.[1] ?? '');

/** Attributes of the tag, or parameters of Hugo's shortcode; a bare name, or an empty one, is true. */
function readTag(code: string): { said: Record<string, string | true>; inside: string } {
  const [, inner = '', inside = ''] = /(?:<attention-playground|\{\{< attention)((?: [a-z-]+(?:="[^"]*")?)+) ?>(?:\}\})?([^]*?)(?:<\/attention-playground>|\{\{< \/attention >\}\})/.exec(code) ?? [];
  assert.doesNotMatch(inner, SYNTAX, 'no sign of any syntax is left');
  return { said: Object.fromEntries([...inner.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value]) => [name, value ? decoded(value) : true as const])), inside };
}

const READERS: Partial<Record<SystemId, (code: string) => Record<string, unknown>>> = {
  myst: (code) => {
    const [open = '', body = '', close = '', ...more] = code.split('\n');
    assert.deepEqual([open, close, more], ['```{anywidget} attention/anywidget.mjs', '```', []], 'one directive with one line of JSON');
    return JSON.parse(body);
  },
  jupyter: (code) => JSON.parse((/config=(.*)\)$/.exec(code)?.[1] ?? '').replace(/: True\b/g, ': true')),
  iframe: (code) => {
    const address = new URL(decoded(/src="([^"<>\n]*)"/.exec(code)?.[1] ?? ''), 'https://example.org/');
    assert.equal(address.searchParams.get('text'), null, 'sentences are in no query');
    const pairs = [...address.searchParams, ...new URLSearchParams(address.hash.slice(1))];
    return Object.fromEntries(pairs.map(([name, value]) => [name, value === '' ? true : value]));
  },
};

for (const id of Object.keys(SYSTEMS) as SystemId[]) {
  test(`${id}: words of any signs come out as they are`, () => {
    const code = inPage(snippet(id, SECOND));
    const read = READERS[id];
    if (read) return assert.deepEqual(read(code), expected);
    const { said, inside } = readTag(code);
    assert.deepEqual(said, expected);
    assert.equal((id === 'docusaurus' ? readExpression : readText)(inside), SECOND.fallback);
  });

  test(`${id}: files come from where the package lies, with their hashes where the page says them`, () => {
    const integrity = { 'attention-playground.js': 'sha384-a+b/c==', 'attention-playground.css': 'sha384-d+e/f==' };
    const all = snippet(id, { ...FIRST, base: 'https://example.org/a"\n\'{{b/', integrity }).map(({ code }) => code).join('\n');
    assert.match(all, /https:\/\/example\.org\/a%22%0A%27%7B%7Bb\/(attention-playground\.js|anywidget\.mjs|embed\.html)/);
    if (['myst', 'jupyter', 'iframe'].includes(id)) return assert.doesNotMatch(all, /sha384/, 'no place for a hash');
    for (const [file, hash] of [['js', 'sha384-a+b/c=='], ['css', 'sha384-d+e/f==']] as const) {
      // In the same tag or object as the file.
      assert.match(all, new RegExp(`attention-playground\\.${file}[^>})\n]*(?:\\}\\}[^>})\n]*)?integrity["']?(?:=|: )"${hash.replace(/[+]/g, '\\+')}"[^>})\n]*crossorigin["']?(?:=|: )"anonymous"`));
    }
  });
}
