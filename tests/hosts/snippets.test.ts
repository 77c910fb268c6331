// Every system's snippet says the same figure, whatever its words hold; those that are built are read in browsers, too.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { launch } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { type Figure, type Part, SYSTEMS, type SystemId, snippet } from '../../web/src/pages/configurator/snippets.ts';
import { FIRST, SECOND } from './systems.ts';

const chromium = await launch();
after(() => chromium.close());

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

// Hostile texts, drawn at random, through the parsers themselves.

/** What ends a line, shows nothing, turns the direction, or begins something in one of the systems. */
const HOSTILE = [
  '\u0085', '\u0085\u0085.. include:: /etc/hostname\u0085\u0085', '\u0085\u0085.. raw:: html\u0085\u0085   <b>x</b>\u0085\u0085', '\u2028', '\u2029', '\v', '\f', '\u001c', '\u001e', '\n', '\r', '\t', '\0', '\u0080', '\u009f', '\u007f',
  '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u00ad', '\ufeff', '\u200b', '\u200d', '\u{e0041}', '\ufffe', '\ufe0f', '\ud83d', '🐈', '\u2022 ', '\u2023 ',
  '"', "'", '<', '>', '&', '&#133;', '&amp;', '</attention-playground>', '<script>', '{{', '}}', '{%', '%}', '{', '}', '`', '```', '\\', '\\n', '|', '*', '_', '__', '[a](b)', '~~', '$', ':a:', '::', '-- ', '# ', '- ', '1. ', '(a) ', 'A. ', '.. ', '>>> ', '+--+', '===',
  ' ', '  ', '\u00a0', 'word', 'né', '语言', 'שלום',
];
const hostileText = (random: Random): string => `cat${Array.from({ length: random.whole(1, 12) }, () => random.pick(HOSTILE)).join('')}x`;
const figures = Array.from({ length: 300 }, (_, i): Figure => {
  const random = new Random(i + 1);
  return { text: hostileText(random), fallback: hostileText(random), attributes: { view: 'heads', 'key-text': hostileText(random) }, base: `https://example.org/${hostileText(random).replaceAll('#', '')}/` };
});
/** No HTML can hold controls other than spaces: they are said to be none of the text's characters. */
const asWritten = (text: string): string => text.replace(/\p{Surrogate}|[\0-\b\v\u000e-\u001f\u007f-\u009f]/gu, '\ufffd');
const BESIDE = /[\u0080-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What Chromium's parser makes of the first figure of each, and how many elements there are besides. */
async function parsed(codes: readonly string[]): Promise<{ text: string | null; keyText: string | null; inside: string | null; names: string }[]> {
  const page = await chromium.newPage();
  const found = await page.evaluate((all) => all.map((code) => {
    const document = new DOMParser().parseFromString(code, 'text/html');
    const figure = document.querySelector('attention-playground, iframe');
    return {
      text: figure?.getAttribute('text') ?? null, keyText: figure?.getAttribute('key-text') ?? figure?.getAttribute('src') ?? null, inside: figure?.textContent ?? null,
      names: [...document.querySelectorAll('*')].map(({ localName }) => localName).filter((name) => !['html', 'head', 'body', 'link', 'script', 'div', 'section'].includes(name)).join(),
    };
  }), codes);
  await page.close();
  return found;
}

const python = (script: string, input: unknown): unknown => JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 28 }));

for (const id of Object.keys(SYSTEMS) as SystemId[]) {
  test(`${id}: no snippet holds a sign that ends a line somewhere, or turns the code round`, () => {
    for (const figure of figures) for (const { code } of snippet(id, figure)) assert.doesNotMatch(code, BESIDE, JSON.stringify(figure));
  });
}

test('every snippet of HTML is read back as the very texts by a browser', async () => {
  const others: readonly SystemId[] = ['myst', 'jupyter', 'hugo'];
  for (const id of (Object.keys(SYSTEMS) as SystemId[]).filter((each) => !others.includes(each))) {
    const found = await parsed(figures.map((figure) => (id === 'docusaurus' ? inPage(snippet(id, { ...figure, fallback: '' })) : inPage(snippet(id, figure))).split('\n.. only::')[0] as string));
    figures.forEach(({ text, fallback, attributes }, i) => {
      const { text: read, keyText, inside, names } = found[i]!;
      const where = `${id}: ${JSON.stringify(text)}`;
      if (id === 'iframe') {
        const said = new URLSearchParams(new URL(keyText ?? '').hash.slice(1));
        assert.deepEqual([said.get('text'), said.get('key-text'), names], [asWritten(text), asWritten(attributes['key-text'] as string), 'iframe'], where);
        return;
      }
      assert.deepEqual([read, keyText, names], [asWritten(text), asWritten(attributes['key-text'] as string), 'attention-playground'], where);
      // In MDX an expression, which is JavaScript.
      const said = id === 'docusaurus' ? readExpression(/\{".*"\}(?=<\/attention-playground>\n)/.exec(inPage(snippet(id, figures[i]!)))?.[0] ?? '') : inside;
      assert.equal(said, asWritten(fallback), where);
    });
  }
});

test('Python, JSON and YAML read the very texts back', () => {
  const wanted = figures.map(({ text, attributes }) => ({ text: asWritten(text), ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, asWritten(value as string)])) }));
  const code = (id: SystemId) => figures.map((figure) => inPage(snippet(id, figure)));
  assert.deepEqual(code('myst').map((lines) => JSON.parse(lines.split('\n')[1] ?? '')), wanted);
  const calls = code('jupyter').map((lines) => /config=(.*)\)$/.exec(lines)?.[1]);
  assert.deepEqual(python('import ast, json, sys; print(json.dumps([ast.literal_eval(each) for each in json.load(sys.stdin)]))', calls), wanted);
  const lines = python('import json, sys; print(json.dumps([len(each.splitlines()) for each in json.load(sys.stdin)]))', code('jupyter'));
  assert.deepEqual(lines, figures.map(() => 7));
});

/** `only` is Sphinx's own. */
const DOCUTILS = `
import json, sys
from docutils import core, nodes
from docutils.parsers.rst import Directive, directives
class Only(Directive):
    required_arguments, final_argument_whitespace, has_content = 1, True, True
    def run(self):
        node = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]
directives.register_directive('only', Only)
def read(code):
    tree = core.publish_doctree(code, settings_overrides={'report_level': 5, 'file_insertion_enabled': True})
    raw, only = tree.children
    return [tree.__class__.__name__, len(tree.children), raw.__class__.__name__, raw.astext(), [child.__class__.__name__ for child in only.children], only.astext(), len(list(tree.findall(nodes.system_message)))]
print(json.dumps([read(each) for each in json.load(sys.stdin)]))
`;

test('docutils finds one figure and one paragraph, of the very texts', async () => {
  const found = python(DOCUTILS, figures.map((figure) => inPage(snippet('sphinx', figure)))) as [string, number, string, string, string[], string, number][];
  const figuresIn = await parsed(found.map(([, , , html]) => html));
  figures.forEach(({ text, fallback }, i) => {
    const [kind, count, raw, , inOnly, said, messages] = found[i]!;
    assert.deepEqual([kind, count, raw, inOnly, messages], ['document', 2, 'raw', ['paragraph'], 0], JSON.stringify(fallback));
    assert.equal(figuresIn[i]?.text, asWritten(text));
    const line = fallback.replace(/[\s\u0085]+/g, ' ').trim().replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
    assert.equal(said, asWritten(line));
  });
});
