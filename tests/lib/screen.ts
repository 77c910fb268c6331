// What a reader sees, as text. `readScreen` runs inside the page: it may use nothing from outside itself.

export interface RowLine { word: string; score: string; exp: string; weight: string; chosen: boolean }
export interface TermLine { q: string; k: string; product: string; sum: string }

export interface Screen {
  caption: string;
  rest: string;
  problem: string;
  state: string;
  notices: string;
  figure: boolean;
  effects: Record<string, string>;
  tokenCount: string;
  title: string;
  words: string;
  /** The weight beside the two words. */
  weight: string;
  score: string;
  scoreWork: string;
  products: string;
  scaled: string;
  scaledWork: string;
  masked: string;
  maskedWork: string;
  softmaxWork: string;
  exp: string;
  expSum: string;
  softmax: string;
  row: RowLine[];
  rowFoot: string[];
  terms: TermLine[];
  /** The table of the head's weights, when it is open. */
  table: string[][];
  label: string;
  query: number;
  key: number;
  head: number;
  heads: number;
  rowLabels: string[];
  columnLabels: string[];
}

export function readScreen(): Screen {
  const root = document.querySelector('attention-playground')?.shadowRoot as ShadowRoot;
  const shown = (element: Element | null | undefined) =>
    element instanceof HTMLElement && element.checkVisibility({ visibilityProperty: true }) ? element.innerText.trim() : '';
  const text = (selector: string) => shown(root.querySelector(selector));
  const all = (selector: string) => [...root.querySelectorAll(selector)];
  const step = (stage: string) => root.querySelector(`.step > [data-stage=${stage}]`)?.parentElement;
  const result = (stage: string) => shown(step(stage)?.querySelector('.step-result'));
  const work = (stage: string) => shown(step(stage)?.querySelector('.step-work'));
  // Cell by cell, innerText would lay the page out hundreds of times.
  const lines = (selector: string) => {
    const table = root.querySelector(selector);
    return table?.checkVisibility({ visibilityProperty: true }) ? [...table.querySelectorAll('tr:not(.spacer)')] : [];
  };
  const cells = (line: Element) => [...line.children].map((cell) => cell.textContent?.trim() ?? '');
  const at = (selector: string, name: string) => Number(root.querySelector(selector)?.getAttribute(name)) - 1;
  return {
    caption: text('.row-caption'),
    rest: text('.row-rest'),
    problem: text('#problem'),
    state: text('.state'),
    notices: text('.notices'),
    figure: root.querySelector('.figure-grid .matrix-area')?.checkVisibility() === true,
    effects: Object.fromEntries(all('[data-setting]').map((field) => [field.getAttribute('data-setting'), shown(field.querySelector('.effect'))])),
    tokenCount: text('.sentence-title .muted'),
    title: text('.cell-title .pair'),
    words: text('.cell-words'),
    weight: text('.cell-title .value'),
    score: result('scores'),
    scoreWork: work('scores'),
    products: text('.step-note'),
    scaled: result('scaled_scores'),
    scaledWork: work('scaled_scores'),
    masked: result('masked_scores'),
    maskedWork: work('masked_scores'),
    softmaxWork: work('weights'),
    exp: text('[data-stage=exp]'),
    expSum: text('[data-stage=exp_sum]'),
    softmax: result('weights'),
    row: lines('.row-table tbody').map((line) => {
      const [, score = '', exp = '', weight = ''] = cells(line);
      return { word: line.querySelector('bdi')?.textContent ?? '', score, exp, weight, chosen: line.classList.contains('chosen') };
    }),
    rowFoot: lines('.row-table tfoot').flatMap(cells),
    terms: lines('.terms tbody').map((line) => {
      const [, q = '', k = '', product = '', sum = ''] = cells(line);
      return { q, k, product, sum };
    }),
    table: lines('.weights-table tbody').map((line) => cells(line).slice(1)),
    label: root.querySelector('[role=gridcell]')?.getAttribute('aria-label') ?? '',
    query: at('[role=row]', 'aria-rowindex'),
    key: at('[role=gridcell]', 'aria-colindex'),
    head: Number(root.querySelector<HTMLInputElement>('.heads-scroll input:checked')?.value ?? -1),
    heads: all('.heads-scroll label').length,
    rowLabels: all('.rows bdi').map((label) => label.textContent ?? ''),
    columnLabels: all('.columns bdi').map((label) => label.textContent ?? ''),
  };
}
