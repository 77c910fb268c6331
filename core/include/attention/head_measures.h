// Measures of a model's heads on one text: what they attend to, their weights combined over layers, and how much each
// of them writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/decoder.h"
#include "attention/export.h"
#include "attention/multi_head.h"

namespace attention {

// How many numbers head_facts() gives a head, in this order.
enum class HeadFact { previous, start, self, induction, entropy };
inline constexpr std::size_t kHeadFacts = 5;

// weights [heads, T, T], row = query, of heads of one layer or of all; tokens [T], their ids; facts [heads, kHeadFacts].
// Means over the rows after the first, which in a causal model sees itself alone:
//   previous   the weight on the token before
//   start      the weight on the text's first token
//   self       the weight on the token itself
//   induction  the weight on the token after the last earlier one of the same id, over the rows that have one; a token
//              that follows itself at once has none there (prefix matching: Olsson et al. 2022, "In-context learning
//              and induction heads")
//   entropy    in bits, as entropy() of measures.h
// NaN where there is no such row.
ATTENTION_API void head_facts(const float* weights, std::size_t heads, std::span<const std::int32_t> tokens, float* facts);

// The number of rows over which induction is the mean.
ATTENTION_API std::size_t induction_rows(std::span<const std::int32_t> tokens);

// mean [T, T] = the average of weights [heads, T, T].
ATTENTION_API void mean_of_heads(const float* weights, std::size_t heads, std::size_t T, float* mean);

// Attention rollout, one layer further (Abnar and Zuidema 2020, "Quantifying attention flow in transformers"):
// out [T, T] = A · below, where A is (mean + I) / 2 with each row divided by its sum, and I stands for the residual.
// mean [T, T] is of this layer's heads; below [T, T] the rollout of the layer before, null for the first. out must not
// overlap them.
ATTENTION_API void roll_out(const float* mean, const float* below, std::size_t T, float* out);

// norms [heads, T]: the length of v·W_O, of each token's value through its head's rows of the output projection, whose bias
// is no head's; value [T, H_kv·d_v], as MultiHeadStages keeps it. False, with nothing written, where there is no memory.
ATTENTION_API bool value_norms(const MultiHead& layer, const float* value, std::size_t T, float* norms);

// Value-weighted attention (Kobayashi et al. 2020, "Attention is not only a weight: analyzing transformers with vector
// norms"): weighted[h, q, k] = weights[h, q, k] · norms[h, k], each row over its sum; a row of zeros stays so.
ATTENTION_API void weigh_values(const float* weights, const float* norms, std::size_t heads, std::size_t T, float* weighted);

// The stages that a run on a text of T tokens kept.
struct ReadText {
  const float* embeddings = nullptr;  // [T, D]
  const float* residuals = nullptr;   // [blocks, T, D]
  const float* contexts = nullptr;    // [blocks, T, H·d_v], as MultiHeadStages::concat
  std::size_t T = 0;
};

// How many numbers logit_parts() gives; 0 where a logit is no sum of parts: after a transform, after norms that come last,
// or where blocks have different heads.
ATTENTION_API std::size_t logit_part_count(const Decoder& decoder);

inline constexpr std::size_t kLogitSums = 6;

// Direct logit attribution (Elhage et al. 2021, "A mathematical framework for transformer circuits"): the logit of `token`
// after `position` as a sum over all that was written to the position's row, with the final norm's mean and scale held at
// this row's own. parts: of each block its heads, the bias of its output projection, and its MLP, which is what the others
// leave of all that the block added; then the biases of the final norm and of the output; and kLogitSums − 1 sums: the
// embedding, all heads, all MLPs, all biases, and these four together, the logit.
// False, with nothing written, where there is no memory.
ATTENTION_API bool logit_parts(const Decoder& decoder, const ReadText& text, std::size_t position, std::int32_t token,
                               float* parts);

// The same by plain loops in double. Throw std::bad_alloc without memory.
ATTENTION_API std::vector<double> reference_head_facts(const float* weights, std::size_t heads,
                                                       std::span<const std::int32_t> tokens);
// [layers, T, T] of weights [layers, heads, T, T].
ATTENTION_API std::vector<double> reference_rollout(const float* weights, std::size_t layers, std::size_t heads,
                                                    std::size_t T);
ATTENTION_API std::vector<double> reference_value_norms(const MultiHead& layer, const float* value, std::size_t T);
ATTENTION_API std::vector<double> reference_logit_parts(const Decoder& decoder, const ReadText& text, std::size_t position,
                                                        std::int32_t token);

}  // namespace attention
