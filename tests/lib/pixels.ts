// Colours on screen: the documented ramp of weights, and the pixels of a cell.
import type { Playground } from './page.ts';

export type Colour = readonly [red: number, green: number, blue: number];
type Theme = 'light' | 'dark';

/** Weights, linear from 0 to 1: cividis with paper at 0. */
export const RAMP: Record<Theme, readonly (readonly [at: number, colour: string])[]> = {
  light: [
    [0, '#fdfcf9'], [0.05, '#fbf5d2'], [0.1, '#f3e8b0'], [0.2, '#d0c076'], [0.3, '#afa373'],
    [0.5, '#7d7c77'], [0.7, '#4f576c'], [0.9, '#04326f'], [1, '#00204c'],
  ],
  dark: [
    [0, '#15171b'], [0.05, '#12243e'], [0.1, '#0e3060'], [0.2, '#30446c'], [0.3, '#4f576c'],
    [0.5, '#7d7c77'], [0.7, '#afa373'], [0.9, '#e7d159'], [1, '#ffea46'],
  ],
};
/** Signed numbers, linear from −range to +range: violet, paper at 0, green. */
export const SIGNED: typeof RAMP = {
  light: [[0, '#4b2e83'], [0.3, '#8a6fc0'], [0.46, '#c9bce3'], [0.5, '#fdfcf9'], [0.54, '#b2dccb'], [0.7, '#4a9f80'], [1, '#0f5a43']],
  dark: [[0, '#cdbcff'], [0.3, '#8f7bd1'], [0.46, '#4a3d78'], [0.5, '#15171b'], [0.54, '#1d5a4b'], [0.7, '#3aa583'], [1, '#a6efcf']],
};
export const PAPER: Record<Theme, string> = { light: '#fdfcf9', dark: '#15171b' };
export const HATCH: Record<Theme, string> = { light: '#b9b6ae', dark: '#50545e' };

export function colour(hex: string): Colour {
  return [Number.parseInt(hex.slice(1, 3), 16), Number.parseInt(hex.slice(3, 5), 16), Number.parseInt(hex.slice(5, 7), 16)];
}

export function ramp(theme: Theme, share: number, ramps = RAMP): Colour {
  const stops = ramps[theme];
  const above = Math.max(1, stops.findIndex(([at]) => at >= share));
  const [[low, from], [high, to]] = [stops[above - 1], stops[above]] as [readonly [number, string], readonly [number, string]];
  const [a, b] = [colour(from), colour(to)];
  const mix = (i: 0 | 1 | 2) => a[i] + ((b[i] - a[i]) * (share - low)) / (high - low);
  return [mix(0), mix(1), mix(2)];
}

export function distance(a: Colour, b: Colour): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))));
}

/** The matrix's canvas as it is painted, at one pixel a CSS pixel. */
export class Pixels {
  private constructor(readonly size: number, readonly width: number, private readonly bytes: Uint8Array) {}

  static async of(page: Playground): Promise<Pixels> {
    const { size, width, bytes } = await page.page.evaluate(() => {
      const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
      const canvas = root.querySelector('.matrix canvas') as HTMLCanvasElement;
      const size = (root.querySelector('[role=gridcell]') as HTMLElement).getBoundingClientRect().width;
      const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) as ImageData;
      let binary = '';
      for (let at = 0; at < image.data.length; at += 4096) binary += String.fromCharCode(...image.data.subarray(at, at + 4096));
      return { size, width: canvas.width, bytes: btoa(binary) };
    });
    return new Pixels(size, width, Buffer.from(bytes, 'base64'));
  }

  at(x: number, y: number): Colour {
    const place = (Math.round(y) * this.width + Math.round(x)) * 4;
    return [this.bytes[place] ?? NaN, this.bytes[place + 1] ?? NaN, this.bytes[place + 2] ?? NaN];
  }

  /** A line of a cell, left to right, `down` pixels from its top. */
  line(query: number, key: number, down: number): Colour[] {
    return Array.from({ length: this.size - 6 }, (_, i) => this.at(key * this.size + 3 + i, query * this.size + down));
  }
}
