// What the lessons on training look like. Runs are told apart by dash and name, not by colour alone.
import { css } from 'lit';

export const trainingStyles = css`
  .training { --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif; gap: 16px; grid-template-columns: minmax(0, 1fr); }
  .lab[data-lab='training'] { padding-block-start: 16px; }
  .training .lab-controls { background: none; padding: 0; gap: 8px 24px; }
  .training-lessons { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 0 16px; margin: 0 0 8px; padding: 0; list-style: none; }
  .training-lessons button { display: flex; align-items: flex-start; gap: 6px; width: 100%; height: 100%; min-height: 56px; font: inherit; font-size: 14px; line-height: 20px; text-align: start; padding: 8px 0; color: var(--muted); background: none; border: 0; border-block-start: 3px solid var(--hairline); cursor: pointer; text-wrap: balance; }
  .training-lessons button:hover:enabled { color: var(--ink); border-color: var(--border); }
  .training-lessons [aria-current] { color: var(--ink); font-weight: 700; border-color: var(--ink); }
  .training-top { display: grid; grid-template: 'head options' auto 'task task' auto 'seen seen' auto / 1fr auto; gap: 4px 24px; align-items: center; }
  .training-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; grid-area: head; }
  .training-top > .training-options { grid-area: options; justify-content: end; }
  .training-head h2 { font-family: var(--serif); font-size: 36px; line-height: 44px; text-wrap: balance; }
  .training-guessed { font-size: 16px; color: var(--muted); }
  .training-seen .training-guessed { margin-inline-end: 10px; }
  .training-task, .training-seen { font-size: 18px; line-height: 28px; max-width: 110ch; text-wrap: pretty; }
  .training-task { grid-area: task; }
  .training-seen { grid-area: seen; min-height: 2lh; align-self: start; }
  [data-lesson='stands_for'] .training-seen { max-width: none; }
  /* What stands above and below the maps, so that all is seen at once on a screen of 720 lines. */
  .training-sheet { --around: 492px; --beneath: 24px; --most: 240px; display: grid; grid-template-columns: minmax(260px, 3fr) minmax(0, 9fr); gap: 12px 40px; align-items: start; }
  .training-sheet[data-few] { --beneath: 44px; }
  [data-lesson='stands_for'] .training-sheet, .training-sheet[data-paragraph] { --around: 536px; }
  [data-lesson='words'] .training-sheet { --around: 552px; }
  .training-side { grid-row: 1 / span 2; }
  .training-lanes, .training-deck { grid-column: 2; }
  .training-deck { display: grid; gap: 4px; min-width: 0; }
  .training-sheet > .training-small { grid-column: 1 / -1; }
  /* It says what the run will show, so it waits for the guess. */
  .training[data-asking] .training-small { visibility: hidden; }
  .training h3 { font-size: 16px; line-height: 24px; padding: 2px 0 0; }
  .training-lane-head h3 { font-size: 15px; line-height: 22px; }

  .training-lanes { container: lanes / inline-size; min-width: 0; }
  .training-abreast {
    --between: clamp(16px, 3.5cqw, 40px);
    --tall: clamp(64px, calc((100vh - var(--around)) / var(--rows) - var(--beneath)), var(--most));
    --side: min(var(--tall), calc((100cqw - (var(--lanes) - 1) * var(--between) - (var(--columns) - var(--lanes)) * 8px) / var(--columns)));
    display: grid; grid-template-rows: repeat(3, auto); grid-auto-flow: column; grid-auto-columns: max-content; column-gap: var(--between);
  }
  .training-lane { --maps: var(--wide-maps); display: grid; grid-row: span 3; grid-template-rows: subgrid; width: calc(var(--maps) * var(--side) + (var(--maps) - 1) * 8px); }
  .training-lane-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: 0 12px; border-block-end: 1.5px solid var(--ink); padding-block-end: 4px; margin-block-end: 8px; }
  .training-lane-head output { font-size: 15px; line-height: 28px; white-space: nowrap; }
  .training-lane-head output b { font-size: 22px; font-variant-numeric: tabular-nums; }
  .training-maps { display: grid; grid-template-columns: repeat(var(--maps), var(--side)); gap: 4px 8px; }
  .training-map { margin: 0; min-width: 0; }
  .training-cells { position: relative; aspect-ratio: 1; outline: 1px solid var(--border); background: var(--paper); cursor: crosshair; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
  .training-cells.hatched { background: var(--hatching) var(--paper); }
  .training-cells canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; forced-color-adjust: none; }
  .training-row { position: absolute; inset-inline: -2px; outline: 2px solid var(--accent); pointer-events: none; }
  .training-from { position: absolute; right: 100%; margin-inline-end: 5px; translate: 0 -50%; font-family: var(--serif); font-size: 18px; line-height: 20px; color: var(--accent); white-space: nowrap; max-width: 36px; overflow: hidden; text-overflow: ellipsis; }
  .training-grid { position: absolute; inset: 0; pointer-events: none; }
  .training-grid [role='gridcell'] { position: absolute; pointer-events: none; }
  .training-grid [role='gridcell']::before { content: none !important; }
  .training-grid [role='gridcell']:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; box-shadow: 0 0 0 2px var(--paper); }
  .training-map figcaption { font-size: 15px; line-height: 22px; padding-block-start: 6px; min-height: 28px; overflow-wrap: anywhere; }
  .training-map figcaption[data-brief] { font-size: 13px; line-height: 18px; padding-block-start: 2px; min-height: 20px; }
  .training-map figcaption[data-brief] :is(.training-map-name, .training-map-aim) { font-size: inherit; line-height: inherit; }
  .training-map :is(.training-map-name, .training-map-aim) { color: var(--muted); font-size: 14px; line-height: 20px; }
  .training-map-aim span { display: inline-block; }
  .training-map-row { display: block; }
  /* “Cabeza 1” is longer than a small map. */
  .training-short, .training:lang(es) .training-long:not(:last-child) { display: none; }
  .training:lang(es) .training-short { display: inline; }

  .training-side { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; min-width: 0; }
  .training-job { min-width: 0; }
  .training-letters { padding-block-start: 8px; }
  .training-picture { display: block; overflow: visible; font-family: var(--serif); }
  .training-picture text { fill: var(--ink); }
  .training-picture text.muted { fill: var(--muted); }
  .training-picture .training-own { fill: var(--accent); font-weight: 700; }
  .training-picture .training-aim { font-weight: 700; }
  .training-picture .training-pointer { font: 14px var(--attention-font, system-ui, sans-serif); fill: var(--muted); }
  .training-arrow { fill: none; stroke: var(--ink); stroke-width: 2; }
  .training-arrow[data-at='1'] { stroke-dasharray: 5 3; }
  .training-tip { fill: var(--ink); }
  .training-arrow.accent { stroke: var(--accent); }
  .training-tip.accent { fill: var(--accent); }
  .training-answers { border-collapse: collapse; width: 100%; font-size: 15px; line-height: 22px; font-variant-numeric: tabular-nums; }
  .training-answers caption, .training-losses caption { text-align: start; color: var(--muted); font-size: 14px; line-height: 20px; padding-block: 10px 4px; }
  .training-answers caption { border-block-start: 1px solid var(--hairline); }
  .training-answers :is(th, td) { font-weight: 400; text-align: end; padding: 3px 0 3px 10px; white-space: nowrap; }
  .training-answers :is(th, td):first-child { text-align: start; padding-inline-start: 0; white-space: normal; }
  .training-answers thead th { color: var(--muted); font-size: 14px; }
  .training-takes { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; }
  .training-takes a { line-height: 44px; }
  .training-note { color: var(--muted); font-size: 14px; line-height: 20px; }

  .training-see { display: flex; align-items: center; gap: 8px 16px; flex-wrap: wrap; }
  .training-see svg { display: block; width: 180px; height: auto; }
  .training-see > span { flex: 1 1 120px; font-size: 14px; line-height: 18px; }
  .training-die rect { fill: none; stroke: var(--ink); stroke-width: 1.5; }
  .training-die circle { fill: var(--ink); }
  .training-die[data-look='own'] rect { stroke: var(--accent); stroke-width: 2.5; }
  .training-die[data-look='open'] rect { stroke: var(--muted); stroke-dasharray: 4 3; }
  .training-die text { fill: var(--muted); }
  .training-losses { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  .training-losses th { font-weight: 400; text-align: start; color: var(--muted); padding-inline-end: 12px; white-space: nowrap; }
  .training-losses .training-losses-name th { color: var(--ink); font-weight: 700; padding-block-start: 6px; }
  .training-losses td:last-child { text-align: end; padding-inline-start: 12px; width: 1%; }
  .training-losses .training-bar-room { position: relative; width: 100%; padding: 3px 0; }
  .training-loss { height: 16px; background: var(--look); forced-color-adjust: none; }
  .training-guess { position: absolute; inset-block: -2px; border-inline-start: 2px dotted var(--muted); }

  .training [data-run='0'] { --look: var(--arcs); --dash: 7 4; }
  .training [data-run='1'] { --look: var(--ink); --dash: none; }
  .training [data-run='2'] { --look: var(--above); --dash: 12 3 3 3; }
  .training [data-run='3'] { --look: var(--below); --dash: 3 3; }
  .training[data-runs='1'] [data-run='0'] { --look: var(--ink); --dash: none; }
  .training-curve { position: relative; min-width: 0; min-height: 128px; font-variant-numeric: tabular-nums; }
  .training-lines { display: block; overflow: visible; touch-action: pan-y; cursor: ew-resize; user-select: none; -webkit-user-select: none; }
  .training-lines text { font-size: 14px; fill: var(--muted); }
  .training-line { fill: none; stroke: var(--look); stroke-width: 2.25; stroke-linejoin: round; stroke-dasharray: var(--dash); }
  .training-line.to-come { stroke-width: 1.5; stroke-opacity: 0.45; }
  .training-chance { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 1.5 3.5; }
  .training-head-line { stroke: var(--accent); stroke-width: 1.5; }
  .training-lines .training-step { fill: var(--accent); font-weight: 700; font-size: 15px; }
  .training-dot { fill: var(--look); stroke: var(--paper); stroke-width: 1.5; }
  .training-lines .training-name { fill: var(--look); font-size: 15px; font-weight: 700; }
  .training-lines .training-name[data-run='chance'] { fill: var(--muted); font-weight: 400; font-size: 14px; }
  .training-handle { position: absolute; appearance: none; -webkit-appearance: none; height: 44px; margin: 0; background: none; cursor: ew-resize; touch-action: pan-y; }
  .training-handle::-webkit-slider-runnable-track { background: none; height: 22px; }
  .training-handle::-moz-range-track { background: none; }
  .training-handle::-webkit-slider-thumb { -webkit-appearance: none; width: 22px; height: 22px; border-radius: 50%; background: var(--accent); border: 3px solid var(--paper); box-sizing: border-box; }
  .training-handle::-moz-range-thumb { width: 22px; height: 22px; border-radius: 50%; background: var(--accent); border: 3px solid var(--paper); box-sizing: border-box; }
  .training-handle:focus-visible { outline: none; }
  .training-handle:focus-visible::-webkit-slider-thumb { outline: 2px solid var(--ink); outline-offset: 1px; }
  .training-handle:focus-visible::-moz-range-thumb { outline: 2px solid var(--ink); outline-offset: 1px; }
  .training-names { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 20px; font-size: 14px; line-height: 20px; padding-block-start: 4px; }
  .training-names i { display: inline-block; width: 24px; vertical-align: 4px; margin-inline-end: 6px; border-block-start: 2.5px solid var(--look); }
  .training-names [data-run='0'] i { border-block-start-style: dashed; }
  .training[data-runs='1'] .training-names [data-run='0'] i { border-block-start-style: solid; }
  .training-names i.chance { border-block-start: 2px dotted var(--muted); }

  .training-bar, .training-begin { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
  .training-button { display: inline-flex; align-items: center; justify-content: center; gap: 10px; font: inherit; font-weight: 700; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 6px; min-height: 44px; padding-inline: var(--pad, 16px); cursor: pointer; }
  .training-button:hover:enabled { border-color: var(--ink); }
  .training .training-button:disabled { color: var(--muted); border-color: var(--hairline); background: var(--surface); cursor: not-allowed; }
  .training-handle:disabled { cursor: default; filter: grayscale(1) opacity(0.5); }
  .training-play { min-width: 108px; }
  .training-pace { border: 0; padding: 0; margin: 0; min-width: 0; }
  .training .segments { min-height: 44px; height: auto; width: auto; }
  .training .segment { flex: 0 1 auto; min-width: 0; }
  .training .segment > span { min-height: 44px; height: auto; white-space: normal; text-align: center; margin-block: -1px; display: grid; place-items: center; padding-inline: var(--pad, 12px); }
  .training-seed { display: flex; align-items: center; gap: 12px; }
  .training-seed label { display: inline-flex; align-items: center; gap: 8px; border: 1px solid var(--border); border-radius: 6px; min-height: 44px; padding-inline-start: 14px; }
  .training-seed input { font: inherit; font-weight: 700; color: var(--ink); background: none; border: 0; border-radius: 6px; width: 5ch; min-height: 42px; padding: 0 8px 0 0; font-variant-numeric: tabular-nums; }
  .training .plain { min-height: 44px; font-size: 15px; color: var(--ink); text-decoration: underline var(--border); text-underline-offset: 4px; }
  .training-small { font-size: 14px; line-height: 20px; color: var(--muted); text-wrap: pretty; }
  .training-map-most, .training .training-more { display: none; }

  .training-ask { border: 0; padding: 0; margin: 0; min-width: 0; }
  .training-ask legend { color: var(--ink); text-wrap: pretty; font-size: 18px; line-height: 28px; font-weight: 700; padding-block-end: 12px; }
  .training-ask > div { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
  .training-empty :is(canvas, .training-row, .training-from, .training-grid, figcaption) { visibility: hidden; }
  .training-empty .training-cells { background: var(--surface); outline-color: var(--hairline); }
  .training-sentences { display: grid; gap: 8px; padding-block-start: 8px; }
  .training-sentences .field { width: 100%; font-weight: 400; }
  .training-own-text { display: grid; gap: 4px; }
  .training-own-text textarea { font: 18px/28px var(--serif); color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 6px; padding: 8px 12px; min-height: 74px; width: 100%; resize: vertical; }
  .training-writes { font-family: var(--serif); font-size: 18px; line-height: 28px; max-width: 70ch; overflow-wrap: anywhere; }
  /* Two that write whole sentences beside one another. */
  .training:not([data-bare])[data-lesson='words'] [data-tight] .training-lane { width: max(calc(var(--maps) * var(--side) + (var(--maps) - 1) * 8px), calc((100cqw - (var(--lanes) - 1) * var(--between)) / var(--lanes))); }
  [data-lesson='words'] [data-tight] .training-writes { font-size: 15px; line-height: 18px; }
  .training-writes h4 { font: 700 14px/20px var(--attention-font, system-ui, sans-serif); margin: 0; }
  .training-options { display: flex; flex-wrap: wrap; gap: 8px 32px; align-items: center; }
  .training-option { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-width: 0; font-size: 15px; line-height: 22px; color: var(--ink); }
  .training-options label:not(.segment) { display: inline-flex; align-items: center; gap: 8px; min-height: 44px; }
  .training-options input[type='checkbox'] { accent-color: var(--ink); width: 18px; height: 18px; margin: 0; }
  .training-steps td { white-space: nowrap; }
  .training-steps :is(td, th):not(:first-child) { text-align: start; }
  .training-matrices, .training-drill { margin-block-start: 12px; }
  .training-drill { border-block-start: 1px solid var(--hairline); }
  .training-drill > summary { min-height: 44px; align-content: center; font-weight: 700; }
  .training-walk a { color: inherit; text-underline-offset: 4px; text-decoration-color: var(--border); }
  .training-walk [data-changes] { list-style: none; margin: 8px 0; padding: 0; }
  .training-walk code { font-size: 0.92em; overflow-wrap: anywhere; }
  .training .lab-more { border-block-start: 1px solid var(--hairline); padding-block-start: 4px; }

  .root[data-controls='none'] .training :is(.training-lessons, .training-head, .training-task, .training-options, .training-begin, .lab-more),
  .training[data-bare] :is(.training-lessons, .training-head, .training-task) { display: none; }
  .training[data-bare] .training-top { grid-template: 'seen options' auto / 1fr auto; }
  .training[data-bare] .training-options { max-width: 500px; }
  .training[data-bare] .training-sheet { --around: 600px; }
  .training[data-bare]:lang(es) .training-sheet:not([data-few]) { --around: 624px; }

  @container attention (min-width: 1000px) {
    .training-sheet[data-job='dice'] { grid-template-columns: 372px minmax(0, 1fr); }
    /* Above the footer: the small print stands beside the curve, or where a test takes that room, the curve beside the maps. */
    @media (min-height: 897px) {
      .training[data-bare] { --pad: 12px; gap: 10px; }
      .training[data-bare] .training-sheet { --around: 722px; gap: 4px 40px; }
      .training[data-bare]:lang(es) .training-sheet { --around: 714px; row-gap: 0; }
      .training[data-bare] .training-side { grid-row: auto; }
      .training[data-bare] .training-sheet > .training-small { grid-column: 1; grid-row: 2; align-self: end; line-height: 18px; }
      .training[data-bare] .training-options label:not(.segment) { min-height: 32px; }
      .training[data-bare] .training-lane:not([data-several]) { min-width: 176px; }
      .training[data-bare] .training-sheet[data-job='dice'] { --around: 600px; grid-template-columns: 340px minmax(0, 1fr) minmax(400px, 1fr); column-gap: 32px; }
      .training[data-bare] [data-job='dice'] > .training-deck { grid-area: 1 / 3; }
      .training[data-bare] [data-job='dice'] > .training-small { grid-column: 1 / -1; }
    }
    /* Room for its name over small maps. */
    [data-lesson='stands_for'] .training-lane { width: max(calc(var(--maps) * var(--side) + (var(--maps) - 1) * 8px), min(232px, calc((100cqw - (var(--lanes) - 1) * var(--between)) / var(--lanes)))); }
  }
  @media (max-height: 800px), (max-height: 896px) and (min-width: 1001px) {
    .training { gap: 8px; }
    .lab[data-lab='training'] { padding-block-start: 8px; }
    .training-lessons { margin-block-end: 0; }
    .training-lessons button { min-height: 46px; font-size: 13px; line-height: 18px; padding-block: 6px 0; text-wrap: wrap; }
    .training-head h2 { font-size: 28px; line-height: 36px; }
    .training-task, .training-seen { font-size: 16px; line-height: 24px; }
    .training-sheet { gap: 8px 32px; }
    .training-sentences { gap: 4px; }
    .training-losses { font-size: 14px; line-height: 20px; }
    .training-loss { height: 12px; }
    .training-answers { font-size: 14px; line-height: 20px; }
    .training-small { line-height: 18px; }
    .training-lane-head { column-gap: 8px; }
    .training-lane-head h3 { font-size: 14px; }
    .training-lane-head output { font-size: 14px; }
    .training-lane-head output b { font-size: 19px; }
    .training-option { font-size: 14px; gap: 4px 10px; }
  }
  @media (max-height: 896px) and (pointer: fine) {
    @container attention (min-width: 1000px) {
      .training { --pad: 11px; }
      .training :is(.training-button, .segments, .segment > span, .training-seed label, .training-seed input, .plain, .training-options label:not(.segment)) { min-height: 36px; }
      .training-play { min-width: 0; }
      .training-bar, .training-begin { gap: 6px 12px; }
    }
  }
  @container lanes (max-width: 700px) {
    .training-lane:not([data-run='0']) .training-from { display: none; }
  }
  @media (max-height: 800px), (max-height: 896px) and (min-width: 1001px) {
    @container attention (min-width: 1000px) {
      /* Few maps: the curve and what runs it stand beside them. */
      .training-sheet[data-few] { --around: 372px; grid-template-columns: minmax(250px, 3fr) minmax(0, calc(var(--columns) * min(100vh - var(--around) - var(--beneath), var(--most)) + var(--lanes) * 32px)) minmax(424px, 4fr); }
      .training[data-bare] .training-sheet[data-few] { --around: 470px; }
      .training-sheet[data-few][data-job='dice'] { grid-template-columns: 372px minmax(0, 1fr) minmax(424px, 1fr); }
      .training-sheet[data-few] .training-deck { grid-column: 3; grid-row: 1 / span 2; }
      /* In the page's lesson there is no room for the sentence under the job; under the maps there is. */
      :host(:not([data-presented])) [data-bare][data-lesson='heads'] [data-job='words'] > .training-side { display: contents; }
      :host(:not([data-presented])) [data-bare][data-lesson='heads'] [data-job='words'] .training-job { grid-area: 1 / 1; }
      :host(:not([data-presented])) [data-bare][data-lesson='heads'] [data-job='words'] > .training-lanes { grid-area: 1 / 2; }
      :host(:not([data-presented])) [data-bare][data-lesson='heads'] [data-job='words'] .training-sentences { grid-area: 2 / 1 / auto / span 2; grid-template-columns: 1fr 1fr; gap: 16px; padding: 0; align-content: start; }
    }
  }
  @container attention (min-width: 1000px) {
    /* A tale: the curve beside its many maps, the job beneath them, and the text last. */
    .training[data-bare] .training-sheet[data-job='words'][data-paragraph] { --around: 600px; grid-template-columns: minmax(0, 1fr) minmax(424px, 560px); }
    .training[data-bare] [data-job='words'][data-paragraph] > .training-lanes { grid-area: 1 / 1; }
    .training[data-bare] [data-job='words'][data-paragraph] > .training-deck { grid-area: 1 / 2; }
    .training[data-bare] [data-job='words'][data-paragraph] > .training-side { grid-area: 2 / 1 / auto / -1; gap: 8px; }
    .training[data-bare] [data-paragraph] .training-job:not(.training-ask) { display: grid; grid-template: auto 1fr / minmax(0, 280px) minmax(0, 280px); gap: 0 48px; }
    .training[data-bare] [data-paragraph] .training-job > h3 { padding: 0; }
    .training[data-bare] [data-paragraph] .training-letters { padding: 0; }
    .training[data-bare] [data-paragraph] .training-answers { grid-area: 1 / 2 / span 2; }
    .training[data-bare] [data-paragraph] .training-answers caption { padding: 2px 0; border: 0; }
    .training[data-bare] [data-paragraph] .training-answers :is(td, th) { padding-block: 0; }
    .training[data-bare] .training-sheet[data-job='words'][data-paragraph] > .training-small { grid-area: auto / 1 / auto / -1; }
    .training[data-bare] [data-paragraph] .training-writes { font-size: 16px; line-height: 20px; }
  }
  @container attention (max-width: 1000px) {
    .training-lessons { display: flex; gap: 6px; }
    .training-lessons li { flex: 1; }
    .training-lessons button { min-height: 44px; padding: 0; font-size: 0; color: transparent; border-block-start-width: 6px; border-radius: 0; }
    .training-top, .training[data-bare] .training-top { grid-template: 'head' auto 'options' auto 'task' auto 'seen' auto / minmax(0, 1fr); }
    .training-top > .training-options { justify-content: start; }
    .training-sheet { grid-template-columns: minmax(0, 1fr); }
    .training-sheet > * { grid-column: 1; grid-row: auto; }
    /* The page's margin has room for a letter. */
    .training-from[data-long] { display: none; }
    .training-job:not(.training-fair) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 32px; align-items: end; }
    .training-job:not(.training-fair) > h3 { grid-column: 1 / -1; }
  }
  @container attention (max-width: 720px) {
    .lab[data-lab='training'] { padding-block: 8px 24px; }
    .training, .training-sheet { gap: 12px; }
    /* Pictures have their width only after the first layout. */
    .training { overflow-x: clip; margin-inline: -1px; padding-inline: 1px; }
    :is(.training-letters, .training-curve) { contain: inline-size; }
    .training-top, .training-sheet { display: contents; }
    .training .training-options { margin-inline: 0; min-width: 0; width: 100%; box-sizing: border-box; }
    .training-option { max-width: 100%; }
    .training-option .segments { flex-wrap: wrap; max-width: 100%; }
    .training .training-top > :is(.training-head, .training-options, .training-task, .training-seen) { grid-area: auto; }
    .training-lanes { order: 2; }
    .training-deck { order: 3; }
    .training-small { order: 5; }
    .problem, .lab-more { order: 6; }
    .training-job:not(.training-fair) { grid-template-columns: minmax(0, 1fr); }
    /* Maps, curve and what came of it first; then what is looked up, and which runs there are. */
    .training-lessons { position: relative; margin-block-end: -16px; }
    .training-side, .training-job:not(.training-ask), .training:not([data-bare]) .training-options { display: contents; }
    .training-ask, .training-job > h3, .training-letters, .training-see { order: 1; }
    .training-seen, .training-losses, .training-answers, .training-sentences, .training-own-text { order: 4; }
    .training-runs { order: 5; }
    [data-asking] .training-own-text { order: 1; }
    .training-head h2 { font-size: 29px; line-height: 36px; }
    .training-task, .training-seen { font-size: 16px; line-height: 24px; }
    .training-abreast { --columns: var(--narrow-columns); --lanes: var(--narrow-lanes); --between: 12px; --tall: 240px; grid-auto-flow: var(--narrow-flow); grid-template-rows: none; grid-auto-rows: auto; }
    .training-lane { --maps: var(--narrow-maps); }
    .training-map figcaption { font-size: 14px; line-height: 20px; }
    .training-from { display: none; }
    .training-bar { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .training-bar .segment { flex: 1 1 auto; }
    .training-bar .segment > span { width: 100%; padding-inline: 4px; }
    .training-pace, .training-begin { grid-column: 1 / -1; }
    .training-seed input { font-size: 16px; }
  }
  /* A step of a lesson is one screen of a phone: what is looked up, and what is seldom pressed, follow below it. */
  @container attention (max-width: 720px) {
    .training[data-bare] { display: flex; flex-wrap: wrap; gap: 5px 8px; align-items: center; }
    .training[data-bare] :is(.training-losses, .training-deck, .training-bar, .training-begin, .training-seed) { display: contents; }
    .training[data-bare] :is(.training-ask, .training-letters, .training-lanes, .training-fair h3, .training-losses tbody, .training-curve, .training-seen, .training-small, .training-options, .training-answers, .training-losses caption, .training-fair > p, .problem, .lab-more) { flex: 0 0 100%; min-width: 0; box-sizing: border-box; }
    .training[data-bare] :is(.training-ask, .training-letters) { order: 1; padding: 0; }
    .training[data-bare] :is(.training-fair h3, .training-losses tbody) { order: 3; }
    .training[data-bare] :is(.training-curve, .training-bar > *, .training-begin > *, .training-seed > *) { order: 4; }
    /* What came of it stands where the question was, so that the maps stay in their place and nobody scrolls for it. */
    .training[data-bare] .training-seen { order: 1; min-height: 95px; }
    .training[data-bare] .training-small { order: 6; }
    .training[data-bare] :is(.training-options, .training-answers, .training-losses caption, .training-fair > p) { order: 8; }
    .training[data-bare] :is(.problem, .lab-more) { order: 9; }
    .training[data-bare] :is(.training-job > h3:not(.training-fair h3), .training-losses-name ~ tr:not(:last-child)) { display: none; }
    .training[data-bare] :is(.training-ask legend, .training-seen) { font-size: 15px; line-height: 19px; }
    .training[data-bare] .training-ask legend { padding-block-end: 6px; }
    .training[data-bare] .training-ask > div { gap: 6px 8px; --pad: 9px; }
    .training[data-bare] .training-ask :is(.training-button, .plain) { font-size: 14px; }
    .training[data-bare] :is(.training-small, .training-seen) { text-wrap: wrap; }
    .training[data-bare][data-asking] .training-seen { display: none; }
    .training[data-bare] .training-small { line-height: 18px; display: flex; align-items: end; gap: 12px; }
    .training[data-bare] .training-small span { flex: 1; }
    .training[data-bare] .training-small[data-folded] span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    .training[data-bare] .training-more[aria-expanded='false'] { display: block; font-size: 14px; line-height: 18px; margin-block: -26px 0; padding-block: 26px 0; min-width: 44px; text-align: end; }
    .training[data-bare] h3 { font-size: 14px; line-height: 20px; padding: 0; }
    .training[data-bare] .training-abreast { --columns: inherit; --lanes: inherit; --tall: clamp(76px, 100vh - 756px, 240px); grid-auto-flow: column; grid-template-rows: repeat(3, auto); grid-auto-columns: auto; }
    .training[data-bare]:lang(zh) .training-abreast { --tall: clamp(76px, 100vh - 724px, 240px); }
    .training[data-bare] .training-lane { --maps: var(--wide-maps); width: auto; }
    .training[data-bare] .training-lane-head { align-items: baseline; padding-block-end: 2px; margin-block-end: 4px; gap: 0 4px; }
    .training[data-bare] .training-lane-head output { font-size: 0; line-height: 20px; }
    .training[data-bare] .training-lane-head output b { font-size: 15px; }
    .training[data-bare] .training-maps { column-gap: 4px; }
    .training[data-bare] .training-map figcaption { line-height: 18px; padding-block-start: 2px; min-height: 20px; }
    /* Two maps: what is said of each stands beside it. */
    .training[data-bare] .training-sheet:not([data-tight]) .training-abreast { grid-auto-columns: minmax(0, 1fr); }
    .training[data-bare] .training-sheet:not([data-tight]) .training-maps { display: block; }
    .training[data-bare] .training-sheet:not([data-tight]) .training-map { display: grid; grid-template-columns: var(--side) 1fr; gap: 8px; align-items: end; }
    .training[data-bare] [data-tight] :is(.training-map-row, figcaption:not([data-brief]) .training-map-name, .training-map-brief, .training-map-aim ~ .training-map-most) { display: none; }
    .training[data-bare] [data-tight] .training-map-most { display: inline; }
    .training[data-bare] .training-map-aim ~ .training-map-row { display: none; }
    .training[data-bare] [data-tight] .training-map-aim span { max-width: 100%; }
    .training[data-bare] .training-long:not(:last-child) { display: none; }
    .training.training[data-bare] .training-short { display: inline; font-size: 14px; }
    .training.training[data-bare] .training-map-aim { font-size: 14px; line-height: inherit; }
    .training[data-bare] [data-tight] .training-map figcaption { line-height: 16px; padding: 0; }
    .training[data-bare] .training-picture { margin-block: -14px -8px; }
    .training[data-bare] .lab-more summary { font-size: 14px; }
    .training[data-bare] .training-losses tbody { display: flex; align-items: center; gap: 8px; line-height: 18px; }
    .training[data-bare] .training-losses tr { display: flex; align-items: center; }
    .training[data-bare] .training-losses tr:last-child { flex: 1; }
    .training[data-bare] .training-losses td:last-child { width: auto; padding-inline-start: 8px; }
    .training[data-bare] .training-losses .training-losses-name th { padding: 0; min-width: 98px; }
    .training[data-bare] .training-names { padding: 0; line-height: 18px; gap: 0 14px; }
    .training[data-bare] .training-play { width: 44px; min-width: 0; padding: 0; font-size: 0; gap: 0; }
    .training[data-bare] .training-pace { flex: 1 0 112px; }
    .training[data-bare]:lang(es) .training-pace { flex-basis: 140px; }
    .training[data-bare] .training-pace .segments { display: flex; flex-wrap: nowrap; }
    .training[data-bare] .training-pace .segment { flex: 1 1 auto; }
    .training[data-bare] .training-pace .segment > span { font-size: 14px; line-height: 17px; padding-inline: 3px; min-width: 0; }
    .training[data-bare] .training-pace [data-short] { font-size: 0; line-height: 0; }
    .training[data-bare] .training-pace [data-short]::before { content: attr(data-short) / ''; font-size: 14px; }
    .training[data-bare]:lang(es) .training-pace input:checked + span { font-weight: 400; }
    .training[data-bare] .training-button:not([data-guess]) { padding-inline: 6px; }
    .training[data-bare] .training-begin .plain { order: 7; margin-block: -5px; padding-inline: 0 8px; }
    .training[data-bare] .training-seed label { display: grid; padding: 3px 5px; gap: 0; font-size: 14px; line-height: 18px; box-sizing: border-box; }
    .training[data-bare] .training-seed input { width: 4ch; padding: 0; font-size: 16px; min-height: 18px; }
    .training[data-bare] { column-gap: 6px; }
    .training[data-bare]:lang(es) .training-button:not([data-guess]) { padding-inline: 2px; }
    .training[data-bare]:lang(es) .training-pace .segment > span { padding-inline: 1px; }
    .training[data-bare]:lang(es) .training-small[data-folded] span { -webkit-line-clamp: 1; }
    .training[data-bare]:lang(es) .training-abreast { --tall: 64px; }
    @media (max-height: 800px) { .training.training[data-bare] .training-letters { order: 5; } }
  }
  @container attention (max-width: 345px) { .training[data-bare] .training-lane-head { letter-spacing: -0.3px; } .training.training[data-bare] .training-play + .training-button { order: 7; margin-block: -5px; } .training[data-bare] .training-lane-head output b { font-size: 14px; } }
  /* On a projector: what is read from afar, and nothing that is set. */
  :host([data-presented]) .training :is(.training-options, .training-small, .lab-more, .training-begin, .training-pace, .training-bar > .training-button:not(.training-play), .training-play:disabled, .training-guessed, .training-answers, .training-job:not(.training-ask) h3), :host([data-presented]) .training[data-asking] .training-seen { display: none; }
  :host([data-presented]) .training.training { gap: 0; }
  :host([data-presented]) .training .training-seen { font-size: 28px; line-height: 36px; min-height: 108px; max-width: none; }
  :host([data-presented]) .training .training-ask legend { font-size: 26px; line-height: 34px; }
  :host([data-presented]) .training :is(.training-ask .training-button, .training-ask .plain, .training-map figcaption, .training-map :is(.training-map-name, .training-map-aim), .training-losses, .training-play) { font-size: 20px; line-height: 26px; }
  :host([data-presented]) .training .training-lane-head { min-height: 46px; align-items: baseline; flex-wrap: nowrap; }
  :host([data-presented]) .training .training-lane-head h3 { font-size: 20px; line-height: 34px; }
  :host([data-presented]) .training .training-lane-head output { font-size: 0; line-height: 34px; }
  :host([data-presented]) .training .training-lane-head output b { font-size: 32px; }
  :host([data-presented]) .training :is(.training-see > span, .training-losses caption) { font-size: 18px; line-height: 23px; }
  :host([data-presented]) .training :is(.training-curve, .training-letters) { zoom: 1.3; }
  :host([data-presented]) .training .training-from { font-size: 22px; }
  @container attention (min-width: 1000px) {
    :host([data-presented]) .training[data-bare] .training-sheet.training-sheet { --around: calc(100vh - 100vh / var(--zoom, 1) + 352px); --beneath: 66px; --most: 340px; grid-template: 'side lanes' auto 'deck lanes' 1fr / 380px minmax(0, 1fr); gap: 12px 48px; padding-top: 8px; }
    :host([data-presented]) .training .training-sheet > .training-side { grid-area: side; }
    :host([data-presented]) .training .training-sheet > .training-lanes { grid-area: lanes; }
    :host([data-presented]) .training .training-sheet > .training-deck { grid-area: deck; }
    :host([data-presented]) .training .training-abreast { --between: 24px; }
    /* Its bars say what its curve says. */
    :host([data-presented]) .training[data-bare] .training-sheet.training-sheet[data-job='dice'] { --beneath: 40px; grid-template: 'side lanes' auto 'deck lanes' 1fr / 500px minmax(0, 1fr); }
    :host([data-presented]) [data-job='dice'] .training-curve { display: none; }
    :host([data-presented]) [data-job='dice'] .training-losses { font-size: 22px; }
    :host([data-presented]) [data-job='dice'] .training-losses :is(th, td) { line-height: 30px; }
    :host([data-presented]) [data-job='dice'] .training-loss { height: 24px; }
    /* A row for each layer; heads have their numbers where the mask leaves room. */
    :host([data-presented]) .training[data-lesson='look_back'] .training-sheet.training-sheet { --rows: 2 !important; --columns: 4 !important; --beneath: 40px; }
    :host([data-presented]) [data-lesson='look_back'] .training-abreast { --between: 56px; }
    :host([data-presented]) [data-lesson='look_back'] .training-lane { --maps: 2; }
    :host([data-presented]) [data-lesson='look_back'] .training-map { position: relative; }
    :host([data-presented]) [data-lesson='look_back'] .training-map-name { position: absolute; inset: 4px 4px auto auto; padding-inline: 4px; background: var(--paper); color: var(--ink); }
    :host([data-presented]) [data-lesson='look_back'] .training-map .training-map-aim.training-map-aim { font-size: 18px; white-space: nowrap; }
  }
  @media print { .training :is(.training-bar, .training-ask, .training-handle, .training-options, .training-lessons) { display: none; } }
  @media (forced-colors: active) {
    .training { --ink: CanvasText; --muted: CanvasText; --arcs: CanvasText; --accent: Highlight; --hairline: CanvasText; --border: CanvasText; --paper: Canvas; }
    .training-lines, .training-picture, .training-dice { forced-color-adjust: none; }
  }
`;
