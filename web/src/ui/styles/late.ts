// Styles that come with what is drawn right after the first figure.
import { type CSSResult, css } from 'lit';
import { viewStyles } from './alone.ts';
import { figureStyles } from './figure.ts';
import { inspectorStyles } from './inspector.ts';
import { belowStyles } from './page.ts';
import { printStyles } from './print.ts';
import { screenStyles } from './screen.ts';
import { sentence } from './sentence.ts';
import { switchStyles } from './settings.ts';
import { theme, touchStyles } from './theme.ts';

export const summedStyles = css`
  .caption:has(.sum-caption) > :is(.row-caption, .row-rest):not(.sum-caption, .sum-caption ~ *) { display: none; }
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

/** All of the figure's; `more` is of what lies below it. Touch and paper come last. */
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

export const wholeStyles = (more: readonly CSSResult[] = []): readonly CSSResult[] => [
  theme, sentence, earlierStyles, switchStyles, figureStyles, tableStyles, inspectorStyles, belowStyles, pinStyles, summedStyles, viewStyles, aloneStyles, ...more, screenStyles, touchStyles, printStyles,
];
