// Styles that come with what is drawn right after the first figure.
import { type CSSResult, css } from 'lit';
import { viewStyles } from './alone.ts';
import { belowStyles, figureStyles, sentence } from './first.ts';
import { screenStyles } from './screen.ts';
import { switchStyles } from './settings.ts';
import { theme, touchStyles } from './theme.ts';

const inspectorStyles = css`
  .inspector { font-variant-numeric: tabular-nums; }
  .cell-title { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 16px; font-size: 24px; line-height: 32px; font-weight: 700; padding-top: 4px; }
  .cell-title .pair { overflow-wrap: anywhere; min-width: 0; }
  .cell-title .arrow { color: var(--muted); font-weight: 400; font-size: 18px; padding-inline: 6px; }
  .cell-words { padding-block: 4px 12px; min-height: 60px; overflow-wrap: anywhere; }
  .root:lang(es) { --step-name: 72px; }
  .step { display: grid; grid-template-columns: var(--step-name, 56px) minmax(0, 1fr) auto; gap: 0 12px; border-top: 1px solid var(--hairline); padding-block: 8px; font-size: 13px; line-height: 20px; align-items: baseline; }
  .step-name { color: var(--muted); }
  .step-work { overflow-wrap: anywhere; }
  .term { white-space: nowrap; }
  .step-result { font-size: 15px; font-weight: 700; text-align: right; }
  .product-bars { display: block; width: 100%; height: 36px; margin-top: 4px; forced-color-adjust: none; }
  .product-bars .above { fill: var(--above); }
  .product-bars .below { fill: var(--below); }
  .product-bars .zero-line { stroke: var(--hairline); vector-effect: non-scaling-stroke; }
  .step-note, .terms { padding-inline-start: calc(var(--step-name, 56px) + 12px); font-size: 13px; line-height: 20px; color: var(--muted); }
  .step-note { margin-top: -6px; }
  .terms { padding-bottom: 6px; }
  .terms summary { padding-block: 0 4px; }
  .terms[open] { padding-inline-start: 0; }
  .terms[open] summary { margin-inline-start: 68px; }
  .terms-scroll { max-height: 240px; overflow: auto; scrollbar-width: thin; border-block: 1px solid var(--hairline); color: var(--ink); }
  .terms table { width: 100%; font-size: 12px; }
  .terms :is(td, th) { text-align: right; font-weight: 400; padding: 0 0 0 7px; white-space: nowrap; }
  .terms th { color: var(--muted); }
  .terms thead th { position: sticky; top: 0; background: var(--paper); }
  .steps { border-bottom: 1px solid var(--hairline); }
  .row-area { position: relative; padding-top: 8px; }
  .row-scroll { --key: 26%; --bar: 44px; max-height: 352px; overflow: hidden auto; overflow-anchor: none; scrollbar-width: thin; contain: layout paint; }
  .row-scroll.arced { --key: 22%; --bar: 28px; padding-inline-start: 50px; }
  .row-table, .row-table :is(thead, tbody, tfoot) { display: block; }
  .row-table { font-size: 13px; line-height: 22px; }
  .row-table tr { display: flex; height: 22px; contain: layout size style; text-align: right; white-space: nowrap; }
  .row-table :is(th, td) { flex: none; width: 17%; min-width: 0; padding: 0; font-weight: inherit; }
  .row-table tr > :first-child { width: var(--key); text-align: left; padding-right: 8px; }
  .row-table tr > :nth-child(3) { flex: 1; }
  /* Beside the bar there is room for 10⁻²⁴, bold. */
  .row-table tr > :last-child { width: calc(68px + var(--bar)); }
  .row-table tbody tr { cursor: pointer; }
  .row-table tbody tr:hover > th { text-decoration: underline; text-decoration-color: var(--border); }
  .row-table .chosen { color: var(--accent); font-weight: 700; }
  .row-table .bar { float: left; width: var(--bar); height: 10px; margin: 6px 0 0 8px; forced-color-adjust: none; }
  .row-table .bar i { display: block; height: 10px; border-radius: 1px; background: var(--arcs); }
  .row-table .chosen .bar i { background: var(--accent); }
  .row-table :is(thead, tfoot) { position: sticky; z-index: 1; background: var(--paper); color: var(--muted); }
  .row-table thead { top: 0; }
  .row-table tfoot { bottom: 0; border-top: 1px solid var(--hairline); }
  .upright-arcs { display: block; position: absolute; left: 0; top: 0; }
  @container attention (min-width: 721px) and (max-width: 1100px) {
    .inspector { display: grid; grid-template-columns: minmax(0, 1fr) 364px; grid-template-rows: auto auto auto 1fr; column-gap: 32px; }
    .inspector > * { grid-column: 1; }
    .inspector > .row-area { grid-column: 2; grid-row: 1 / span 4; padding-top: 0; }
    .steps { border-bottom: 0; }
  }
  @container attention (max-width: 720px) {
    .row-scroll { --key: 60px; --bar: 20px; max-height: 480px; }
    .row-scroll.arced { --key: 60px; --bar: 20px; max-height: none; }
    .row-table { font-size: 12px; }
    .row-table tr > :first-child { padding-right: 4px; }
    .row-table tfoot td:first-child { overflow: visible; }
    .row-table tr > :nth-child(2) { width: 52px; }
    .row-table .bar { margin-left: 6px; }
    .row-table tr > :last-child { width: calc(60px + var(--bar)); }
    .step { grid-template-columns: var(--step-name, 52px) minmax(0, 1fr) auto; gap: 0 8px; }
    .step-note, .terms { padding-inline-start: calc(var(--step-name, 52px) + 8px); }
    .terms summary { padding-block: 12px; }
    .terms[open] summary { margin-inline-start: 60px; }
  }
`;

