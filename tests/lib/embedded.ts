// The built package as a stranger's page has it: what such pages are made of, where they lie, and what tests ask of the elements
// in them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AttentionPlayground } from '../../web/src/element/element.ts';
import type { StageId } from '../../web/src/engine/engine.ts';
import type { View } from './engines.ts';
import { built } from './built.ts';
import { firstDifference } from './native.ts';
import { Reader, SITE } from './page.ts';

export const DIST = process.env['ATTENTION_DIST'] ?? built('site/embed');

export const SCRIPT = '<script src="attention-playground.js"></script>';

/** What tests put in a page before the element's script: it keeps the memory of every engine that is started. */
export const SPY = `
  globalThis.engines = [];
  WebAssembly.Memory = class extends WebAssembly.Memory {
    constructor(...size) {
      super(...size);
      engines.push(this);
    }
  };`;
export interface Spied { engines: WebAssembly.Memory[] }

/** A page with the element in it. */
export function host(body: string, { head = '', script = SCRIPT, language = 'en' } = {}): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title>${head}${script}</head><body>${body}</body></html>`;
}

/** Until the element shows numbers. */
export async function ready(view: View, index = 0): Promise<void> {
  await view.waitFor((at) => Boolean((document.querySelectorAll('attention-playground')[at] as AttentionPlayground | undefined)?.trace), index);
}

export async function tokens(view: View, index = 0): Promise<string[]> {
  return view.evaluate((at) => [...((document.querySelectorAll('attention-playground')[at] as AttentionPlayground).trace?.tokens ?? [])], index);
}

export async function stage(view: View, id: StageId, index = 0): Promise<Float32Array> {
  return Float32Array.from(await view.evaluate((at, which) => Array.from((document.querySelectorAll('attention-playground')[at] as AttentionPlayground).stage(which)), index, id));
}

/** Bit for bit what the native build has. */
export async function assertWeights(view: View, expected: Float32Array, index = 0): Promise<void> {
  assert.equal(firstDifference(await stage(view, 'weights', index), expected), -1);
}

export const axe = (): string => readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), '../../web/node_modules/axe-core/axe.min.js'), 'utf8');

export async function embedFolder(): Promise<{ folder: string; reader: Reader }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attention-embed-'));
  await cp(path.join(SITE, 'embed'), folder, { recursive: true });
  const reader = await Reader.arrive(folder);
  after(async () => {
    await reader.leave();
    await rm(folder, { recursive: true });
  });
  return { folder, reader };
}
