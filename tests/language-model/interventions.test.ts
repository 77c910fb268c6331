// The layer that the page walks through is the layer that the trained model ran, whatever two changes meet.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadEngine } from '../lib/module.ts';
import { openShipped } from '../lib/shipped-model.ts';
import type { Engine } from '../../web/src/engine/engine.ts';
import { ModelReader } from '../../web/src/parameters/language-model/reader.ts';
import { DEFAULTS } from '../../web/src/engine/defaults.ts';

const LAYER = 1;
type Wanted = Parameters<ModelReader['read']>[1];
const settings = (changed: Partial<Wanted['settings']>) => ({ settings: changed });
/** Changes of one kind stand together: two of them do not meet. */
const KINDS: readonly (readonly [string, Partial<Omit<Wanted, 'settings'>> & { settings?: Partial<Wanted['settings']> }])[][] = [
  [['no mask', settings({ mask: 'none' })], ['a window', settings({ mask: 'window', window_left: 2, window_right: 1 })], ['a prefix', settings({ mask: 'prefix', prefix_length: 3 })]],
  [['no scale', settings({ scale: 'none' })], ['a factor', settings({ scale: 'factor', scale_factor: 0.7 })]],
  [['softcap 1', settings({ softcap: 1 })], ['softcap 5', settings({ softcap: 5 })]],
  [['temperature 0', settings({ temperature: 0 })], ['temperature 0.5', settings({ temperature: 0.5 })], ['temperature 2', settings({ temperature: 2 })]],
  [['dropout', settings({ dropout: 0.3, dropout_seed: 7 })]],
  [['cells by hand', { maskEdits: [{ query: 4, key: 2 }, { query: 1, key: 3 }] }]],
  [['a silenced head', { silenced: [{ layer: 0, head: 1 }] }]],
  [['a share by hand', { patches: [{ layer: 0, head: 0, query: 3, key: 1, share: 0.6 }] }]],
  [['this layer alone', { actsOn: 'this' }]],
];
const ALL = KINDS.flatMap((kind, at) => kind.map(([name, change]) => ({ at, name, change })));
const PAIRS = ALL.flatMap((a, i) => ALL.slice(i + 1).filter((b) => b.at !== a.at).map((b) => [a, b] as const));

describe('the walked layer has the weights that the model ran with', () => {
  let reader: ModelReader;
  let engine: Engine;
  before(async () => {
    reader = new ModelReader(await openShipped());
    engine = await loadEngine();
  });
  after(() => reader.free());

  for (const [a, b] of PAIRS) {
    it(`${a.name} and ${b.name}`, () => {
      const tokens = reader.tokenize('The animal was too tired');
      const changed = { ...DEFAULTS, ...reader.sizes, ...a.change.settings, ...b.change.settings };
      const wanted: Wanted = {
        layer: LAYER + 1, actsOn: 'every', silenced: [], patches: [], edits: [], maskEdits: [], ...a.change, ...b.change, settings: changed,
      };
      const reading = reader.read(tokens, wanted, () => engine.session());
      const session = engine.session();
      const trace = session.run({
        tokens: tokens.map(({ text }) => text), given: reading.given, maskEdits: wanted.maskEdits,
      }, { ...changed, ...reading.settings });
      reading.settle(trace);
      const stage = trace.present('dropped_weights') ? 'dropped_weights' : 'weights';
      for (let head = 0; head < reader.configuration.heads; head += 1) {
        assert.deepEqual(reading.run.weights(LAYER, head), trace.head(stage, head), `head ${head}`);
      }
      session.free();
    });
  }
});
