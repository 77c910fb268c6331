// How every lab lies on the page: what it is about, its knobs, its figures, what is to be seen in them now.
import { type TemplateResult, html, nothing } from 'lit';
import { withSubs } from '../../text/subscripts.ts';

export interface Frame {
  title: unknown;
  /** Two or three sentences. */
  lesson: unknown;
  controls?: unknown;
  figure: unknown;
  /** What the figure shows at this moment, with its numbers. */
  said?: unknown;
  tries?: readonly Try[];
  /** What explains more, closed at first. */
  more?: { title: unknown; body: unknown } | null;
}

/** Something to try: a press sets the knobs. */
export interface Try { label: unknown; act(): void }

export function frame({ title, lesson, controls, figure, said, tries, more }: Frame): TemplateResult {
  return html`
    <article class="lab-frame">
      <header class="lab-head">
        <h2>${title}</h2>
        <div class="lab-lesson">${lesson}</div>
      </header>
      ${controls ? html`<div class="lab-controls">${controls}</div>` : nothing}
      ${said ? html`<p class="lab-said" role="status">${said}</p>` : nothing}
      ${tries?.length ? html`<p class="lab-tries">${tries.map(({ label, act }) => html`<button type="button" class="plain" @click=${act}>${withSubs(label)}</button>`)}</p>` : nothing}
      <div class="lab-figure">${figure}</div>
      ${more ? html`<details class="lab-more"><summary>${more.title}</summary>${more.body}</details>` : nothing}
    </article>
  `;
}
