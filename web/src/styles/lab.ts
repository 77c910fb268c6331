import { css } from 'lit';

/** What a lab is made of; where it lies is in views.ts, and what its figures look like is in the figures' own styles. */
export const labStyles = css`
  .lab-frame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
  .lab-head { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 8px 48px; border-top: 1.5px solid var(--ink); padding-top: 12px; }
  .lab-head h2 { font-size: 24px; line-height: 32px; text-wrap: balance; }
  .lab-lesson { max-width: 68ch; }
  .lab-lesson p + p { margin-top: 8px; }
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
  .lab :is(input, select, button):disabled { cursor: default; color: var(--muted); opacity: 1; }
  .lab [data-readonly] .lookup button { visibility: hidden; }
  .lab [data-readonly] .lab-tries, .root[data-controls='none'] .lab-frame > :is(.lab-controls, .lab-tries) { display: none; }
  .lab-figure { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
  .lab-columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 24px 48px; align-items: start; }
  .lab-figure h3 { font-size: 15px; line-height: 22px; padding-bottom: 4px; }
  .lab-many { grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); gap: 16px 24px; }
  .lab-head-card { border-top: 3px solid var(--hue); padding-top: 6px; min-width: 0; }
  .lab-concat { display: grid; grid-template-columns: repeat(16, minmax(0, 1fr)); max-width: 760px; margin-block: 8px 16px; font-size: 12px; line-height: 24px; font-variant-numeric: tabular-nums; text-align: center; }
  .lab-concat span { border-bottom: 6px solid var(--hue); }
  .lab-equal { padding-block: 4px 8px; }
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
  .lab-table:has(.bar-cell) { width: 100%; max-width: 900px; }
  .cell-bar { display: block; width: 100%; height: 10px; fill: var(--arcs); }
  .lab-note { max-width: 76ch; font-size: 13px; line-height: 20px; color: var(--muted); margin-top: 8px; }
  .lab-figure .lab-controls { background: none; padding: 4px 0 8px; margin-inline: 0; }
  @container attention (max-width: 900px) { .lab-head { grid-template-columns: minmax(0, 1fr); } }
  @container attention (max-width: 720px) {
    .lab { padding-inline: 16px; }
    .lab-controls { margin-inline: -16px; border-radius: 0; }
    .lab-field :is(input.field, select), .lab-button { height: 44px; font-size: 16px; }
    .lab-field .slider { height: 44px; }
    .lab-concat { grid-template-columns: repeat(8, minmax(0, 1fr)); }
    .lab-tries .plain, .lab-more > summary { min-height: 44px; }
  }
`;
