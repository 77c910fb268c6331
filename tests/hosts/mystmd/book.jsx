// The pages that mystmd wrote, as a theme shows them: MyST's renderer mounts the widgets, and pages change without a reload.
import { ANY_RENDERERS } from '@myst-theme/anywidget';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const Widget = ANY_RENDERERS.anywidget;
const TAGS = { root: 'main', block: 'section', paragraph: 'p' };

function Node({ node, go }) {
  if (node.type === 'text') return node.value;
  if (node.type === 'anywidget') return <Widget node={node} />;
  const inside = node.children.map((child) => <Node key={child.key} node={child} go={go} />);
  if (node.type === 'link') return <a href={`#${node.url}`} onClick={() => go(node.url)}>{inside}</a>;
  const Tag = TAGS[node.type];
  return <Tag>{inside}</Tag>;
}

function Book({ pages }) {
  const [at, go] = useState(location.hash.slice(1) || '/');
  const { frontmatter, mdast } = pages[at];
  useEffect(() => { document.title = frontmatter.title; }, [at]);
  return <><h1>{frontmatter.title}</h1><Node key={at} node={mdast} go={go} /></>;
}

/** A theme puts the site's own address before that of a module. */
function rebase(node) {
  if (node.esm) node.esm = new URL(`public${node.esm}`, document.baseURI).href;
  node.children?.forEach(rebase);
  return node;
}

async function read(name) {
  const page = await (await fetch(`content/${name}.json`)).json();
  return { ...page, mdast: rebase(page.mdast) };
}

document.querySelector('#dark').onclick = () => document.documentElement.classList.toggle('dark');
createRoot(document.querySelector('#book')).render(<Book pages={{ '/': await read('index'), '/second': await read('second') }} />);
