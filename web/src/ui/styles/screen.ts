// The playground's first screen, where there is room for it: switches, the sentence over its row, the matrix and the heads.
import { css, unsafeCSS } from 'lit';
import { ONE_COLUMN, WIDE } from './measures.ts';

export const screenStyles = css`
  /* Of switches two by two; and where the line of the pin breaks, in three languages, under a mouse and under a finger. */
  .switch-room { min-height: 180px; }
  .pin-room { min-height: 52px; }
  .senses-section:empty { min-height: 86px; }
  /* As high as a sentence of a dozen words will make it; and the room of the walk: what follows stays in its place. */
  .figure[data-state='loading'] { min-height: 818px; }
  .walk:empty { min-height: 1910px; }
  .figure-grid { display: grid; grid-template-columns: 130px minmax(0, 1fr) 384px; gap: 0 24px; align-items: start; }
  .inspector { border-inline-start: 1px solid var(--hairline); padding-inline-start: 24px; min-height: 640px; }
  @container attention (max-width: 1100px) {
    .figure[data-state='loading'] { min-height: 1410px; }
    .walk:empty { min-height: 2100px; }
    .figure-grid { grid-template-columns: minmax(0, 1fr); gap: 24px; }
    .inspector { border: 0; padding: 24px 0 0; border-top: 1px solid var(--hairline); min-height: 0; }
    .inspector:empty { min-height: 420px; }
  }
  @media (pointer: coarse) {
    .switch-room { min-height: 200px; }
    .pin-room { min-height: 60px; }
  }
  @container attention (max-width: 720px) {
    .switch-room { min-height: 152px; }
    .pin-room { min-height: 60px; }
    .figure[data-state='loading'] { min-height: 1500px; }
    .walk:empty { min-height: 3950px; }
    .inspector { --paper: var(--surface); background: var(--surface); margin: 8px -16px 0; padding: 20px 16px 24px; border-radius: 16px 16px 0 0; border-top: 1px solid var(--border); }
    .inspector:empty { min-height: 690px; }
  }
  @container attention (max-width: 567px) { .pin-room { min-height: 84px; } }
  @container attention (max-width: 447px) { .pin-room { min-height: 104px; } }
  @container attention (min-width: 512px) and (max-width: 567px) { .root:lang(es) .pin-room { min-height: 60px; } }
  @container attention (min-width: 367px) and (max-width: 511px) { .root:lang(es) .pin-room { min-height: 84px; } }
  @container attention (max-width: 567px) { .root:lang(zh) .pin-room { min-height: 60px; } }
  @container attention (max-width: 357px) { .root:lang(zh) .pin-room { min-height: 84px; } }
  /* Under the sentence: room for a dozen words, kept before they come. */
  .root[data-screen] .row-stages { max-width: 1248px; margin-inline: auto; width: 100%; padding-inline: 24px; min-height: 580px; }
  @container attention (max-width: ${unsafeCSS(WIDE - 0.02)}px) { .root[data-screen] .row-stages { min-height: 444px; } }
  @container attention (max-width: ${unsafeCSS(ONE_COLUMN)}px) { .root[data-screen] .row-stages { padding-inline: 16px; min-height: calc(144px + var(--says, 60px) + 24px * var(--words, 11)); } .root[data-screen]:lang(es) { --says: 88px; } }
  @container attention (max-width: 380px) {
    .root[data-screen] { --says: 88px; }
    .root[data-screen]:lang(es) { --says: 103px; }
    .root[data-screen] .row-stages { min-height: calc(122px + var(--says) + 24px * var(--words, 11)); }
  }
  @container attention (max-width: 330px) { .root[data-screen]:where(:not(:lang(zh))) { --says: 103px; } }
  @media screen {
    /* Of several lines, it begins where all else does: as wide as before, or it might fit on one line again. */
    .root[data-screen] .sentence-box:not(.arched, [data-keys]) { position: relative; inset-inline-start: calc(-1 * var(--names, 0px)); }
    /* Under its words stand numbers. */
    .root[data-screen] .sentence-box[data-keys] { --line: calc(var(--size) + 34px); }
    /* In one column: switches, the sentence, its row, and what is said of it. */
    @container attention (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
      .root[data-screen] { display: flex; flex-direction: column; --names: 112px; --edge: 24px; }
      .root[data-screen] > *, .root[data-screen] :is(.pin-bar, .pin-room, .source, .added) { order: 9; }
      .root[data-screen] > :not(.unseen) { width: 100%; }
      .root[data-screen] :is(.switches, .sentence, .row-stages:not(:empty)):not([hidden]) { display: contents; }
      .root[data-screen] .switch-bar { box-sizing: border-box; width: 100%; max-width: none; }
      .root[data-screen] .switch-room { box-sizing: content-box; }
      .root[data-screen] :is(.switch-bar, .switch-room) { background: var(--surface); border-bottom: 1px solid var(--hairline); padding: 10px var(--edge); }
      .root[data-screen] :is(.sentence-title, .earlier, .sentence-box, .caption, .added) { margin-inline: var(--edge); flex: none; order: 2; }
      .root[data-screen] .sentence-title { padding-top: 12px; }
      .root[data-screen] :is(.sentence-box, .key-sentence) { order: 4; }
      .root[data-screen] .sentence-box { --line: calc(var(--size) + 18px); --arc-room: 74px; border-bottom: 0; }
      .root[data-screen] .sentence-box:not([data-keys]) { margin-inline-start: calc(var(--edge) + var(--names)); }
      .root[data-screen] .sentence-box:not([data-keys]) .shares { visibility: hidden; }
      .root[data-screen] .row-stages:empty { order: 6; }
      .root[data-screen] :is(.caption, .notices) { order: 8; width: auto; }
    }
    /* What is said of a switch takes one line: whatever is chosen or typed, none of them moves. */
    @container attention (min-width: 720.02px) {
      .root[data-screen] .switch-line:not(.added) .effect { width: 0; min-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    }
    @container attention (min-width: 720.02px) and (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
      .root[data-screen] .switch-line:not(.added) { display: grid; grid-template-columns: minmax(0, 42fr) minmax(0, 58fr); }
      .root[data-screen] .switch-line:not(.added) .effect.problem { white-space: normal; }
    }
    /* They stay in reach while all else scrolls, where the screen is not low. */
    @media (min-height: 640px) {
      @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) and (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
        .root[data-screen] { --bar: 191px; }
        .root[data-screen] .switch-bar { position: sticky; top: -10px; z-index: 7; }
        .root[data-screen] .pin-bar.pinned { top: var(--bar); }
        .root[data-screen] .walk { --pin: var(--bar); }
        .root[data-screen] .pin.has-state ~ .walk { --pin: calc(var(--bar) + 88px); }
      }
      @media (pointer: coarse) { @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) and (max-width: ${unsafeCSS(WIDE - 0.02)}px) { .root[data-screen] { --bar: 211px; } } }
      @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) and (max-width: 720px) { .root[data-screen] { --bar: 163px; } }
    }
    .drop-target { display: none; }
    .root[data-dropping] .drop-target { position: fixed; inset: 12px; z-index: 9; display: grid; place-content: center; margin: 0; border: 3px dashed var(--accent); border-radius: 12px; background: color-mix(in srgb, var(--surface) 88%, transparent); font-size: 20px; text-align: center; pointer-events: none; }
    /* Room for the sentence that says the row, over the words, and for the stage under them, before both come. */
    @container attention (min-width: ${unsafeCSS(ONE_COLUMN + 0.02)}px) and (max-width: ${unsafeCSS(WIDE - 0.02)}px) {
      .root[data-screen] .row-stages:empty:not([hidden]) { display: contents; }
      .root[data-screen] .row-stages:empty::before { content: ''; order: 3; flex: 0 0 60px; }
      .root[data-screen] .row-stages:empty::after { content: ''; order: 6; flex: 0 0 444px; }
    }
    @container attention (max-width: ${unsafeCSS(ONE_COLUMN)}px) {
      .root[data-screen] { --names: 0px; --edge: 16px; }
      .root[data-screen] :is(.sentence-title label, .sentence-tools .muted) { position: absolute; clip-path: inset(50%); }
      .root[data-screen] .sentence-title { padding: 0; order: 8; }
      /* Arcs run between the lines of a dozen words, and round the right margin. */
      .root[data-screen]:not([data-packed]) .sentence-box:not([data-keys]) { --size: 20px !important; --line: 54px; --between: 12; --arc-room: 0px; overflow: visible; max-height: none; margin-block: -6px 8px; }
      .root[data-screen]:not([data-packed]) .sentence-box:not([data-keys]) .shares { visibility: visible; }
      .root[data-screen] .arcs path { stroke-opacity: 1; }
      /* The four stay in reach while all else scrolls; what a model adds comes behind the row. */
      .root[data-screen] .switch-bar { display: contents; }
      .root[data-screen] .switch-line:not(.added) { position: sticky; top: 0; z-index: 6; flex: none; padding: 5px var(--edge); gap: 5px 8px; background: var(--surface); border-bottom: 1px solid var(--hairline); }
      .root[data-screen] .switch-line.added { order: 8; padding-block: 8px; }
      .root[data-screen] .more-line { display: flex; gap: 8px; align-items: center; margin-inline: var(--edge); }
      .root[data-screen] .head-switch { display: flex; flex: 1; align-items: center; min-width: 0; font-size: 14px; color: var(--muted); }
      .root[data-screen] .head-switch select { flex: 1; min-width: 0; padding-inline: 8px; text-overflow: ellipsis; }
      .root[data-screen] .switch-room { box-sizing: border-box; min-height: 152px; }
      .root[data-screen] .pin-bar.pinned { top: 108px; }
      .root[data-screen] .walk { --pin: 108px; }
      .root[data-screen] .pin.has-state ~ .walk { --pin: 196px; }
      .root[data-screen] .more .effect { display: inline; margin-inline-start: 8px; }
      .root[data-screen] .sentence-tools { flex: 1; justify-content: space-between; }
      .root[data-screen] .sentence-box { --line: calc(var(--size) + 14px); }
      .root[data-screen] .heads-scroll[data-size] { flex-wrap: wrap; overflow: hidden auto; max-height: 480px; }
    }
    @container attention (min-width: ${unsafeCSS(WIDE)}px) {
      .root[data-screen] {
        --side: clamp(376px, 100cqi - 900px, 560px); --edge: max(24px, 50cqi - 780px); --bar: 108px; --names: 112px;
        /* What the header, the switches, the words and the buttons leave of the screen. */
        --row-room: clamp(304px, 100vh - 434px, 520px);
        display: grid; align-content: start;
        grid-template-columns: var(--edge) minmax(0, 1fr) 32px var(--side) var(--edge);
        grid-template-rows: [bar] minmax(var(--bar), auto) [more] auto [task] auto [pinned] auto [title] 32px [earlier] auto [says] 30px [text] auto [keys] auto [row] auto [play] minmax(66px, auto) [notices] auto [source] auto [panel] auto [pin] auto [cell] auto [honest] auto [table] 1fr [model] auto [walk] auto [senses] auto [take] auto [link] auto [end];
      }
      /* Rows are as high without what stands in them; the text's as its largest words need, so that smaller ones move nothing. */
      .root[data-screen]::before { content: ''; grid-area: text / 2; height: clamp(126px, 100vh - 594px, 136px); }
      .root[data-screen]::after { content: ''; grid-area: row / 2; height: var(--row-room); }
      .root[data-screen] :is(.switches, .sentence, .figure, .figure-grid, .middle, .row-stages:not(:empty)):not([hidden]) { display: contents; }
      .root[data-screen] > *, .root[data-screen] .figure > .state { grid-column: 1 / -1; width: 100%; }
      .root[data-screen] > .unseen { width: 1px; }
      .root[data-screen] > .model { grid-row: model; }
      .root[data-screen] > .walk { grid-row: walk; }
      .root[data-screen] > .senses-section { grid-row: senses; }
      .root[data-screen] > .take-section { grid-row: take; }
      .root[data-screen] > .open-link { grid-row: link; }
      .root[data-screen] .switch-bar { position: sticky; top: 0; z-index: 7; grid-area: bar / 1 / auto / -1; align-self: start; max-width: none; width: 100%; min-height: var(--bar); padding: 10px var(--edge); background: var(--surface); border-block: 1px solid var(--hairline); border-block-start: 0; }
      .root[data-screen] .switch-room { grid-area: bar / 1 / auto / -1; min-height: var(--bar); background: var(--surface); border-bottom: 1px solid var(--hairline); }
      .root[data-screen] .switch-line:not(.added) { flex-wrap: nowrap; gap: 16px; }
      .root[data-screen] .more-groups { grid-area: more / 2 / auto / 5; max-width: none; width: 100%; padding: 0; margin: 8px 0 0; }
      .root[data-screen] .task { grid-area: task / 2 / auto / 5; max-width: none; padding-inline: 0; }
      .root[data-screen] .sentence-title { grid-area: title / 2; align-self: center; flex-wrap: nowrap; }
      .root[data-screen] .earlier { grid-area: earlier / 2; }
      .root[data-screen] .row-line { grid-area: says / 2; min-height: 0; padding: 0; }
      .root[data-screen] .sentence-box:not([data-keys]) { grid-area: text / 2; margin-inline-start: var(--names); align-self: end; width: auto; }
      .root[data-screen] .sentence-box { --line: calc(var(--size) + 18px); --arc-room: 74px; border-bottom: 0; }
      .root[data-screen] .key-sentence { grid-area: keys / 2; }
      .root[data-screen] .row-figure { grid-area: row / 2; min-height: max(var(--row-height, 0px), var(--row-room)); }
      .root[data-screen] .row-transport { grid-area: play / 2; align-self: start; }
      .root[data-screen] .row-stages:empty { grid-area: row / 2 / play; min-height: 0; }
      .root[data-screen] .matrix-area { grid-area: title / 4 / play; border: 0; min-width: 0; position: relative; }
      .cells-before { position: absolute; pointer-events: none; forced-color-adjust: none; }
      /* Beside a sentence whose words are rows, too, all heads are in view. */
      .root[data-screen] .heads-area { grid-area: row / 4 / notices; align-self: end; position: sticky; bottom: 0; z-index: 1; min-width: 0; padding-bottom: 8px; }
      .root[data-screen] .switches[data-more] ~ .figure .heads-area { position: relative; }
      .root[data-screen] .figure > .state { grid-row: row; }
      .root[data-screen] .notices { grid-area: notices / 1 / auto / -1; max-width: none; width: 100%; margin: 0; padding-inline: var(--edge); }
      .root[data-screen] .notices:not(:empty) { position: sticky; bottom: 0; z-index: 6; background: var(--surface); border-top: 1px solid var(--hairline); padding-block: 8px; }
      .root[data-screen] .switch-line.added { grid-area: source / 2 / auto / 5; padding-block: 8px; }
      .root[data-screen] .source { grid-area: panel / 2 / auto / 5; }
      .root[data-screen] :is(.pin-bar, .pin-room) { grid-area: pin / 2 / auto / 5; max-width: none; width: 100%; padding-inline: 0; margin: 0; }
      /* Under the switches, where it stays in view beside the matrix too. */
      .root[data-screen] .pin-bar.pinned { top: var(--bar); grid-area: pinned / 1 / auto / -1; align-self: start; padding-inline: var(--edge); }
      .root[data-screen] .caption { grid-area: cell / 2; }
      .root[data-screen] .honest { grid-area: honest / 2; padding-inline-start: 0; }
      .root[data-screen] .as-table { grid-area: table / 2; padding-inline-start: 0; align-self: start; }
      .root[data-screen] .inspector { grid-area: cell / 4 / span 3; margin-top: 16px; }
      .root[data-screen] .heads-scroll[data-size] { display: flex; flex-wrap: wrap; gap: 8px 5px; max-height: 118px; overflow: hidden auto; padding: 4px 3px; }
      .root[data-screen] .heads-scroll[data-size] label { flex: 0 0 40px; font-size: 12px; line-height: 16px; text-align: center; }
      .root[data-screen] .heads-scroll canvas { max-height: 44px; }
      .root[data-screen] .heads-scroll .long { font-size: 0; }
      /* Two lines: the second says what a row sums to, where the title leaves it. */
      .root[data-screen] .matrix-title { flex-wrap: wrap; padding-top: 6px; height: 46px; overflow: hidden; }
      .root[data-screen] :is(.legend, .mask-tools, .axis-key, .changed-shares) { padding-inline-start: 0; }
      .root[data-screen] .changed-shares { float: inline-end; padding-top: 4px; }
      .root[data-screen] .legend { padding-top: 6px; gap: 4px 16px; justify-content: flex-start; flex-wrap: nowrap; }
      .root[data-screen] .legend .keys { gap: 12px; white-space: nowrap; margin-top: 2px; }
      .root[data-screen] .legend .keys li:last-child, .root[data-screen] .matrix:not([data-numerals]) ~ .legend .small-key { display: none; }
      .root[data-screen] .mask-tools { padding-top: 4px; }
      .root[data-screen] .corner { font-size: 12px; line-height: 15px; white-space: nowrap; }
      .root[data-screen] .sentence-box:not([data-keys]) .shares { visibility: hidden; }
      .root[data-screen] .legend .ramp-block { width: 150px; }
      .root[data-screen] .walk { --pin: var(--bar); }
      .root[data-screen] .pin.has-state ~ .walk { --pin: calc(var(--bar) + 52px); }
    }
    /* Each head with its name, where a mouse finds them as small: their heading takes the first place. */
    @media not all and (pointer: coarse) {
      @container attention (min-width: ${unsafeCSS(WIDE)}px) {
        .root[data-screen] [data-named] .heads-scroll { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 5px 8px; }
        .root[data-screen] [data-named] .heads-scroll label { display: flex; align-items: center; gap: 6px; line-height: 13px; text-align: start; font-weight: 400; }
        .root[data-screen] [data-named] label:first-child { grid-column: 2; }
        .root[data-screen] [data-named] .thumb { order: -1; flex: none; width: 26px; }
        .root[data-screen] [data-named] canvas { max-height: 26px; }
        .root[data-screen] [data-named] label[title]:not([title='']) .name { display: none; }
        .root[data-screen] [data-named] .says { display: block; }
        .root[data-screen] .heads-area[data-named] h2 { position: absolute; top: 8px; width: 31%; }
      }
    }
  }
`;
