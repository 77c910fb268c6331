// The words of the pages themselves. The build puts them into index.html, playground.html, training.html, labs.html and configure.html in English, into the element that
// names them by data-words; in another language they are put there when the page speaks it.
import { msg } from '@lit/localize';
import { type TemplateResult, html } from 'lit';

const lessonNav = () => html`<nav aria-label=${msg('This site')}><a class="skip" href="playground.html#v1&amp;parameters=designed">${msg(html`Skip <span class="wide-words">the lesson, open the playground</span>`)}</a></nav>`;

const teachNav = () => html`<nav aria-label=${msg('This site')}><a href="./#lesson">${msg('Lesson')}</a> <a href="playground.html">${msg('The playground')}</a> <a href="training.html">${msg('Training')}</a> <a href="labs.html">${msg('Labs')}</a> <a href="configure.html">${msg('Embed')}</a> <a href="teach.html" aria-current="page">${msg('Make a lesson')}</a></nav>`;

const teach = () => html`
  <h2>${msg('A lesson of your own')}</h2>
  <p>${msg('Questions, each with a state of the playground, an answer and what to try. Give the lesson away as a link or a file; the page and the element play both. It is kept in this browser alone.')}</p>`;

const playgroundNav = () => html`<nav aria-label=${msg('This page')}><a href="./#lesson">${msg('Lesson')}</a> <a href="#stage=tokens">${msg('The walk')}</a> <a href="training.html">${msg('Training')}</a> <a href="labs.html">${msg('Labs')}</a> <a href="configure.html">${msg('Embed')}</a> <a href="#how-to-read">${msg('How to read this')}</a></nav>`;

const labsNav = () => html`<nav aria-label=${msg('This site')}><a href="./#lesson">${msg('Lesson')}</a> <a href="playground.html">${msg('The playground')}</a> <a href="training.html">${msg('Training')}</a> <a href="labs.html" aria-current="page">${msg('Labs')}</a> <a href="configure.html">${msg('Embed')}</a></nav>`;

const trainingNav = () => html`<nav aria-label=${msg('This site')}><a href="./#lesson">${msg('Lesson')}</a> <a href="playground.html">${msg('The playground')}</a> <a href="training.html" aria-current="page">${msg('Training')}</a> <a href="labs.html">${msg('Labs')}</a> <a href="configure.html">${msg('Embed')}</a></nav>`;

const configureNav = () => html`<nav aria-label=${msg('This site')}><a href="./#lesson">${msg('Lesson')}</a> <a href="playground.html">${msg('The playground')}</a> <a href="training.html">${msg('Training')}</a> <a href="labs.html">${msg('Labs')}</a> <a href="configure.html" aria-current="page">${msg('Embed')}</a></nav>`;

const configure = () => html`
  <h2>${msg('A figure for your page')}</h2>
  <p>${msg(html`For courses, books, notebooks and slides: choose a figure, try it as your readers will, and copy the lines for your system. <a href="docs/embedding.md">The guide for authors</a> has the rest.`)}</p>`;

const labs = () => html`
  <h2>${msg('Labs')}</h2>
  <p>${msg('Nine figures with one idea each. They read your own sentence, and every number in them is computed here, in your browser.')}</p>
  <nav aria-label=${msg('Labs')}>
    <ol>
      <li><a href="#lab-scale">${msg('Why scores are divided by √d')}</a></li>
      <li><a href="#lab-mask">${msg('The mask')}</a></li>
      <li><a href="#lab-heads">${msg('Several heads')}</a></li>
      <li><a href="#lab-lookup">${msg('Soft lookup')}</a></li>
      <li><a href="#lab-cost">${msg('What it costs')}</a></li>
      <li><a href="#lab-order">${msg('Order')}</a></li>
      <li><a href="#lab-reach">${msg('Reach')}</a>${msg(', ', { desc: 'between the parts of a list' })}<a href="#v1&view=lab-reach&preset=show%3Dmasks">${msg('Three masks')}</a></li>
      <li><a href="#lab-numbers">${msg('Worked numbers')}</a></li>
      <li><a href="#lab-quiz">${msg('Ask yourself')}</a></li>
    </ol>
  </nav>`;

const howToRead = () => html`
  <h2>${msg('How to read this')}</h2>
  <div class="columns">
    <div>
      <h3>${msg('A row asks, a column answers')}</h3>
      <p>${msg(html`Each row of the matrix is one word of your sentence asking where to look: the <em>query</em>. Each column is a word that may be looked at: the <em>key</em>. A cell says how much of the row’s attention goes to that word. Every row adds up to 1.`)}</p>
      <p>${msg('Put the caret into a word, or choose a cell with the mouse, a finger or the arrow keys. The panel beside the matrix writes out that cell’s whole calculation.')}</p>
    </div>
    <div>
      <h3>${msg('Three switches to play with')}</h3>
      <p>${msg(html`<b>Mask.</b> A causal mask hides every later word, as in a model that writes from left to right. Hatched cells are hidden: their score is −∞ and their weight exactly 0.`)}</p>
      <p>${msg(html`<b>Heads.</b> The same numbers of each word are split among the heads. Each head compares its own part, so each finds a pattern of its own.`)}</p>
      <p>${msg(html`<b>Scale.</b> Sums of many products grow with their number. Without the division by √d<sub>k</sub>, softmax gives nearly everything to one word.`)}</p>
    </div>
    <div>
      <h3>${msg('What the numbers are')}</h3>
      <p>${msg('This is one attention layer. It computes exactly what a trained layer computes, with parameters designed by hand at first. Random ones have learnt nothing: they show how the parts work together, not what words mean.')}</p>
      <p>${msg('The same word always gets the same vector, and the same seed the same parameters, on every machine.')}</p>
    </div>
  </div>`;

const footer = () => html`
  <p><a class="add-to-lesson" href="teach.html">${msg('Make a lesson of your own')}</a></p>
  <p>${msg('Nothing leaves your browser: no server, no account, no third party. Your sentence is kept only in this page’s address, after the #, which browsers do not send.')}</p>
  <p>${msg(html`<a href="docs/page.md">The guide to the page and every switch</a>. Free software under the <a href="licence.txt">MIT licence</a>. <a href="third-party.txt">Third-party notices</a>`)}</p>`;

export const PAGE_WORDS: Readonly<Record<string, () => TemplateResult>> = {
  'lesson-nav': lessonNav, 'teach-nav': teachNav, teach, 'playground-nav': playgroundNav, 'labs-nav': labsNav, 'training-nav': trainingNav, 'configure-nav': configureNav, configure, labs, 'how-to-read': howToRead, footer,
};

/** Of the window, by the script of its page. */
export const TITLES: Readonly<Record<string, () => string>> = {
  lesson: () => msg('Attention Playground'), teach: () => msg('A lesson of your own · Attention Playground'), playground: () => msg('Attention Playground'), training: () => msg('Watch attention learn · Attention Playground'), labs: () => msg('Labs · Attention Playground'),
  configure: () => msg('A figure for your page · Attention Playground'),
};
