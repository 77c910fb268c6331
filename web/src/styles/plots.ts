// What the labs' figures look like. Series are told apart by dash and mark; colours only help.
import { css } from 'lit';

export const plotStyles = css`
  .plot { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }
  .plot-title { font-size: 15px; line-height: 22px; padding-bottom: 8px; text-wrap: pretty; }
  .plot-title .muted { font-size: 13px; }
  .plot-box { min-width: 0; overflow: auto hidden; scrollbar-width: thin; }
  .plot-picture { display: block; overflow: visible; }
  .plot-picture text { font-size: 12px; white-space: pre; }
  :where(.plot-picture text:not(.plot-numeral)) { fill: var(--muted); }
  .plot-grid { stroke: var(--hairline); }
  .plot-base { stroke: var(--border); }
  .plot-bar { fill: var(--arcs); }
  .plot-bar.chosen { fill: var(--accent); }
  .plot-curve { fill: none; stroke: var(--ink); stroke-width: 1.5; }
  .plot-spread { fill: none; stroke: var(--ink); stroke-width: 4; }
  .plot-own { fill: none; stroke: var(--accent); stroke-opacity: 0.8; }
  .plot-at { stroke: var(--accent); stroke-width: 1; }
  .plot-picture .plot-at-words { fill: var(--accent); font-weight: 700; }
  .plot-line { fill: none; stroke: var(--look, var(--ink)); stroke-width: 2; stroke-linejoin: round; }
  .plot-mark { fill: var(--look, var(--ink)); stroke: var(--paper); stroke-width: 1; }
  [data-look='0'] { --look: var(--ink); }
  [data-look='1'] { --look: var(--arcs); }
  [data-look='2'] { --look: var(--above); }
  [data-look='3'] { --look: var(--below); }
  [data-look='reference'] { --look: var(--muted); }
  [data-look='1'] > .plot-line { stroke-dasharray: 7 4; }
  [data-look='2'] > .plot-line { stroke-dasharray: 12 3 3 3; }
  [data-look='3'] > .plot-line { stroke-dasharray: 3 3; }
  [data-look='reference'] > .plot-line { stroke-width: 1.5; stroke-dasharray: 1.5 3.5; }
  .plot-picture .plot-end { fill: var(--look); font-weight: 700; }
  .plot-picture .plot-end[data-look='reference'] { font-weight: 400; }
  .plot-names { display: flex; flex-wrap: wrap; gap: 2px 20px; list-style: none; padding-top: 4px; font-size: 13px; line-height: 20px; color: var(--muted); }
  .plot-names svg { overflow: visible; margin-inline-end: 2px; }
  .plot-names:empty { display: none; }
  .lab-table:is(.measured, .costs, .timed, .counted) td { white-space: nowrap; }
  .lab-table:is(.measured, .counted) th:first-child { min-width: 15ch; }
  .timings .lab-controls { padding-bottom: 16px; }
  .plot-take { display: flex; gap: 4px 16px; }
  @media print { .plot-take { display: none; } }
  .plot-numbers > summary { padding-block: 4px; }
  .plot-numbers .lab-scroll { max-height: 320px; overflow: auto; scrollbar-width: thin; }
  .plot-bars { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 20px; }
  .plot-bars :is(th, td) { font-weight: 400; padding: 2px 0; text-align: end; white-space: nowrap; }
  .plot-bars :is(th, td):first-child { text-align: start; padding-inline-end: 12px; max-width: 16ch; overflow: hidden; text-overflow: ellipsis; }
  .plot-bars :is(th, td):last-child { padding-inline-start: 12px; }
  .plot-bars thead { color: var(--muted); }
  .plot-bars [data-chosen] > th { color: var(--accent); font-weight: 700; }
  .plot-bars .plot-bar-room { width: 100%; border-inline: 1px solid var(--hairline); padding: 4px 0; }
  .plot-bars .plot-bar-room.hatched { background: var(--hatching); }
  .plot-bar-room svg { display: block; }
  .plot-domain { width: 100%; }
  .plot-domain span:first-child { float: inline-start; }
  .plot-frame { fill: none; stroke: var(--border); }
  .plot-hatch { fill: none; stroke: var(--hatch); }
  .plot-picture .plot-name { fill: var(--ink); }
  .plot-picture .plot-lit { fill: var(--accent); font-weight: 700; }
  .plot-lit-line { fill: none; stroke: var(--accent); stroke-width: 1.5; }
  .plot-grid-box { position: relative; }
  .plot-grid-over { position: absolute; inset: 0; pointer-events: none; }
  .plot-grid-over [role='gridcell'] { position: absolute; }
  .plot-grid-over [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
  .plot-chosen { fill: none; stroke: var(--accent); stroke-width: 3; }
  .plot-grid-box svg { cursor: cell; }
  .plot-grid-box text { pointer-events: none; }
  .plot-read { font-size: 13px; line-height: 20px; }
  .swatch-box { vertical-align: -3px; outline: 1px solid var(--border); }
  .lookup :is(td, th) { vertical-align: middle; white-space: nowrap; padding-inline-start: 12px; }
  .lookup .value { text-align: start; }
  .lookup input.field { width: 112px; border: 1px solid var(--border); border-radius: 6px; height: 36px; background: var(--paper); font: inherit; font-size: 15px; padding-inline: 8px; }
  .lookup input[type='color'] { width: 44px; height: 32px; padding: 2px; border: 1px solid var(--border); border-radius: 6px; background: none; vertical-align: middle; cursor: pointer; }
  .lookup [data-chosen] .field { color: var(--accent); }
  .lookup .plain { min-width: 32px; min-height: 32px; }
  @container attention (max-width: 720px) {
    .lookup :is(td, th) { padding-inline-start: 8px; }
    .lookup input.field { width: 80px; }
    .lookup .bar-cell { min-width: 48px; }
    .lookup :is(input.field, input[type='color'], .plain) { height: 44px; min-width: 44px; font-size: 16px; }
    .plot-numbers > summary { padding-block: 12px; }
  }
  @media (forced-colors: active) {
    .plot-grid { stroke-opacity: 0.3; }
    .plot-bar { stroke: CanvasText; fill-opacity: 0.35; }
    .plot-picture, .plot-names svg, .plot-bar-room svg { --ink: CanvasText; --muted: CanvasText; --arcs: CanvasText; --above: CanvasText; --below: CanvasText; --accent: Highlight; --hairline: CanvasText; --border: CanvasText; --hatch: CanvasText; --paper: Canvas; forced-color-adjust: none; }
  }
`;
