// WebKitGTK's small browser, driven by its own driver over W3C WebDriver, on a screen that nobody sees.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { type Engine, type Found, SIZE, type Spot, type Tab, type TabOptions, type View, answer, asked, element, program, waitFor } from './engine.ts';

const BROWSERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'].map((folder) => `${folder}/webkit2gtk-4.1/MiniBrowser`);
/** The driver's codes for keys that write nothing. */
const KEYS: Record<string, string> = {
  Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Shift: '\uE008', Control: '\uE009', Alt: '\uE00A', Escape: '\uE00C', PageUp: '\uE00E', PageDown: '\uE00F',
  End: '\uE010', Home: '\uE011', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Delete: '\uE017', Meta: '\uE03D',
};

export async function webkitEngine(): Promise<Engine> {
  const binary = program('ATTENTION_MINIBROWSER', 'hosts', ...BROWSERS, 'MiniBrowser');
  const screen = await startScreen();
  const driver = await startDriver(screen.display);
  const stop = () => {
    driver.process.kill();
    screen.process.kill();
  };
  try {
    const session = await Session.start(driver.address, binary);
    return {
      name: 'webkit', version: session.version,
      newTab: (options) => newTab(session, options),
      close: async () => {
        await session.end();
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

async function newTab(session: Session, { width = SIZE.width, height = SIZE.height }: TabOptions = {}): Promise<Tab> {
  const handle = await session.newWindow();
  const tab = new Window(session, handle);
  await tab.resize(width, height);
  return tab;
}

/** One browser; what it is asked comes one after the other, each in its own window and frame. */
class Session {
  #last: Promise<unknown> = Promise.resolve();
  #home = '';
  #at = '';

  private constructor(private readonly address: string, readonly version: string) {}

  static async start(driver: string, binary: string): Promise<Session> {
    const browser = { binary, args: ['--automation'] };
    const { sessionId, capabilities } = await send<{ sessionId: string; capabilities: { browserVersion: string } }>(
      'POST', `${driver}/session`, { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } } });
    const session = new Session(`${driver}/session/${sessionId}`, capabilities.browserVersion);
    session.#home = await session.send('GET', '/window');
    return session;
  }

  /** Asked for from a window that is there for as long as the browser. */
  async newWindow(): Promise<string> {
    const { handle } = await this.within(this.#home, [], () => this.send<{ handle: string }>('POST', '/window/new', { type: 'window' }));
    return handle;
  }

  send<R = unknown>(method: string, path: string, body: object = {}): Promise<R> {
    return send<R>(method, this.address + path, body);
  }

  /** Work in one document, with nobody else's between its steps. */
  async within<R>(handle: string, frames: readonly Found[], work: () => Promise<R>): Promise<R> {
    const mine = this.#last.then(async () => {
      if (this.#at !== handle) await this.send('POST', '/window', { handle });
      this.#at = handle;
      if (frames.length > 0) await this.send('POST', '/frame', { id: null });
      for (const find of frames) await this.send('POST', '/frame', { id: await this.find(find) });
      try {
        return await work();
      } finally {
        if (frames.length > 0) await this.send('POST', '/frame', { id: null });
      }
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async find(where: Found): Promise<Record<string, string>> {
    const found = await this.run<Record<string, string> | null>(`return ${element(where)}`);
    if (!found) throw new Error(`There is no element ${String(where)}`);
    return found;
  }

  run<R>(script: string): Promise<R> {
    return this.send('POST', '/execute/sync', { script, args: [] });
  }

  act(type: 'key' | 'pointer', actions: readonly object[]): Promise<unknown> {
    return this.send('POST', '/actions', { actions: [{ type, id: type, actions }] });
  }

  end(): Promise<unknown> {
    return this.#last.then(() => this.send('DELETE', ''));
  }
}

class Document implements View {
  constructor(protected readonly session: Session, protected readonly handle: string, private readonly frames: readonly Found[] = []) {}

  protected within<R>(work: () => Promise<R>): Promise<R> {
    return this.session.within(this.handle, this.frames, work);
  }

  async evaluate<R, A extends unknown[]>(run: (...parts: A) => R | Promise<R>, ...parts: A): Promise<R> {
    const script = `const done = arguments[0]; new Promise((resolve) => resolve(${asked(run, parts)})).then((said) => done([said]), (error) => done([null, String(error)]));`;
    const [said, error] = await this.within(() => this.session.send<[unknown, string?]>('POST', '/execute/async', { script, args: [] }));
    if (error) throw new Error(error);
    return answer(said);
  }

  waitFor<R, A extends unknown[]>(run: (...parts: A) => R | Promise<R>, ...parts: A): Promise<R> {
    return waitFor(this, run, parts);
  }

  async click(find: Found, at?: Spot): Promise<void> {
    // Not the driver's own click, which takes what is in a shadow root for covered by the root's host.
    await this.within(async () => {
      const [width = 0, height = 0] = await this.session.run<number[]>(`const it = ${element(find)}; it?.scrollIntoView({ block: 'center', inline: 'center' });
        const { width, height } = it?.getBoundingClientRect() ?? {}; return [width, height]`);
      const [x, y] = at ? [at.x - width / 2, at.y - height / 2].map(Math.round) : [0, 0];
      await this.session.act('pointer', [
        { type: 'pointerMove', x, y, origin: await this.session.find(find) }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 },
      ]);
    });
  }

  async frame(find: Found): Promise<View> {
    return new Document(this.session, this.handle, [...this.frames, find]);
  }
}

class Window extends Document implements Tab {
  readonly #seen = { problems: [] as string[], requests: [] as string[] };

  async goto(url: string): Promise<void> {
    await this.#keep();
    await this.within(() => this.session.send('POST', '/url', { url }));
  }

  async type(text: string): Promise<void> {
    await this.within(() => this.session.act('key', [...text].flatMap((letter) => stroke([letter]))));
  }

  async press(key: string): Promise<void> {
    await this.within(() => this.session.act('key', stroke(key.split('+').map((name) => KEYS[name] ?? name))));
  }

  /** A window has a frame: what the page gets is measured, and the rest is added. */
  async resize(width: number, height: number): Promise<void> {
    let [across, down] = [width, height];
    for (let tries = 0; tries < 3; tries += 1) {
      await this.within(() => this.session.send('POST', '/window/rect', { width: across, height: down }));
      const [inner, below] = await this.evaluate(() => [innerWidth, innerHeight] as const);
      if (inner === width && below === height) return;
      [across, down] = [across + width - inner, down + height - below];
    }
  }

  async print(): Promise<null> {
    return null;
  }

  async held(): Promise<null> {
    return null;
  }

  async problems(): Promise<string[]> {
    return [...this.#seen.problems, ...(await this.evaluate(() => (globalThis as { seenProblems?: string[] }).seenProblems ?? []))];
  }

  async requests(): Promise<string[]> {
    return [...this.#seen.requests, ...(await this.evaluate(() => performance.getEntries().filter((entry) => /^(navigation|resource)$/.test(entry.entryType)).map((entry) => entry.name)))];
  }

  /** A page takes what it has seen with it when another comes. */
  async #keep(): Promise<void> {
    this.#seen.problems = await this.problems();
    this.#seen.requests = await this.requests();
  }

  async close(): Promise<void> {
    await this.within(() => this.session.send('DELETE', '/window'));
  }
}

const stroke = (keys: readonly string[]): object[] => [
  ...keys.map((value) => ({ type: 'keyDown', value })), ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
];

async function send<R>(method: string, url: string, body: object): Promise<R> {
  const reply = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
  const { value } = (await reply.json()) as { value: R & { error?: string; message?: string } };
  if (!reply.ok) throw new Error(`WebKit says ${value.error ?? reply.status} to ${method} ${new URL(url).pathname}: ${value.message ?? ''}`);
  return value;
}

async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const started = spawn(program('ATTENTION_XVFB', 'hosts', 'Xvfb'), ['-displayfd', '3', '-screen', '0', '2000x1600x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await new Promise<string>((resolve, reject) => {
    started.once('exit', () => reject(new Error('Xvfb ended before it had a screen.')));
    started.stdio[3]?.once('data', (line: Buffer) => resolve(`:${line.toString().trim()}`));
  });
  return { process: started, display };
}

async function startDriver(display: string): Promise<{ process: ChildProcess; address: string }> {
  const port = await freePort();
  const started = spawn(program('ATTENTION_WEBKIT_DRIVER', 'hosts', 'WebKitWebDriver'), [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11' } });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(`${address}/status`).then((reply) => reply.ok, () => false)) return { process: started, address };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  started.kill();
  throw new Error('WebKitWebDriver does not answer.');
}

const freePort = (): Promise<number> => new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
  });
});
