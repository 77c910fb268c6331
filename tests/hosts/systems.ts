// The documentation systems that are tried, one entry each. Its folder here holds a small course as an author would
// write it, in which @first@ and @second@ stand for the figures' snippets, and @attention@ for their part of a file.
import type { SystemId } from '../../web/src/pages/configurator/snippets.ts';

export interface Page {
  /** In the folder. */
  source: string;
  snippet: SystemId;
  /** Where the package lies, when not where the snippet says. */
  base?: string;
  /** Below the site's address. */
  address: string;
}

export interface System {
  name: string;
  /** Prints its version. */
  version: readonly string[];
  /** In a copy of the folder; each is a program and its arguments. */
  build: readonly (readonly string[])[];
  /** The folder with the site, which is served at /SYSTEM/OUT/. */
  out: string;
  first: Page;
  second: Page;
  /** A selector of what turns the page dark. */
  dark: string;
  /** Whether a link changes the page without loading a new one. */
  staysLoaded: boolean;
  /** Selectors of what turns the page, when not the last link of a paragraph. */
  turns?: { first: string; second: string };
  /** A page that was left is still there, with what was typed in it. */
  keepsPages?: boolean;
  /** The figure is made by a script alone: there is no page without JavaScript, and no fallback in it. */
  isScripted?: boolean;
  /** Its lines are those for files from another host, with their hashes, which browsers check on one's own as well. */
  isHashed?: boolean;
  /** The theme writes style sheets without what the lines say of them. */
  leavesStyleBare?: boolean;
  /** Files that have no HTML in them, and hold the fallback of both pages. */
  plain?: readonly string[];
}

/** A package says its version in its own package.json; some export no way to it. */
const installed = (name: string) => ['grep', '"version"', `node_modules/${name}/package.json`];

export const SYSTEMS = {
  mkdocs: {
    name: 'Material on MkDocs', version: ['mkdocs', '--version'],
    build: [['mkdocs', 'build', '--quiet', '--strict']], out: 'site',
    first: { source: 'docs/index.md', snippet: 'mkdocs', address: '' },
    second: { source: 'docs/second.md', snippet: 'mkdocs', address: 'second/' },
    dark: 'label[for=__palette_2]', staysLoaded: true,
  },
  sphinx: {
    name: 'Sphinx, MyST-Parser', version: ['sphinx-build', '--version'],
    build: [['sphinx-build', '-q', '-W', '-b', 'html', '.', 'html'], ['sphinx-build', '-q', '-W', '-b', 'text', '.', 'text'], ['sphinx-build', '-q', '-W', '-b', 'latex', '.', 'latex']],
    out: 'html',
    first: { source: 'index.rst', snippet: 'sphinx', address: 'index.html' },
    second: { source: 'second.md', snippet: 'myst-parser', address: 'second.html' },
    dark: '#dark', staysLoaded: false, isHashed: true, leavesStyleBare: true, plain: ['text/index.txt', 'text/second.txt'],
  },
  hugo: {
    name: 'Hugo', version: ['hugo', 'version'],
    build: [['hugo', '--quiet', '--baseURL', '/hugo/public/']], out: 'public',
    first: { source: 'content/_index.md', snippet: 'hugo', address: '' },
    second: { source: 'content/second.md', snippet: 'markdown', base: '../attention/', address: 'second/' },
    dark: '#dark', staysLoaded: false, isHashed: true,
  },
  jekyll: {
    name: 'Jekyll', version: ['jekyll', '--version'],
    build: [['jekyll', 'build', '--quiet', '--baseurl', '/jekyll/_site']], out: '_site',
    first: { source: 'index.md', snippet: 'jekyll', address: 'index.html' },
    second: { source: 'second.md', snippet: 'jekyll', address: 'second.html' },
    dark: '#dark', staysLoaded: false, isHashed: true,
  },
  vitepress: {
    name: 'VitePress', version: installed('vitepress'),
    build: [['vitepress', 'build']], out: 'site',
    first: { source: 'index.md', snippet: 'vitepress', base: '/vitepress/site/attention/', address: '' },
    second: { source: 'second.md', snippet: 'vitepress', base: '/vitepress/site/attention/', address: 'second.html' },
    dark: '.VPSwitchAppearance', staysLoaded: true, isHashed: true,
  },
  docusaurus: {
    name: 'Docusaurus', version: installed('@docusaurus/core'),
    build: [['docusaurus', 'build']], out: 'build',
    first: { source: 'docs/index.md', snippet: 'docusaurus', base: '/docusaurus/build/attention/', address: '' },
    second: { source: 'docs/second.md', snippet: 'docusaurus', base: '/docusaurus/build/attention/', address: 'second' },
    dark: 'button[class*=toggleButton]', staysLoaded: true, isHashed: true,
  },
  reveal: {
    name: 'reveal.js', version: installed('reveal.js'), build: [], out: '.',
    first: { source: 'index.html', snippet: 'reveal', address: '#/1' },
    second: { source: 'index.html', snippet: 'reveal', address: '#/2' },
    dark: '#dark', staysLoaded: true, turns: { first: '.navigate-left', second: '.navigate-right' }, keepsPages: true,
  },
  mystmd: {
    name: 'mystmd', version: installed('mystmd'),
    build: [
      ['myst', 'build', '--site'],
      ['esbuild', 'book.jsx', '--bundle', '--format=esm', '--jsx=automatic', '--outdir=_build/site', '--log-level=warning'],
      ['cp', 'index.html', 'book.css', '_build/site'],
    ],
    out: '_build/site',
    first: { source: 'index.md', snippet: 'myst', address: '#/' },
    second: { source: 'second.md', snippet: 'myst', address: '#/second' },
    dark: '#dark', staysLoaded: true, keepsPages: true, isScripted: true,
  },
  jupyter: {
    name: 'anywidget in Jupyter', version: installed('anywidget'),
    build: [
      ['esbuild', 'notebook.js', '--bundle', '--format=esm', '--outdir=site', '--log-level=warning'],
      ['sh', '-c', 'python3 cells.py >site/cells.json && cp index.html site'],
    ],
    out: 'site',
    first: { source: 'cells.py', snippet: 'jupyter', address: '#1' },
    second: { source: 'cells.py', snippet: 'jupyter', address: '#2' },
    dark: '#dark', staysLoaded: true, isScripted: true,
  },
} satisfies Record<string, System>;

export type HostId = keyof typeof SYSTEMS;
