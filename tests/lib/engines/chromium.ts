// Chromium, driven by Playwright.
import type { ElementHandle, Frame, Page } from 'playwright-core';
import { launch } from '../page.ts';
import { type Engine, type Found, type Held, SIZE, type Tab, type TabOptions, type View, answer, asked, element, waitFor } from './engine.ts';

export async function chromiumEngine(): Promise<Engine> {
  const browser = await launch();
  return { name: 'chromium', version: browser.version(), newTab, close: () => browser.close() };

  async function newTab({ width = SIZE.width, height = SIZE.height }: TabOptions = {}): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB' });
    const page = await context.newPage();
    const [problems, requests] = watched(page);
    return {
      ...view(page.mainFrame()),
      goto: async (url) => { await page.goto(url); },
      type: (text) => page.keyboard.type(text),
      press: (key) => page.keyboard.press(key),
      resize: (across, down) => page.setViewportSize({ width: across, height: down }),
      print: () => page.pdf(),
      held: () => held(page),
      problems: async () => [...problems],
      requests: async () => [...requests],
      close: () => context.close(),
    };
  }
}

function view(frame: Frame): View {
  const find = async (where: Found): Promise<ElementHandle> => {
    const handle = (await frame.evaluateHandle(element(where))).asElement();
    if (!handle) throw new Error(`There is no element ${String(where)}`);
    return handle;
  };
  const made: View = {
    evaluate: async (run, ...parts) => answer(await frame.evaluate(asked(run, parts))),
    waitFor: (run, ...parts) => waitFor(made, run, parts),
    click: async (where, at) => (await find(where)).click(at && { position: at }),
    frame: async (where) => {
      const inner = await (await find(where)).contentFrame();
      if (!inner) throw new Error(`There is no frame ${String(where)}`);
      return view(inner);
    },
  };
  return made;
}

async function held(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { bytes: usedSize, nodes, listeners: jsEventListeners };
}

function watched(page: Page): [string[], string[]] {
  const [problems, requests]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/^(error|warning)$/.test(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => requests.push(request.url()));
  return [problems, requests];
}
