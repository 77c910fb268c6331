// Weights as colour: linear from 0 to 1, cividis with paper at 0, and the ink that reads best on it.

export type Theme = 'light' | 'dark';
type Stop = readonly [at: number, colour: string];

export const WEIGHT_STOPS: Record<Theme, readonly Stop[]> = {
  light: [
    [0, '#fdfcf9'], [0.05, '#fbf5d2'], [0.1, '#f3e8b0'], [0.2, '#d0c076'], [0.3, '#afa373'],
    [0.5, '#7d7c77'], [0.7, '#4f576c'], [0.9, '#04326f'], [1, '#00204c'],
  ],
  dark: [
    [0, '#15171b'], [0.05, '#12243e'], [0.1, '#0e3060'], [0.2, '#30446c'], [0.3, '#4f576c'],
    [0.5, '#7d7c77'], [0.7, '#afa373'], [0.9, '#e7d159'], [1, '#ffea46'],
  ],
};

/** Scores and differences, by their share of the printed range: 0 is paper in the middle. */
export const SIGNED_STOPS: Record<Theme, readonly Stop[]> = {
  light: [
    [0, '#4b2e83'], [0.3, '#8a6fc0'], [0.46, '#c9bce3'], [0.5, '#fdfcf9'], [0.54, '#b2dccb'], [0.7, '#4a9f80'], [1, '#0f5a43'],
  ],
  dark: [
    [0, '#cdbcff'], [0.3, '#8f7bd1'], [0.46, '#4a3d78'], [0.5, '#15171b'], [0.54, '#1d5a4b'], [0.7, '#3aa583'], [1, '#a6efcf'],
  ],
};

const STEPS = 512;

type Rgb = readonly [red: number, green: number, blue: number];

/** Colours of `STEPS + 1` steps, each made when it is first wanted: a small figure shows few of them. */
export class Ramp {
  readonly #stops: readonly (readonly [at: number, colour: Rgb])[];
  readonly #fills: string[] = [];
  readonly #inks: string[] = [];
  readonly #pixels = new Uint32Array(STEPS + 1);

  constructor(stops: readonly Stop[]) {
    this.#stops = stops.map(([at, colour]) => [at, parseHex(colour)]);
  }

  /** As a CSS colour. */
  fill(at: number): string {
    return (this.#fills[at] ??= `rgb(${this.#colour(at).join(' ')})`);
  }

  /** Black or white, whichever contrasts more with that step. */
  ink(at: number): string {
    return (this.#inks[at] ??= inkOn(this.#colour(at)));
  }

  /** As one dot of image data that is written in words of 32 bits: red lowest, all of it opaque. */
  pixel(at: number): number {
    return (this.#pixels[at] ||= this.#colour(at).reduceRight((dot, part) => dot * 256 + part, 255));
  }

  #colour(at: number): Rgb {
    const place = at / STEPS;
    const next = this.#stops.findIndex(([stop]) => stop >= place);
    const [highAt, high] = this.#stops[next] ?? [1, BLACK];
    const [lowAt, low] = this.#stops[Math.max(next - 1, 0)] ?? [0, BLACK];
    const share = highAt === lowAt ? 0 : (place - lowAt) / (highAt - lowAt);
    const mixed = (k: 0 | 1 | 2) => Math.round(low[k] + (high[k] - low[k]) * share);
    return [mixed(0), mixed(1), mixed(2)];
  }
}

const BLACK: Rgb = [0, 0, 0];
const ramps = new Map<readonly Stop[], Ramp>();

export const weightRamp = (theme: Theme): Ramp => ramp(WEIGHT_STOPS[theme]);
export const signedRamp = (theme: Theme): Ramp => ramp(SIGNED_STOPS[theme]);

function ramp(stops: readonly Stop[]): Ramp {
  const cached = ramps.get(stops);
  if (cached) return cached;
  const made = new Ramp(stops);
  ramps.set(stops, made);
  return made;
}

/** The step of a weight; every colour on screen goes through here, so the legend cannot disagree. */
export function step(weight: number): number {
  return weight <= 0 ? 0 : weight >= 1 ? STEPS : Math.round(weight * STEPS);
}

/** The step of a signed number within ±range. */
export function signedStep(value: number, range: number): number {
  return range > 0 ? step(0.5 + value / range / 2) : STEPS / 2;
}

export function parseHex(colour: string): Rgb {
  const part = (i: number) => Number.parseInt(colour.slice(i, i + 2), 16);
  return [part(1), part(3), part(5)];
}

/** WCAG relative luminance of an sRGB colour. */
export function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black and white contrast alike at √(1.05 × 0.05) − 0.05, so one of them always reaches 4.58:1. */
export function inkOn(rgb: readonly number[]): string {
  return luminance(rgb) > Math.sqrt(1.05 * 0.05) - 0.05 ? '#000' : '#fff';
}

export function rampGradient(stops: readonly Stop[]): string {
  return `linear-gradient(to right, ${stops.map(([at, colour]) => `${colour} ${at * 100}%`).join(', ')})`;
}
