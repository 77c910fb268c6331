import { css } from 'lit';

export const mathStyles = css`
  math { font-size: 1.05em; }
  /* Chromium lowers a subscript as the font's mathematical table says, and few fonts have one: W_Q would read as W·Q. */
  math msub, math msub > * { display: inline-block; }
  math msub > :last-child { vertical-align: -0.25em; line-height: 1; }
`;
