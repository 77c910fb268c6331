import { css } from 'lit';

/** Ink on white paper, one column; what only a screen can do is left out. The light theme is the element's own doing, and its width stands with what is seen first. */
export const printStyles = css`
  @media print {
    .root { --paper: #fff; --surface: #fff; background: #fff; }
    .switches, .pin-bar:not(.pinned), .pin-bar > :not(.pin-words), .sentence-tools, .earlier, .add-row, .chip, .mask-tools, .lock-range, .nudge, .as-table, .terms,
    .walk-tools, .walk-heads, .fold, .edit-number, .multiples, .parameter:not([open]), .stage-words > button, .senses-section, .take-section,
    .model :is(button, input, select), .change-line, .share-line, .lab-tries, .state-late { display: none !important; }
    .pin-bar.pinned { position: static; box-shadow: none; min-height: 0; }
    summary { list-style: none; }
    .matrix, .row-scroll, .token-chips, .stage-matrix, .heads-scroll, .heads-scroll[data-size], .gallery, .table-scroll, .explanation { max-height: none; overflow: visible; }
    .heads-scroll, .heads-scroll[data-size] { flex-wrap: wrap; }
    .row-table :is(thead, tfoot) { position: static; }
    .figure, .figure[data-state='loading'], .caption, .inspector { min-height: 0; }
    .inspector { margin-inline: 0; padding-inline: 0; border-radius: 0; }
    .walk .group { content-visibility: visible; }
    .walk-grid { display: block; }
    .stage:not([open]) > summary { display: grid; grid-template-columns: 176px minmax(0, 1fr) auto; padding-block: 3px; min-height: 0; }
    .stage:not([open]) > summary, .stage:not([open]) > summary b { font-size: 12px; }
    .stage-line { order: 0; }
    .explanation { position: static; margin: 24px 0 0; padding-inline: 0; border-radius: 0; }
    .stage, .step, .heads-scroll label, .figure-grid > *, .lab-figure > * { break-inside: avoid; }
    .walk h2, .group > h3, .group > p { break-after: avoid; }
    .joint, .masked-note, .stage-name::after { display: none !important; }
    .small-key { display: flex !important; }
  }
`;
