// How many parameters attention has, as products that the reader can check.
import { msg, str } from '@lit/localize';
import { type TemplateResult, html, nothing } from 'lit';
import { count, percent } from '../../lib/format.ts';
import { withSubs } from '../../text/subscripts.ts';
import { MATRICES, MODELS, type Model, nameOf, parameterCounts } from './formulas.ts';
import { modelWords } from './words.ts';

const FIELDS: readonly (readonly [keyof Model, most: number, label: () => string])[] = [
  ['d_model', 65_536, () => 'd_model'], ['heads', 512, () => msg('heads')], ['d_k', 4096, () => 'd_k'], ['blocks', 1024, () => msg('layers')],
];

export function parametersView(model: Model, set: (part: Partial<Model>) => void): TemplateResult {
  const { matrix, head, block, all } = parameterCounts(model);
  const { d_model, heads, d_k, blocks } = model;
  const name = nameOf(model);
  const total = name && MODELS[name].total;
  const line = (id: string, words: string, factors: readonly number[], result: number) => html`
    <tr data-count=${id}><th scope="row">${withSubs(words)}</th><td class="muted">${factors.map(count).join(' × ')} =</td><td><b>${count(result)}</b></td></tr>`;
  return html`
    <section class="parameters">
      <h3>${msg('The parameters of attention, by formula')}</h3>
      <div class="lab-controls" data-sets>${FIELDS.map(([field, most, label]) => html`
        <label class="lab-field"><span>${withSubs(label())}</span><input class="field" type="number" aria-label=${label()} min="1" max=${most} step="1" .value=${String(model[field])} @change=${(event: Event) => set({ [field]: whole(event, most, model[field]) })}></label>
      `)}</div>
      <div class="lab-scroll" tabindex="0" role="region" aria-label=${msg('The parameters of attention, by formula')}>
        <table class="lab-table counted">
          <tbody>
            ${line('matrix', msg('one matrix of one head, d_k × d_model'), [d_k, d_model], matrix)}
            ${line('head', msg('one head: W_Q, W_K, W_V and its part of W_O'), [MATRICES, matrix], head)}
            ${line('block', msg('one layer’s attention: all heads'), [heads, head], block)}
            ${line('all', msg('all layers'), [blocks, block], all)}
          </tbody>
        </table>
      </div>
      <p class="lab-note">${withSubs(msg('Without biases, which add 3 · H · d_k + d_model numbers a layer where a model has them. The part of W_O that belongs to a head is what some texts call the upper half of a value matrix of low rank.'))}
        ${name && total ? msg(str`${modelWords(name)} was published with ${count(total)} parameters in all; ${percent(all / total)} of them are these.`) : nothing}
        ${name === 'transformer' ? msg('Its 18 blocks are 6 of the encoder, 6 of the decoder, and 6 through which the decoder looks at the encoder.') : nothing}</p>
    </section>
  `;
}

/** The field's number as it may be used; it shows what is used from then on. */
function whole(event: Event, most: number, before: number): number {
  const field = event.target as HTMLInputElement;
  const wanted = Math.round(field.valueAsNumber);
  const used = Number.isFinite(wanted) ? Math.max(1, Math.min(most, wanted)) : before;
  field.value = String(used);
  return used;
}
