import { css, unsafeCSS } from 'lit';
import { WIDE } from './measures.ts';

export const modelStyles = css`
  /* Ready weights have no row that moves through stages: the cell is written out in its place. */
  @media screen {
    @container attention (min-width: ${unsafeCSS(WIDE)}px) {
      .root[data-screen] > .row-stages[hidden] ~ .caption { grid-area: row / 2; align-self: start; }
      .root[data-screen] > .row-stages[hidden] ~ .figure .inspector { grid-area: row / 2 / notices; margin-top: 108px; padding: 0; border: 0; min-height: 0; }
    }
  }
  .model { max-width: 1248px; margin-inline: auto; padding: 0 24px 40px; }
  .model h2 { border-top: 1.5px solid var(--ink); padding-top: 12px; margin: 0; font-size: 24px; line-height: 32px; font-weight: 700; }
  .model-about { max-width: 76ch; padding-bottom: 16px; }
  .file-names code { overflow-wrap: anywhere; }
  .model-grid { display: grid; grid-template-columns: minmax(0, 1fr) 460px; gap: 24px 48px; align-items: start; }
  .model a { color: inherit; }
  .answer { display: contents; }
  .answer[aria-busy] > * { opacity: 0.5; }
  .gallery { display: grid; gap: 16px; padding: 8px 2px; max-height: 900px; overflow: auto; scrollbar-width: thin; }
  .gallery-line { display: grid; grid-template-columns: repeat(auto-fit, minmax(88px, 1fr)); gap: 12px 16px; }
  .gallery[data-columns='many'] .gallery-line { grid-template-columns: repeat(auto-fit, minmax(44px, 1fr)); gap: 8px; }
  .gallery[data-columns='many'] .head-words { font-size: 12px; line-height: 16px; min-height: 20px; }
  .gallery[data-size='L'] .gallery-line { grid-template-columns: repeat(auto-fill, minmax(88px, 1fr)); gap: 12px 16px; }
  .gallery:not([data-sort='layer'], [data-size]) .gallery-line { grid-template-columns: repeat(auto-fill, minmax(88px, 1fr)); }
  .gallery[data-size='S'] { gap: 2px; }
  .gallery[data-size='S'] .gallery-line { grid-template-columns: none; grid-auto-flow: column; grid-auto-columns: minmax(19px, 48px); gap: 2px; }
  .gallery[data-size='S']:not([data-sort='layer']) .gallery-line { grid-template-columns: repeat(auto-fill, minmax(19px, 48px)); grid-auto-flow: row; }
  .gallery[data-size='S'] .head-words { display: none; }
  .sheet-line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding-block: 8px; }
  .sheet-list, .sheet-only { display: flex; align-items: center; gap: 8px; }
  .sheet-only { min-height: 36px; cursor: pointer; }
  .sheet-only input { accent-color: var(--ink); margin: 0; width: 18px; height: 18px; }
  .sheet-note { font-size: 13px; line-height: 20px; color: var(--muted); padding-block: 4px; }
  .head-facts, .layer-row { margin-block: 8px; }
  .model :is(.head-facts, .layer-row) td, .parts td:nth-child(2) { text-align: end; }
  .sheet-tables { display: flex; flex-wrap: wrap; gap: 16px 48px; align-items: start; padding-block: 8px; }
  .parts [data-part='logit'] > * { border-top: 1px solid var(--border); font-weight: 700; }
  .head-words i { font-style: normal; }
  .model-heads .row-scroll { max-height: 320px; }
  .model-head { position: relative; display: block; cursor: pointer; min-width: 0; max-width: 168px; }
  .model-head canvas { display: block; width: 100%; aspect-ratio: 1; image-rendering: pixelated; outline: 1px solid var(--hairline); forced-color-adjust: none; }
  .model-head:hover canvas { outline-color: var(--border); }
  .model-head.chosen canvas { outline: 2px solid var(--accent); outline-offset: 1px; }
  .model-head input:focus-visible ~ canvas { outline: 3px solid var(--accent); outline-offset: 2px; }
  .model-head.silenced canvas { opacity: 0.2; }
  .head-words { display: block; padding-top: 4px; font-size: 13px; line-height: 18px; color: var(--muted); overflow-wrap: break-word; hyphens: auto; min-height: 40px; }
  .head-words b { color: var(--ink); font-weight: 400; font-variant-numeric: tabular-nums; }
  .chosen .head-words, .chosen .head-words b { color: var(--accent); }
  .model-side { display: grid; gap: 24px; grid-template-columns: minmax(0, 1fr); }
  .model table { border-collapse: collapse; font-size: 13px; line-height: 22px; font-variant-numeric: tabular-nums; }
  .model :is(td, th) { text-align: start; font-weight: 400; padding: 0 16px 0 0; vertical-align: top; }
  .model thead th { color: var(--muted); }
  .expects table { width: 100%; }
  .expects tbody th { font-size: 15px; width: 30%; }
  .expects td:nth-child(2), .expects td:nth-child(3) { text-align: end; width: 72px; }
  .expects :is(th, td) { vertical-align: middle; }
  .model .plain { min-width: var(--finger, 24px); min-height: var(--finger, 24px); }
  .expects .bars { padding: 0; position: relative; }
  .expects .bars i { display: block; height: 9px; border-radius: 1px; background: var(--arcs); }
  .expects .bars .was { height: 3px; margin-top: 1px; background: var(--border); }
  .expects .as-trained td:nth-child(3) { width: 0; padding: 0; }
  .expects [data-drawn] { text-align: end; width: 72px; }
  .writing { display: grid; gap: 8px; justify-items: start; }
  .write-line { display: flex; flex-wrap: wrap; gap: 8px; }
  /* Where the model stands alone, styles of the whole page are not there. */
  .write-line .outlined { font: inherit; font-size: 13px; color: var(--ink); background: var(--paper); border: 1px solid var(--border); border-radius: 6px; min-height: var(--finger, 32px); padding: 0 10px; cursor: pointer; }
  .write-line .outlined:hover:enabled { border-color: var(--ink); }
  .write-line .outlined:disabled { color: var(--muted); border-color: var(--hairline); cursor: default; }
  .manner[open] { padding-bottom: 8px; }
  .manner-fields { display: grid; gap: 4px; padding-top: 8px; }
  .manner-field { display: grid; grid-template-columns: 96px auto minmax(0, 1fr); gap: 4px 12px; align-items: center; }
  .manner-field .field { width: 108px; }
  .writing .muted { font-size: 13px; line-height: 20px; }
  .written { white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--language-font); font-size: 18px; line-height: 30px; max-width: 100%; }
  .written :is(span, .word) { border-radius: 3px; padding-block: 2px; background: color-mix(in srgb, var(--arcs) var(--share), transparent); }
  .word { display: inline; font: inherit; color: var(--ink); border: 0; margin: 0; padding-inline: 0; cursor: pointer; text-align: start; text-decoration: underline 1.5px; text-underline-offset: 5px; white-space: pre-wrap; }
  .word[data-written='model'] { text-decoration-style: dotted; }
  .word[aria-current] { outline: 1.5px solid var(--accent); outline-offset: 1px; }
  .word:focus-visible { outline: 3px solid var(--accent); }
  .evidence { padding-top: 8px; font-size: 13px; line-height: 20px; }
  .evidence summary { color: var(--ink); }
  .evidence .named { font-weight: 700; }
  .evidence .named :is(td, th) { font-weight: 700; }
  .change-line { display: flex; flex-wrap: wrap; gap: 4px 24px; padding-block: 4px; }
  .share-line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; }
  .share-line .slider { width: 160px; margin: 0; accent-color: var(--ink); }
  .model-notes { display: grid; gap: 12px; }
  .model-notes:empty { display: none; }
  .warning { border-inline-start: 3px solid var(--error); padding-inline-start: 12px; }
  .model-tables { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px 48px; padding-top: 32px; align-items: start; }
  .every-word tbody tr { cursor: pointer; }
  .by-head tbody tr { cursor: pointer; }
  :is(.every-word, .by-head) .chosen > * { color: var(--accent); }
  .model-tables .table-scroll { border: 0; }
  .model-tables p { max-width: 64ch; padding-top: 8px; }
  .model .quiet { min-height: 0; }
  @container attention (max-width: 1100px) {
    .model-grid, .model-tables { grid-template-columns: minmax(0, 1fr); }
  }
  @container attention (max-width: 720px) {
    .model { padding-inline: 16px; }
    .gallery-line { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 8px; }
    .head-words { font-size: 12px; line-height: 16px; }
    .model :is(td, th) { padding-inline-end: 10px; }
    .model { --finger: 44px; }
    .model :is(.quiet, .outlined) { min-height: 44px; }
    .evidence summary { padding-block: 12px; }
    .sheet-only { min-height: 44px; }
    .manner-field { grid-template-columns: 100px auto; }
    .manner-field .effect { grid-column: 1 / -1; max-width: none; }
    .written { line-height: 46px; }
    .word { min-height: 44px; min-width: 44px; text-align: center; }
  }
  @media (pointer: coarse) {
    .word { min-height: 44px; min-width: 44px; text-align: center; }
    .model { --finger: 44px; }
    .model .quiet { min-height: 44px; padding-inline: 14px; }
    :host([data-presented]:lang(es)) .expects tr:nth-child(n + 5) { display: none; }
  }
  @media print { .sheet-line { display: none; } }
  /* A step of a lesson says the rest itself, and the playground shows it. */
  :host([data-brief]) :is(.model > h2, .model-about, .model-tables, .model-backwards, .sheet-line, .sheet-note, .table-scroll, .evidence, .head-facts, .model-grid:not([data-unread]) .model-notes, .model-notes > :not([data-note='unread']), .share-line, .manner, [data-keep-only], [data-put-all], .caption > :not(.row-caption, .row-rest)) { display: none; }
  /* For screen readers: the arcs show it to others. */
  :host([data-brief]) .root .caption { position: absolute; width: 1px; height: 1px; margin: 0; padding: 0; overflow: hidden; clip-path: inset(50%); }
  :host([data-brief]) .model { padding-bottom: 0; }
  /* A field to type into. */
  :host([data-brief]) .sentence-box { background: var(--surface); box-shadow: -8px 0 var(--surface), 8px 0 var(--surface); }
  :host([data-brief]) .gallery { max-height: none; }
  @container attention (max-width: 400px) { :host([data-brief]) .unread-why { display: none; } }
  :host([data-brief]) .model-notes { order: -1; grid-column: 1 / -1; flex: 0 0 100%; font-size: 14px; line-height: 20px; }
  /* Heads have their names from words: here there are none. */
  :host([data-brief]) [data-unread='all'] .head-words { font-size: 0; }
  :host([data-brief]) [data-unread='all'] .head-words b { font-size: 14px; font-weight: 400; }
  :host([data-brief]) :is(.write-line .outlined, .model [data-silence]) { font-size: 15px; font-weight: 700; min-height: var(--finger, 36px); padding: 0 16px; }
  :host([data-brief]) [data-silence] { border: 1px solid var(--border); border-radius: 6px; color: var(--ink); text-align: center; text-decoration: none; }
  :host([data-brief]) [data-silence]:hover { border-color: var(--ink); }
  /* One screen of a phone: all heads in two lines, the chosen one named below them; the likeliest words in two columns. */
  @container attention (max-width: 720px) {
    :host([data-brief]) :is(.sentence-title, .small-heading:not(.expects *), .expects thead) { position: absolute; clip-path: inset(50%); }
    :host([data-brief]) .sentence { padding-block: 10px 6px; }
    :host([data-brief]) .root .sentence-box { --size: 18px !important; --line: 56px; --between: 99; --arc-room: 0px; overflow: visible; max-height: none; }
    :host([data-brief]) .stack { margin-top: -14px; }
    :host([data-brief]) .arcs path { stroke-opacity: 1; }
    :host([data-brief]) .starts { --start: 44px; }
    :host([data-brief]) .mirror::before { font-size: 14px; line-height: var(--line); }
    :host([data-brief]) .model-grid { gap: 4px; }
    :host([data-brief]) .gallery { grid-template-columns: repeat(8, minmax(0, 1fr)); gap: 4px 0; padding: 2px 0 24px; overflow: visible; position: relative; }
    :host([data-brief]) .gallery-line { display: contents; }
    /* Numbers stand in the corner that the mask leaves empty. */
    :host([data-brief]) .model-head { position: static; display: grid; padding-inline: 2px; max-width: none; }
    :host([data-brief]) .model-head > :is(canvas, .head-words) { grid-area: 1 / 1; }
    :host([data-brief]) .head-words { justify-self: end; padding: 0 2px; min-height: 0; font-size: 0; line-height: 16px; }
    :host([data-brief]) .head-words b { font-size: 14px; }
    :host([data-brief]) .model-head[data-named] b { font-weight: 700; }
    :host([data-brief]) .chosen .head-words { position: absolute; inset: auto 2px 0; justify-self: start; font-size: 14px; line-height: 20px; }
    :host([data-brief]) .model-side { display: flex; flex-wrap: wrap; gap: 6px 8px; }
    :host([data-brief]) :is(.expects, .written, .writing > :is(p, .change-line)) { flex: 0 0 100%; }
    :host([data-brief]) .expects .small-heading { font-size: 15px; line-height: 22px; }
    :host([data-brief]) .expects table { display: block; font-size: 14px; }
    :host([data-brief]) .expects tbody { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 24px; }
    :host([data-brief]) .expects tr { display: flex; align-items: center; gap: 8px; border-bottom: 1px solid var(--hairline); }
    :host([data-brief]) .expects tr:nth-child(n + 5) { display: none; }
    /* The note on unknown words takes the room of two of them. */
    :host([data-brief]) [data-unread] .expects tr:nth-child(n + 3) { display: none; }
    :host([data-brief]) .expects tr > * { width: auto; padding: 0; }
    :host([data-brief]) .expects th { flex: 1; }
    :host([data-brief]) .expects .bars { flex: 0 0 44px; }
    :host([data-brief]) .expects table:not(.as-trained) .bars { display: none; }
    :host([data-brief]) .expects .plain { font-size: 16px; }
    :host([data-brief]) .expects > p { font-size: 14px; line-height: 18px; padding-top: 2px; }
    :host([data-brief]) .writing { display: contents; }
    :host([data-brief]) .model-changes { order: 1; flex: 1 1 96px; }
    :host([data-brief]) :is(.written, .writing > :is(p, .change-line)) { order: 2; }
    :host([data-brief]) .yours-list { display: none; }
    :host([data-brief]) :is(.write-line .outlined, .model [data-silence]) { font-size: 14px; line-height: 17px; min-width: 44px; padding: 0 9px; }
    :host([data-brief]) .change-line { padding: 0; }
  }
  @container attention (max-width: 380px) {
    :host([data-brief]) [data-unread] .gallery { padding-bottom: 2px; }
    :host([data-brief]) [data-unread] .chosen .head-words { font-size: 0; }
    :host([data-brief]) [data-unread] .model-side { gap: 4px 8px; }
  }
  @container attention (min-width: 1000px) {
    :host([data-brief]) .model-grid { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 8px 40px; }
    :host([data-brief]) .model-side { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-auto-rows: min-content; gap: 12px 24px; }
    :host([data-brief]) .expects { grid-row: span 3; }
    :host([data-brief]) .expects thead th { white-space: nowrap; }
    :host([data-brief]) .yours-list { list-style: none; padding: 0; }
    :host([data-brief]) .gallery { gap: 6px; padding: 4px 2px; }
    :host([data-brief]) .gallery-line { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 8px; }
    :host([data-brief]) .model-head { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 8px; align-items: center; max-width: none; }
    :host([data-brief]) .head-words { padding: 0; min-height: 0; line-height: 16px; }
  }
  @media (max-height: 800px) and (min-width: 721px) {
    :host([data-brief]) .sentence-title { position: absolute; clip-path: inset(50%); }
    :host([data-brief]) .root .sentence-box { --arc-room: 76px; }
    :host([data-brief]) .expects tr:nth-child(n + 7) { display: none; }
  }
  /* On a projector: the sentence, all heads as large pictures, the likeliest words. */
  :host([data-presented]) .sentence-title { display: none; }
  :host([data-presented]) .root .sentence-box { --arc-room: 96px; --line: calc(var(--size) + 44px); }
  :host([data-presented]) .sentence { padding-block: 8px 14px; }
  :host([data-presented]) .model { width: 100%; box-sizing: border-box; padding-inline: 0; }
  :host([data-presented]) .model :is(table, .plain) { font-size: 22px; line-height: 28px; }
  :host([data-presented]) .model .small-heading { font-size: 22px; line-height: 28px; }
  @container attention (min-width: 1000px) {
    :host([data-presented]) .model-grid { grid-template-columns: minmax(0, 1fr) 540px; gap: 8px 40px; }
    :host([data-presented]) .small-heading:not(.expects *) { position: absolute; clip-path: inset(50%); }
    :host([data-presented]) .gallery { grid-template-columns: repeat(8, minmax(0, 1fr)); gap: 8px; padding: 8px 2px 36px; overflow: visible; position: relative; }
    :host([data-presented]) .gallery-line { display: contents; }
    :host([data-presented]) .model-head { position: static; grid-template-columns: minmax(0, 1fr); }
    :host([data-presented]) .model-head > :is(canvas, .head-words) { grid-area: 1 / 1; align-self: start; }
    :host([data-presented]) .head-words { justify-self: end; padding: 0 4px; font-size: 0; line-height: 20px; }
    :host([data-presented]) .head-words b { font-size: 16px; }
    :host([data-presented]) .chosen .head-words { position: absolute; inset: auto auto 0 2px; font-size: 20px; line-height: 28px; padding: 0; }
    :host([data-presented]) .chosen .head-words b { font-size: 20px; font-weight: 700; }
    :host([data-presented]) .model-side { display: flex; flex-wrap: wrap; gap: 8px; }
    :host([data-presented]) :is(.expects, .written, .writing > :is(p, .change-line)) { flex: 0 0 100%; }
    :host([data-presented]) .writing { display: contents; }
    :host([data-presented]) :is(.written, .writing > :is(p, .change-line)) { order: 2; }
    :host([data-presented]) .model-changes { order: 1; }
    :host([data-presented]) .yours-list { display: none; }
    :host([data-presented]) .expects tr:nth-child(n + 6) { display: none; }
    :host([data-presented]) .expects :is(tbody th, .plain) { font-size: 24px; }
    :host([data-presented]) .expects .bars i { height: 16px; }
    :host([data-presented]) :is(.write-line .outlined, .model [data-silence]) { font-size: 18px; min-height: 44px; padding-inline: 14px; }
    :host([data-presented]:lang(es)) .expects tr:nth-child(n + 5) { display: none; }
  }
`;
