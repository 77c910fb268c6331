// How much a head writes: how long what each weight brings is, and what each head adds to the logit of a next word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/decoder.h"
#include "attention/export.h"
#include "attention/multi_head.h"

namespace attention {

// norms [heads, T]: the length of v·W_O, of each token's value through its head's rows of the output projection, whose bias
// is no head's; value [T, H_kv·d_v], as MultiHeadStages keeps it. False, with nothing written, where there is no memory.
ATTENTION_API bool value_norms(const MultiHead& layer, const float* value, std::size_t T, float* norms);

// Value-weighted attention (Kobayashi et al. 2020, "Attention is not only a weight: analyzing transformers with vector
// norms"): weighted[h, q, k] = weights[h, q, k] · norms[h, k], each row over its sum; a row of zeros stays so.
ATTENTION_API void weigh_values(const float* weights, const float* norms, std::size_t heads, std::size_t T, float* weighted);

// What a run of one text of T tokens kept.
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
ATTENTION_API std::vector<double> reference_value_norms(const MultiHead& layer, const float* value, std::size_t T);
ATTENTION_API std::vector<double> reference_logit_parts(const Decoder& decoder, const ReadText& text, std::size_t position,
                                                        std::int32_t token);

}  // namespace attention
