// Fields within figures, arrows, paths and answers.
import { css } from 'lit';

export const labFigureStyles = css`
  .lab-choices { flex: 1 1 100%; min-width: 0; }
  .lab-choices .segments { flex-wrap: wrap; width: auto; max-width: max-content; height: auto; }
  .lab-from { max-width: 76ch; color: var(--muted); }
  .lab-number { font: inherit; font-size: 13px; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 4px; height: 26px; width: 62px; padding: 0 6px; text-align: end; }
  .lab-number:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  .lab-number[aria-invalid='true'] { color: var(--error); border-color: var(--error); box-shadow: inset 0 0 0 1px var(--error); }
  .lab-problem { color: var(--error); font-size: 13px; line-height: 20px; }
  .lab-worked :is(td, th):has(.lab-number) { padding-inline-start: 8px; }
  .lab-worked th[scope='colgroup'] { text-align: center; }
  .lab-worked .lab-sum > * { border-top: 1.5px solid var(--ink); }
  .lab-worked caption .lab-number { margin-inline-end: 6px; }
  .lab-cells { border-collapse: collapse; }
  .lab-cells :is(th, td) { padding: 1px 2px; font-weight: 400; font-size: 12px; color: var(--muted); }
  .lab-worked td { white-space: nowrap; }
  .lab-cells .lab-number { width: 62px; padding: 0 3px; font-size: 12px; }
  .lab-stages { display: flex; flex-wrap: wrap; gap: 20px 24px; align-items: flex-start; }
  .lab-stages > .plot { flex: 0 0 220px; }
  .lab-stages.wide > .plot { flex: 0 1 280px; }
  .lab-inline { font-size: 18px; line-height: 32px; }
  .lab-inline .lab-number { font-size: 18px; height: 34px; width: 80px; }
  .lab-divisors .plain { padding: 4px 6px; font-variant-numeric: tabular-nums; }
  .lab-divisors .plain[aria-pressed='true'] { font-weight: 700; color: var(--ink); text-decoration: none; }
  .lab-block { fill: var(--arcs); }
  .plot-picture .lab-block-name { fill: var(--paper); }
  .lab-arrow line { stroke: var(--ink); stroke-width: 2; }
  .lab-arrow path, .plot-picture .lab-arrow text { fill: var(--ink); }
  .plot-picture .lab-arrow text { font-size: 15px; font-weight: 700; }
  .lab-arrow.query line { stroke: var(--accent); stroke-width: 5; stroke-opacity: 0.55; }
  .lab-arrow.query path, .plot-picture .lab-arrow.query text { fill: var(--accent); }
  .lab-block.own { fill: var(--accent); }
  .plot-picture .lab-lane { fill: var(--ink); font-size: 13px; font-weight: 700; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
  .lab-dot { fill: var(--hatch); }
  .lab-path { fill: none; stroke: var(--arcs); stroke-width: 2; stroke-linejoin: round; }
  [data-way='attention'] .lab-path { stroke: var(--accent); stroke-width: 3; }
  .lab-ways [data-net='attention'] > th { font-weight: 700; }
  .lab-context { display: flex; flex-wrap: wrap; gap: 8px 10px; margin: 0; padding: 0; list-style: none; }
  .lab-context li { display: grid; justify-items: center; font-size: 18px; line-height: 26px; padding-inline: 2px; border-bottom: 3px solid transparent; max-width: 100%; overflow-wrap: anywhere; }
  .lab-context small { font-size: 12px; line-height: 16px; min-height: 16px; color: var(--muted); font-variant-numeric: tabular-nums; }
  .lab-context [data-state='seen'] { border-color: var(--arcs); }
  .lab-context [data-last] { border-color: var(--accent); }
  .lab-context [data-last] bdi { color: var(--accent); font-weight: 700; }
  .lab-context [data-state='gone'] bdi { color: var(--muted); text-decoration: line-through; }
  .lab-context [data-state='later'] bdi { color: var(--muted); }
  .lab-context [data-state='later'] { border-bottom-style: dotted; border-color: var(--hairline); }
  .lab-tall { max-height: 420px; overflow: auto; }
  .lab-table .lab-words { text-align: start; }
  .lab-quiz { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; max-width: 760px; }
  .lab-question { font-size: 24px; line-height: 32px; text-wrap: pretty; }
  .lab-quiz-place { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  .lab-answers { display: grid; gap: 2px; justify-items: start; }
  .lab-answers.many { grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); justify-items: stretch; }
  .lab-quiz .lab-field { justify-items: start; }
  .lab-answer { display: flex; gap: 10px; align-items: center; min-height: 32px; padding: 3px 12px 3px 8px; border-inline-start: 3px solid transparent; cursor: pointer; overflow-wrap: anywhere; }
  .lab-answer input { accent-color: var(--ink); width: 16px; height: 16px; margin: 0; flex: none; }
  .lab-answer[data-mark='right'] { border-color: var(--above); font-weight: 700; }
  .lab-answer[data-mark='right'] > span::after { content: ' ✓'; color: var(--above); }
  .lab-answer[data-mark='wrong'] > span { text-decoration: line-through; }
  fieldset:disabled .lab-answer { cursor: default; }
  .lab-result { font-size: 18px; line-height: 28px; min-height: 28px; max-width: 70ch; }
  @container attention (max-width: 720px) {
    .lab-answer { min-height: 44px; }
    .lab-number, .lab-inline .lab-number { height: 44px; width: 72px; font-size: 16px; }
    .lab-worked .lab-number { width: 60px; }
    .lab-cells .lab-number { width: 69px; font-size: 13px; }
    .lab-divisors .plain { min-height: 44px; min-width: 44px; }
    .lab-choices .segment > span { height: 46px; }
  }
`;
