// A page of the lesson, and what stands on it.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Opening, Reader } from './page.ts';

export const lessonFile = async (name: string) => JSON.parse(await readFile(new URL(`../../web/lessons/${name}.json`, import.meta.url), 'utf8')) as { text: string; words?: string[]; steps: { id: string; question: string }[] };

export const SIZES = { desk: { width: 1280, height: 720 }, large: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** The lesson without motion, with its first step there: the door's words stand there before they have been computed, and its answer is another then. */
export const lessonOf = (reader: Reader) => async (opening: Opening = {}, size: keyof typeof SIZES = 'desk') => {
  const isPhone = size === 'phone';
  const before = async (page: Page) => {
    await page.addInitScript(() => addEventListener('lesson-ready', () => Object.assign(globalThis, { isLessonReady: true })));
    await opening.before?.(page);
  };
  const page = await reader.open({ file: 'index.html', ...opening, before, context: { viewport: SIZES[size], reducedMotion: 'reduce', hasTouch: isPhone, isMobile: isPhone, ...opening.context } });
  await page.page.waitForFunction(() => 'isLessonReady' in globalThis);
  await page.page.locator('.word, attention-playground').first().waitFor();
  return page;
};

export type Opened = Awaited<ReturnType<ReturnType<typeof lessonOf>>>;
export const heading = (page: Opened) => page.page.locator('.ask-part[data-here] h2').innerText();
export const lead = (page: Opened) => page.page.locator('.ask-part[data-here] .lead').innerText();
export const step = (page: Opened) => page.page.locator('article.step').getAttribute('data-step');
