import { css } from 'lit';

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
