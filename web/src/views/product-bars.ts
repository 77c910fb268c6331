// The products of one score as a strip of bars: above the line what raises it, below what lowers it.
import { type TemplateResult, svg, html } from 'lit';

const WIDTH = 258;
const HEIGHT = 36;

export function productBars(products: Float32Array): TemplateResult {
  let [least, most] = [0, 0];
  for (const product of products) {
    least = Math.min(least, product);
    most = Math.max(most, product);
  }
  const range = most - least || 1;
  const zero = 1 + (most / range) * (HEIGHT - 2);
  const pitch = WIDTH / products.length;
  const bar = Math.min(12, Math.max(pitch > 3 ? pitch - 1 : pitch, 0.4));
  const [above, below]: [string[], string[]] = [[], []];
  products.forEach((product, i) => {
    const height = (Math.abs(product) / range) * (HEIGHT - 2);
    const left = (i * pitch).toFixed(2);
    if (product >= 0) above.push(`M${left} ${zero.toFixed(2)}v${(-height).toFixed(2)}h${bar.toFixed(2)}v${height.toFixed(2)}z`);
    else below.push(`M${left} ${zero.toFixed(2)}v${height.toFixed(2)}h${bar.toFixed(2)}v${(-height).toFixed(2)}z`);
  });
  return html`
    <svg class="product-bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<path class="above" d=${above.join('')}></path><path class="below" d=${below.join('')}></path>
      <path class="zero-line" d="M0 ${zero.toFixed(2)}h${WIDTH}"></path>`}
    </svg>
  `;
}
