// Styles of labs and their figures. Series differ in dash and mark, not only in colour.
import { css } from 'lit';

export const plotStyles = css`
  .plot { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }
  .plot-title { font-size: 15px; line-height: 22px; padding-bottom: 8px; text-wrap: pretty; }
  .plot-title .muted { font-size: 13px; }
  .plot-box { min-width: 0; overflow: auto hidden; scrollbar-width: thin; }
  .plot-picture { display: block; overflow: visible; }
  .plot-picture text { font-size: 12px; white-space: pre; }
  :where(.plot-picture text:not([fill])) { fill: var(--muted); }
  .plot-grid { stroke: var(--hairline); }
  .plot-base { stroke: var(--border); }
  .plot-bar { fill: var(--arcs); }
  .plot-bar.chosen { fill: var(--accent); }
  .plot-most { fill: var(--ink); }
  .plot-ghost { fill: none; stroke: var(--ink); stroke-dasharray: 3 3; }
  .plot-moving rect { transition: x 0.3s ease-out, width 0.3s ease-out; }
  @media (prefers-reduced-motion: reduce) { .plot-moving rect { transition: none; } }
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
  .plot-picture .plot-name { fill: var(--ink); }
  .plot-picture .plot-lit { fill: var(--accent); font-weight: 700; }
  .plot-lit-line { fill: none; stroke: var(--accent); stroke-width: 1.5; }
  .plot-grid-box { position: relative; }
  .plot-grid-over { position: absolute; inset: 0; pointer-events: none; }
  .plot-grid-over [role='gridcell'] { position: absolute; }
  .plot-grid-over [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
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
    /* On one line until they are opened. */
    .plot { display: flow-root; }
    .plot-numbers:not([open]) { float: inline-start; margin-inline-end: 20px; }
  }
  @media (forced-colors: active) {
    .plot-grid { stroke-opacity: 0.3; }
    .plot-bar { stroke: CanvasText; fill-opacity: 0.35; }
    .plot-picture, .plot-names svg, .plot-bar-room svg { --ink: CanvasText; --muted: CanvasText; --arcs: CanvasText; --above: CanvasText; --below: CanvasText; --accent: Highlight; --hairline: CanvasText; --border: CanvasText; --hatch: CanvasText; --paper: Canvas; forced-color-adjust: none; }
  }
`;

// Fields within figures, arrows, paths and answers.

