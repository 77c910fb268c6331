// What the colours mean: the printed domain, the same for every sentence while weights are shown.
import { msg } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { significant } from '../format.ts';
import type { Shown } from '../pinned.ts';

export function legend(shown: Shown | null): TemplateResult {
  const difference = shown?.mode === 'difference';
  return html`
    <div class="ramp-block">
      ${difference ? signedRamp(shown) : html`
        <div class="ramp" aria-hidden="true"></div>
        <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
        <span class="unseen">${msg('Colours show weights, from 0 to 1.')}</span>
      `}
    </div>
    <ul class="keys">
      <li><span class="swatch hatched" aria-hidden="true"></span> ${difference ? msg('masked in both') : msg('masked')}</li>
      <li class="small-key"><span class="sample muted">${difference ? '+<.01' : '<.01'}</span> ${msg('small')}</li>
      <li><span class="sample">0</span> ${difference ? msg('no change') : msg('zero')}</li>
    </ul>
  `;
}

function signedRamp({ range }: Shown): TemplateResult {
  const end = significant(range, 3);
  return html`
    <div class="ramp signed" aria-hidden="true"></div>
    <div class="ticks"><span>${range === 0 ? nothing : `−${end}`}</span><span>0</span><span>${range === 0 ? nothing : `+${end}`}</span></div>
    <span class="range-words">${range === 0 ? msg('no weight has changed') : msg(html`now − pinned, <span data-range>±${end}</span>`)}</span>
  `;
}
