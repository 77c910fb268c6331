import { css } from 'lit';

/** What must stand before the rest of the page has come. */
export const belowStyles = css`
  /* The room that the walk and what follows it will take: what is below must not move away under the pointer. */
  .walk:empty { min-height: 2310px; }
  .walk { contain-intrinsic-block-size: auto 2150px; }
  .walk.away { content-visibility: hidden; }
  @container attention (max-width: 1100px) { .walk:empty { min-height: 2420px; } }
  .senses-section:empty { min-height: 86px; }
  .plain { font: inherit; font-size: 13px; line-height: 20px; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; text-align: start; }
  .plain:hover { text-decoration: underline; text-underline-offset: 3px; }
  .plain:disabled { color: var(--muted); cursor: default; text-decoration: none; }
  @container attention (max-width: 720px) {
    .walk:empty { min-height: 3630px; }
    .plain { min-height: 44px; }
  }
`;
