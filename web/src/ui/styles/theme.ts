// Colours and type. Whoever embeds the element may set any --attention-* variable.
import { css, unsafeCSS } from 'lit';
import { SIGNED_STOPS, WEIGHT_STOPS, rampGradient } from '../../lib/colour.ts';

export const theme = css`
  /* A page that resets everything leaves the element its layout by width. */
  :host { display: block; container: attention / inline-size !important; }
  :host([hidden]) { display: none; }
  /* Of what the page around it hands down: its direction, and whether it is seen and reached; a page may restyle everything. */
  .root {
    all: initial; visibility: inherit; pointer-events: inherit;
    display: block; box-sizing: border-box;
    font-family: var(--attention-font, system-ui, sans-serif);
    font-size: 15px;
    line-height: 22px;
    text-align: start;
    /* What people read and write, unlike what the machine says. */
    --language-font: var(--attention-font, "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif);
    --paper: var(--attention-paper, #fdfcf9);
    --surface: var(--attention-surface, #f6f4ee);
    --ink: var(--attention-ink, #1b1d22);
    --muted: var(--attention-muted, #5b5f68);
    --accent: var(--attention-accent, #b8321a);
    --border: var(--attention-border, #8a8c90);
    --hairline: var(--attention-hairline, #d9d6cd);
    --arcs: var(--attention-arcs, #4a5570);
    --hatch: var(--attention-hatch, #b9b6ae);
    --error: var(--attention-error, #8f1d0d);
    --above: #1f6f50;
    --below: #5b3f9a;
    --ramp: ${unsafeCSS(rampGradient(WEIGHT_STOPS.light))};
    --signed-ramp: ${unsafeCSS(rampGradient(SIGNED_STOPS.light))};
    color-scheme: light;
    color: var(--ink);
    background: var(--paper);
  }
  /* What waits for its words takes a screen: nothing is seen below it that would have to move. */
  .root:empty:not([data-view]) { min-height: var(--attention-room, max(30rem, 100vh)); }
  .root[data-theme='dark'] {
    --paper: var(--attention-paper, #15171b);
    --surface: var(--attention-surface, #1c1f25);
    --ink: var(--attention-ink, #ebe8e0);
    --muted: var(--attention-muted, #a3a6ad);
    --accent: var(--attention-accent, #ff8f70);
    --border: var(--attention-border, #7a7e87);
    --hairline: var(--attention-hairline, #34373e);
    --arcs: var(--attention-arcs, #9aa7c7);
    --hatch: var(--attention-hatch, #50545e);
    --error: var(--attention-error, #ffb4a0);
    --above: #7fd4b0;
    --below: #a692e8;
    --ramp: ${unsafeCSS(rampGradient(WEIGHT_STOPS.dark))};
    --signed-ramp: ${unsafeCSS(rampGradient(SIGNED_STOPS.dark))};
    color-scheme: dark;
  }
  *, *::before, *::after { box-sizing: border-box; }
  p, h2, h3, fieldset, legend, ul, table, details { margin: 0; padding: 0; border: 0; }
  sub { font-size: 0.72em; line-height: 0; }
  b, strong { font-weight: 700; }
  [hidden] { display: none !important; }
  .muted { color: var(--muted); }
  .accent { color: var(--accent); }
  span.word:lang(zh) { margin-inline: 0.15em; }
  .place { color: var(--muted); font-weight: 400; margin-inline-start: 1px; }
  .small-heading { font-size: 13px; line-height: 20px; font-weight: 400; color: var(--muted); }
  .small-heading b { color: var(--ink); }
  .unseen {
    position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap;
  }
  .hatched, .masked { --hatching: repeating-linear-gradient(135deg, var(--hatch) 0 1px, transparent 1px 4px); }
  summary { cursor: pointer; color: var(--muted); font-size: 13px; line-height: 20px; padding: 4px 0; width: fit-content; }
  summary:hover { color: var(--ink); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  :focus:not(:focus-visible) { outline: none; }
`;

/** Where a finger points: every control takes it, whatever the width of the screen. */
export const touchStyles = css`
  .nudge { display: none; }
  @media (pointer: coarse) {
    .nudge { display: flex; gap: 8px; min-block-size: 44px; padding-block: 8px; }
    [role='gridcell'] { pointer-events: auto; touch-action: none; }
    /* As large as a finger, around a cell that may be small. */
    [role='gridcell']::before { content: ''; position: absolute; inset: 50% auto auto 50%; translate: -50% -50%; width: max(100%, 44px); height: max(100%, 44px); }
    :is(button, select, .field, .outlined, .plain, .quiet, .chip, .more, .operand, .head-name, .add-row) { min-height: 44px; min-width: 44px; }
    .mask-tools { min-height: 52px; }
    summary { min-height: 44px; min-width: 44px; padding-block: 11px; }
    :is(.segments, .segment > span) { min-height: 46px; }
    .segment > span { min-width: 46px !important; }
    input[type='range'] { height: 44px; }
  }
`;
