import { css } from 'lit';

export const panelStyles = css`
  .source-panel { max-width: 1248px; margin-inline: auto; padding: 12px 24px 0; font-size: 13px; line-height: 20px; }
  .source-panel > * + * { margin-top: 8px; }
  .source-panel p { max-width: 76ch; }
  .source-panel a { color: inherit; }
  .yours { display: grid; gap: 8px; }
  .yours-line { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; }
  .yours select { border: 1px solid var(--border); }
  .yours label.quiet { position: relative; }
  .yours label.quiet:focus-within { outline: 2px solid var(--accent); outline-offset: 2px; }
  .paste {
    position: static; height: auto; min-height: 112px; max-width: 760px; padding: 8px 10px; border: 1px solid var(--border); border-radius: 6px; resize: vertical; overflow: auto;
    font: 13px / 18px ui-monospace, monospace; color: var(--ink); background: var(--paper); white-space: pre; unicode-bidi: normal;
  }
  .paste[aria-invalid='true'] { border-color: var(--error); }
  .paste:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .paste::selection { color: inherit; }
  .yours-list { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 24px; }
  .designed { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; }
  .designed-heads { border-collapse: collapse; }
  .designed-heads :is(td, th) { text-align: start; font-weight: 400; padding: 2px 16px 2px 0; vertical-align: top; }
  .designed-heads thead th { color: var(--muted); }
  .designed-heads tbody th { font-weight: 700; white-space: nowrap; }
  .dimensions { columns: 4 200px; margin: 0; padding-inline-start: 28px; }
  .unknown-words b { text-decoration: underline dotted var(--error); text-underline-offset: 3px; }
  /* What is out of sight is neither laid out nor painted. */
  .walk .group, .senses-section { content-visibility: auto; contain-intrinsic-size: auto 80px; }
  .walk .group { contain-intrinsic-size: auto var(--tall, 178px); }
  [data-group='project'] { --tall: 146px; }
  [data-group='compare'] { --tall: 597px; }
  [data-group='mix'] { --tall: 432px; }
  :is(.senses-section, .take-section) { max-width: 1248px; margin-inline: auto; padding: 0 24px 40px; }
  :is(.senses, .take) { border-top: 1.5px solid var(--ink); padding-top: 12px; }
  :is(.senses, .take) > summary h2 { display: inline; font-size: 24px; line-height: 32px; font-weight: 700; color: var(--ink); }
  .take-list { display: grid; grid-template-columns: minmax(200px, 300px) minmax(0, 1fr); gap: 12px 24px; margin: 12px 0; align-items: center; }
  .take-list dd { margin: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; }
  .take-list select { border: 1px solid var(--border); max-width: min(320px, 100%); }
  .take-list dd p { flex-basis: 100%; max-width: 70ch; }
  .take-link { width: min(520px, 100%); border: 1px solid var(--border); font-weight: 400; }
  :is(.senses, .take) > :not(summary) { margin-top: 8px; max-width: 76ch; }
  .other-text { display: grid; gap: 4px; font-size: 13px; line-height: 20px; color: var(--muted); }
  .other-text .field { width: 100%; border: 1px solid var(--border); border-radius: 6px; height: 40px; font-size: 18px; font-weight: 400; color: var(--ink); }
  .senses select { border: 1px solid var(--border); }
  .senses .table-scroll { max-width: none; }
  .senses-table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
  .senses-table :is(td, th) { text-align: right; font-weight: 400; padding: 4px 0 4px 16px; }
  .senses-table :is(td, th):first-child { text-align: start; padding-inline-start: 0; }
  .senses-table thead th { color: var(--muted); }
  @container attention (max-width: 720px) {
    .source-panel, .senses-section, .take-section { padding-inline: 16px; }
    .take-list { grid-template-columns: minmax(0, 1fr); gap: 4px; }
    .take-list .plain { min-height: 44px; }
    .take > summary, .senses > summary { min-height: 44px; }
    .paste { font-size: 16px; }
    /* The figures beside the name, what it looks for below: none of it out of sight. */
    .designed-heads, .designed-heads :is(thead, tbody) { display: block; }
    .designed-heads tr { display: grid; grid-template-columns: minmax(64px, 1fr) 44px 96px 52px; gap: 2px 8px; padding-block: 6px; }
    .designed-heads tr > :nth-child(n) { padding: 0; white-space: normal; }
    .designed-heads tr > :nth-child(2) { grid-area: 2 / 1 / 3 / -1; }
    .designed-heads [colspan] { grid-column: 2 / -1; }
    .walk .group { --tall: 336px; }
    .walk [data-group='project'] { --tall: 250px; }
    .walk [data-group='compare'] { --tall: 1650px; }
    .walk [data-group='mix'] { --tall: 770px; }
  }
`;
