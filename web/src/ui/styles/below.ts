// Styles of what stands below the figure: panels of parameters, the walk and its explanations.
import { css } from 'lit';

export const panelStyles = css`
  .source-panel { max-width: 1248px; margin-inline: auto; padding: 12px 24px 0; font-size: 13px; line-height: 20px; }
  .source-panel > * + * { margin-top: 8px; }
  .source-panel p { max-width: 76ch; }
  .source-panel a { color: inherit; }
  .yours { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
  .yours-line { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; }
  .yours-line > label { min-width: 0; }
  .yours select { max-width: 100%; border: 1px solid var(--border); }
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
  /* Content out of view is neither laid out nor painted. */
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

// The walk and its explanations.

export const walkStyles = css`
  /* Contained, so that a key above costs nothing here. Not by content-visibility: Chromium 156, when something is scrolled to in what has just come back, now and then keeps old styles all over the page. */
  .walk { contain: layout paint; max-width: 1248px; margin-inline: auto; padding: 8px 24px 40px; font-variant-numeric: tabular-nums; position: relative; overflow-wrap: anywhere; }
  .walk::before { content: ''; display: block; border-top: 1.5px solid var(--ink); margin-bottom: 16px; }
  .walk, .group { scroll-margin-top: var(--pin, 0px); }
  .walk-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: 8px 48px; }
  .walk h2 { font-size: 24px; line-height: 32px; font-weight: 700; }
  .walk h3 { font-size: 15px; line-height: 22px; }
  .walk p { max-width: 70ch; }
  .signed-legend { width: 160px; font-size: 13px; line-height: 20px; color: var(--muted); }
  .range-lock { display: flex; flex-direction: column; align-items: flex-start; gap: 4px; }
  .lock-range[aria-pressed='true'] { font-weight: 700; }
  .outside-mark { display: inline-block; width: 12px; height: 12px; background: radial-gradient(circle, #fff 0 2.5px, transparent 3px) #4b2e83; forced-color-adjust: none; }
  .signed-ramp { height: 10px; background: var(--signed-ramp); border: 1px solid var(--border); forced-color-adjust: none; }
  .signed-ticks { display: flex; justify-content: space-between; }
  .walk-heads { display: flex; flex-wrap: wrap; gap: 4px 8px; padding-top: 12px; font-size: 13px; }
  .head-name { font: inherit; color: var(--muted); background: none; border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; cursor: pointer; }
  .head-name:hover { color: var(--ink); }
  .head-name[aria-pressed='true'] { color: var(--ink); -webkit-text-stroke: 0.5px; border-color: var(--ink); }
  .hue { display: inline-block; width: 10px; height: 10px; border-radius: 1px; margin-inline-end: 6px; forced-color-adjust: none; }
  .nowrap { white-space: nowrap; }
  .walk-grid { display: grid; grid-template-columns: minmax(0, 1fr) 360px; gap: 0 32px; align-items: start; padding-top: 16px; }
  .group { padding-top: 12px; }
  .group + .group { margin-top: 28px; padding-top: 16px; border-top: 1px solid var(--hairline); }
  .group > p { font-size: 13px; line-height: 20px; }
  .cards { display: flex; flex-wrap: wrap; column-gap: 28px; align-items: flex-start; padding-top: 8px; }
  .line-break { flex: 0 0 100%; height: 12px; }
  .line-side { flex: none; width: 64px; margin-inline-end: -20px; font-size: 13px; line-height: 20px; }
  .line-title { height: 32px; padding-top: 4px; font-size: 12px; white-space: nowrap; }
  .line-side .stage-words { text-align: end; padding-inline-end: 6px; white-space: nowrap; }
  .line-labels { position: relative; overflow: hidden; font-size: 12px; text-align: end; margin-inline-end: 6px; }
  /* Whichever way its own word is read. */
  .line-labels bdi { position: absolute; left: 0; right: 0; text-align: -webkit-match-parent; text-align: match-parent; white-space: nowrap; color: var(--muted); }
  .line-labels .chosen { color: var(--accent); font-weight: 700; }
  .stage { flex: none; width: var(--card); min-width: 0; font-size: 13px; line-height: 20px; }
  .stage[open]:not(.tokens-stage) { padding-bottom: 16px; }
  .stage:not([open]), .tokens-stage { flex-basis: 100%; }
  .token-chips { list-style: none; counter-reset: token; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 4px 0 0; padding: 0; font-size: 15px; line-height: 24px; max-height: 144px; overflow: auto; }
  .token-chips li { counter-increment: token; }
  .token-chips li:not(.muted)::before { content: counter(token); color: var(--muted); font-size: 12px; margin-inline-end: 4px; }
  .stage > summary { display: block; list-style: none; width: auto; padding: 3px 0 7px; color: var(--ink); white-space: nowrap; }
  .stage:not([open]) > summary { display: grid; grid-template-columns: 200px minmax(0, 1fr) auto; gap: 0 16px; padding-block: 5px; white-space: normal; color: var(--muted); }
  .stage:not([open]) > summary:hover .stage-line { color: var(--ink); }
  .stage-name { color: var(--ink); }
  .stage > summary::-webkit-details-marker { display: none; }
  .stage > summary b { font-size: 13px; line-height: 22px; }
  .stage-name::after { content: '▾'; color: var(--muted); margin-inline-start: 4px; font-size: 11px; visibility: hidden; }
  .stage > summary:is(:hover, :focus-visible) .stage-name::after { visibility: visible; }
  .stage:not([open]) > summary .stage-name::after { content: '▸'; visibility: visible; }
  .stage-number { color: var(--muted); margin-inline-end: 2px; }
  .stage-picture { position: relative; width: fit-content; }
  .joint { position: absolute; inset-inline-start: -21px; top: 50%; translate: 0 -50%; color: var(--muted); width: 14px; text-align: center; }
  .line-side + .stage .joint { display: none; }
  .stage-matrix { position: relative; scroll-margin: calc(64px + var(--pin, 0px)) 0 24px; overflow: auto; scrollbar-width: thin; contain: layout paint; overscroll-behavior-x: contain; border-radius: 0; }
  .stage-space { position: relative; display: grid; }
  .stage-space canvas { outline: 1px solid var(--hairline); outline-offset: -1px; grid-area: 1 / 1; position: sticky; left: 0; top: 0; display: block; cursor: cell; touch-action: pan-x pan-y; forced-color-adjust: none; }
  .stage-over { position: absolute; inset: 0; pointer-events: none; }
  .stage-over [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); z-index: 2; }
  .stage.alone .stage-body { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 28px; }
  .stage-words { padding-top: 6px; color: var(--muted); }
  .stage-words p { overflow-wrap: anywhere; }
  .stage-formula { font-size: 15px; line-height: 26px; color: var(--ink); min-height: 29px; padding-top: 3px; overflow: auto hidden; scrollbar-width: none; }
  .stage-live { min-height: 20px; font-size: 13px; }
  /* Narrow cards: a line is kept for a long number, so that nothing moves under the mouse. */
  :is([data-group='compare'], [data-group='mix']) .stage:not(.alone) .stage-live { min-height: 40px; }
  .stage-value b { color: var(--ink); white-space: nowrap; }
  .stage-value b.accent { color: var(--accent); }
  .stage.focused > summary b { color: var(--accent); }
  .stage-note { width: var(--card); padding-block: 8px; color: var(--muted); }
  .row-measures { min-height: 40px; }
  .row-measures b { color: var(--ink); font-weight: 400; }
  .ghost { position: absolute; border: 2px solid var(--accent); pointer-events: none; transform-origin: 0 0; z-index: 4; }
  .ghost.right { border-style: dashed; }
  .walk-tools { display: flex; flex-wrap: wrap; gap: 12px 48px; justify-content: space-between; padding: 12px 0; margin-top: 12px; border-block: 1px solid var(--hairline); font-size: 13px; line-height: 20px; }
  .transport { flex: 1 1 480px; min-width: 0; }
  .transport-line { display: flex; align-items: center; gap: 4px; }
  .transport-button { font: inherit; color: var(--ink); background: none; border: 1px solid var(--border); border-radius: 6px; height: 32px; min-width: 36px; padding-inline: 10px; cursor: pointer; }
  .transport-button.play { min-width: 60px; font-weight: 700; }
  .transport-button:hover:not(:disabled) { border-color: var(--ink); }
  .transport-button:disabled { color: var(--muted); border-style: dashed; cursor: default; }
  .transport-line input { flex: 1; min-width: 80px; max-width: 360px; margin-inline-start: 12px; accent-color: var(--accent); }
  .transport-words { padding-top: 6px; min-height: 46px; }
  .parameter { margin-top: 2px; }
  .parameter > summary { color: var(--muted); }
  .multiples { display: flex; flex-wrap: wrap; gap: 6px; padding: 3px 2px 2px; margin-top: 8px; max-width: 240px; max-height: 324px; overflow: hidden auto; scrollbar-width: thin; position: relative; }
  .multiples button { border: 0; padding: 0; background: none; cursor: pointer; font: inherit; font-size: 12px; line-height: 16px; color: var(--muted); text-align: start; }
  .multiples [aria-pressed='true'] { color: var(--accent); font-weight: 700; }
  .multiples canvas { display: block; width: 52px; height: var(--high); outline: 1px solid var(--hairline); image-rendering: pixelated; forced-color-adjust: none; background: repeating-linear-gradient(135deg, var(--hatch) 0 1px, transparent 1px 4px) var(--paper); }
  .multiples [aria-pressed='true'] canvas { outline: 1.5px solid var(--accent); }
  @container attention (max-width: 1100px) {
    .walk-grid { grid-template-columns: minmax(0, 1fr); }
    /* The sheet at the foot of the screen must not lie over what was gone to. */
    .stage-matrix { scroll-margin-bottom: 48vh; }
  }
  @container attention (max-width: 720px) {
    .walk { padding: 24px 16px 24px; }
    .stage > summary { padding-block: 12px; }
    .stage:not([open]) > summary { display: flex; flex-wrap: wrap; padding-block: 12px; }
    .stage-line { order: 1; flex-basis: 100%; }
    .line-title { height: 44px; padding-top: 12px; }
    .stage.alone .stage-body { display: block; }
    /* The words have the room under those of the rows, too. */
    .stage.alone .stage-words { margin-inline-start: -72px; }
    .head-name { min-height: 44px; }
    .transport-button { height: 44px; min-width: 44px; }
    .transport-line { flex-wrap: wrap; }
    .transport-line input { flex-basis: 100%; max-width: none; height: 44px; margin: 0; }
    .parameter > summary { padding-block: 12px; }
  }
`;

export const explanationStyles = css`
  .explanation { position: sticky; top: calc(16px + var(--pin, 0px)); max-height: calc(100vh - 32px - var(--pin, 0px)); overflow: hidden auto; scrollbar-width: thin; border-inline-start: 1px solid var(--hairline); padding-inline-start: 24px; font-size: 13px; line-height: 20px; }
  .explained-top { display: flex; justify-content: space-between; gap: 12px; }
  .fold { display: none; }
  .trail { color: var(--muted); padding-block: 2px 4px; overflow-wrap: anywhere; }
  .explained-name { padding-top: 4px; }
  .explained-title { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 12px; font-size: 18px; line-height: 28px; font-weight: 700; padding-bottom: 8px; }
  .explained-title .pair { min-width: 0; overflow-wrap: anywhere; }
  .explained-title .arrow { color: var(--muted); font-weight: 400; }
  .explained-body > * + * { margin-top: 8px; }
  .explained-body > :is(p:first-child:not(.pinned-line), .pinned-line + p) { font-size: 15px; line-height: 22px; }
  .explained-formula { border-block: 1px solid var(--hairline); padding-block: 8px; font-size: 15px; line-height: 26px; }
  .explained-formula .live { overflow: auto hidden; scrollbar-width: none; display: block; font-size: 13px; line-height: 22px; overflow-wrap: anywhere; }
  .operands { list-style: none; padding: 0; display: grid; gap: 4px; margin-top: 2px; }
  .operand { font: inherit; max-width: 100%; overflow-wrap: anywhere; color: var(--ink); background: none; border: 0; border-bottom: 1.5px solid var(--accent); padding: 0 1px; cursor: pointer; text-align: start; }
  .operand.right { border-bottom-style: dashed; }
  .operand:hover { background: var(--surface); color: var(--accent); }
  .operand-name { color: var(--muted); }
  .operand-name .where { font-size: 0.85em; padding-inline-start: 3px; }
  .explained-terms { padding-inline-start: 0; }
  .terms.explained-terms[open] summary { margin-inline-start: 0; }
  .explained-terms .operand { border-bottom-width: 1px; }
  .explained-terms :is(th, td):first-child { padding: 0; }
  .constants { display: grid; gap: 0 12px; border-top: 1px solid var(--hairline); padding-top: 6px; }
  .constants div { display: flex; justify-content: space-between; gap: 12px; }
  .constants dt { color: var(--muted); }
  .constants dd { margin: 0; }
  .edit-number { border-top: 1px solid var(--hairline); padding-top: 8px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
  .edit-number .field { width: 110px; border: 1px solid var(--border); margin-inline-start: 8px; }
  @container attention (max-width: 1100px) {
    .explanation { --paper: var(--surface); bottom: 0; top: auto; z-index: 5; background: var(--surface); border: 0; border-top: 1px solid var(--border); border-radius: 16px 16px 0 0; margin: 16px -8px 0; padding: 12px 20px 16px; max-height: 42vh; }
    .fold { display: inline; }
  }
  @container attention (max-width: 720px) {
    .explanation { margin: 16px -16px 0; padding-inline: 16px; max-height: 44vh; }
    .operand { display: inline-flex; flex-wrap: wrap; align-items: center; align-content: center; gap: 0 4px; min-height: 44px; min-width: 44px; }
    .fold { min-width: 44px; text-align: end; }
  }
`;
