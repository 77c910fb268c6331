// What an author writes to show a figure, system by system: the parts, and the files that they belong in.
import { asAddress, inAddress, inAttribute, inText, paragraph, quoted, restParagraph } from './escape.ts';

export interface Figure {
  /** By their names in HTML, without `text`; true for one that just stands there. */
  attributes: Readonly<Record<string, string | true>>;
  /** The sentence. */
  text: string;
  /** What stands there without JavaScript, and wherever HTML is dropped: plain text. */
  fallback: string;
  /** Where the package's dist/ lies, with a / at its end; without it, where the system's `base` says. */
  base?: string;
  /** Hashes of files from another host, which must send CORS headers: file → sha384-…. */
  integrity?: Readonly<Record<string, string>>;
}

export interface Part {
  /** The file that it belongs in; null for the place of the figure. */
  file: string | null;
  code: string;
}

export interface System {
  name: string;
  /** The folder of the author's project for the package's dist/; empty where an address is needed. */
  folder: string;
  /** That folder, as the system wants to hear of it. */
  base: string;
  parts(figure: Figure & { base: string }): Part[];
}

export type SystemId = keyof typeof SYSTEMS;

const SCRIPT = 'attention-playground.js';
const STYLE = 'attention-playground.css';
/** What every reader's address may be kept in is no place for sentences: they go after the #, which no server sees. */
const SENTENCES = ['text', 'key-text'];

type Pair = [name: string, value: string | true];
const pairs = ({ text, attributes }: Figure): Pair[] => [['text', text], ...Object.entries(attributes)];
const said = ([name, value]: Pair) => (value === true ? ` ${name}` : ` ${name}="${inAttribute(value)}"`);
const element = (figure: Figure, inside = inText(figure.fallback)) => `<attention-playground${pairs(figure).map(said).join('')}>${inside}</attention-playground>`;
/** A <div> is raw in every Markdown, unknown tags are not. */
const block = (figure: Figure, inside?: string) => `<div>\n${element(figure, inside)}\n</div>`;

/** What a browser checks a file from another host by. */
function checks({ integrity = {} }: Figure, file: string): [name: string, value: string][] {
  const hash = integrity[file];
  return hash ? [['integrity', hash], ['crossorigin', 'anonymous']] : [];
}

const isHashed = (figure: Figure): boolean => checks(figure, STYLE).length > 0;

/** The same as members of an object, behind others, as the system writes their names. */
const checksAmong = (figure: Figure, file: string, named = (name: string) => name) => checks(figure, file).map(([name, value]) => `, ${named(name)}: ${quoted(value)}`).join('');

/** `to` is the way to a file in the page's own language; the rest is HTML. */
function head(figure: Figure & { base: string }, to = (file: string) => inAttribute(figure.base + file)): string {
  const from = (file: string) => `"${to(file)}"${checks(figure, file).map(said).join('')}`;
  return `<link rel="stylesheet" href=${from(STYLE)}>\n<script defer src=${from(SCRIPT)}></script>`;
}

