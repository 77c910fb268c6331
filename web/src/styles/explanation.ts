import { css } from 'lit';

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
