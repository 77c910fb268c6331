#include <algorithm>
#include <limits>

#include "../kernels.h"
#include "../lanes.h"
#include "../mask_rule.h"
#include "attention/stages.h"

namespace attention {

namespace {

// All on the largest; equals share. Zeros when every score is -infinity.
void arg_max_row(float* out, const float* in, std::size_t count) {
  const float max = kernels::row_max(in, count);
  const auto winners = std::count(in, in + count, max);
  const bool is_masked = max == -std::numeric_limits<float>::infinity();
  const float share = is_masked ? 0.0f : 1.0f / static_cast<float>(winners);
  for (std::size_t i = 0; i < count; ++i) out[i] = in[i] == max ? share : 0.0f;
}

void softmax_row(float* out, const float* in, std::size_t count, float temperature) {
  if (temperature == 0) return arg_max_row(out, in, count);
  if (temperature != 1) kernels::divide(out, in, temperature, count);
  kernels::softmax_row(out, temperature == 1 ? in : out, count);
}

}  // namespace

void compute_weights(const Inputs& in, Trace& t) {
  const std::size_t T = t.shape.T, S = t.shape.S;
  for (std::size_t row = 0; row < t.shape.H * T; ++row) {
    const Keys reach = in.mask.reach(row % T);
    // From a whole register on: the sums in lanes are then those of the whole row.
    const std::size_t begin = reach.begin / kLanes * kLanes;
    float* const out = t.weights.data() + row * S;
    std::fill(out, out + begin, 0.0f);
    std::fill(out + reach.end, out + S, 0.0f);
    if (begin == reach.end) continue;
    softmax_row(out + begin, t.masked_scores.data() + row * S + begin, reach.end - begin,
                in.settings.temperature);
  }
}

}  // namespace attention
