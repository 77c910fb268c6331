import { css } from 'lit';

export const pinStyles = css`
  .pin { display: contents; }
  .pin-bar { max-width: 1248px; margin-inline: auto; padding: 8px 24px; font-size: 13px; line-height: 20px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; min-height: 52px; background: var(--paper); }
  /* In view wherever the matrices are. */
  .pin-bar.pinned { position: sticky; top: 0; z-index: 6; box-shadow: 0 1px 0 var(--hairline); }
  .outlined { font: inherit; color: var(--ink); background: none; border: 1px solid var(--border); border-radius: 6px; height: 32px; min-width: 36px; padding-inline: 10px; cursor: pointer; }
  .outlined:hover { border-color: var(--ink); }
  .pinned-line { color: var(--muted); font-size: 13px; line-height: 20px; }
  .pinned-line b { color: var(--ink); }
  /* Not by :has() of the root: for that, a key would have the browser look through all of the page. */
  .pin.has-state ~ .walk { --pin: 52px; }
  @container attention (max-width: 720px) {
    .pin.has-state ~ .walk { --pin: 88px; }
    .pin-bar { padding: 8px 16px; }
    /* One line, or it would cover too much. */
    .pin-words { flex-basis: 100%; white-space: nowrap; overflow: auto hidden; scrollbar-width: none; }
    .outlined { height: 44px; min-width: 44px; }
  }
`;