/** Ink on white paper, one column; what only a screen can do is left out. The element sets the light theme; the width is in first.ts. */
const printStyles = css`
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

export const summedStyles = css`
  .caption.summed > :is(.row-caption, .row-rest):not(.sum-caption, .sum-caption ~ *) { display: none; }
  .add-row { display: inline-block; margin-top: 2px; font-size: 13px; line-height: 20px; }
  .add-row select { border: 1px solid var(--border); height: 32px; font-size: 13px; max-width: 200px; }
  .chip { font: inherit; font-size: 13px; line-height: 20px; color: var(--accent); background: none; border: 1px solid var(--border); border-radius: 6px; padding: 0 6px; margin-inline-end: 4px; cursor: pointer; }
  .chip:hover { border-color: var(--ink); }
  .sum-bars { list-style: none; display: flex; gap: 2px; align-items: flex-end; overflow: auto hidden; scrollbar-width: thin; padding: 8px 0 2px; margin: 0; font-size: 12px; line-height: 16px; font-variant-numeric: tabular-nums; }
  .sum-bars li { flex: 1 0 40px; max-width: 88px; min-width: 40px; text-align: center; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .sum-bar { display: flex; align-items: flex-end; height: 44px; border-bottom: 1px solid var(--border); margin-inline: 4px; }
  .sum-bar.masked { background: var(--hatching); forced-color-adjust: none; }
  .sum-bar i { flex: 1; background: var(--arcs); border-radius: 1px 1px 0 0; forced-color-adjust: none; }
  .sum-bars b { display: block; font-weight: 400; }
  .sum-bars bdi { color: var(--muted); }
  .rows, .columns { user-select: none; -webkit-user-select: none; }
  .matrix:not([data-queries='columns']) .rows bdi, [data-queries='columns'] .columns bdi { cursor: pointer; }
  :is(.rows, .columns) [data-summed] { color: var(--accent); text-decoration: underline; text-underline-offset: 4px; }
  @container attention (max-width: 720px) {
    .chip, .add-row { min-height: 44px; }
    .add-row select { height: 44px; font-size: 16px; }
  }
`;

export const pinStyles = css`
  .pin { display: contents; }
  .pin-bar { max-width: 1248px; margin-inline: auto; padding: 8px 24px; font-size: 13px; line-height: 20px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; min-height: 52px; background: var(--paper); }
  /* In view wherever the matrices are. */
  .pin-bar.pinned { position: sticky; top: 0; z-index: 6; box-shadow: 0 1px 0 var(--hairline); }
  .outlined { font: inherit; color: var(--ink); background: none; border: 1px solid var(--border); border-radius: 6px; height: 32px; min-width: 36px; padding-inline: 10px; cursor: pointer; }
  .outlined:hover { border-color: var(--ink); }
  .pinned-line { color: var(--muted); font-size: 13px; line-height: 20px; }
  .pinned-line b { color: var(--ink); }
  /* Not by :has() of the root: for that, a key would have the browser look through all of the page. */
  .pin.has-state ~ .walk { --pin: 52px; }
  @container attention (max-width: 720px) {
    .pin.has-state ~ .walk { --pin: 88px; }
    .pin-bar { padding: 8px 16px; }
    /* One line, or it would cover too much. */
    .pin-words { flex-basis: 100%; white-space: nowrap; overflow: auto hidden; scrollbar-width: none; }
    .outlined { height: 44px; min-width: 44px; }
  }
`;

/** What is seen first, in states that come later: pointed at, masked by hand, compared, with a model's tokens around the text. */
const firstLaterStyles = css`
  .quiet:hover { color: var(--ink); }
  .quiet:disabled { color: var(--muted); opacity: 0.55; text-decoration: none; cursor: default; }
  /* A language model's first token stands before the text, in room that both layers keep; another may stand behind it. */
  .starts { --start: calc(1.6 * var(--size)); }
  .starts .mirror { position: relative; }
  .mirror::after { content: attr(data-end); margin-inline-start: calc(0.25 * var(--size)); }
  .starts .mirror::before { content: attr(data-start); inset-inline-start: 0; top: 0; }
  .mirror::before, .mirror::after { position: absolute; text-indent: 0; font-size: calc(0.5 * var(--size)); line-height: calc(var(--line) + 0.3 * var(--size)); color: var(--muted); }
  .masking canvas { cursor: crosshair; }
  .mask-tools [aria-pressed='true'] { color: var(--ink); font-weight: 700; }
  .ramp.signed { --ramp: var(--signed-ramp); }
  .plain:hover { text-decoration: underline; text-underline-offset: 3px; }
  .plain:disabled { color: var(--muted); cursor: default; text-decoration: none; }
`;

/** Sentences that were here before. */
export const earlierStyles = css`
  .earlier { list-style: none; margin: 0; padding: 8px 0 4px; display: flex; flex-wrap: wrap; gap: 4px 24px; font-size: 15px; line-height: 22px; }
  .earlier button { text-align: start; color: var(--ink); }
`;

/** The figure's numbers as a table. */
export const tableStyles = css`
  .table-scroll { overflow: auto; max-height: 420px; scrollbar-width: thin; border-block: 1px solid var(--hairline); }
  .weights-table, .terms table { border-collapse: collapse; font-size: 13px; line-height: 20px; font-variant-numeric: tabular-nums; }
  .weights-table caption { text-align: start; color: var(--muted); padding-block: 8px; }
  .weights-table caption span { display: block; position: sticky; left: 0; max-width: min(560px, 100cqw - 48px); white-space: normal; }
  .weights-table :is(td, th) { padding: 1px 8px; text-align: right; white-space: nowrap; font-weight: 400; }
  .weights-table th { color: var(--muted); }
`;

/** One figure alone: what is in its box, and the question that may stand there. */
export const aloneStyles = css`
  .root[data-view] .switch-line { flex-wrap: wrap; overflow: visible; gap: 8px 20px; }
  .root[data-view] .switch-line fieldset { min-width: 0; max-width: 100%; }
  .root[data-view] .switch-line .control { overflow-x: auto; scrollbar-width: thin; padding: 4px; margin: 0 -4px; }
  .root[data-view][data-controls='basic'] .switch-line :is(.effect:not(.problem), .slider) { display: none; }
  .root[data-view]:not([data-controls='all']) .caption .add-row { display: none; }
  .walk-grid[data-only] { display: block; }
  [data-only='stage'] .explanation, [data-only='sum'] .groups { display: none; }
  [data-only] :is(.group > h3, .group > p) { display: none; }
  .task { padding: 16px 0; }
  .root:not([data-view]) .task { max-width: 1248px; margin-inline: auto; padding-inline: 24px; }
  .task-question { font-size: 18px; line-height: 28px; }
  .task-options { display: flex; flex-wrap: wrap; gap: 8px; padding-block: 12px; }
  .task-option { font: inherit; min-height: 44px; min-width: 44px; padding: 0 14px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
  .task-option:hover { border-color: var(--ink); }
  @media print { .task-options { display: none; } }
`;

/** Of touchStyles, for what comes now. */
const touchedLaterStyles = css`
  @media (pointer: coarse) {
    .paste { min-height: 112px; }
    .operand { display: inline-flex; flex-wrap: wrap; align-items: center; align-content: center; gap: 0 4px; }
    .multiples button { min-width: 52px; }
    :is(.as-table, .terms) summary { padding-block: 11px; }
  }
`;

/** All of the figure's; `more` is of what lies below it. Touch and paper come last. */
export const wholeStyles = (more: readonly CSSResult[] = []): readonly CSSResult[] => [
  theme, sentence, earlierStyles, switchStyles, figureStyles, tableStyles, inspectorStyles, belowStyles, pinStyles, summedStyles, viewStyles, firstLaterStyles, aloneStyles, ...more, screenStyles, touchStyles, touchedLaterStyles, printStyles,
];
