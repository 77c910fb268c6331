import { css } from 'lit';

export const sentence = css`
  .sentence, .switch-bar, .notices, .figure { max-width: 1248px; margin-inline: auto; padding-inline: 24px; }
  .sentence { padding-block: 24px 24px; }
  .sentence-title { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; font-size: 13px; line-height: 20px; color: var(--muted); }
  .sentence-tools { display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: flex-end; align-items: baseline; }
  .quiet { font: inherit; height: auto; padding: 0; border: 0; background: none; color: var(--muted); text-decoration: underline; text-decoration-color: var(--border); text-underline-offset: 3px; cursor: pointer; }
  .quiet:hover { color: var(--ink); }
  .quiet:disabled { color: var(--muted); opacity: 0.55; text-decoration: none; cursor: default; }
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
  /* A language model's first token stands before the text, in room that both layers keep; another may stand behind it. */
  .starts { --start: calc(1.6 * var(--size)); }
  .starts .mirror { position: relative; }
  .mirror::after { content: attr(data-end); margin-inline-start: calc(0.25 * var(--size)); }
  .starts .mirror::before { content: attr(data-start); inset-inline-start: 0; top: 0; }
  .mirror::before, .mirror::after { position: absolute; text-indent: 0; font-size: calc(0.5 * var(--size)); line-height: calc(var(--line) + 0.3 * var(--size)); color: var(--muted); }
  .plain textarea { color: var(--ink); height: 320px; overflow: auto; }
  /* As high as what can be seen of the box, and staying there: long texts scroll under it. */
  .shares { grid-area: 1 / 1; align-self: start; position: sticky; top: 0; height: 0; pointer-events: none; forced-color-adjust: none; }
  .shares canvas { position: absolute; inset-inline-start: 0; top: 0; }
  .arcs { position: absolute; inset: 0; pointer-events: none; }
  .arcs { width: 100%; height: 100%; top: var(--arc-room, var(--line)); overflow: visible; }
  .arcs path, .upright-arcs path { fill: none; stroke: var(--arcs); stroke-opacity: 0.7; }
  .arcs .chosen, .upright-arcs .chosen { stroke: var(--accent); stroke-opacity: 1; }
  .caption { min-height: 74px; padding-top: 16px; }
  .row-caption { font-size: 18px; line-height: 28px; overflow-wrap: anywhere; }
  .row-rest { color: var(--muted); }
  .problem { color: var(--error); }
  .caption .problem:not(:empty) { font-size: 18px; line-height: 28px; max-width: 70ch; }
  @container attention (max-width: 720px) { .quiet { min-height: 44px; } .sentence-title { align-items: center; } }
  @container attention (max-width: 1000px) { .caption { min-height: 96px; } }
  @container attention (max-width: 720px) {
    .sentence, .switch-bar, .notices, .figure { padding-inline: 16px; }
    .sentence { padding-block: 16px; }
    .sentence-box { --size: 24px; max-height: 360px; }
    .caption { min-height: 144px; }
  }
`;
