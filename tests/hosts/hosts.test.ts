// The figure in real documentation systems, built by their own generators, in each browser; and the table of what works.
// ATTENTION_HOSTS and ATTENTION_ENGINES choose, words between commas; UPDATE_TABLES=1 writes the table into web/docs/hosts.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Engine, openEngine, wantedEngines } from '../lib/engines.ts';
import { type Served, serve } from '../lib/serve.ts';
import { writeReport } from '../../tools/lib/bench/report.ts';
import { HOSTS, type HostId, SYSTEMS, type System, make, versionOf } from './systems.ts';
import { STEPS, type Visit } from './visit.ts';

export class Matrix {
  readonly #systems = new Map<string, string>();
  readonly #engines = new Map<string, string>();
  readonly #failed = new Map<string, string[]>();

  system(id: string, version: string): void {
    this.#systems.set(id, version);
  }

  engine(name: string, version: string): void {
    this.#engines.set(name, version);
  }

  saw(id: string, engine: string, step: string, passed: boolean): void {
    const failed = this.#failed.get(`${id} ${engine}`) ?? [];
    this.#failed.set(`${id} ${engine}`, passed ? failed : [...failed, step]);
  }

  markdown(): string {
    const cell = (id: string, engine: string) => {
      const failed = this.#failed.get(`${id} ${engine}`);
      return !failed ? 'not tried' : failed.length ? `fails: ${failed.join(', ')}` : 'works';
    };
    const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
    return [
      line(['', ...[...this.#engines].map(([name, version]) => `${name} ${version}`)]),
      `|${'---|'.repeat(this.#engines.size + 1)}`,
      ...[...this.#systems].map(([id, version]) => line([version, ...[...this.#engines.keys()].map((engine) => cell(id, engine))])),
    ].join('\n');
  }
}

const AXE = readFileSync(createRequire(new URL('../../web/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8');
const PAGE = fileURLToPath(new URL('../../web/docs/hosts.md', import.meta.url));
const hosts = (process.env['ATTENTION_HOSTS']?.split(/[\s,]+/).filter(Boolean) ?? Object.keys(SYSTEMS)) as HostId[];
const engines = wantedEngines();
const matrix = new Matrix();
let site: Served;

before(async () => {
  site = await serve({ folders: [HOSTS], pages: { 'axe.min.js': AXE, 'favicon.ico': '' } });
});
after(async () => {
  await site.close();
  console.log(`\n${matrix.markdown()}\n`);
  if (!process.env['UPDATE_TABLES']) return;
  assert.deepEqual([hosts.length, engines.length], [Object.keys(SYSTEMS).length, 3], 'the table is written when every system was tried in all three browsers');
  await writeReport(PAGE, 'hosts', matrix.markdown());
});

for (const id of hosts) {
  test(`${id} builds the course`, async () => {
    const system: System | undefined = SYSTEMS[id];
    assert.ok(system, `ATTENTION_HOSTS names “${id}”; there are ${Object.keys(SYSTEMS).join(', ')}.`);
    const folder = await make(id);
    matrix.system(id, versionOf(id));
    for (const file of system.plain ?? []) assert.doesNotMatch(readFileSync(path.join(folder, file), 'utf8'), /attention-playground/);
  });
}

for (const name of engines) {
  describe(name, () => {
    let engine: Engine;
    before(async () => {
      engine = await openEngine(name);
      matrix.engine(name, engine.version);
    });
    after(() => engine?.close());

    for (const id of hosts) {
      test(`in ${id} the figure is used, its numbers are the reference's, and it is there again after another page`, async (t) => {
        const tab = await engine.newTab();
        const system: System = SYSTEMS[id];
        const visit: Visit = { tab, system, address: `${site.address}${id}/${system.out}/`, axe: `${site.address}axe.min.js` };
        for (const [step, run] of Object.entries(STEPS)) {
          let passed = false;
          await t.test(step, async () => {
            await run(visit);
            passed = true;
          });
          matrix.saw(id, name, step, passed);
          if (!passed && step === 'figure') break; // nothing to try the rest with
        }
        await tab.close();
      });
    }
  });
}
