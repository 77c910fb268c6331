import { css } from 'lit';

export const figureStyles = css`
  /* Each is painted by itself: a key's new words leave the others as they were. */
  .switches, .heads-area, .inspector, .model, .senses-section, .take-section { isolation: isolate; }
  .figure { padding-block: 32px 40px; }
  .state { min-height: 400px; display: flex; flex-direction: column; align-items: center; padding-top: 112px; gap: 4px; color: var(--muted); text-align: center; }
  .state-title { font-size: 18px; line-height: 28px; color: var(--ink); }
  /* Nothing is said about a wait that nobody notices. */
  .state-late { animation: late 0.2s 0.15s both; }
  .paper { display: none; }
  @media print { .paper { display: block; } .state-late { display: none; } }
  @keyframes late { from { opacity: 0; } }
  .heads-scroll { display: grid; gap: 12px 8px; max-height: 720px; overflow: hidden auto; scrollbar-width: thin; padding: 4px 3px 4px 2px; margin: 0 -3px 0 -2px; position: relative; }
  .heads-scroll[data-size='medium'] { grid-template-columns: 1fr 1fr; }
  .heads-scroll[data-size='small'] { grid-template-columns: 1fr 1fr 1fr; gap: 8px; }
  .heads-scroll label { position: relative; display: block; cursor: pointer; font-size: 13px; line-height: 20px; color: var(--muted); }
  .heads-scroll[data-size='small'] .long { display: none; }
  .heads-scroll canvas {
    display: block; width: 100%; aspect-ratio: var(--shape, 1); image-rendering: pixelated;
    background: repeating-linear-gradient(135deg, var(--hatch) 0 1px, transparent 1px 4px) var(--paper); forced-color-adjust: none;
  }
  /* Lines under the picture: over it, each would be a layer of its own, at each keystroke. */
  .thumb { display: block; box-shadow: 0 0 0 1px var(--hairline); forced-color-adjust: none; }
  .heads-scroll .chosen { color: var(--accent); font-weight: 700; }
  .heads-scroll label:hover .thumb { box-shadow: 0 0 0 1px var(--border); }
  .heads-scroll .chosen .thumb, .heads-scroll .chosen:hover .thumb { box-shadow: 0 0 0 1px var(--paper), 0 0 0 2.5px var(--accent); }
  .heads-scroll input:focus-visible ~ .thumb { outline: 3px solid var(--accent); outline-offset: 1px; }
  .matrix-title { display: flex; justify-content: space-between; gap: 16px; font-size: 13px; line-height: 20px; }
  .matrix-title > .wide-only { flex: none; }
  .narrow-only { display: none; }
  .axis-key { font-size: 13px; line-height: 20px; color: var(--muted); padding-inline-start: 92px; }
  .matrix { max-height: 700px; overflow: auto; scrollbar-width: thin; overscroll-behavior-x: contain; position: relative; contain: layout paint; }
  .space { display: grid; grid-template-columns: var(--label) var(--across); grid-template-rows: var(--head) var(--down); height: calc(var(--head) + var(--down)); }
  .corner { position: sticky; left: 0; top: 0; z-index: 4; background: var(--paper); font-size: 13px; line-height: 16px; color: var(--muted); display: flex; flex-direction: column; justify-content: flex-end; padding-bottom: 8px; }
  .columns { position: sticky; top: 0; z-index: 3; background: var(--paper); }
  .rows { position: sticky; left: 0; z-index: 2; background: var(--paper); }
  .columns, .rows { contain: layout size style; }
  .columns bdi, .rows bdi { position: absolute; display: block; white-space: nowrap; color: var(--ink); }
  .matrix [data-long], .line-labels [data-long], .row-table [data-long] { overflow: hidden; text-overflow: ellipsis; }
  .rows bdi { top: calc(var(--place) * var(--cell)); left: 0; right: 10px; height: var(--cell); line-height: calc(var(--cell) - 1px); text-align: right; }
  .columns bdi { left: calc((var(--place) + 0.5) * var(--cell)); bottom: 4px; max-width: 104px; transform-origin: 0 100%; transform: translateX(-2px) rotate(-45deg); font-size: 15px; line-height: 18px; }
  .matrix[data-bare] :is(.corner, .columns, .rows) { visibility: hidden; }
  .columns .chosen, .rows .chosen { color: var(--accent); font-weight: 700; }
  .columns .looked, .rows .looked { color: var(--accent); }
  .matrix canvas { grid-area: 2 / 2; position: sticky; left: var(--label); top: var(--head); display: block; cursor: cell; touch-action: pan-x pan-y; forced-color-adjust: none; }
  .over { grid-area: 2 / 2; position: relative; pointer-events: none; z-index: 1; }
  .looked-cell { position: absolute; left: 0; top: 0; width: calc(var(--cell) - 1px); height: calc(var(--cell) - 1px); box-shadow: inset 0 0 0 2px var(--accent), inset 0 0 0 3px var(--paper); }
  [role='gridcell'] { position: absolute; left: 0; top: 0; width: var(--cell); height: var(--cell); }
  [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
  .masked-note { position: absolute; top: 8px; right: 12px; font-size: 13px; line-height: 20px; text-align: right; color: var(--muted); display: none; }
  .masked-note span { background: var(--paper); padding: 2px 4px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .roomy .masked-note { display: block; }
  .changed-shares { font-size: 13px; line-height: 20px; color: var(--muted); padding-inline-start: 92px; }
  .masking canvas { cursor: crosshair; }
  .mask-tools { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 8px 0 0 92px; font-size: 13px; line-height: 20px; }
  .mask-tools [aria-pressed='true'] { color: var(--ink); font-weight: 700; }
  .masked-note span { display: block; max-width: 24ch; text-wrap: balance; }
  .legend { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; padding: 16px 0 0 92px; font-size: 13px; line-height: 20px; color: var(--muted); max-width: 700px; }
  .ramp-block { width: 240px; }
  .matrix-note { padding: 48px 24px 48px 92px; min-height: 200px; }
  .ramp.signed { --ramp: var(--signed-ramp); }
  .ramp { height: 10px; background: var(--ramp); border: 1px solid var(--border); forced-color-adjust: none; }
  .ticks { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
  .ticks span { width: 0; display: flex; justify-content: center; }
  .ticks span:first-child { justify-content: flex-start; }
  .ticks span:last-child { justify-content: flex-end; }
  .keys { display: flex; gap: 20px; list-style: none; }
  .keys li { display: flex; gap: 8px; align-items: center; height: 20px; margin-top: -4px; }
  .swatch { width: 20px; height: 13px; border: 1px solid var(--border); background: var(--hatching); }
  .sample { color: var(--ink); }
  .sample.muted { color: var(--muted); }
  .honest { padding: 16px 0 0 92px; font-size: 13px; line-height: 20px; color: var(--muted); max-width: 660px; }
  .as-table { padding: 8px 0 0 92px; }
  @container attention (max-width: 1100px) {
    .heads-scroll, .heads-scroll[data-size] { display: flex; overflow: auto hidden; max-height: none; gap: 12px; padding-bottom: 8px; }
    .heads-scroll label { flex: 0 0 96px; }
    .heads-scroll[data-size='small'] label { flex-basis: 72px; }
  }
  @container attention (max-width: 720px) {
    .figure { padding-block: 20px 0; }
    .heads-scroll label, .heads-scroll[data-size] label { flex-basis: 76px; }
    .axis-key, .legend, .honest, .as-table, .mask-tools, .matrix-note { padding-inline-start: 0; }
    .wide-only { display: none; }
    /* A line of its own, or the matrix would move under the finger. */
    .matrix-title { flex-direction: column; gap: 0; }
    .narrow-only { display: block; overflow-wrap: anywhere; }
    .corner { font-size: 12px; line-height: 15px; white-space: nowrap; }
    .columns bdi { font-size: 12px; line-height: 14px; max-width: 88px; }
    .rows bdi { font-size: 13px; right: 6px; }
    .small-key { display: none !important; }
    .ramp-block { width: 160px; }
    .ticks span:nth-child(even) { visibility: hidden; }
    summary { padding-block: 12px; }
  }
  @media (prefers-reduced-motion: reduce) { .state-late { animation: none; } }
`;
