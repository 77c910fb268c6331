// Styles of what is seen first.
import { css } from 'lit';
import { viewStyles } from './alone.ts';
import { theme, touchStyles } from './theme.ts';

export const sentence = css`
  .sentence, .switch-bar, .notices, .figure { max-width: 1248px; margin-inline: auto; padding-inline: 24px; }
  .sentence { padding-block: 24px 24px; }
  .sentence-title { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; font-size: 13px; line-height: 20px; color: var(--muted); }
  .sentence-tools { display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: flex-end; align-items: baseline; }
  .quiet { font: inherit; height: auto; padding: 0; border: 0; background: none; color: var(--muted); text-decoration: underline; text-decoration-color: var(--border); text-underline-offset: 3px; cursor: pointer; }
  .key-sentence { padding-top: 16px; }
  .sentence-box {
    --size: 40px;
    --line: calc(var(--size) + 44px);
    max-height: 420px; overflow: hidden auto; border-bottom: 2px solid var(--ink); scrollbar-width: thin;
  }
  .sentence-box:focus-within { border-bottom-color: var(--accent); }
  .stack { position: relative; display: grid; padding-bottom: var(--foot, 12px); }
  /* One line with arcs over it is as high as two lines without: typing on does not move the page. */
  .arched .stack { padding-top: var(--arc-room, var(--line)); }
  .mirror, textarea {
    grid-area: 1 / 1; min-width: 0; width: 100%; margin: 0; padding: 0; border: 0; border-radius: 0;
    font: 400 var(--size) / var(--line) var(--language-font);
    letter-spacing: 0; word-spacing: 0; text-indent: var(--start, 0); text-transform: none; tab-size: 8; hyphens: manual;
    white-space: pre-wrap; overflow-wrap: break-word; word-break: normal; line-break: auto;
    text-align: start; unicode-bidi: plaintext; font-kerning: normal; text-rendering: auto;
  }
  textarea {
    height: 100%; min-height: var(--line); resize: none; overflow: hidden; background: transparent; appearance: none;
    color: transparent; caret-color: var(--accent); outline: none; position: relative;
  }
  textarea:focus-visible { outline: none; }
  textarea::placeholder { color: var(--muted); opacity: 1; }
  textarea::selection { color: transparent; background: color-mix(in srgb, var(--accent) 24%, transparent); }
  .mirror { min-height: var(--line); color: var(--ink); pointer-events: none; }
  .mirror .query { color: var(--accent); }
  .plain textarea { color: var(--ink); height: 320px; overflow: auto; }
  /* As high as what can be seen of the box, and staying there: long texts scroll under it. */
  .shares { grid-area: 1 / 1; align-self: start; position: sticky; top: 0; height: 0; pointer-events: none; forced-color-adjust: none; }
  .shares canvas { position: absolute; inset-inline-start: 0; top: 0; }
  .arcs, .arcs-before { position: absolute; inset: 0; width: 100%; height: 100%; top: var(--arc-room, var(--line)); overflow: visible; pointer-events: none; }
  :is(.arcs, .arcs-before, .upright-arcs) path { fill: none; stroke: var(--arcs); stroke-opacity: 0.7; }
  :is(.arcs, .arcs-before, .upright-arcs) .chosen { stroke: var(--accent); stroke-opacity: 1; }
  .caption { min-height: 74px; padding-top: 16px; }
  .row-caption { font-size: 18px; line-height: 28px; overflow-wrap: anywhere; }
  .row-rest { color: var(--muted); }
  .problem { color: var(--error); }
  .caption .problem:not(:empty) { font-size: 18px; line-height: 28px; max-width: 70ch; }
  @container attention (max-width: 1000px) { .caption { min-height: 96px; } }
  @container attention (max-width: 720px) {
    .quiet { min-height: 44px; }
    .sentence-title { align-items: center; }
    .sentence, .switch-bar, .notices, .figure { padding-inline: 16px; }
    .sentence { padding-block: 16px; }
    .sentence-box { --size: 24px; max-height: 360px; }
    .caption { min-height: 144px; }
  }
`;

