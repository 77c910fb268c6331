// How often each designed head is right, against the best fixed offset, and how many words the lexicon knows:
//   node --import ./tools/lib/web-packages.mjs tools/lib/designed/measure.ts FILE.conllu [--write]
// FILE is a dependency treebank in CoNLL-U, e.g. English EWT of Universal Dependencies; it is measured on, nothing more.
// --write puts the figures into web/docs/designed.md and, for the page, web/src/parameters/designed/accuracy.ts.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildLexicon } from '../../../web/lexicon/build.mjs';
import { DESIGNED_HEADS, type HeadId } from '../../../web/src/parameters/designed/heads.ts';
import { type Lexicon, parseLexicon } from '../../../web/src/parameters/designed/lexicon.ts';
import { writeReport } from '../bench/report.ts';
import { attender, fingerprint } from './attend.ts';
import { CASES, parseTrees, type Tree } from './trees.ts';

const LONGEST_OFFSET = 64;
const ROOT = new URL('../../../', import.meta.url);

interface Score {
  cases: number;
  right: number;
  /** Of each offset, in words back, how often it is right. */
  offsets: number[];
  /** Words that have nothing to find, and how many of them look at themselves. */
  others: number;
  still: number;
}

const wanted = process.argv.slice(2);
const file = wanted.find((argument) => argument !== '--write');
if (!file) {
  console.error('Say what to measure on: tools/lib/designed/measure.ts FILE.conllu [--write]');
  process.exit(2);
}

const list = await buildLexicon();
const lexicon = parseLexicon(list);
const trees = parseTrees(await readFile(file, 'utf8'));
const scores = await measure(trees, lexicon);
const report = `${known(trees, lexicon)}\n\n${table(scores)}\n\nMeasured on \`${path.basename(file)}\`, ${trees.length} sentences; the lexicon and the design with the fingerprint ${fingerprint(list)}.`;
console.log(report);
if (wanted.includes('--write')) {
  await writeReport(new URL('web/docs/designed.md', ROOT).pathname, 'designed', report);
  await writeMeasured(scores);
}

async function measure(trees: readonly Tree[], lexicon: Lexicon): Promise<Map<HeadId, Score>> {
  const attend = await attender(lexicon);
  const scores = new Map<HeadId, Score>();
  for (const tree of trees) {
    const attended = attend(tree.map(({ form }) => form));
    DESIGNED_HEADS.forEach(({ id }, h) => {
      const score = scores.get(id) ?? { cases: 0, right: 0, offsets: new Array<number>(LONGEST_OFFSET).fill(0), others: 0, still: 0 };
      const weights = attended.weights(h);
      const found = (row: number) => largest(Array.from({ length: row + 1 }, (_, k) => weights[row * tree.length + k] as number));
      const cases = CASES[id]?.find(tree) ?? [];
      for (const { row, right } of cases) {
        score.cases++;
        if (right.includes(found(row))) score.right++;
        for (const word of right) if (row - word < LONGEST_OFFSET) score.offsets[row - word] = (score.offsets[row - word] ?? 0) + 1;
      }
      tree.forEach((word, row) => {
        if (!CASES[id]?.isRow?.(word) || cases.some((each) => each.row === row)) return;
        score.others++;
        if (found(row) === row) score.still++;
      });
      scores.set(id, score);
    });
  }
  return scores;
}

function largest(row: readonly number[]): number {
  return row.indexOf(Math.max(...row));
}

function bestOffset({ offsets, cases }: Score): { back: number; share: number } {
  const back = offsets.indexOf(Math.max(...offsets));
  return { back, share: (offsets[back] as number) / cases };
}

/** Of words (what has a letter) and of different words, how many the lexicon knows. */
function known(trees: readonly Tree[], lexicon: Lexicon): string {
  const words = trees.flat().map(({ form }) => form).filter((form) => /\p{L}/u.test(form));
  const different = [...new Set(words.map((word) => word.toLowerCase()))];
  const shareOf = (list: readonly string[]) => percent(list.filter((word) => lexicon.look(word).known).length / list.length);
  return `The lexicon knows ${shareOf(words)} of ${words.length} words, and ${shareOf(different)} of the ${different.length} different ones among them, capital letters aside.`;
}

function table(scores: ReadonlyMap<HeadId, Score>): string {
  const rows = DESIGNED_HEADS.flatMap(({ id, name }) => {
    const score = scores.get(id);
    const about = CASES[id]?.about;
    if (!score?.cases || !about) return [`| ${name} | – | – | – | – | no tree says what is right |`];
    const { back, share } = bestOffset(score);
    const still = score.others ? `${percent(score.still / score.others)} of ${score.others}` : '–';
    return [`| ${name} | ${percent(score.right / score.cases)} | ${percent(share)} (${back} back) | ${score.cases} | ${still} | ${about} |`];
  });
  return ['| head | right | best fixed offset | cases | nothing to find: at itself | what counts as right |', '|---|--:|--:|--:|--:|---|', ...rows].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

async function writeMeasured(scores: ReadonlyMap<HeadId, Score>): Promise<void> {
  const at = new URL('web/src/parameters/designed/accuracy.ts', ROOT);
  const text = await readFile(at, 'utf8');
  const lines = [...scores].filter(([, { cases }]) => cases > 0).map(([id, score]) => {
    const { back, share } = bestOffset(score);
    return `  ${id}: { accuracy: ${(score.right / score.cases).toFixed(3)}, baseline: ${share.toFixed(3)}, back: ${back}, cases: ${score.cases} },\n`;
  });
  await writeFile(at, text.replace(/(MEASURED[^=]*= \{)[^]*\};/, (_, head) => `${head}\n${lines.join('')}};`));
}