/** A relative address counts from the site's root, which the template knows. */
const below = (root: string, base: string) => (file: string) => (/^([a-z][a-z+.-]*:)?\//i.test(base) ? '' : root) + inAttribute(base + file);

const lines = (...texts: string[]) => texts.join('\n');
const here = (code: string): Part => ({ file: null, code });
const object = (figure: Figure, yes: string) => `{${pairs(figure).map(([name, value]) => `${quoted(name)}: ${value === true ? yes : quoted(value)}`).join(', ')}}`;
const indented = (code: string) => code.replace(/^/gm, '   ');

const sphinxConfig = (figure: Figure & { base: string }): Part => ({
  file: 'conf.py',
  code: lines(
    'html_static_path = ["_static"]',
    `html_css_files = [${isHashed(figure) ? `(${quoted(figure.base + STYLE)}, {"media": "all"${checksAmong(figure, STYLE, quoted)}})` : quoted(figure.base + STYLE)}]`,
    `html_js_files = [(${quoted(figure.base + SCRIPT)}, {"defer": "defer"${checksAmong(figure, SCRIPT, quoted)}})]`,
  ),
});

function address(figure: Figure & { base: string }): string {
  const part = (sentences: boolean) => pairs(figure).filter(([name]) => SENTENCES.includes(name) === sentences)
    .map(([name, value]) => (value === true ? name : `${name}=${inAddress(value)}`)).join('&');
  return `${figure.base}embed.html?${part(false)}#${part(true)}`;
}

export const SYSTEMS = {
  html: {
    name: 'HTML', folder: 'attention/', base: 'attention/',
    parts: (figure) => [here(lines(head(figure), element(figure)))],
  },
  markdown: {
    name: 'Markdown', folder: 'attention/', base: 'attention/',
    parts: (figure) => [here(lines('<div>', head(figure), element(figure), '</div>'))],
  },
  myst: {
    name: 'MyST', folder: 'attention/', base: 'attention/',
    parts: (figure) => [here(lines(`\`\`\`{anywidget} ${figure.base}anywidget.mjs`, object(figure, 'true'), '```'))],
  },
  sphinx: {
    name: 'Sphinx', folder: '_static/attention/', base: 'attention/',
    parts: (figure) => [
      sphinxConfig(figure),
      here(lines('.. raw:: html', '', indented(element(figure)), '', '.. only:: not html', '', indented(restParagraph(figure.fallback)))),
    ],
  },
  'myst-parser': {
    name: 'Sphinx, MyST-Parser', folder: '_static/attention/', base: 'attention/',
    parts: (figure) => [sphinxConfig(figure), here(lines(block(figure), '', '```{only} not html', paragraph(figure.fallback), '```'))],
  },
  mkdocs: {
    name: 'MkDocs', folder: 'docs/attention/', base: 'attention/',
    // Its configuration has no place for hashes.
    parts: (figure) => (isHashed(figure) ? [here(lines('<div>', head(figure), element(figure), '</div>'))] : [
      { file: 'mkdocs.yml', code: lines('extra_css:', `  - ${quoted(figure.base + STYLE)}`, 'extra_javascript:', `  - ${quoted(figure.base + SCRIPT)}`) },
      here(block(figure)),
    ]),
  },
  docusaurus: {
    name: 'Docusaurus', folder: 'static/attention/', base: '/attention/',
    parts: (figure) => [
      { file: 'docusaurus.config.js', code: lines(`stylesheets: [${isHashed(figure) ? `{ href: ${quoted(figure.base + STYLE)}${checksAmong(figure, STYLE)} }` : quoted(figure.base + STYLE)}],`, `scripts: [{ src: ${quoted(figure.base + SCRIPT)}, defer: true${checksAmong(figure, SCRIPT)} }],`) },
      here(block(figure, `{${quoted(figure.fallback)}}`)), // an expression: in text :words: become pictures
    ],
  },
  vitepress: {
    name: 'VitePress', folder: 'public/attention/', base: '/attention/',
    parts: (figure) => [
      {
        file: '.vitepress/config.mjs',
        code: lines(
          'head: [',
          `  ['link', { rel: 'stylesheet', href: ${quoted(figure.base + STYLE)}${checksAmong(figure, STYLE)} }],`,
          `  ['script', { defer: '', src: ${quoted(figure.base + SCRIPT)}${checksAmong(figure, SCRIPT)} }],`,
          '],',
          "vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'attention-playground' } } },",
        ),
      },
      here(block(figure)),
    ],
  },
  starlight: {
    name: 'Starlight', folder: 'public/attention/', base: '/attention/',
    parts: (figure) => [
      {
        file: 'astro.config.mjs',
        code: lines(
          'head: [',
          `  { tag: 'link', attrs: { rel: 'stylesheet', href: ${quoted(figure.base + STYLE)}${checksAmong(figure, STYLE)} } },`,
          `  { tag: 'script', attrs: { defer: true, src: ${quoted(figure.base + SCRIPT)}${checksAmong(figure, SCRIPT)} } },`,
          '],',
        ),
      },
      here(lines('<div class="not-content">', element(figure), '</div>')),
    ],
  },
  hugo: {
    name: 'Hugo', folder: 'static/attention/', base: 'attention/',
    parts: (figure) => [
      {
        file: 'layouts/shortcodes/attention.html',
        code: lines(
          '{{- if not (.Page.Scratch.Get "attention") }}{{ .Page.Scratch.Set "attention" true }}',
          head(figure, (file) => `{{ ${quoted(figure.base + file)} | relURL }}`),
          '{{- end }}',
          '<attention-playground',
          '{{- range $name, $value := .Params }} {{ printf `%s="%s"` $name (htmlUnescape $value | htmlEscape) | safeHTMLAttr }}{{ end -}}',
          '>{{ .Inner | safeHTML }}</attention-playground>',
        ),
      },
      here(`{{< attention${pairs(figure).map(([name, value]) => said([name, value === true ? '' : value])).join('')} >}}${inText(figure.fallback)}{{< /attention >}}`), // no bare names here
    ],
  },
  jekyll: {
    name: 'Jekyll', folder: 'assets/attention/', base: 'assets/attention/',
    parts: (figure) => [here(lines('<div>', head(figure, below("{{ '/' | relative_url }}", figure.base)), element(figure), '</div>'))],
  },
  mdbook: {
    name: 'mdBook', folder: 'src/attention/', base: 'attention/',
    parts: (figure) => [{ file: 'theme/head.hbs', code: head(figure, below('{{ path_to_root }}', figure.base)) }, here(block(figure))],
  },
  quarto: {
    name: 'Quarto', folder: 'attention/', base: 'attention/',
    parts: (figure) => [
      { file: '_quarto.yml', code: lines('project:', '  resources:', '    - attention/') },
      here(lines('```{=html}', head(figure), element(figure), '```')),
    ],
  },
  jupyter: {
    name: 'Jupyter', folder: '', base: '',
    parts: (figure) => [here(lines(
      'import anywidget, pathlib, traitlets',
      '',
      'class Attention(anywidget.AnyWidget):',
      `    _esm = pathlib.Path(${quoted(`${figure.base}anywidget.mjs`)})`,
      '    config = traitlets.Dict().tag(sync=True)',
      '',
      `Attention(config=${object(figure, 'True')})`,
    ))],
  },
  reveal: {
    name: 'reveal.js', folder: 'attention/', base: 'attention/',
    parts: (figure) => [{ file: 'index.html', code: head(figure) }, here(lines('<section>', element(figure), '</section>'))],
  },
  iframe: {
    name: 'iframe', folder: '', base: '',
    parts: (figure) => [here(`<iframe src="${inAttribute(address(figure))}" title="${inAttribute(figure.fallback)}" width="100%" height="480" loading="lazy" style="border: 0"></iframe>`)],
  },
} satisfies Record<string, System>;

/** The snippet for a system, part by part. */
export function snippet(system: SystemId, figure: Figure): Part[] {
  const { base, parts }: System = SYSTEMS[system];
  return parts({ ...figure, base: asAddress(figure.base ?? base) });
}