export const figureStyles = css`
  /* Each is painted by itself: a key's new words leave the others as they were. */
  .switches, .heads-area, .inspector, .model, .senses-section, .take-section { isolation: isolate; }
  .figure { padding-block: 32px 40px; }
  .state { min-height: 400px; display: flex; flex-direction: column; align-items: center; padding-top: 112px; gap: 4px; color: var(--muted); text-align: center; }
  .state-title { font-size: 18px; line-height: 28px; color: var(--ink); }
  /* A short wait shows no message. */
  .state-late { animation: late 0.2s 0.15s both; }
  .paper { display: none; }
  @media print { .paper { display: block; } .state-late { display: none; } }
  @keyframes late { from { opacity: 0; } }
  .heads-scroll { display: grid; gap: 12px 8px; max-height: 720px; overflow: hidden auto; scrollbar-width: thin; padding: 4px 3px 4px 2px; margin: 0 -3px 0 -2px; position: relative; }
  .heads-scroll[data-size='medium'] { grid-template-columns: 1fr 1fr; }
  .heads-scroll[data-size='small'] { grid-template-columns: 1fr 1fr 1fr; gap: 8px; }
  .heads-scroll label { position: relative; display: block; cursor: pointer; font-size: 13px; line-height: 20px; color: var(--muted); }
  .heads-scroll[data-size='small'] .long, .says { display: none; }
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
  .matrix-title { display: flex; justify-content: space-between; gap: 0 16px; font-size: 13px; line-height: 20px; }
  .matrix-title > .wide-only { flex: none; }
  .narrow-only { display: none; }
  .axis-key { font-size: 13px; line-height: 20px; color: var(--muted); padding-inline-start: 92px; }
  .matrix { max-height: var(--highest, 700px); overflow: auto; scrollbar-width: thin; overscroll-behavior-x: contain; position: relative; contain: layout paint; }
  .space { display: grid; grid-template-columns: var(--label) var(--across); grid-template-rows: var(--head) var(--down); height: calc(var(--head) + var(--down)); }
  .corner { position: sticky; left: 0; top: 0; z-index: 4; background: var(--paper); font-size: 13px; line-height: 16px; color: var(--muted); display: flex; flex-direction: column; justify-content: flex-end; padding-bottom: 8px; }
  .columns { position: sticky; top: 0; z-index: 3; background: var(--paper); }
  .rows { position: sticky; left: 0; z-index: 2; background: var(--paper); }
  .columns, .rows { contain: layout size style; }
  .columns bdi, .rows bdi { position: absolute; display: block; white-space: nowrap; color: var(--ink); }
  .matrix [data-long], .line-labels [data-long], .row-table [data-long] { overflow: hidden; text-overflow: ellipsis; }
  .rows bdi { top: calc(var(--place) * var(--cell)); left: 0; right: 10px; height: var(--cell); line-height: calc(var(--cell) - 1px); font-size: min(1em, var(--cell) - 1px); text-align: right; }
  .columns bdi { left: calc((var(--place) + 0.5) * var(--cell)); bottom: 4px; max-width: 104px; transform-origin: 0 100%; transform: translateX(-2px) rotate(-45deg); font-size: var(--slanted, 15px); line-height: 18px; }
  .matrix[data-bare] :is(.corner, .columns, .rows) { visibility: hidden; }
  /* Closer than 17 px, slanted words would cover each other. */
  .columns bdi:not(.chosen, .looked) { font-size: clamp(0px, (var(--cell) - 16px) * 99, var(--slanted, 15px)); }
  .columns .chosen, .rows .chosen { color: var(--accent); font-weight: 700; }
  .columns .looked, .rows .looked { color: var(--accent); }
  .matrix canvas { grid-area: 2 / 2; position: sticky; left: var(--label); top: var(--head); display: block; cursor: cell; touch-action: pan-x pan-y; forced-color-adjust: none; }
  .over { grid-area: 2 / 2; position: relative; pointer-events: none; z-index: 1; }
  .looked-cell { position: absolute; left: 0; top: 0; width: calc(var(--cell) - 1px); height: calc(var(--cell) - 1px); box-shadow: inset 0 0 0 2px var(--accent), inset 0 0 0 3px var(--paper); }
  [role='gridcell'] { position: absolute; left: 0; top: 0; width: var(--cell); height: var(--cell); }
  [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
  .masked-note { position: absolute; top: 8px; right: 12px; font-size: 13px; line-height: 20px; text-align: right; color: var(--muted); display: none; }
  .masked-note span { display: block; max-width: 24ch; text-wrap: balance; background: var(--paper); padding: 2px 4px; }
  .roomy .masked-note { display: block; }
  .changed-shares { font-size: 13px; line-height: 20px; color: var(--muted); padding-inline-start: 92px; }
  .mask-tools { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 8px 0 0 92px; font-size: 13px; line-height: 20px; min-height: 28px; }
  .legend { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; padding: 16px 0 0 92px; font-size: 13px; line-height: 20px; color: var(--muted); max-width: 700px; }
  .ramp-block { width: 240px; }
  .matrix-note { padding: 48px 24px 48px 92px; min-height: 200px; }
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
    .heads-scroll[data-size] { display: flex; overflow: auto hidden; max-height: none; gap: 12px; padding-bottom: 8px; }
    .heads-scroll label { flex: 0 0 96px; }
    .heads-scroll[data-size='small'] label { flex-basis: 72px; }
  }
  @container attention (max-width: 720px) {
    .figure { padding-block: 20px 0; }
    .heads-scroll[data-size] label { flex-basis: 76px; }
    .axis-key, .legend, .honest, .as-table, .mask-tools, .matrix-note { padding-inline-start: 0; }
    .mask-tools { min-height: 52px; }
    .wide-only { display: none; }
    /* A line of its own, or the matrix would move under the finger. */
    .matrix-title { flex-direction: column; gap: 0; }
    .narrow-only { display: block; overflow-wrap: anywhere; }
    .corner { font-size: 12px; line-height: 15px; white-space: nowrap; }
    .columns { --slanted: 12px; }
    .columns bdi { line-height: 14px; max-width: 88px; }
    .rows bdi { font-size: 13px; right: 6px; }
    .small-key { display: none !important; }
    .ramp-block { width: 160px; }
    .ticks span:nth-child(even) { visibility: hidden; }
    summary { padding-block: 12px; }
  }
  @media (prefers-reduced-motion: reduce) { .state-late { animation: none; } }
`;

