// Chromium's accessibility tree, read aloud: what a screen reader has to go by, as text.
import type { Page } from 'playwright-core';

interface Value { value?: unknown }
interface Node { nodeId: string; ignored: boolean; role?: Value; name?: Value; description?: Value; childIds?: string[]; parentId?: string; properties?: { name: string; value: Value }[] }

const said = (value?: Value): string => String(value?.value ?? '').replace(/[\u2068\u2069]/g, '');

/** Every part that is not passed over, in reading order: its role, its name, its description, and the place it says. */
export async function aloud(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree') as unknown as { nodes: Node[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const read = (node: Node | undefined) => {
    if (!node) return;
    const [role, name, description] = [said(node.role), said(node.name), said(node.description)];
    if (!node.ignored && name && !/^(StaticText|InlineTextBox|none|generic)$/.test(role)) lines.push([`${role}: ${name}`, ...(description ? [description] : [])].join(' | '));
    for (const id of node.childIds ?? []) read(byId.get(id));
  };
  read(nodes.find(({ parentId }) => parentId === undefined));
  return lines;
}
