// Firefox, driven by Puppeteer over WebDriver BiDi.
import puppeteer, { type ElementHandle, type Frame, type KeyInput, type Page } from 'puppeteer-core';
import { type Engine, type Found, SIZE, type Tab, type TabOptions, type View, answer, asked, element, program, waitFor } from './engine.ts';

/** Its own request for an icon is no doing of the page's. */
const PREFERENCES = { 'browser.chrome.site_icons': false };
const FIREFOX = ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

export async function firefoxEngine(): Promise<Engine> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: program('ATTENTION_FIREFOX', 'hosts', ...FIREFOX), headless: true, extraPrefsFirefox: PREFERENCES });
  return { name: 'firefox', version: (await browser.version()).replace(/^\w+\//, ''), newTab, close: () => browser.close() };

  async function newTab({ width = SIZE.width, height = SIZE.height }: TabOptions = {}): Promise<Tab> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width, height });
    const [problems, requests] = watched(page);
    return {
      ...view(page.mainFrame()),
      goto: async (url) => { await page.goto(url); },
      type: (text) => page.keyboard.type(text),
      press: (key) => press(page, key.split('+')),
      resize: (across, down) => page.setViewport({ width: across, height: down }),
      print: () => page.pdf(),
      held: async () => null,
      problems: async () => [...problems],
      requests: async () => [...requests],
      close: () => context.close(),
    };
  }
}

async function press(page: Page, keys: readonly string[]): Promise<void> {
  const held = keys.slice(0, -1) as KeyInput[];
  for (const key of held) await page.keyboard.down(key);
  await page.keyboard.press(keys.at(-1) as KeyInput);
  for (const key of held.reverse()) await page.keyboard.up(key);
}

function view(frame: Frame): View {
  const find = async (where: Found): Promise<ElementHandle<Element>> => {
    const handle = (await frame.evaluateHandle(element(where))).asElement();
    if (!handle) throw new Error(`There is no element ${String(where)}`);
    return handle as ElementHandle<Element>;
  };
  const made: View = {
    evaluate: async (run, ...parts) => answer(await frame.evaluate(asked(run, parts))),
    waitFor: (run, ...parts) => waitFor(made, run, parts),
    click: async (where, at) => (await find(where)).click(at && { offset: at }),
    frame: async (where) => {
      const inner = await (await find(where) as ElementHandle<HTMLIFrameElement>).contentFrame();
      if (!inner) throw new Error(`There is no frame ${String(where)}`);
      return view(inner);
    },
  };
  return made;
}

function watched(page: Page): [string[], string[]] {
  const [problems, requests]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => problems.push(`error: ${error instanceof Error ? error.message : String(error)}`));
  page.on('console', (message) => {
    if (/^(error|warn)$/.test(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => requests.push(request.url()));
  return [problems, requests];
}
