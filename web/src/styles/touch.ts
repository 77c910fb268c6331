import { css } from 'lit';

/** Where a finger points: every control takes it, whatever the width of the screen. */
export const touchStyles = css`
  .nudge { display: none; }
  @media (pointer: coarse) {
    .nudge { display: flex; gap: 8px; padding-block: 8px; }
    [role='gridcell'] { pointer-events: auto; touch-action: none; }
    /* As large as a finger, around a cell that may be small. */
    [role='gridcell']::before { content: ''; position: absolute; inset: 50% auto auto 50%; translate: -50% -50%; width: max(100%, 44px); height: max(100%, 44px); }
    :is(button, select, .field, .outlined, .plain, .quiet, .chip, .more, .operand, .transport-button, .head-name, .add-row, .add-row select) { min-height: 44px; min-width: 44px; }
    .paste { min-height: 112px; }
    summary { min-height: 44px; min-width: 44px; padding-block: 11px; }
    :is(.segments, .segment > span) { min-height: 46px; }
    .segment > span { min-width: 46px !important; }
    input[type='range'] { height: 44px; }
    .operand { display: inline-flex; flex-wrap: wrap; align-items: center; align-content: center; gap: 0 4px; }
    .multiples button { min-width: 52px; }
    .as-table summary, .terms summary { padding-block: 11px; }
  }
`;
