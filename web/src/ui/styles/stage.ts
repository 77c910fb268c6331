// One row, stage by stage.
import { css } from 'lit';

export const stageStyles = css`
  .row-stages { display: flex; flex-direction: column; min-width: 0; }
  .row-stages .serif { font-family: var(--language-font); }
  .row-line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 24px; min-height: 56px; align-content: flex-start; padding-top: 4px; }
  .row-words { font-size: 18px; line-height: 26px; }
  .row-was { display: inline-flex; align-items: center; gap: 8px; color: var(--muted); font-size: 14px; line-height: 26px; }
  .row-was i { width: 16px; height: 14px; border: 1.5px dashed var(--muted); }
  .row-figure { position: relative; flex: 1 1 auto; min-height: max(var(--row-height, 0px), 440px); min-width: 0; border-radius: 2px; }
  .row-figure[data-turned] { min-height: var(--row-height, 0); }
  .row-drawing { position: absolute; inset: 0; display: block; overflow: visible; font-variant-numeric: tabular-nums; }
  .row-drawing text { fill: var(--ink); }
  .row-word { font-family: var(--language-font); cursor: pointer; unicode-bidi: plaintext; }
  .row-drawing .row-word.query, .row-drawing .query { fill: var(--accent); }
  .row-drawing .row-word.hidden, .row-drawing .under, .row-drawing .number, .row-drawing .was { fill: var(--muted); }
  .row-drawing .number { font-size: 14px; }
  .row-drawing .number.strong { fill: var(--ink); font-weight: 700; }
  .row-drawing .number.chosen { fill: var(--accent); font-weight: 700; }
  .row-drawing .was { font-weight: 400; fill: var(--muted); }
  .row-drawing .under, .row-drawing .stream-words, .row-drawing .hatch-words, .row-drawing .outcome { font-size: 14px; }
  .row-stages .strip-name { cursor: pointer; }
  .row-stages .strip-name.now text:first-child { font-weight: 700; }
  .row-stages .strip { fill: none; }
  .row-stages .strip.now { fill: var(--surface); }
  .row-stages .rule { stroke: var(--hairline); fill: none; }
  .row-stages .zero { stroke: var(--border); fill: none; }
  .row-stages .bar { fill: var(--arcs); transform-box: fill-box; transform-origin: 0 0; pointer-events: none; }
  .row-stages .bar.hidden { opacity: 0.5; }
  .row-stages .bar.chosen { fill: var(--accent); }
  .row-stages .past { opacity: 0.22; }
  .row-stages .ghost-bar { fill: none; stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 4 3; pointer-events: none; }
  .row-stages .hit { fill: transparent; cursor: pointer; }
  .row-stages .hatch-line { stroke: var(--hatch); stroke-width: 1; fill: none; }
  .row-stages .hatched-keys, .row-stages .on-hatch, .row-stages .hatch-words, .row-stages .number, .row-stages .stream-words, .row-stages .stream { pointer-events: none; }
  .row-stages .on-hatch { fill: var(--paper); }
  .row-arc { fill: none; stroke: var(--arcs); }
  .row-head { fill: var(--arcs); }
  .row-arc.chosen { stroke: var(--accent); }
  .row-head.chosen { fill: var(--accent); }
  .row-stages .stream { fill: none; stroke: var(--arcs); stroke-opacity: 0.35; }
  .row-stages .stream.chosen { stroke: var(--accent); stroke-opacity: 0.22; }
  .row-stages .context-cell { fill: var(--above); }
  .row-stages .context-cell.below { fill: var(--below); }
  .row-transport { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; border-block-start: 1px solid var(--hairline); padding-block: 10px 4px; }
  .row-play { font: inherit; font-weight: 700; min-height: 44px; min-width: 96px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
  .row-play::before { content: ''; display: inline-block; margin-inline-end: 10px; border-block: 7px solid transparent; border-inline-start: 11px solid currentColor; }
  .row-play[aria-pressed='true']::before { border-block: 0; border-inline: 4px solid currentColor; width: 4px; height: 12px; vertical-align: -1px; }
  .row-play:hover { border-color: var(--ink); }
  .row-steps { display: flex; flex-wrap: wrap; flex: 1 1 auto; }
  .row-step { font: inherit; min-height: 44px; min-width: 44px; padding: 0 9px; border: 0; background: none; color: var(--muted); cursor: pointer; white-space: nowrap; }
  .row-step::before { content: ''; display: inline-block; width: 9px; height: 9px; margin-inline-end: 8px; border: 1.5px solid var(--border); border-radius: 50%; }
  .row-step:hover { color: var(--ink); }
  .row-step[aria-current] { color: var(--ink); font-weight: 700; }
  .row-step[aria-current]::before { background: var(--ink); border-color: var(--ink); }
  .row-keys { color: var(--muted); font-size: 13px; line-height: 24px; white-space: nowrap; overflow: hidden; flex: 0 1 auto; min-width: 0; }
  .row-keys kbd { font: inherit; border: 1px solid var(--border); border-radius: 4px; padding: 1px 6px; margin-inline: 4px 0; color: var(--ink); }
  .row-figure .unseen { top: 0; left: 0; }
  .root[data-view='stage'] .row-stages { flex: 1 0 auto; }
  @container attention (min-width: 900px) { .row-transport { flex-wrap: nowrap; } .row-steps { flex-wrap: nowrap; flex: 1 0 auto; } }
  @container attention (max-width: 900px) { .row-keys { display: none; } }
  @container attention (max-width: 560px) {
    .row-figure { min-height: var(--row-height, 320px); margin-top: 8px; }
    .row-words { font-size: 17px; line-height: 25px; }
    /* As high as its longest sentence, so that nothing below it moves. */
    .row-line { min-height: 104px; position: relative; }
    .row-was { position: absolute; inset: auto 0 0 auto; }
    /* Tabs, the picture, what it says, and the button. */
    .row-transport { display: contents; }
    .row-figure { order: 1; flex: none; }
    .row-line { order: 2; }
    .row-play { order: 3; }
    .row-steps { flex: none; display: flex; flex-wrap: nowrap; justify-content: space-between; border-bottom: 1px solid var(--hairline); }
    .row-step { padding: 0 2px; font-size: 14px; }
    .row-step::before { display: none; }
    .row-step[aria-current] { box-shadow: inset 0 -3px var(--ink); }
    .row-play { width: 100%; }
  }
  @media (pointer: coarse) { .row-keys { display: none; } }
  @media print { .row-transport { display: none; } }
`;
