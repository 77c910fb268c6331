import { css } from 'lit';

export const switchStyles = css`
  .switches { background: var(--surface); border-block: 1px solid var(--hairline); padding-block: 12px; }
  .switch-line { position: relative; display: flex; flex-wrap: wrap; gap: 12px 28px; align-items: flex-start; }
  .more-line { display: none; flex-basis: 100%; gap: 12px 32px; }
  .more-line.open { display: flex; }
  fieldset { min-width: 0; flex: none; }
  legend, .effect { font-size: 13px; line-height: 20px; color: var(--muted); }
  /* As wide as their lines mostly are, so that nothing moves when these come or change. */
  fieldset[data-setting='mask'] { min-width: 160px; }
  fieldset[data-setting='scale'] { min-width: 250px; }
  fieldset[data-setting='heads'] { min-width: 244px; }
  fieldset[data-setting='dModel'] { min-width: 168px; }
  fieldset[data-setting='seed'] { min-width: 148px; }
  fieldset[data-setting='positions'] { min-width: 300px; }
  .control { margin-block: 4px; }
  .effect { max-width: 30ch; min-width: max-content; }
  fieldset[data-setting='seed'] .effect, fieldset[data-setting='dModel'] .effect { min-width: 0; }
  .effect.problem { color: var(--error); min-width: 0; max-width: 32ch; }
  .segments { display: flex; width: fit-content; border: 1px solid var(--border); border-radius: 6px; height: 36px; }
  .segment { position: relative; display: flex; cursor: pointer; }
  .segment input { position: absolute; inset: 0; margin: 0; opacity: 0; pointer-events: none; width: 100%; height: 100%; }
  .segment > span {
    display: flex; align-items: center; justify-content: center; min-width: 34px; padding-inline: 12px; margin: -1px; height: 36px;
    border: 1.5px solid transparent; border-radius: 6px; color: var(--muted); white-space: nowrap;
  }
  /* Bold and regular text of one width, so that the choice does not move its neighbours. */
  .segment + .segment > span { box-shadow: inset 1px 0 0 -0.5px var(--hairline); }
  .segment:hover > span { color: var(--ink); }
  .segment input:checked + span { background: var(--paper); border-color: var(--ink); color: var(--ink); font-weight: 700; box-shadow: none; z-index: 1; }
  .segment input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; z-index: 2; }
  fieldset[data-setting='heads'] .segment > span { padding-inline: 8px; min-width: 36px; }
  select, .field, .step-button, .more {
    font: inherit; color: var(--ink); background: transparent; border: 0; border-radius: 5px; height: 34px; padding-inline: 10px; margin: 0;
  }
  option { color: var(--ink); background: var(--paper); }
  select { min-width: 76px; cursor: pointer; font-weight: 700; }
  .field { width: 84px; font-weight: 700; font-variant-numeric: tabular-nums; }
  .field.idle { color: var(--muted); font-weight: 400; }
  .field[aria-invalid='true'] { color: var(--error); box-shadow: inset 0 0 0 1.5px var(--error); }
  fieldset[data-setting='scale'] .field { padding-inline: 8px 4px; }
  fieldset[data-setting='scale'] .segment:nth-child(3) > span { padding-inline: 8px; }
  .step-button { cursor: pointer; min-width: 34px; color: var(--muted); }
  .step-button:hover { color: var(--ink); }
  .step-button:disabled { color: var(--hairline); cursor: default; }
  .step-button.wide { color: var(--accent); border-inline-start: 1px solid var(--hairline); border-radius: 0 5px 5px 0; }
  .more { position: absolute; inset-inline-end: 16px; top: 25px; color: var(--muted); cursor: pointer; padding-inline: 8px; white-space: nowrap; }
  .more:hover { color: var(--ink); }
  .notices { font-size: 13px; line-height: 20px; color: var(--ink); }
  .notices:not(:empty) { padding-top: 8px; }
  @media (forced-colors: active) {
    .segment input:checked + span { forced-color-adjust: none; background: Highlight; border-color: Highlight; color: HighlightText; }
  }
  @container attention (max-width: 1160px) {
    .more { display: none; }
    .more-line, .more-line.open { display: flex; flex-basis: auto; flex-wrap: wrap; }
  }
  @container attention (max-width: 720px) {
    .switch-line { flex-wrap: nowrap; overflow-x: auto; gap: 24px; padding-block: 2px; scrollbar-width: thin; scroll-padding-inline: 16px; }
    .more-line, .more-line.open { flex-wrap: nowrap; flex: none; gap: 24px; }
    .segments { height: 46px; }
    .segment > span { height: 46px; min-width: 46px; }
    fieldset[data-setting='heads'] .segment > span { min-width: 46px; }
    select, .field, .step-button { height: 44px; font-size: 16px; }
    .step-button { min-width: 44px; }
  }
`;
