import { css } from 'lit';

export const switchStyles = css`
  .switch-bar { display: flex; gap: 16px; align-items: flex-start; }
  .switch-line { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
  .more-groups { max-width: 1248px; margin: 16px auto 0; padding: 0 24px; display: grid; }
  .switch-group { display: grid; grid-template-columns: 96px minmax(0, 1fr); gap: 4px 16px; padding-block: 12px; border-top: 1px solid var(--hairline); }
  .switch-group h3 { margin: 0; font-size: 13px; line-height: 20px; font-weight: 700; }
  .switch-group-line { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-start; }
  fieldset { min-width: 0; flex: none; }
  legend, .effect { font-size: 13px; line-height: 20px; color: var(--muted); }
  /* As wide as their lines mostly are, so that nothing moves when these come or change. */
  fieldset[data-setting='mask'] { min-width: 204px; }
  fieldset[data-setting='scale'] { min-width: 268px; }
  fieldset[data-setting='heads'] { min-width: 200px; }
  fieldset[data-setting='parameters'] { min-width: 230px; }
  .switch-group fieldset { min-width: 132px; }
  .control { margin-block: 4px; }
  .switch-line .effect { max-width: 30ch; min-width: max-content; }
  .switch-line :is(fieldset:disabled, fieldset[data-setting='parameters']) .effect { min-width: 0; max-width: 240px; }
  .switch-group .effect { max-width: 26ch; }
  .effect.problem { color: var(--error); min-width: 0; max-width: 32ch; }
  .with-slider { display: flex; align-items: center; gap: 8px; }
  .slider { width: 72px; margin: 0; height: 36px; accent-color: var(--ink); cursor: pointer; background: transparent; }
  .segments { display: flex; width: fit-content; border: 1px solid var(--border); border-radius: 6px; height: 36px; }
  fieldset:disabled .segments { border-style: dashed; }
  fieldset:disabled :is(.segment, select, .step-button, .slider) { cursor: default; }
  fieldset:disabled .segment input:checked + span { border-style: dashed; }
  .segment { position: relative; display: flex; cursor: pointer; }
  .segment input { position: absolute; inset: 0; margin: 0; appearance: none; pointer-events: none; width: 100%; height: 100%; }
  .segment > span {
    display: flex; align-items: center; justify-content: center; min-width: 34px; padding-inline: 12px; margin: -1px; height: 36px;
    border: 1.5px solid transparent; border-radius: 6px; color: var(--muted); white-space: nowrap;
  }
  .segment + .segment > span { box-shadow: inset 1px 0 0 -0.5px var(--hairline); }
  .segment:hover > span { color: var(--ink); }
  /* Bold without its width: no switch moves when another choice is made. */
  .segment input:checked + span { background: var(--paper); border-color: var(--ink); color: var(--ink); -webkit-text-stroke: 0.5px; box-shadow: none; z-index: 1; }
  .segment input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; z-index: 2; }
  /* Four masks and five kinds of parameters fit beside the others at 1280 pixels. */
  .switch-line .slider { width: 40px; }
  @media (pointer: coarse) { .switch-line .slider { width: 44px; } }
  fieldset[data-setting='heads'] .segment > span { padding-inline: 5px; min-width: 30px; }
  fieldset:is([data-setting='mask'], [data-setting='parameters']) .segment > span { padding-inline: 5px; }
  /* Nothing is trained in a figure alone: it has this choice where its author or a link made it. */
  .root[data-view] [value='trained-here']:not(:checked), .root[data-view] [value='trained-here']:not(:checked) + span { display: none; }
  @container attention (min-width: 1101px) and (max-width: 1264px) {
    .switch-line .slider { display: none; }
    .switch-line fieldset:is([data-setting='scale'], [data-setting='heads']) { min-width: 0; }
    .switch-line :is([data-setting='scale'], [data-setting='heads']) .effect:not(.problem) { width: 0; min-width: 100%; }
    .switch-line { gap: 8px; }
    .switch-line :is([data-setting='mask'], [data-setting='parameters']) .segment > span { padding-inline: 2px; }
    .switch-line [data-setting='heads'] .segment > span { padding-inline: 2px; min-width: 24px; }
    .switch-line .segment ~ .field { width: 52px; }
    .more { width: 68px; padding-inline: 4px; }
  }
  select, .field, .step-button, .more {
    font: inherit; color: var(--ink); background: transparent; border: 0; border-radius: 5px; height: 34px; padding-inline: 10px; margin: 0;
  }
  option { color: var(--ink); background: var(--paper); }
  select { min-width: 76px; cursor: pointer; font-weight: 700; }
  .field { width: 76px; font-weight: 700; font-variant-numeric: tabular-nums; }
  .field.idle { color: var(--muted); font-weight: 400; }
  .field[aria-invalid='true'] { color: var(--error); box-shadow: inset 0 0 0 1.5px var(--error); }
  .segment ~ .field { width: 64px; padding-inline: 6px 4px; }
  .segment.own > span { padding-inline: 6px; min-width: 28px; }
  .step-button { cursor: pointer; min-width: 34px; color: var(--muted); }
  .step-button:hover { color: var(--ink); }
  .step-button:disabled { color: var(--hairline); cursor: default; }
  .step-button.wide { color: var(--accent); border-inline-start: 1px solid var(--hairline); border-radius: 0 5px 5px 0; }
  .more-line { display: contents; }
  .head-switch { display: none; }
  .more { flex: none; width: 88px; height: auto; margin-top: 31px; color: var(--muted); cursor: pointer; padding-inline: 8px; white-space: nowrap; margin-inline-end: -8px; }
  .more:hover { color: var(--ink); }
  .more .effect { display: block; min-width: 0; }
  @media (forced-colors: active) {
    .segment input:checked + span { forced-color-adjust: none; background: Highlight; border-color: Highlight; color: HighlightText; }
  }
  @container attention (max-width: 720px) {
    .switch-bar { flex-direction: column; align-items: stretch; gap: 4px; }
    .more { margin: 0 0 0 -8px; text-align: start; width: fit-content; }
    .switch-line { flex-wrap: nowrap; overflow-x: auto; gap: 24px; padding-block: 2px; scrollbar-width: thin; scroll-padding-inline: 16px; }
    /* Two by two: nothing is out of sight. */
    .root[data-screen] .switch-line { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; overflow: visible; }
    .root[data-screen] .switch-line fieldset { position: relative; min-width: 0; }
    .root[data-screen] .switch-line legend { position: absolute; z-index: 1; inset: 3px auto auto 12px; line-height: 18px; pointer-events: none; }
    .root[data-screen] .switch-line .control { margin: 0; }
    .root[data-screen] .switch-line .segments { width: 100%; height: 46px; background: var(--paper); }
    .root[data-screen] .switch-line select { flex: 1; min-width: 0; width: 100%; height: 44px; padding: 18px 8px 0; }
    .root[data-screen] .switch-line .field { height: 44px; padding-top: 18px; }
    .root[data-screen] .switch-line .effect:not(.problem) { display: none; }
    .more-groups { padding: 0 16px; }
    .switch-group { grid-template-columns: minmax(0, 1fr); }
    .switch-group-line { gap: 16px 24px; }
    .switch-group fieldset { max-width: 100%; }
    .switch-group .segments { flex-wrap: wrap; height: auto; min-height: 46px; }
    .segments { height: 46px; }
    .segment > span { height: 46px; min-width: 46px; }
    .segment.own > span, fieldset[data-setting='heads'] .segment > span { min-width: 46px; }
    select, .field, .step-button, .more { height: 44px; font-size: 16px; }
    .slider, .switch-line .slider { height: 44px; width: 112px; }
    .step-button { min-width: 44px; }
    .with-slider { flex-wrap: wrap; }
    .switch-line .with-slider { flex-wrap: nowrap; }
  }
`;
