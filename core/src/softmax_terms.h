// A row of weights once more, with what it was made of.
#pragma once

#include <span>
#include <vector>

#include "attention/heads.h"

namespace attention {

struct SoftmaxTerms {
  float max = 0;             // of masked_scores / temperature; -infinity when fully masked
  std::vector<float> exps;   // exp(masked_scores / temperature - max); at temperature 0, 1 where the largest stand
  std::vector<float> sums;   // in each key's lane, after that key
  float exp_sum = 0;         // of all lanes; at temperature 0 the number of the largest
};

// Of one query's masked scores [S], of which it may look at `reach`; in the order of the kernels.
SoftmaxTerms softmax_terms(std::span<const float> masked_scores, KeyRange reach, float temperature);

}  // namespace attention
