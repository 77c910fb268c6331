import { css } from 'lit';

export const inspectorStyles = css`
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
  .row-scroll { --key: 26%; --bar: 44px; max-height: 352px; overflow: hidden auto; scrollbar-width: thin; contain: layout paint; }
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