export const labFigureStyles = css`
  .lab-choices { flex: 1 1 100%; min-width: 0; }
  .lab-choices .segments { flex-wrap: wrap; width: auto; max-width: max-content; height: auto; }
  .lab-part { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
  .lab-part + .lab-part { margin-top: 24px; }
  .lab-part > .lab-head { border-top: 1px solid var(--border); }
  .lab-part > .lab-head h3 { font-size: 20px; line-height: 28px; padding: 0; text-wrap: balance; }
  .lab-from { max-width: 76ch; color: var(--muted); }
  .lab-number { font: inherit; font-size: 13px; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 4px; height: 26px; width: 62px; padding: 0 6px; text-align: end; }
  .lab-number:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .lab-number[aria-invalid='true'] { color: var(--error); border-color: var(--error); box-shadow: inset 0 0 0 1px var(--error); }
  .lab-problem { color: var(--error); font-size: 13px; line-height: 20px; }
  .lab-worked :is(td, th):not(:first-child) .lab-number { margin-inline-start: -12px; }
  .lab-worked th[scope='colgroup'] { text-align: center; }
  .lab-worked .lab-sum > * { border-top: 1.5px solid var(--ink); }
  .lab-worked caption .lab-number { margin-inline-end: 6px; }
  .lab-cells { border-collapse: collapse; }
  .lab-cells :is(th, td) { padding: 1px 2px; font-weight: 400; font-size: 12px; color: var(--muted); }
  .lab-worked td { white-space: nowrap; }
  .lab-cells .lab-number { width: 62px; padding: 0 3px; font-size: 12px; }
  .lab-stages { display: flex; flex-wrap: wrap; gap: 20px 24px; align-items: flex-start; }
  .lab-stages > .plot { flex: 0 0 220px; }
  .lab-stages.wide > .plot { flex: 0 1 280px; }
  .lab-inline { font-size: 18px; line-height: 32px; }
  .lab-inline .lab-number { font-size: 18px; height: 34px; width: 80px; }
  .lab-divisors .plain { padding: 4px 6px; font-variant-numeric: tabular-nums; }
  .lab-divisors .plain[aria-pressed='true'] { -webkit-text-stroke: 0.5px; color: var(--ink); text-decoration: none; }
  .lab-block { fill: var(--arcs); }
  .plot-picture .lab-block-name { fill: var(--paper); }
  .lab-arrow line { stroke: var(--ink); stroke-width: 2; }
  .lab-arrow path, .plot-picture .lab-arrow text { fill: var(--ink); }
  .plot-picture .lab-arrow text { font-size: 15px; font-weight: 700; }
  .lab-arrow.query line { stroke: var(--accent); stroke-width: 5; stroke-opacity: 0.55; }
  .lab-arrow.query path, .plot-picture .lab-arrow.query text { fill: var(--accent); }
  .lab-cells-lines { stroke: var(--arcs); fill: none; }
  .lab-block.own { fill: var(--accent); }
  .lab-ways { grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
  .lab-dot { fill: var(--hatch); }
  .lab-path { fill: none; stroke: var(--ink); stroke-width: 2; }
  .lab-stop { fill: var(--ink); }
  .lab-fan { stroke: var(--arcs); stroke-opacity: 0.45; }
  [data-net='attention'] .lab-path { stroke: var(--accent); stroke-width: 3; }
  [data-net='attention'] .lab-stop { fill: var(--accent); }
  .lab-context { display: flex; flex-wrap: wrap; gap: 8px 10px; margin: 0; padding: 0; list-style: none; }
  .lab-context li { display: grid; justify-items: center; font-size: 18px; line-height: 26px; padding-inline: 2px; border-bottom: 3px solid transparent; max-width: 100%; overflow-wrap: anywhere; }
  .lab-context small { font-size: 12px; line-height: 16px; min-height: 16px; color: var(--muted); font-variant-numeric: tabular-nums; }
  .lab-context [data-state='seen'] { border-color: var(--arcs); }
  .lab-context [data-last] { border-color: var(--accent); }
  .lab-context [data-last] bdi { color: var(--accent); font-weight: 700; }
  .lab-context [data-state='gone'] bdi { color: var(--muted); text-decoration: line-through; }
  .lab-context [data-state='later'] bdi { color: var(--muted); }
  .lab-context [data-state='later'] { border-bottom-style: dotted; border-color: var(--hairline); }
  .lab-order [data-moved] { border-color: var(--accent); }
  .lab-order [data-moved] small { color: var(--accent); font-weight: 700; }
  .lab-tall { max-height: 420px; overflow: auto; }
  .lab-table .lab-words { text-align: start; }
  .lab-quiz { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; max-width: 760px; }
  .lab-question { font-size: 24px; line-height: 32px; text-wrap: pretty; }
  .lab-quiz-place { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  .lab-answers { display: grid; gap: 2px; justify-items: start; }
  .lab-answers.many { grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); justify-items: stretch; }
  .lab-quiz .lab-field { justify-items: start; }
  .lab-answer { display: flex; gap: 10px; align-items: center; min-height: 32px; padding: 3px 12px 3px 8px; border-inline-start: 3px solid transparent; cursor: pointer; overflow-wrap: anywhere; }
  .lab-answer input { accent-color: var(--ink); width: 16px; height: 16px; margin: 0; flex: none; }
  .lab-answer[data-mark='right'] { border-color: var(--above); font-weight: 700; }
  .lab-answer[data-mark='right'] > span::after { content: ' ✓'; color: var(--above); }
  .lab-answer[data-mark='wrong'] > span { text-decoration: line-through; }
  fieldset:disabled .lab-answer { cursor: default; }
  .lab-result { font-size: 18px; line-height: 28px; min-height: 28px; max-width: 70ch; }
  @container attention (max-width: 720px) {
    .lab-answer { min-height: 44px; }
    .lab-number, .lab-inline .lab-number { height: 44px; width: 72px; font-size: 16px; }
    .lab-worked .lab-number { width: 60px; }
    .lab-cells .lab-number { width: 69px; font-size: 13px; }
    .lab-divisors .plain { min-height: 44px; min-width: 44px; }
    .lab-choices .segment > span { height: 46px; }
  }
`;

