#include <algorithm>
#include <limits>
#include <vector>

#include "../mask_rule.h"
#include "attention/stages.h"

namespace attention {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

}  // namespace

void compute_masked_scores(const Inputs& in, Trace& t) {
  const std::size_t T = t.shape.T, S = t.shape.S;
  const std::span<const float> slopes = in.parameters.slopes;
  std::vector<float> biased(slopes.empty() ? 0 : S);
  for (std::size_t row = 0; row < t.shape.H * T; ++row) {
    const std::size_t query = row % T;
    const float* scores = t.unmasked_scores().data() + row * S;
    if (!slopes.empty()) {
      for (std::size_t k = 0; k < S; ++k) {
        biased[k] = scores[k] + slopes[row / T] * (static_cast<float>(k) - static_cast<float>(query));
      }
      scores = biased.data();
    }
    const Keys seen = in.mask.seen(query);
    float* const out = t.masked_scores.data() + row * S;
    // Selected, not added: an infinite score plus -infinity would be NaN.
    std::fill(out, out + seen.begin, kMasked);
    std::copy(scores + seen.begin, scores + seen.end, out + seen.begin);
    std::fill(out + seen.end, out + S, kMasked);
    for (const auto& [_, k] : in.mask.turned(query)) out[k] = seen.has(k) ? kMasked : scores[k];
  }
}

}  // namespace attention
