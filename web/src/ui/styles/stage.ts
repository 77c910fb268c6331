// One row, stage by stage.
import { css, unsafeCSS } from 'lit';
import { ONE_COLUMN, WIDE } from './measures.ts';

export const stageStyles = css`
  :host([data-held]) :is(.arcs, .shares, .row-arcs, .unseen) { visibility: hidden; }
  .row-stages { display: flex; flex-direction: column; min-width: 0; }
  .row-stages .serif { font-family: var(--language-font); }
  .row-line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 24px; min-height: 56px; align-content: flex-start; padding-top: 4px; }
  .row-words { font-size: 18px; line-height: 26px; overflow-wrap: anywhere; min-width: 0; }
  .row-was { display: inline-flex; align-items: center; gap: 8px; color: var(--muted); font-size: 14px; line-height: 26px; }
  .row-was i { width: 16px; height: 14px; border: 1.5px dashed var(--muted); }
  .row-figure { position: relative; flex: 1 1 auto; min-height: max(var(--row-height, 0px), var(--row-least, 440px)); min-width: 0; border-radius: 2px; }
  .row-figure[data-turned] { min-height: var(--row-height, 0); }
  .row-drawing { position: absolute; inset: 0; display: block; overflow: visible; font-variant-numeric: tabular-nums; }
  .row-canvas { position: absolute; left: 0; display: block; pointer-events: none; }
  .row-drawing text { fill: var(--ink); }
  .row-word { font-family: var(--language-font); cursor: pointer; unicode-bidi: plaintext; }
  .row-drawing .row-word.query, .row-drawing .query { fill: var(--accent); }
  .row-drawing .row-word.hidden, .row-drawing .under, .row-drawing .number, .row-drawing .was { fill: var(--muted); }
  .row-drawing .number.strong { fill: var(--ink); font-weight: 700; }
  .row-drawing .number.chosen { fill: var(--accent); font-weight: 700; }
  /* Over bars side by side, these are written even where they reach a neighbour's. */
  .row-figure:not([data-turned]) .number:is(.strong, .chosen) { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
  .row-figure:not([data-turned]) .bars.now .number:is(.strong, .chosen) { stroke: var(--surface); }
  .row-drawing .was { font-weight: 400; fill: var(--muted); }
  .row-drawing .under, .row-drawing .stream-words, .row-drawing .hatch-words, .row-drawing .outcome { font-size: 14px; }
  :host([data-presented]) .row-drawing .strip-name text:first-child { font-size: 18px; }
  :host([data-presented]) .row-drawing :is(.under, .stream-words, .hatch-words, .outcome) { font-size: 16px; }
  :host([data-presented]) .row-words { font-size: 20px; }
  :host([data-presented]) .row-transport { display: none; }
  .row-drawing .row-word.strong { font-weight: 700; }
  .row-stages .own-row { fill: var(--accent); fill-opacity: 0.09; pointer-events: none; }
  .row-stages .small text { font-size: 12px; }
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
  .row-stages .outcome-room { fill: var(--paper); stroke: var(--border); pointer-events: none; }
  .row-stages .context-cell { fill: var(--above); }
  .row-stages .context-cell.below { fill: var(--below); }
  .row-transport { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; border-block-start: 1px solid var(--hairline); padding-block: 10px 4px; }
  .row-play { font: inherit; font-weight: 700; flex: none; white-space: nowrap; padding-inline: 14px; min-height: 44px; min-width: 96px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
  .row-play::before { content: ''; display: inline-block; margin-inline-end: 10px; border-block: 7px solid transparent; border-inline-start: 11px solid currentColor; }
  .row-play[aria-pressed='true']::before { border-block: 0; border-inline: 4px solid currentColor; width: 4px; height: 12px; vertical-align: -1px; }
  .row-play:hover { border-color: var(--ink); }
  .row-steps { display: flex; flex-wrap: wrap; flex: 1 1 auto; }
  .row-step { font: inherit; min-height: 44px; min-width: 44px; padding: 0 9px; border: 0; background: none; color: var(--muted); cursor: pointer; white-space: nowrap; }
  .row-step::before { content: ''; display: inline-block; width: 9px; height: 9px; margin-inline-end: 8px; border: 1.5px solid var(--border); border-radius: 50%; }
  .row-step:hover { color: var(--ink); }
  .row-step[aria-current] { color: var(--ink); -webkit-text-stroke: 0.5px; }
  .row-step[aria-current]::before { background: var(--ink); border-color: var(--ink); }
  .row-bar { display: contents; }
  .row-way, .row-swap { display: none; font: inherit; font-weight: 700; min-height: 44px; min-width: 52px; padding: 0 14px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: var(--ink); cursor: pointer; }
  .row-way:disabled { color: var(--muted); border-color: var(--hairline); cursor: default; }
  .row-sheet { display: none; overflow-wrap: anywhere; }
  .row-close { font: inherit; font-size: 20px; min-height: 44px; border: 0; background: none; color: var(--muted); cursor: pointer; }
  .row-sheet dl { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 4px; }
  .row-sheet dt { color: var(--muted); font-size: 13px; line-height: 18px; }
  .row-sheet dd { margin: 0; font-weight: 700; font-variant-numeric: tabular-nums; }
  /* Where they do not fit beside the stages, they break into a line that is not seen. */
  .row-keys { color: var(--muted); font-size: 13px; line-height: 24px; height: 24px; overflow: hidden; flex: 0 1 auto; min-width: 0; display: flex; flex-wrap: wrap; align-content: flex-start; }
  .row-keys::before { content: ''; height: 24px; }
  .row-keys > span { flex: none; white-space: nowrap; }
  .row-keys kbd { font: inherit; border: 1px solid var(--border); border-radius: 4px; padding: 1px 6px; margin-inline: 4px 0; color: var(--ink); }
  /* A lesson says its own. */
  :host([data-brief]) .row-keys { display: none; }
  .row-figure .unseen { top: 0; left: 0; }
  .root[data-view='stage'] .row-stages { flex: 1 0 auto; }
  @media (max-height: 800px) {
    .root[data-view='stage'] .row-line { min-height: 30px; }
    .root[data-view='stage'] .row-figure:not([data-turned]) { min-height: 290px; }
    .root[data-view='stage'] .row-transport { padding-block: 4px 0; }
  }
  @container attention (min-width: 900px) { .row-transport { flex-wrap: nowrap; } .row-steps { flex-wrap: nowrap; flex: 1 0 auto; } }
  @container attention (max-width: 900px) { .row-keys { display: none; } }
  /* Where the longest names do not fit beside their dots, a line under the name says which it is. */
  @container attention (max-width: 720px) {
    .row-step { padding: 0 2px; }
    .row-step::before { display: none; }
    .row-step[aria-current] { box-shadow: inset 0 -3px var(--ink); }
    .row-steps { justify-content: space-between; }
    .row-line { position: relative; }
    .row-was { position: absolute; inset: auto 0 0 auto; }
  }
  @container attention (max-width: ${unsafeCSS(ONE_COLUMN)}px) {
    .row-figure { min-height: var(--row-height, 320px); margin-top: 8px; }
    .row-words { font-size: 17px; line-height: 25px; }
    /* As high as its longest sentence, so that nothing below it moves. */
    .root[data-view='stage']:lang(es) { --says: 88px; }
    .row-line { min-height: var(--says, 60px); }
    /* Tabs, what the stage does, the picture, and the buttons. */
    .row-transport { display: contents; }
    .row-figure { order: 3; flex: none; }
    .row-line { order: 2; }
    .row-steps { flex: none; display: flex; flex-wrap: nowrap; justify-content: space-between; border-bottom: 1px solid var(--hairline); }
    .row-step { font-size: 14px; }
    .row-bar { order: 4; min-height: 65px; display: flex; flex-wrap: wrap; gap: 8px; padding-block: 8px; background: var(--paper); border-top: 1px solid var(--hairline); }
    .row-play { flex: 1; min-width: 0; padding-inline: 4px; background: var(--ink); border-color: var(--ink); color: var(--paper); }
    .row-way, .row-swap { display: block; padding: 0 8px; min-width: 44px; }
    .row-sheet { display: grid; grid-template-columns: minmax(0, 1fr) 44px; flex: 0 0 100%; align-items: center; }
    .root[data-view='stage'] .row-transport { display: flex; flex-wrap: nowrap; gap: 12px; padding: 0; border: 0; border-bottom: 1px solid var(--hairline); }
    .root[data-view='stage'] .row-bar { display: contents; }
    .root[data-view='stage'] :is(.row-way, .row-swap, .row-sheet) { display: none; }
    .root[data-view='stage'] .row-steps { flex: 1; border: 0; }
    .root[data-view='stage']:lang(es) .row-transport { flex-wrap: wrap; gap: 0; padding-bottom: 4px; }
    .root[data-view='stage'] .row-play:lang(es) { padding-inline: 14px; }
    .root[data-view='stage']:lang(es) .row-steps { flex: 0 0 100%; order: -1; }
    .root[data-view='stage'] .row-play { flex: none; }
    .root[data-view='stage'] .row-play:not(:lang(es)) { min-width: 44px; padding: 0; }
    .root[data-view='stage'] .row-play:not(:lang(es))::before { margin: 0; }
    .root[data-view='stage'] .row-play:not(:lang(es)) span { position: absolute; clip-path: inset(50%); }
  }
  @container attention (max-width: 380px) { .root[data-view='stage'] { --says: 88px; } }
  @container attention (max-width: 375px) { .root[data-screen]:lang(es) .row-step { font-size: clamp(12px, 3.6cqi, 14px); padding: 0; } }
  @container attention (max-width: 345px) { .row-bar { gap: 4px; } .row-play::before { margin-inline-end: 4px; } }
  @container attention (max-width: 310px) { .row-play:lang(es) { padding-inline: 0; font-size: 13px; } }
  @media (pointer: coarse) { .row-keys { display: none; } }
  /* On the playground's screen, in one column. */
  @container attention (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
    .root[data-screen] :is(.row-line, .row-figure, .row-transport) { margin-inline: var(--edge); flex: none; }
    .root[data-screen] .row-line { order: 3; padding-top: 8px; min-height: 60px; }
    .root[data-screen] .row-figure { order: 6; min-height: max(var(--row-height, 0px), 380px); }
    .root[data-screen] .row-transport { order: 7; min-height: 64px; }
  }
  @container attention (max-width: ${unsafeCSS(ONE_COLUMN)}px) {
    .root[data-screen] .row-steps { order: 4; margin-inline: var(--edge); }
    .root[data-screen] .row-figure[data-turned] { min-height: var(--row-height, 0px); }
    .root[data-screen] .row-line { order: 5; min-height: var(--says, 60px); padding-bottom: 20px; }
    .root[data-screen] .row-was { font-size: 13px; line-height: 20px; }
    .root[data-screen] .row-bar { order: 7; position: sticky; bottom: 0; z-index: 5; padding-inline: var(--edge); }
    .root[data-screen][data-swapped] :is(.row-steps, .row-line, .row-figure) { display: none; }
    .root[data-screen][data-swapped] .figure { order: 6; }
    .root[data-screen][data-swapped] :is(.row-way, .row-play) { display: none; }
    .root[data-screen][data-swapped] .row-swap { margin-inline-start: auto; }
    /* Where the matrix is, heads come behind it. */
    .root[data-screen][data-swapped] .figure-grid { display: flex; flex-direction: column; }
    .root[data-screen][data-swapped] .heads-area { order: 1; }
  }
  /* All rows of many words on one screen: the sentence takes four lines of small type, or fewer of larger. */
  @media screen {
    /* Each where it is used: of a property that all inherit, the browser would style thousands of elements again. */
    .root[data-packed] :is(.sentence-box, .row-figure) { --type: 14px; --type-line: 18px; --type-room: 72px; }
    .root[data-packed='18'] .sentence-box { --type: 18px; --type-line: 24px; }
    .root[data-packed='24'] .sentence-box { --type: 24px; --type-line: 36px; }
    .root[data-screen][data-packed] .row-bar { min-height: 0; padding-block: 4px; }
    .root[data-screen][data-packed] .sentence-box:not([data-keys]) { --size: var(--type) !important; --line: var(--type-line); box-sizing: border-box; height: var(--type-room); max-height: var(--type-room); margin-inline: var(--edge); inset-inline-start: 0; border: 0; }
    .root[data-screen][data-packed] .sentence-box:not([data-keys]) .stack { padding: 0; }
    .root[data-screen][data-packed] .sentence-box:not([data-keys]) :is(.shares, .arcs, .arcs-before) { display: none; }
    @container attention (min-width: ${unsafeCSS(WIDE)}px) {
      .root[data-screen][data-packed]::before { height: 72px; }
      .root[data-screen][data-packed]::after, .root[data-screen][data-packed] .row-figure { --row-room: clamp(304px, 100vh - 360px, 720px); }
      .root[data-screen][data-packed] .row-figure { margin-bottom: -8px; min-height: calc(max(var(--row-height, 0px), var(--row-room)) + 8px); }
      .root[data-screen][data-packed] .row-transport { align-self: end; }
      .root[data-screen][data-packed] .sentence-box:not([data-keys]) { margin-inline: 0; }
    }
    @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) {
      /* Higher than one line of full size, so that the sentence knows that it takes several. */
      .root[data-screen][data-packed] .sentence-box:not([data-keys]) .mirror { box-sizing: border-box; min-height: 90px; padding-bottom: 18px; margin-bottom: -18px; }
      .root[data-screen][data-packed] .sentence-box:not([data-keys]) .stack { overflow: clip; }
    }
    @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) and (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
      .root[data-screen][data-packed] .row-line { padding-top: 0; min-height: 52px; }
      .root[data-screen][data-packed] .row-figure { min-height: max(var(--row-height, 0px), min(100svh - 552px, 720px)); }
    }
    @container attention (max-width: ${unsafeCSS(ONE_COLUMN)}px) {
      .root[data-screen][data-packed] :is(.row-line, .row-figure) { --says: 52px; }
      .root[data-screen][data-packed] .row-words { font-size: 15px; line-height: 22px; }
      .root[data-screen][data-packed='14'] :is(.sentence-box, .row-figure) { --type-room: 54px; }
      /* Its longer sentences leave less room for the reader's. */
      .root[data-screen][data-packed]:lang(es) :is(.row-line, .row-figure) { --says: 68px; }
      .root[data-screen][data-packed='14']:lang(es) :is(.sentence-box, .row-figure) { --type-room: 36px; }
      .root[data-screen][data-packed] .row-words:lang(es) { font-size: 14px; line-height: 20px; }
      .root[data-screen][data-packed] .row-figure { margin-top: 0; min-height: max(var(--row-height, 0px), 100svh - 370px - var(--type-room) - var(--says)); }
    }
    @container attention (max-width: 380px) {
      .root[data-screen][data-packed] :is(.row-line, .row-figure) { --says: 44px; }
      .root[data-screen][data-packed]:lang(es) :is(.row-line, .row-figure) { --says: 64px; }
      .root[data-screen][data-packed] .row-words { font-size: 14px; line-height: 20px; }
      .root[data-screen][data-packed] .row-line { padding-top: 4px; }
      .root[data-screen][data-packed] .sentence-box:not([data-keys]) { margin-top: 2px; }
    }
  }
  @media print { .row-transport { display: none; } }
`;
