// The way from one word to another, over the sentence.

export interface Box { left: number; right: number; top: number; bottom: number }

/** From the middle of one word's top to another's; heights grow with distance and stay inside the arcs' zone. */
export function arc(key: Box, query: Box, self: boolean, width: number): string {
  const y = query.top;
  const to = (query.left + query.right) / 2;
  // A thick line needs a wider loop, or it would be a blot.
  const [half, loop] = [7 + width * 0.55, 30 + width];
  if (self) return `M${to - half} ${y}C${to - half * 1.4} ${y - loop} ${to + half * 1.4} ${y - loop} ${to + half} ${y}`;
  const at = (key.left + key.right) / 2;
  const height = Math.min(104, 34 + Math.abs(to - at) * 0.14);
  const end = to + Math.sign(at - to) * Math.min(6, (query.right - query.left) / 4);
  return `M${at} ${y}C${at + (end - at) * 0.12} ${y - height} ${end - (end - at) * 0.28} ${y - height} ${end} ${y}`;
}
