// The walk's cards at every width: no name and no number is cut.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Opening, Reader, link, linkSettings } from '../lib/page.ts';
import { Walk } from '../lib/walk.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import { KNOBS } from '../../web/src/state/settings.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const open = async (opening: Opening) => new Walk(await reader.open(opening)).show();

for (const width of [360, 768, 1100, 1440]) {
  test(`no card’s name is cut, ${width} px wide`, async () => {
    const walk = await open({ context: { viewport: { width, height: 900 } }, fragment: link(linkSettings({ ...KNOBS, positions: 'rope', softcap: 5, value_rank: 4, dropout: 0.1 } as typeof KNOBS)) });
    const names = async () => walk.page.locator('.stage > summary').evaluateAll((all) => all.map((summary) => {
      const [name, next] = [summary.querySelector('b') as HTMLElement, summary.parentElement?.nextElementSibling];
      const { right } = name.getBoundingClientRect();
      const end = next ? next.getBoundingClientRect() : null;
      return { text: name.innerText, cut: getComputedStyle(summary).overflow !== 'visible', over: end !== null && end.top < name.getBoundingClientRect().bottom && right > end.left, out: right > innerWidth };
    }));
    const assertWhole = async (how: string) => {
      const all = await names();
      assert.ok(all.length > 10);
      for (const { text, ...wrong } of all) assert.deepEqual(wrong, { cut: false, over: false, out: false }, `${text}, ${how}`);
    };
    await assertWhole('folded');
    for (const id of await walk.stages()) await walk.unfold(id as StageId);
    await assertWhole('open');
    await walk.playground.close();
  });
}

for (const width of [360, 768, 1440]) {
  test(`no card’s numbers are cut, ${width} px wide`, async () => {
    for (const settings of [{}, { temperature: 0.5, dropout: 0.1, positions: 'rope', softcap: 5 }, { parameters: 'designed' }]) {
      const walk = await open({ context: { viewport: { width, height: 900 } }, fragment: link({ ...settings, stage: 'weights', cell: '8.3' }) });
      for (const id of await walk.stages()) await walk.unfold(id as StageId);
      const formulas = [];
      for (const card of await walk.page.locator('.stage', { has: walk.page.locator('.stage-live') }).all()) {
        await card.scrollIntoViewIfNeeded();
        await walk.settle();
        formulas.push(await card.locator('.stage-live').evaluate((line) => {
          const edge = line.getBoundingClientRect().right;
          return [line.textContent?.replace(/\s+/g, ' ').trim(), [...line.querySelectorAll('math *')].every((part) => part.getBoundingClientRect().right <= edge)];
        }));
      }
      assert.ok(formulas.filter(([text]) => text !== '').length > 6, JSON.stringify(formulas));
      assert.deepEqual(formulas.filter(([, fits]) => !fits), [], JSON.stringify(settings));
      await walk.playground.close();
    }
  });
}
