// A lesson on a projector, designed for 1280 × 720: what is read from afar, and nothing that is set. Loaded behind the first
// screen, with the styles that it can do without.
import { css } from 'lit';

/** The largest type of a title, and the smallest on one line: a longer one takes two. */
const [LARGEST, SMALLEST] = [54, 42];

/** Each title on one line where it can be; its line stays as high, on the same baseline. */
export function fitTitles(root: ParentNode, isPresenter: boolean): void {
  for (const title of root.querySelectorAll<HTMLElement>('.ask h2')) {
    const words = title.firstElementChild as HTMLElement;
    words.style.fontSize = title.style.whiteSpace = '';
    if (!isPresenter) continue;
    const size = Math.floor((LARGEST * title.clientWidth) / Math.max(1, words.offsetWidth));
    if (size >= LARGEST) continue;
    if (size >= SMALLEST) words.style.fontSize = `${size}px`;
    else title.style.whiteSpace = 'normal';
  }
}

export const presenterStyles = css`
  /* A larger screen shows the same, larger. */
  :host([data-presenter]) { zoom: var(--zoom, 1); min-height: calc(100dvh / var(--zoom, 1)) !important; }
  @media (min-width: 1600px) and (min-height: 900px) { :host([data-presenter]) { --zoom: 1.25; } }
  @media (min-width: 1900px) and (min-height: 1060px) { :host([data-presenter]) { --zoom: 1.5; } }

  .lesson[data-presenter] { padding-inline: 48px; max-width: none; }
  .lesson[data-presenter] .rail { padding-top: 28px; }
  .lesson[data-presenter] .rail :is(.number, .name) { display: none; }
  .lesson[data-presenter] .rail li { flex-grow: 1; }
  .lesson[data-presenter] .rail button { min-height: 12px; border-top-width: 6px; }
  .lesson[data-presenter] .step.step { padding-block: 12px 0; }
  .lesson[data-presenter] .ask { grid-template-columns: minmax(0, 1fr); }
  .lesson[data-presenter] :is(.ask, .ask .lead) { max-width: none; }
  .lesson[data-presenter] .ask h2 { font-size: 54px; line-height: 60px; white-space: nowrap; text-wrap-style: auto; }
  .lesson[data-presenter] .ask h2 > span { line-height: 1; }
  .lesson[data-presenter] .ask .lead { font-size: 30px; line-height: 40px; padding-top: 4px; }
  .lesson[data-presenter] .door { padding-top: clamp(100px, 20vh / var(--zoom, 1), 240px); padding-bottom: 66px; }
  .lesson[data-presenter] :is(.share, .hidden-note) { font-size: 22px; }
  .lesson[data-presenter] .hidden-note[data-one] { inset-inline: 0 auto; min-width: 9em; text-align: start; }
  .lesson[data-presenter] .looks-back { font-size: 20px; line-height: 26px; }
  .lesson[data-presenter] .share.most { font-size: 34px; line-height: 36px; }
  .lesson[data-presenter] :is(.try, .hint, .back, .go, .guess, .why h3) { display: none; }
  .lesson[data-presenter] .columns.columns { grid-template-columns: minmax(0, 1fr); }
  .lesson[data-presenter] .why p { font-size: 24px; line-height: 34px; max-width: none; }
  .lesson[data-presenter] .why p:lang(es) { font-size: 22px; line-height: 30px; }
  .lesson[data-presenter] .note { font-size: 20px; line-height: 26px; }
  .lesson[data-presenter] .choices { padding-top: 8px; }
  .lesson[data-presenter] .choice { font-size: 22px; line-height: 28px; padding-block: 6px; }
  .lesson[data-presenter] .footer { justify-content: center; min-height: 56px; }
  .lesson[data-presenter] .keys { display: block; font-size: 20px; line-height: 28px; }
  .lesson[data-presenter] kbd { font-size: 16px; line-height: 24px; }
  .lesson[data-presenter] .foot { min-height: 128px; }
  .lesson[data-presenter][data-kind='figure'] .ask .lead { font-size: 28px; line-height: 36px; }
  .lesson[data-presenter] .step-figure[data-view='stage'] { --row-least: 0px; }
  .lesson[data-presenter] .step-figure[data-view='stage'] attention-playground::part(root) { height: calc(100dvh / var(--zoom, 1) - 344px); }
  /* The figure's own question: what is seen in it comes in the place of what was said before. */
  .lesson[data-presenter] .step[data-asks] .lead { box-sizing: border-box; min-height: 112px; }
  .lesson[data-presenter][data-shown] .step[data-asks] .lead { display: none; }
  .lesson[data-presenter] .step[data-step='trained'] .foot { display: none; }

  /* Of every lesson, once it is used. */
  button.word:is(:hover, :focus-visible)::before { box-shadow: 0 0 0 2px var(--accent); }
  button.word:focus-visible { outline: none; }
  .rail button:hover { color: var(--ink); }
  .link:hover, .lesson .link:hover { color: var(--ink); }
  .choice[data-guess] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
  .choice:disabled { cursor: default; color: var(--ink); opacity: 1; }
`;
