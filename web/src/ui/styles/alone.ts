// A single figure in another page: a box of known height, so that nothing below it moves.
import { css, unsafeCSS } from 'lit';
import { PAPER_WIDTH } from '../kit/printing.ts';

export const viewStyles = css`
  .root[data-view] {
    --room: 30rem;
    display: flex; flex-direction: column; height: var(--attention-height, var(--room)); overflow: hidden auto; scrollbar-width: thin;
    border: 1px solid var(--hairline); border-radius: 8px; padding: 12px 16px 8px;
  }
  .root[data-view='tokens'] { --room: 21rem; }
  .root[data-view='arcs'] { --room: 36rem; }
  .root[data-view='heads'] { --room: 36rem; }
  .root[data-view='matrix'] { --room: 50rem; }
  .root[data-view='cell'] { --room: 44rem; }
  .root[data-view='pipeline'] { --room: 48rem; }
  .root[data-view='stage'] { --room: 54rem; }
  .root[data-view='model'] { --room: 64rem; }
  .root[data-view] .model { max-width: none; padding: 0; }
  .root[data-controls='none'][data-view='tokens'] { --room: 8rem; }
  .root[data-controls='none'][data-view='arcs'] { --room: 22rem; }
  .root[data-controls='none'][data-view='heads'] { --room: 17rem; }
  .root[data-controls='none'][data-view='matrix'] { --room: 34rem; }
  .root[data-controls='none'][data-view='cell'] { --room: 30rem; }
  .root[data-controls='none'][data-view='stage'] { --room: 40rem; }
  .root[data-view] > * { flex: none; }
  .root[data-waiting] > * { visibility: hidden; }
  .root[data-waiting] .state { visibility: visible; }
  .root[data-view] :is(.sentence, .switches, .switch-bar, .notices, .figure, .walk) { max-width: none; padding-inline: 0; margin-inline: 0; }
  .root[data-view] .sentence { padding-block: 0 12px; }
  .root[data-view] .sentence-box { --size: 24px; --line: calc(var(--size) + 28px); max-height: 240px; }
  .root[data-view='arcs'] .sentence-box { --arc-room: 96px; max-height: 300px; }
  .root[data-view='model'] .sentence-box { --arc-room: 84px; }
  .root[data-view] .caption { min-height: 52px; padding-top: 8px; }
  @container attention (max-width: 720px) { .root[data-view] .caption { min-height: 96px; } }
  .root[data-view] .row-caption { font-size: 15px; line-height: 22px; }
  .root[data-view] .switches { background: none; border-block-start: 0; padding-block: 0 12px; }
  .root[data-view][data-controls='none'] .switches { border: 0; padding-block: 0; }
  .root[data-view] .figure { padding-block: 12px 0; flex: 1 0 auto; min-height: 0; display: flex; flex-direction: column; }
  .root[data-view] .state { min-height: 0; padding-top: 32px; }
  .root[data-view] .figure-grid { display: block; }
  .root[data-view] :is(.honest, .as-table) { padding-inline-start: 0; }
  .root[data-view] .legend { padding-top: 8px; }
  .root[data-view] :is(.as-table, .mask-tools) { display: none; }
  .root[data-view][data-controls='all'] :is(.as-table, .mask-tools) { display: revert; }
  .root[data-view] .heads-scroll {
    display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); max-height: none; overflow: visible; gap: 12px;
  }
  .root[data-view='arcs'] .heads-scroll { grid-template-columns: repeat(auto-fill, minmax(64px, 88px)); }
  .root[data-view] :is(.inspector, .explanation) { border: 0; border-radius: 0; margin: 0; padding: 0; min-height: 0; max-width: 640px; --paper: inherit; background: none; position: static; }
  .root[data-view] .inspector { display: block; }
  .root[data-view] .walk { padding-block: 0; }
  .root[data-view] .walk::before { display: none; }
  .root[data-view] .walk:empty { min-height: 0; }
  .open-link { padding: 8px 0 0; font-size: 13px; line-height: 20px; text-align: end; }
  .root:not([data-view]) > .open-link { max-width: 1248px; margin-inline: auto; padding: 8px 24px 16px; }
  .open-link a { color: var(--muted); }
  .root[data-view] .open-link { margin-top: auto; }
  @container attention (max-width: 560px) {
    .root[data-view='tokens'] { --room: 34rem; }
    .root[data-view='arcs'] { --room: 48rem; }
    .root[data-view='heads'] { --room: 52rem; }
    .root[data-view='matrix'] { --room: 56rem; }
    .root[data-view='stage'] { --room: 64rem; }
    .root[data-controls='none'][data-view='tokens'] { --room: 14rem; }
    .root[data-controls='none'][data-view='arcs'] { --room: 32rem; }
    .root[data-controls='none'][data-view='heads'] { --room: 26rem; }
  }
  :host([data-printing]) { inline-size: ${unsafeCSS(PAPER_WIDTH)}px; }
  :host([data-printing]) .root { --paper: #fff; --surface: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  @media print { .root[data-view] { height: auto; overflow: visible; } .sentence-box { max-height: none !important; overflow: visible !important; } .open-link { display: none; } }

  /* A lesson takes the height that it needs; most of its steps fit into this. */
  .lesson-place { min-height: 57rem; }
  .lesson-place[data-waiting] > * { visibility: hidden; }

  /* Labs take the height that they need; the shorter ones keep room for it, and of the others nobody sees the end at first. */
  .lab { max-width: 1248px; margin-inline: auto; padding: 24px 24px 40px; min-height: 1728px; }
  .lab.waiting { height: 1728px; overflow: hidden; }
  .lab.waiting > * { visibility: hidden; }
  .lab:is([data-lab$='scale'], [data-lab$='lookup'], [data-lab$='cost']) { min-height: 1456px; height: auto; }
  .lab[data-lab$='numbers'] { min-height: 1216px; height: auto; }
  .lab[data-lab$='quiz'] { min-height: 800px; height: auto; }
  .lab[data-lab='training'] { min-height: 1180px; height: auto; }
  @container attention (min-width: 760px) {
    .lab:is([data-lab$='lookup'], [data-lab$='cost'], [data-lab$='order']) { min-height: 1288px; height: auto; }
    .lab[data-lab$='scale'] { min-height: 960px; }
    .lab[data-lab$='numbers'] { min-height: 816px; }
    .lab[data-lab$='quiz'] { min-height: 640px; }
  }
`;
