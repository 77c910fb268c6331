// A hue for each head, only where heads are told apart: neighbours in the list are far apart in hue, and in lightness, too,
// for eyes that do not see the hue.
import type { Theme } from '../../lib/colour.ts';

const LOOKS: Record<Theme, { saturation: number; lightness: readonly [number, number] }> = {
  light: { saturation: 45, lightness: [33, 53] },
  dark: { saturation: 55, lightness: [57, 77] },
};

export function headHues(heads: number, theme: Theme): string[] {
  const { saturation, lightness } = LOOKS[theme];
  return Array.from({ length: heads }, (_, head) => (
    `hsl(${Math.round((205 + head * (heads <= 8 ? 360 / Math.max(heads, 1) : 137.5)) % 360)} ${saturation}% ${lightness[head % 2]}%)`));
}
