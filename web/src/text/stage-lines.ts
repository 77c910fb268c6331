// What each stage does, in one line, shown beside the name of a folded card.
import { msg } from '@lit/localize';
import type { StageId } from '../engine/types.ts';
import type { Picture } from '../state/result.ts';
import { readsOf } from './stages.ts';

const again = () => msg('The same for the words of the second text.');

const LINES: Readonly<Record<StageId, () => string>> = {
  tokens: () => msg('The pieces that the text is cut into.'),
  key_tokens: again,
  content: () => msg('Each word’s numbers, the same wherever it stands.'),
  position: () => msg('What is added for the place where a word stands.'),
  embeddings: () => msg('Content plus position: what all else is made of.'),
  key_content: again,
  key_position: again,
  key_embeddings: again,
  query: () => msg('What each word looks for in the others.'),
  rotated_query: () => msg('Each query turned by an angle for its place.'),
  key: () => msg('What each word can be found by.'),
  rotated_key: () => msg('Each key turned by an angle for its place.'),
  value_down: () => msg('A first step to the values, in fewer numbers.'),
  value: () => msg('What each word passes on.'),
  scores: () => msg('Query times key: how well they match.'),
  scaled_scores: () => msg('Every score times one factor, so that none is too large.'),
  capped_scores: () => msg('Scores bent so that none passes a limit.'),
  masked_scores: () => msg('−∞ for each key that a query may not see.'),
  weights: () => msg('Softmax turns each query’s scores into shares.'),
  dropped_weights: () => msg('Some weights set to 0 by chance, the others made larger.'),
  context: () => msg('The values mixed, each by its share.'),
  concat: () => msg('The contexts of all heads side by side.'),
  output: () => msg('One more matrix mixes what the heads have found.'),
  residual: () => msg('The output added to the rows that came in.'),
};

/** What a stage does; in a language model’s layer, what it does there. */
export function lineOf(picture: Picture, id: StageId): string {
  const reads = readsOf(picture);
  if (reads && id === 'content') return msg('Each word’s row as it comes to this layer, normed.');
  if (reads && id === 'embeddings') return msg('The rows that this layer’s matrices take.');
  return LINES[id]();
}