/** Styles needed before the rest of the page is loaded. */
export const belowStyles = css`
  /* While its styles are on their way; not by the height of the screen, which in a frame is what the frame makes of this. */
  .root[data-screen]:empty { min-height: 150rem; }
  .caption { min-height: 98px; }
  @container attention (max-width: 1000px) { .caption { min-height: 120px; } }
  .switches { background: var(--surface); border-block: 1px solid var(--hairline); padding-block: 12px; }
  .root[data-view] .switch-room { min-height: 64px; }
  .notices { font-size: 13px; line-height: 20px; color: var(--ink); }
  .notices:not(:empty) { padding-top: 8px; }
  /* Where the switches break into lines, in three languages, under a mouse and under a finger. */
  @container attention (max-width: 1020px) { .root[data-view] .switch-room { min-height: 136px; } }
  @container attention (min-width: 808px) { .root[data-view]:lang(zh) .switch-room { min-height: 64px; } }
  @media (pointer: coarse) {
    .root[data-view] .switch-room { min-height: 74px; }
    @container attention (max-width: 1112px) { .root[data-view] .switch-room { min-height: 156px; } }
    @container attention (min-width: 982px) { .root[data-view]:lang(zh) .switch-room { min-height: 74px; } }
  }
  @container attention (max-width: 720px) {
    .root[data-view] .switch-room { min-height: 160px; }
  }
  @container attention (max-width: 655px) { .root[data-view]:not(:lang(zh)) .switch-room { min-height: 242px; } }
  @container attention (max-width: 515px) { .root[data-view]:not(:lang(zh)) .switch-room { min-height: 324px; } }
  @container attention (max-width: 542px) { .root[data-view]:lang(zh) .switch-room { min-height: 242px; } }
  @container attention (max-width: 452px) { .root[data-view]:lang(zh) .switch-room { min-height: 324px; } }
  .plain { font: inherit; font-size: 13px; line-height: 20px; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; text-align: start; }
  @container attention (max-width: 720px) {
    .caption { min-height: 192px; }
    .plain { min-height: 44px; }
  }
  @container attention (max-width: 340px) { .root:lang(es) .caption { min-height: 212px; } }
`;

/** Of what is seen first; `late.ts` has all. */
export const styles = [theme, sentence, figureStyles, belowStyles, viewStyles, touchStyles];
