// Attention among the tokens of short texts, all weights kept: what training does a thousand times.
#pragma once

#include "train/products.h"

namespace attention::kernels {

// Queries, keys and values of one head of one text, each [length, its width].
struct HeadMatrices {
  ConstMatrix query, key, value;
};

// How the weights of a head lie and what they are made by.
struct HeadRule {
  std::size_t length, stride;  // rows of weights: [length, stride], stride a register or more beyond length
  float factor;                // scaled scores = factor · scores
  bool is_causal;
  const KeyRange *to_here, *from_here;  // of each tile of places: those up to its end, those from its beginning
};

// weights = softmax(factor · Q·K^T) over the keys that a query may see, and 0 at the others and up to whole
// registers; context = weights · V.
void attend_head(const HeadMatrices& head, const HeadRule& rule, float* weights, Matrix context);

// Of dweights, those of scores: factor · weights ∘ (dweights - each row's sum of weights ∘ dweights), and 0 at
// keys that are not seen.
void weigh_rows_backward(const float* weights, float* dweights, const HeadRule& rule);

// From the derivative by the context to those by query, key and value, which are written. `scratch`
// [length, stride] holds finite numbers.
struct HeadGradients {
  Matrix query, key, value;
};
void attend_head_backward(const HeadMatrices& head, const HeadRule& rule, const float* weights, ConstMatrix dcontext,
                          const HeadGradients& gradients, float* scratch);

}  // namespace attention::kernels