/** What a lab is made of; where it lies is in views.ts, and what its figures look like is in the figures' own styles. */
export const labStyles = css`
  .lab-frame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
  .lab-head { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 8px 48px; border-top: 1.5px solid var(--ink); padding-top: 12px; }
  .lab-head h2 { font-size: 24px; line-height: 32px; text-wrap: balance; }
  .lab-lesson { max-width: 68ch; }
  .lab-lesson p + p { margin-top: 8px; }
  .lab-claim { font-size: 18px; line-height: 28px; font-weight: 700; text-wrap: pretty; }
  .lab-controls { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-end; padding: 12px 16px; background: var(--surface); border-radius: 6px; }
  .lab-field { display: grid; gap: 4px; min-width: 0; font-size: 13px; line-height: 20px; color: var(--muted); }
  .lab-field b { color: var(--ink); font-variant-numeric: tabular-nums; }
  .lab-field :is(input.field, select, textarea) { border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; font-size: 15px; padding-inline: 10px; width: auto; max-width: 100%; }
  .lab-field :is(input.field, select) { height: 36px; }
  .lab-field .slider { width: 200px; max-width: 100%; }
  .lab-sentence { flex: 1 1 320px; }
  .lab-sentence textarea { position: static; grid-area: auto; width: 100%; height: auto; min-height: 40px; font-size: 18px; line-height: 26px; padding-block: 6px; resize: none; field-sizing: content; max-height: 120px; white-space: pre-wrap; overflow: auto; caret-color: auto; }
  .lab-sentence textarea::selection { color: HighlightText; background: Highlight; }
  .lab-field :is(input, select, textarea):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .lab-button { font: inherit; font-weight: 700; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 6px; height: 36px; padding-inline: 14px; cursor: pointer; }
  .lab-button:hover:enabled { border-color: var(--ink); }
  .lab :is(input, select, button):is(:disabled, [aria-disabled='true']) { cursor: default; color: var(--muted); opacity: 1; }
  .lab [data-readonly] .lookup button { visibility: hidden; }
  .lab [data-readonly] .lab-tries, .root[data-controls='none'] :is(.lab-frame, .lab-part) > :is(.lab-controls, .lab-tries) { display: none; }
  .lab-figure, .lab-behind { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
  .lab-columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 24px 48px; align-items: start; }
  :is(.lab-figure, .lab-behind) h3 { font-size: 15px; line-height: 22px; padding-bottom: 4px; }
  .lab-heads { display: grid; grid-template-columns: repeat(auto-fill, minmax(max(150px, 22%), 1fr)); gap: 28px 24px; align-items: start; }
  .lab-heads > .plot { border-top: 1px solid var(--border); padding-top: 6px; }
  .lab-heads .plot-numbers:not([open]) + .plot-take { display: none; }
  .lab-look path { fill: none; stroke: var(--arcs); stroke-opacity: 0.55; }
  .lab-look .lab-tip { fill: var(--arcs); fill-opacity: 0.8; stroke: none; }
  .lab-look.own path { stroke: var(--accent); stroke-opacity: 1; }
  .lab-look.own .lab-tip { fill: var(--accent); fill-opacity: 1; stroke: none; }
  .lab-self { fill: none; stroke: var(--accent); stroke-width: 2; }
  .plot-picture .lab-aim { font-weight: 700; }
  .lab-look-said { line-height: 22px; padding-top: 4px; }
  .lab-adds, .lab-trained > p { max-width: 76ch; }
  .lab-trained > .plot { max-width: 640px; margin-block: 12px; }
  .lab-abouts { display: grid; grid-template-columns: minmax(10ch, max-content) minmax(0, 1fr); gap: 6px 24px; max-width: 90ch; margin-top: 8px; }
  .lab-abouts dt { font-weight: 700; }
  .lab-said { font-size: 18px; line-height: 28px; max-width: 76ch; }
  .lab-tries { display: flex; flex-wrap: wrap; gap: 4px 24px; }
  .lab-tries .plain::before { content: '→ '; color: var(--muted); }
  .lab-more p { max-width: 76ch; margin-top: 8px; }
  .lab-notices:empty, .lab .problem:empty { display: none; }
  .lab :is(.lab-notices, .problem) { font-size: 13px; line-height: 20px; padding-top: 8px; }
  .lab .problem { color: var(--error); }
  .lab-table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; line-height: 20px; }
  .lab-table :is(td, th) { text-align: end; font-weight: 400; padding: 3px 0 3px 20px; border-top: 1px solid var(--hairline); }
  .lab-table :is(td, th):first-child { text-align: start; padding-inline-start: 0; }
  .lab-table thead th { color: var(--muted); border-top: 0; vertical-align: bottom; }
  .lab-scroll { overflow-x: auto; position: relative; }
  .lab-table caption { text-align: start; padding-bottom: 4px; }
  .lab-table tr[data-chosen] > th { color: var(--accent); font-weight: 700; }
  .lab-table .bar-cell { width: 28%; padding-inline-start: 8px; }
  .lab-table:is(.lookup, .moved) { width: 100%; max-width: 900px; }
  .cell-bar { display: block; width: 100%; height: 10px; fill: var(--arcs); }
  .lab-note { max-width: 76ch; font-size: 13px; line-height: 20px; color: var(--muted); margin-top: 8px; }
  :is(.lab-figure, .lab-more) .lab-controls { background: none; padding: 4px 0 8px; margin-inline: 0; }
  @container attention (max-width: 900px) { .lab-head { grid-template-columns: minmax(0, 1fr); } }
  @container attention (max-width: 720px) {
    .lab { padding-inline: 16px; }
    .lab-controls { margin-inline: -16px; border-radius: 0; }
    .lab-field :is(input.field, select), .lab-button { height: 44px; font-size: 16px; }
    .lab-field .slider { height: 44px; }
    .lab-abouts { grid-template-columns: minmax(0, 1fr); gap: 2px; }
    .lab-abouts dd { padding-bottom: 8px; }
    .lab-tries .plain, .lab-more > summary { min-height: 44px; }
  }
`;
