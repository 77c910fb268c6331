// What the site's pages have in common: each part stands here once, and in a page as <!-- head -->, <!-- header NAV --> or
// <!-- footer -->, where NAV names the words of its navigation.
import { readFile } from 'node:fs/promises';

const part = async (name) => (await readFile(new URL(`${name}.html`, import.meta.url), 'utf8')).trim();

/** @returns what puts the parts into a page */
export async function pageFrame() {
  const [head, header, footer] = await Promise.all(['head', 'header', 'footer'].map(part));
  return (page) => page.replace('<!-- head -->', head).replace(/<!-- header ([\w-]+) -->/, (_, nav) => header.replace('NAV', nav)).replace('<!-- footer -->', footer);
}
