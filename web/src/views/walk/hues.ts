// A hue for each head, only where heads are told apart: neighbours in the list are far apart in hue.
import type { Theme } from '../../colour.ts';

export function headHues(heads: number, theme: Theme): string[] {
  const [saturation, lightness] = theme === 'light' ? [45, 42] : [55, 66];
  return Array.from({ length: heads }, (_, head) => `hsl(${Math.round((205 + head * (heads <= 8 ? 360 / Math.max(heads, 1) : 137.5)) % 360)} ${saturation}% ${lightness}%)`);
}
