import { css } from 'lit';

/** What must stand before the rest of the page has come. */
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
  @container attention (max-width: 1060px) { .root[data-view] .switch-room { min-height: 136px; } }
  @container attention (min-width: 865px) { .root[data-view]:lang(zh) .switch-room { min-height: 64px; } }
  @media (pointer: coarse) {
    .root[data-view] .switch-room { min-height: 74px; }
    @container attention (max-width: 1150px) { .root[data-view] .switch-room { min-height: 156px; } }
    @container attention (min-width: 965px) { .root[data-view]:lang(zh) .switch-room { min-height: 74px; } }
  }
  @container attention (max-width: 720px) {
    .root[data-view] .switch-room { min-height: 160px; }
  }
  @container attention (max-width: 670px) { .root[data-view]:not(:lang(zh)) .switch-room { min-height: 242px; } }
  @container attention (max-width: 490px) { .root[data-view]:not(:lang(zh)) .switch-room { min-height: 324px; } }
  @container attention (max-width: 555px) { .root[data-view]:lang(zh) .switch-room { min-height: 242px; } }
  @container attention (max-width: 415px) { .root[data-view]:lang(zh) .switch-room { min-height: 324px; } }
  .plain { font: inherit; font-size: 13px; line-height: 20px; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; text-align: start; }
  .plain:hover { text-decoration: underline; text-underline-offset: 3px; }
  .plain:disabled { color: var(--muted); cursor: default; text-decoration: none; }
  @container attention (max-width: 720px) {
    .caption { min-height: 192px; }
    .plain { min-height: 44px; }
  }
  @container attention (max-width: 340px) { .root:lang(es) .caption { min-height: 212px; } }
`;
