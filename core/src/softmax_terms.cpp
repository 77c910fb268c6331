#include "softmax_terms.h"

#include <array>
#include <cmath>

#include "kernels.h"
#include "lanes.h"

namespace attention {

SoftmaxTerms softmax_terms(std::span<const float> masked_scores, KeyRange reach, float temperature) {
  const std::size_t S = masked_scores.size();
  const std::size_t begin = reach.begin / kLanes * kLanes, count = reach.end - begin;
  SoftmaxTerms out;
  out.exps.assign(S, 0.0f);
  out.sums.assign(S, 0.0f);
  std::vector<float> row(masked_scores.begin(), masked_scores.end());
  if (temperature != 0 && temperature != 1) kernels::divide(row.data(), row.data(), temperature, S);
  out.max = kernels::row_max(row.data(), S);
  if (!std::isfinite(out.max) || count == 0) return out;

  float* const exps = out.exps.data() + begin;
  if (temperature == 0) {
    for (std::size_t k = 0; k < count; ++k) out.exp_sum += exps[k] = row[begin + k] == out.max;
  } else {
    out.exp_sum = kernels::exp_row(exps, row.data() + begin, out.max, count);
  }
  std::array<float, kLanes> lanes{};
  for (std::size_t k = 0; k < S; ++k) out.sums[k] = lanes[k % kLanes] += out.exps[k];
  return out;
}

}  // namespace attention
