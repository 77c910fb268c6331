// Opens a lab on the page of labs, and reads its figures by the tables beneath them.
import type { Locator } from 'playwright-core';
import type { Opening, Playground, Reader } from './page.ts';
import type { LabName } from '../../web/src/labs/names.ts';

export interface OpenLab { page: Playground; lab: Locator }

export async function openLab(reader: Reader, name: LabName, { text, preset = {}, context }: { text?: string; preset?: Record<string, string | number>; context?: Opening['context'] } = {}): Promise<OpenLab> {
  const knobs = new URLSearchParams(Object.entries(preset).map(([knob, value]) => [knob, String(value)])).toString();
  const fragment = `#v1&view=${name}${text === undefined ? '' : `&text=${encodeURIComponent(text)}`}${knobs && `&preset=${encodeURIComponent(knobs)}`}`;
  const page = await reader.open({ file: 'labs.html', fragment, ...(context && { context }) });
  const lab = page.page.locator(`#${name}`);
  await lab.scrollIntoViewIfNeeded();
  await lab.locator('.lab-said').waitFor();
  return { page, lab };
}

/** The figure of that title, or whose title begins so. */
export const figure = (lab: Locator, title: string): Locator => lab.locator('figure.plot', { has: lab.page().locator('figcaption b', { hasText: title }) });

/** Its numbers: rows of text, each named by its first; opened as a reader opens them. */
export async function numbersOf(lab: Locator, title: string): Promise<{ columns: string[]; rows: string[][] }> {
  const details = figure(lab, title).locator('.plot-numbers');
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  const cells = (rows: Locator) => rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')));
  const [columns = []] = await cells(details.locator('thead tr'));
  return { columns, rows: await cells(details.locator('tbody tr')) };
}
