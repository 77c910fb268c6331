// SCRATCH
import type { Sequence } from './tokens.ts';
export interface FilmRun { id: string; parameters: number; layers: number; heads: number; length: number; slots: number; vocabulary: number; isCausal: boolean }
const NOTHING = new Int32Array();
const hex = (t: string) => Uint8Array.from({ length: t.length / 2 }, (_, i) => parseInt(t.slice(2 * i, 2 * i + 2), 16));
export class Film {
  runs: FilmRun[] = []; steps = 400; known = -1; words: string[] = []; names: string[] = []; targets = NOTHING; #places: Int32Array[] = [NOTHING, NOTHING];
  #data: any[] = []; #maps: Uint8Array[][] = []; #right: number[][] = []; #loss: number[][] = [];
  constructor(readonly of: { lesson: string; runs: readonly string[]; seed: number; name(seq: Sequence, vocabulary: number, names: string[]): string[] }, private readonly changed: () => void) { void this.#load(); }
  async #load() {
    const all = await Promise.all(this.of.runs.map((r) => fetch(`dev/${r}.json`).then((x) => x.json())));
    this.#data = all; this.runs = all; this.steps = Math.min(...all.map((d) => d.steps));
    this.#maps = all.map((d) => d.maps.map(hex));
    this.#right = all.map((d) => d.reports.map((_: any, s: number) => { const w = d.reports.slice(Math.max(0, s - 19), s + 1); return w.reduce((t: number, r: any) => t + r[2], 0) / w.reduce((t: number, r: any) => t + r[1], 0); }));
    this.#loss = all.map((d) => d.reports.map((r: any) => r[0]));
    const d = all[0]; this.targets = Int32Array.from(d.targets); this.#places = [Int32Array.from(d.first), Int32Array.from(d.places2)]; this.names = d.names;
    this.words = this.of.name({ tokens: Int32Array.from(d.tokens), second: d.second.length ? Int32Array.from(d.second) : null }, d.vocabulary, d.names);
    this.known = 0; this.changed();
  }
  places(relation: number) { return this.#places[relation] ?? NOTHING; }
  right(i: number) { return this.#right[i]?.slice(0, this.known + 1) ?? []; }
  loss(i: number) { return this.#loss[i]?.slice(0, this.known + 1) ?? []; }
  map(i: number, step: number, layer: number, head: number): { bytes: Uint8Array | null; at: number } {
    const r = this.runs[i]; const bytes = this.#maps[i]?.[Math.floor(step / 4)] ?? null;
    return { bytes: this.known < 0 ? null : bytes, at: r ? (layer * r.heads + head) * r.length * r.length : 0 };
  }
  answers(i: number, step: number, row: number): { id: number; share: number }[] | null { const r = this.runs[i]; return r ? Array.from({ length: r.slots }, (_, s) => ({ id: this.targets[row * r.slots + s] ?? 0, share: 0.5 })) : null; }
  honest(i: number, _step: number): number | null { return this.runs[i]?.id.startsWith('dice') ? (this.runs[i]?.isCausal ? 1.79 : 4.1) : null; }
  writes(i: number, _step: number): string | null { return null; }
  want(steps: number) { this.known = Math.max(this.known, Math.min(this.steps, steps)); }
  free() {}
}
