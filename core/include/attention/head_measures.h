// What the heads of a model do on one text, and what their weights come to together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/export.h"

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

// Rows that induction is a mean of.
ATTENTION_API std::size_t induction_rows(std::span<const std::int32_t> tokens);

// mean [T, T] = the average of weights [heads, T, T].
ATTENTION_API void mean_of_heads(const float* weights, std::size_t heads, std::size_t T, float* mean);

// Attention rollout, one layer further (Abnar and Zuidema 2020, "Quantifying attention flow in transformers"):
// out [T, T] = A · below, where A is (mean + I) / 2 with each row divided by its sum, and I stands for the residual.
// mean [T, T] is of this layer's heads; below [T, T] the rollout of the layer before, null for the first. out must not
// overlap them.
ATTENTION_API void roll_out(const float* mean, const float* below, std::size_t T, float* out);

// The same by plain loops in double. Throw std::bad_alloc without memory.
ATTENTION_API std::vector<double> reference_head_facts(const float* weights, std::size_t heads,
                                                       std::span<const std::int32_t> tokens);
// [layers, T, T] of weights [layers, heads, T, T].
ATTENTION_API std::vector<double> reference_rollout(const float* weights, std::size_t layers, std::size_t heads,
                                                    std::size_t T);

}  // namespace attention
