// One row, stage by stage.
import { css } from 'lit';

export const stageStyles = css`
  .stage { --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif; display: flex; flex-direction: column; min-width: 0; }
  .stage .serif { font-family: var(--serif); }
  .stage-line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 24px; min-height: 56px; align-content: flex-start; padding-top: 4px; }
  .stage-words { font-size: 18px; line-height: 26px; }
  .stage-was { display: inline-flex; align-items: center; gap: 8px; color: var(--muted); font-size: 14px; line-height: 26px; }
  .stage-was i { width: 16px; height: 14px; border: 1.5px dashed var(--muted); }
  .stage-figure { position: relative; flex: 1 1 auto; min-height: max(var(--stage-height, 0px), 440px); min-width: 0; border-radius: 2px; }
  .stage-figure[data-turned] { min-height: var(--stage-height, 0); }
  .stage-drawing { position: absolute; inset: 0; display: block; overflow: visible; font-variant-numeric: tabular-nums; }
  .stage-drawing text { fill: var(--ink); }
  .stage-word { font-family: var(--serif); cursor: pointer; unicode-bidi: plaintext; }
  .stage-drawing .stage-word.query, .stage-drawing .query { fill: var(--accent); }
  .stage-drawing .stage-word.hidden, .stage-drawing .under, .stage-drawing .number, .stage-drawing .was { fill: var(--muted); }
  .stage-drawing .number { font-size: 14px; }
  .stage-drawing .number.strong { fill: var(--ink); font-weight: 700; }
  .stage-drawing .number.chosen { fill: var(--accent); font-weight: 700; }
  .stage-drawing .was { font-weight: 400; fill: var(--muted); }
  .stage-drawing .under, .stage-drawing .stream-words, .stage-drawing .hatch-words, .stage-drawing .outcome { font-size: 14px; }
  .strip-name { cursor: pointer; }
  .strip-name.now text:first-child { font-weight: 700; }
  .strip { fill: none; }
  .strip.now { fill: var(--surface); }
  .rule { stroke: var(--hairline); fill: none; }
  .zero { stroke: var(--border); fill: none; }
  .bar { fill: var(--arcs); transform-box: fill-box; transform-origin: 0 0; pointer-events: none; }
  .bar.hidden { opacity: 0.5; }
  .bar.chosen { fill: var(--accent); }
  .past { opacity: 0.22; }
  .ghost-bar { fill: none; stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 4 3; pointer-events: none; }
  .hit { fill: transparent; cursor: pointer; }
  .hatch-line { stroke: var(--hatch); stroke-width: 1; fill: none; }
  .hatched-keys, .on-hatch, .hatch-words, .number, .stream-words, .stream { pointer-events: none; }
  .on-hatch { fill: var(--paper); }
  .stage-arc { fill: none; stroke: var(--arcs); }
  .stage-head { fill: var(--arcs); }
  .stage-arc.chosen { stroke: var(--accent); }
  .stage-head.chosen { fill: var(--accent); }
  .stream { fill: none; stroke: var(--arcs); stroke-opacity: 0.35; }
  .stream.chosen { stroke: var(--accent); stroke-opacity: 0.22; }
  .context-cell { fill: var(--above); }
  .context-cell.below { fill: var(--below); }
  .transport { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; border-block-start: 1px solid var(--hairline); padding-block: 10px 4px; }
  .play { font: inherit; font-weight: 700; min-height: 44px; min-width: 96px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
  .play::before { content: ''; display: inline-block; margin-inline-end: 10px; border-block: 7px solid transparent; border-inline-start: 11px solid currentColor; }
  .play[aria-pressed='true']::before { border-block: 0; border-inline: 4px solid currentColor; width: 4px; height: 12px; vertical-align: -1px; }
  .play:hover { border-color: var(--ink); }
  .stage-steps { display: flex; flex-wrap: wrap; flex: 1 1 auto; }
  .stage-step { font: inherit; min-height: 44px; min-width: 44px; padding: 0 14px; border: 0; background: none; color: var(--muted); cursor: pointer; white-space: nowrap; }
  .stage-step::before { content: ''; display: inline-block; width: 9px; height: 9px; margin-inline-end: 8px; border: 1.5px solid var(--border); border-radius: 50%; }
  .stage-step:hover { color: var(--ink); }
  .stage-step[aria-current] { color: var(--ink); font-weight: 700; }
  .stage-step[aria-current]::before { background: var(--ink); border-color: var(--ink); }
  .stage-keys { color: var(--muted); font-size: 14px; line-height: 24px; white-space: nowrap; }
  .stage-keys kbd { font: inherit; border: 1px solid var(--border); border-radius: 4px; padding: 1px 6px; margin-inline: 4px 0; color: var(--ink); }
  .stage-figure .unseen { top: 0; left: 0; }
  .root[data-view='stage'] .stage { flex: 1 0 auto; }
  @container attention (max-width: 900px) { .stage-keys { display: none; } }
  @container attention (max-width: 560px) {
    .stage-figure { min-height: var(--stage-height, 320px); }
    .stage-words { font-size: 17px; line-height: 25px; }
    .stage-line { min-height: 80px; }
    .stage-steps { order: -1; flex-basis: 100%; display: flex; flex-wrap: nowrap; justify-content: space-between; border-bottom: 1px solid var(--hairline); }
    .stage-step { padding: 0 4px; }
    .stage-step::before { display: none; }
    .stage-step[aria-current] { box-shadow: inset 0 -3px var(--ink); }
    .play { flex: 1; }
  }
  @media (pointer: coarse) { .stage-keys { display: none; } }
  @media print { .transport { display: none; } }
`;
