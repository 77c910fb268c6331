// The copied scripts, run by Python: they print the weights that the page shows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { loadEngine } from '../lib/built.ts';
import { Random } from '../lib/random.ts';
import type { Trace } from '../../web/src/engine/engine.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';
import { type Dialect, script } from '../../web/src/ui/export/script.ts';

const PYTHON = '/usr/bin/python3';
/** Runs every script of a folder on its own, and writes what each printed beside it. Python starts once, since PyTorch is slow to load. */
const RUNNER = `
import contextlib, io, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    path.with_suffix(".txt").write_text(printed.getvalue(), encoding="utf-8")
`;
const TRIALS = 60;
/** Printed to six places; sums are made in another order. */
const TOLERANCE = 2e-5;

const engine = await loadEngine();

/** What scripts print, in their order. */
async function run(scripts: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attention-scripts-'));
  try {
    const file = (i: number, end: string) => path.join(folder, `${String(i).padStart(4, '0')}.${end}`);
    for (const [i, text] of scripts.entries()) await writeFile(file(i, 'py'), text);
    execFileSync(PYTHON, ['-c', RUNNER, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
    return await Promise.all(scripts.map((_, i) => readFile(file(i, 'txt'), 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** "head 1", then a line a query: the token, and its weights. */
function weightsOf(printed: string, { shape: { H, T, S } }: Trace): number[] {
  const rows = printed.trimEnd().split('\n').filter((line) => !/^head \d+$/.test(line));
  assert.equal(rows.length, H * T);
  return rows.flatMap((row) => row.trim().split(/\s+/).slice(-S).map(Number));
}

for (const dialect of ['numpy', 'torch'] as const satisfies readonly Dialect[]) {
  test(`the script for ${dialect} prints the engine's weights, under any settings`, async () => {
    const random = new Random(dialect === 'numpy' ? 71 : 72);
    const cases: { trace: Trace; weights: Float32Array; text: string; about: string }[] = [];
    for (let i = 0; i < TRIALS; i += 1) {
      const session = engine.session();
      const settings = engine.clamp(i === 0 ? { ...DEFAULTS } : random.anySettings()).settings;
      const request = random.request(random.whole(1, 12));
      const first = session.run({ ...request, edits: [], given: {} }, settings);
      const changed = i % 3 === 0 ? { ...request, given: random.given(first) } : request;
      const trace = session.run(changed, settings);
      cases.push({ trace, weights: trace.stage('weights').slice(), text: script(trace, dialect), about: JSON.stringify([settings, request.tokens.length, Object.keys(changed.given ?? {})]) });
      session.free();
    }
    const printed = await run(cases.map(({ text }) => text));
    cases.forEach(({ trace, weights, about }, i) => {
      const found = weightsOf(printed[i] as string, trace);
      assert.equal(found.length, weights.length);
      found.forEach((x, at) => assert.ok(Math.abs(x - (weights[at] ?? NaN)) <= TOLERANCE, `case ${i}, weight ${at}: ${x}, not ${weights[at]}; ${about}`));
    });
  });
}
