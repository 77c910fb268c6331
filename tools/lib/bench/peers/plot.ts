// Time against n as a picture, both axes logarithmic.

export interface Curve {
  name: string;
  points: readonly { n: number; ms: number }[];
  /** Why there is no point further on. */
  end?: string;
}

const [WIDTH, HEIGHT] = [760, 460];
const PLOT = { left: 64, right: 600, top: 44, bottom: 408 };

/** Colours that colour-blind readers tell apart (Okabe and Ito), each with a shape of its own. */
const LOOKS: readonly { light: string; dark: string; mark(x: number, y: number): string }[] = [
  { light: '#b34700', dark: '#f0883e', mark: (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>` },
  { light: '#6b6b6b', dark: '#a8a8a8', mark: (x, y) => `<path d="M${x} ${y - 5}l5 9h-10z"/>` },
  { light: '#0072b2', dark: '#58b4ec', mark: (x, y) => `<circle cx="${x}" cy="${y}" r="4.5"/>` },
  { light: '#007a5a', dark: '#2fc79a', mark: (x, y) => `<path d="M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5-5.5z"/>` },
];

const rounded = (value: number): number => Math.round(value * 10) / 10;

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  return (value) => rounded(low + ((high - low) * Math.log(value / from)) / Math.log(to / from));
}

const duration = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);

function styles(): string {
  const colours = (theme: 'light' | 'dark') =>
    LOOKS.map((look, i) => `.c${i}{stroke:${look[theme]};fill:${look[theme]}}`).join('');
  return `<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.paper{fill:#fff}.grid{stroke:#d8dee4}.title{font-weight:600}path.line{fill:none;stroke-width:2}text[class^=c]{stroke:none}${colours('light')}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#30363d}${colours('dark')}}</style>`;
}

/** Names at the lines' ends: above those that end early, beside those at the edge, moved apart where these are close. */
function labels(ends: readonly { y: number; x: number; name: string; index: number }[]): string {
  let last = -Infinity;
  return [...ends].sort((a, b) => a.y - b.y).map(({ x, y, name, index }) => {
    if (x < PLOT.right) return `<text class="c${index}" x="${x}" y="${rounded(y - 12)}" text-anchor="middle">${name}</text>`;
    last = Math.max(y, last + 17);
    return `<text class="c${index}" x="${x + 12}" y="${rounded(last + 4)}">${name}</text>`;
  }).join('\n');
}

export function plot(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points);
  const [least, most] = [Math.min(...all.map(({ n }) => n)), Math.max(...all.map(({ n }) => n))];
  const low = 10 ** Math.floor(Math.log10(Math.min(...all.map(({ ms }) => ms))));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...all.map(({ ms }) => ms))));
  const x = scale(least, most, PLOT.left, PLOT.right);
  const y = scale(low, high, PLOT.bottom, PLOT.top);
  const columns = Array.from({ length: Math.round(Math.log2(most / least)) + 1 }, (_, i) => least * 2 ** i);
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, i) => Number((low * 10 ** i).toPrecision(1)));
  const grid = [
    ...columns.map((n) => `<path class="grid" d="M${x(n)} ${PLOT.top}V${PLOT.bottom}"/><text x="${x(n)}" y="${PLOT.bottom + 20}" text-anchor="middle">${n.toLocaleString('en')}</text>`),
    ...decades.map((ms) => `<path class="grid" d="M${PLOT.left} ${y(ms)}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${y(ms) + 4}" text-anchor="end">${duration(ms)}</text>`),
  ];
  const lines = curves.map(({ points }, i) => `<g class="c${i}"><path class="line" d="M${points.map(({ n, ms }) => `${x(n)} ${y(ms)}`).join('L')}"/>${points.map(({ n, ms }) => LOOKS[i]?.mark(x(n), y(ms)) ?? '').join('')}</g>`);
  const ends = curves.flatMap(({ name, points }, index) => {
    const end = points.at(-1);
    return end ? [{ x: x(end.n), y: y(end.ms), name, index }] : [];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Milliseconds against the number of tokens n for ${curves.map(({ name }) => name).join(', ')}">
<!-- Written by tools/bench peers, with its option write -->
${styles()}
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${PLOT.left}" y="26">Causal attention, 12 heads, d = 64: time against tokens n</text>
${grid.join('\n')}
<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 42}" text-anchor="middle">tokens n (logarithmic, as is time)</text>
${lines.join('\n')}
${labels(ends)}
</svg>
`;
}
