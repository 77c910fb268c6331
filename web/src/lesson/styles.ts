// How a lesson looks: serif for language, sans for the machine; the same places before and after an answer.
import { css } from 'lit';

export const lessonStyles = css`
  .root { --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif; overflow-x: clip; }
  /* The page of the lesson is as high as the screen. */
  .root.whole { display: flex; flex-direction: column; flex: 1 0 auto; }
  .root.whole > .lesson { flex: 1 0 auto; width: 100%; }
  .lesson { display: flex; flex-direction: column; box-sizing: border-box; max-width: 1248px; margin-inline: auto; padding-inline: 24px; font-size: 16px; line-height: 24px; }
  .lesson :where(button, a.go) { font: inherit; color: inherit; }
  .rail ol { list-style: none; margin: 0; padding: 0; display: flex; gap: 16px; }
  /* A long question has room for two lines. */
  .rail li { flex: calc(10 + var(--letters)) 1 0; min-width: 0; }
  .rail button { display: flex; gap: 8px; width: 100%; min-height: 52px; padding: 8px 0 0; border: 0; border-top: 3px solid var(--hairline); background: none; font-size: 14px; line-height: 18px; color: var(--muted); text-align: start; cursor: pointer; align-items: flex-start; }
  .rail button.done { border-color: var(--muted); }
  .rail button.here { border-color: var(--ink); color: var(--ink); font-weight: 700; }
  .rail .count { display: none; }
  .step { flex: 1 0 auto; display: flex; flex-direction: column; padding-block: 16px; }
  .ask { display: grid; max-width: 740px; }
  .ask-part { grid-area: 1 / 1; visibility: hidden; }
  .ask-part[data-here] { visibility: visible; }
  .ask h2 { font: 700 36px/44px var(--serif); letter-spacing: -0.003em; outline: none; text-wrap: balance; }
  .lead { font-size: 18.5px; line-height: 29px; padding-top: 8px; }
  .ask-part > [data-coming] { visibility: hidden; }
  .choices { display: flex; flex-wrap: wrap; gap: 12px; padding-top: 16px; }
  .choice, .outlined, .go, .back { min-height: 44px; padding: 8px 20px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); cursor: pointer; }
  /* Its mark lies in the padding: an answer moves no button. */
  .lesson .choice { position: relative; padding-inline: 24px; }
  .choice .mark { position: absolute; inset-inline-end: 4px; }
  .lesson .outlined { font-weight: 700; }
  .link { min-height: 44px; padding: 0; border: 0; background: none; text-decoration: underline; text-underline-offset: 4px; text-decoration-color: var(--border); color: var(--muted); cursor: pointer; }
  .stage { flex: 1 1 auto; display: flex; flex-direction: column; justify-content: flex-end; min-width: 0; padding-top: 12px; }
  .step-figure { flex: 1 1 auto; min-width: 0; }
  .step-figure attention-playground::part(root) { border: 0; border-radius: 0; padding: 0; overflow: visible; }
  .step-figure attention-playground::part(lab) { min-height: 0; padding: 0; }
  .step-figure[data-view='stage'] { --row-least: 340px; }
  .step-figure[data-view='stage'] attention-playground::part(root) { height: clamp(440px, calc(100dvh - 406px), 640px); }
  /* What is above it takes more lines in Spanish. */
  @media (min-height: 881px) { .step-figure:lang(es)[data-view='stage'] attention-playground::part(root) { height: clamp(440px, calc(100dvh - 430px), 640px); } }
  .step-figure[data-view='model'] attention-playground::part(root) { height: auto; }
  .lesson[data-kind='figure'] :is(.ask, .lead) { max-width: 1000px; }
  .lesson[data-kind='figure'] .foot { min-height: 0; }
  .lesson[data-kind='figure'] .step { padding-block: 16px 8px; }
  .lesson[data-kind='figure'] .stage { padding-top: 4px; }

  .door { position: relative; padding-top: clamp(96px, 19vh, 168px); padding-bottom: 104px; }
  .sentence { font-family: var(--serif); font-size: 46px; line-height: 1.18; white-space: nowrap; width: max-content; min-width: 100%; }
  .word { position: relative; display: inline-block; padding: 0; border: 0; background: none; color: inherit; line-height: inherit; vertical-align: top; }
  .lesson button.word { font: inherit; color: inherit; cursor: pointer; border-radius: 6px; }
  button.word::before { content: ''; position: absolute; inset: -2px -5px -12px; border-radius: 6px; }
  .word .own { display: block; }
  .word.query { color: var(--accent); }
  /* It asks, and is not to be chosen. */
  .door:not([data-shown]) .word.query .own { --asked: color-mix(in srgb, var(--accent) 9%, transparent); border-radius: 2px; box-shadow: 0 0 0 4px var(--asked); background: var(--asked); }
  .door:not([data-shown]) .word.query .bar { background: none; }
  .word.later { color: var(--muted); }
  .bar { display: block; height: 2px; margin: 7px 1px 0; background: var(--border); }
  .door[data-shown] .bar { background: var(--hairline); }
  .bar.filled { height: 7px; margin-block: 7px -5px; }
  .word.later .bar { height: 8px; margin-block: 7px -6px; background: var(--hatching); }
  .share, .guess { position: absolute; top: calc(100% + 10px); left: 50%; translate: -50% 0; font: 16px/22px var(--attention-font, system-ui, sans-serif); color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .share.some { color: var(--ink); }
  .share.most { font-size: 23px; font-weight: 700; color: var(--accent); background: var(--paper); z-index: 1; }
  .guess { top: calc(100% + 40px); }
  .looks-back { position: absolute; bottom: calc(100% + 22px); left: 50%; translate: calc(-50% + var(--aside, 0px)) 0; font: 16px/22px var(--attention-font, system-ui, sans-serif); white-space: nowrap; }
  .looks-back::after { content: ''; position: absolute; top: calc(100% + 2px); left: calc(50% - var(--aside, 0px)); height: 18px; border-left: 2px solid var(--accent); }
  .later-words { position: relative; display: inline-block; }
  .hidden-note { position: absolute; inset-inline-end: 0; top: calc(100% + 10px); white-space: normal; min-width: 84px; text-align: end; font: 16px/22px var(--attention-font, system-ui, sans-serif); color: var(--muted); }
  .door-arcs { position: absolute; inset: 0; pointer-events: none; }
  .arc-way { position: absolute; overflow: hidden; }
  .arc-way svg { --way: -1; display: block; }
  .arc { fill: none; stroke: var(--arcs); stroke-linecap: round; }
  .arc.most { stroke: var(--accent); }
  .arc.tip { fill: var(--arcs); stroke: none; }
  .arc.most.tip { fill: var(--accent); }
  @media (prefers-reduced-motion: no-preference) {
    .arc-way, .arc-way svg { animation: uncovers 700ms ease-in-out; }
    .share, .guess { animation: appears 900ms; }
    .step-figure, .lesson[data-kind='door'] .sentence { animation: fades 200ms; }
  }
  /* The box goes one way and what is in it the other, so that it stays in its place: the browser does so without painting. */
  @keyframes uncovers { from { transform: translate(calc(var(--way, 1) * var(--x)), calc(var(--way, 1) * var(--y))); } }
  @keyframes appears { 0%, 77% { opacity: 0; } }
  @keyframes fades { from { opacity: 0; } }

  .door[data-wrapped] { padding-block: 10px 0; }
  .door[data-wrapped] .sentence { white-space: normal; width: auto; font-size: 28px; line-height: 32px; }
  .door[data-wrapped] .word { margin-block-end: 32px; }
  .door[data-wrapped] .share:not(.some, .most) { display: none; }
  .door[data-wrapped] .share.most { font-size: 21px; background: none; }
  /* Before the arrow that points to the word's end. */
  .door[data-wrapped] .share { inset: calc(100% + 5px) calc(min(18px, 25%) + 14px) auto auto; translate: none; line-height: 20px; }
  /* Over the arrow, where a word is too short for both. */
  .door[data-stacked] .word { margin-block-end: 54px; }
  .door[data-stacked] .share { inset: calc(100% + 6px) auto auto 50%; translate: -50% 0; font-size: 15px; }
  .door[data-stacked] .share.most { font-size: 17px; }
  .door[data-wrapped] .guess { display: none; }
  .door[data-wrapped] .looks-back { inset-block: calc(100% + 5px) auto; font-size: 14px; line-height: 20px; }
  .door[data-wrapped] .looks-back::after { inset-block: -7px auto; height: 7px; }
  .door[data-wrapped] .later-words { display: inline; }
  .door[data-wrapped] .hidden-note { position: static; display: block; text-align: start; margin-top: -8px; font-size: 14px; line-height: 20px; }
  .door[data-stacked] .hidden-note { margin-top: -30px; }

  .foot { min-height: 176px; border-top: 1px solid transparent; }
  .foot[data-open] { border-top-color: var(--hairline); padding-top: 14px; }
  .columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px 88px; }
  .columns h3 { font: 700 19px/28px var(--serif); }
  .columns p { max-width: 62ch; }
  .either { display: grid; }
  .either > * { grid-area: 1 / 1; }
  .either > [aria-hidden] { visibility: hidden; }
  .ways { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; padding-top: 10px; }
  .write { display: flex; flex-wrap: wrap; gap: 8px 16px; padding-top: 8px; width: 100%; }
  .own-sentence { flex: 1 1 260px; min-height: 44px; min-width: 0; padding: 4px 12px; border: 1px solid var(--border); border-radius: 6px; background: var(--paper); color: inherit; font: 18px/28px var(--serif); resize: none; }
  .hint, .note { color: var(--muted); }
  .lesson-problem { color: var(--error); padding-block: 8px; }

  .footer { position: sticky; bottom: 0; display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 76px; background: var(--paper); z-index: 2; }
  .footer::before { content: ''; position: absolute; inset: 0 -50vw auto; border-top: 1px solid var(--hairline); }
  .footer > * { position: relative; }
  .lesson .go { display: inline-block; font-weight: 700; text-decoration: none; }
  .go.primary { background: var(--ink); border-color: var(--ink); }
  .lesson .go.primary { color: var(--paper); }
  .back:disabled { color: var(--muted); border-color: var(--hairline); cursor: default; }
  .keys { color: var(--muted); font-size: 15px; line-height: 22px; text-align: center; }
  kbd { display: inline-block; min-width: 28px; padding: 0 7px; border: 1px solid var(--border); border-radius: 4px; font: 600 13px/22px var(--attention-font, system-ui, sans-serif); color: var(--ink); text-align: center; }

  @media (max-height: 800px), (max-height: 880px) and (min-width: 1001px) {
    .step { padding-block: 6px 8px; }
    .ask h2 { font-size: 32px; line-height: 38px; }
    .choices { gap: 8px; padding-top: 8px; }
    .lead { font-size: 17px; line-height: 26px; padding-top: 4px; }
    .door { padding-top: clamp(72px, 14vh, 112px); padding-bottom: 92px; }
    .footer { min-height: 56px; }
    .foot { min-height: 152px; }
    .lesson:not([data-presenter]) .rail button { min-height: 47px; }
    .lesson[data-kind='figure'] .step { padding-block: 6px 0; }
    .lesson[data-kind='figure'] .lead { font-size: 16px; line-height: 23px; }
    .lesson[data-kind='figure'] :is(.ask, .lead):lang(es) { max-width: none; }
    .step-figure[data-view='stage'] attention-playground::part(root) { height: clamp(380px, calc(100dvh - 320px), 640px); }
    .foot[data-open] { padding-top: 8px; }
    .columns, .columns p { font-size: 15px; line-height: 22px; }
    .ways { padding-top: 4px; }
    .lesson[data-kind='figure'] :is(.columns h3, .columns h3 + p) { display: inline; }
    .lesson[data-kind='figure'] .columns { grid-template-columns: minmax(0, 5fr) minmax(0, 3fr); gap: 4px 40px; }
    .lesson[data-kind='figure'] .columns p { max-width: none; }
    .lesson[data-kind='figure'] .columns h3 { font: inherit; font-weight: 700; margin-inline-end: 0.3em; }
  }

  @container attention (max-width: 1000px) {
    .rail ol { gap: 6px; }
    .rail li { flex-grow: 1; }
    .rail :is(.number, .name) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .lesson:not([data-presenter]) .rail button { min-height: 28px; border-top-width: 4px; }
    .rail .count { display: block; font-size: 14px; line-height: 20px; color: var(--muted); margin-top: -18px; pointer-events: none; position: relative; background: var(--paper); width: max-content; padding-inline-end: 8px; }
    .keys { display: none; }
    .columns { gap: 12px 40px; }
  }
  @container attention (max-width: 640px) {
    .lesson { padding-inline: 20px; }
    .step { padding-block: 2px 8px; }
    .ask h2 { font-size: 21px; line-height: 26px; text-wrap: wrap; }
    .lead { font-size: 16px; line-height: 23px; padding-top: 4px; }
    .choices { gap: 8px; padding-block: 10px 8px; }
    .columns, .lesson[data-kind] .columns { grid-template-columns: minmax(0, 1fr); gap: 4px; }
    .columns, .columns p, .lesson .ways button { font-size: 14.5px; line-height: 20px; }
    .columns h3, .columns h3 + p { display: inline; }
    .columns h3 { font: inherit; font-weight: 700; margin-inline-end: 0.3em; }
    .ways { padding-top: 0; gap: 0 14px; }
    .ways .outlined { padding-inline: 12px; }
    .foot { min-height: 190px; }
    .foot[data-open] { padding-top: 4px; }
    .stage { justify-content: flex-start; padding-top: 4px; }
    .step-figure[data-view='stage'] attention-playground::part(root) { height: auto; }
    .choice { padding-inline: 20px; }
    .back-word, .next-word { display: none; }
    .lesson .go { flex: 1; text-align: center; font-size: 15px; line-height: 18px; padding: 3px 12px; align-content: center; }
    .footer { box-sizing: border-box; min-height: 64px; padding-block: 8px; }
    .lesson[data-kind='figure'] .step { padding-block: 2px 0; }
    .lesson[data-kind='figure'] .lead { font-size: 15px; line-height: 20px; padding-top: 2px; }
    .lesson[data-kind='figure'] .choices { padding-block: 6px 2px; }
    .lesson[data-kind='figure'] .choice { font-size: 15px; padding-inline: 9px 14px; }
    .lesson[data-kind='figure'] .choice .mark { inset-inline-end: 1px; font-size: 14px; }
    .lesson[data-kind='figure'] :is(.columns, .columns p) { font-size: 14px; line-height: 18px; gap: 4px; }
    .lesson[data-kind='figure'] .foot[data-open] { padding-block: 5px 2px; }
  }
`;
