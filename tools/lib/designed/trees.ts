// Dependency trees in CoNLL-U (Universal Dependencies), and what each designed head should find in them.
import type { HeadId } from '../../../web/src/parameters/designed/heads.ts';

interface Node {
  form: string;
  upos: string;
  /** Index of the head, or −1. */
  head: number;
  relation: string;
  /** Enhanced relations: [head's index, relation]. */
  enhanced: [number, string][];
}
export type Tree = readonly Node[];

/** A row, and the words that are right for it; all of them earlier. */
export interface Case {
  row: number;
  right: readonly number[];
}

export function parseTrees(text: string): Tree[] {
  return text.split(/\n\n+/).map(parseTree).filter((tree) => tree.length > 0);
}

function parseTree(block: string): Tree {
  // Words alone: 3-4 is a contraction written as one, 8.1 a word that is not there.
  const lines = block.split('\n').filter((line) => /^\d+\t/.test(line)).map((line) => line.split('\t'));
  return lines.map(([, form = '', , upos = '', , , head = '0', relation = '', enhanced = '']) => ({
    form, upos, head: Number(head) - 1, relation,
    enhanced: [...enhanced.matchAll(/(?:^|\|)(\d+):([^|]+)/g)].map(([, at, name]): [number, string] => [Number(at) - 1, String(name)]),
  }));
}

const isNoun = ({ upos }: Node) => upos === 'NOUN' || upos === 'PROPN';
const isVerb = ({ upos }: Node) => upos === 'VERB';
const isAdjective = ({ upos }: Node) => upos === 'ADJ';

/** Rows are heads of an earlier word in this relation; every such word is right. */
function fromHead(tree: Tree, isRow: (head: Node) => boolean, fits: (word: Node, row: number) => boolean): Case[] {
  return tree.map((head, row) => ({ row, right: isRow(head) ? tree.flatMap((word, i) => (i < row && fits(word, row) ? [i] : [])) : [] }))
    .filter(({ right }) => right.length > 0);
}

const stands = (word: Node, row: number, relation: RegExp) => word.head === row && relation.test(word.relation);
/** Or is joined by “and” to a word that does. */
const shares = (word: Node, row: number, relation: RegExp) => word.enhanced.some(([at, name]) => at === row && relation.test(name));

interface Marked {
  about: string;
  find(tree: Tree): Case[];
  /** Words that are rows when there is something to find; when there is nothing, the head should look at the word itself. */
  isRow?: (word: Node) => boolean;
}

/** What is right for each head, and in words. */
export const CASES: Partial<Record<HeadId, Marked>> = {
  previous: {
    about: 'every word but the first: the word before (a fixed offset by its definition)',
    find: (tree) => tree.slice(1).map((_, i) => ({ row: i + 1, right: [i] })),
  },
  same: {
    about: 'words that stood before, whatever their capitals: the first place',
    find: (tree) => {
      const firsts = new Map<string, number>();
      return tree.flatMap(({ form }, row) => {
        const word = form.toLowerCase();
        const at = firsts.get(word);
        if (at === undefined) firsts.set(word, row);
        return at === undefined ? [] : [{ row, right: [at] }];
      });
    },
  },
  describers: {
    about: '`amod`, `nummod`: nouns with such a word before them: one of these words, or of those joined to it',
    isRow: isNoun,
    find: (tree) => fromHead(tree, isNoun, (word, row) => stands(word, row, /^(?:amod|nummod)/) || shares(word, row, /^(?:amod|nummod)/)),
  },
  subject: {
    about: '`nsubj` of verbs: the subject',
    isRow: isVerb,
    find: (tree) => fromHead(tree, isVerb, (word, row) => stands(word, row, /^nsubj/)),
  },
  antecedent: {
    about: '`ref`: relative pronouns: the noun they stand for (these trees do not say what he, she, it, they stand for)',
    find: (tree) => tree.flatMap(({ enhanced }, row) => {
      const right = enhanced.flatMap(([at, name]) => (name === 'ref' && at < row ? [at] : []));
      return right.length > 0 ? [{ row, right }] : [];
    }),
  },
  bearer: {
    about: '`nsubj` of adjectives, nouns alone: the subject',
    isRow: isAdjective,
    find: (tree) => fromHead(tree, isAdjective, (word, row) => isNoun(word) && stands(word, row, /^nsubj/)),
  },
  preposition: {
    about: '`case` of nouns: the preposition',
    isRow: isNoun,
    find: (tree) => fromHead(tree, isNoun, (word, row) => word.upos === 'ADP' && stands(word, row, /^case$/)),
  },
};
