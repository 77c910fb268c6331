// The softmax of one query, over the keys that it sees.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attend_paths.h"
#include "lanes.h"

namespace attention::inline ATTENTION_SET {

namespace {

// All on the largest; equals share. Zeros when every score is -infinity; NaN when one is NaN.
void arg_max_row(float* out, const float* in, std::size_t count) {
  const float max = kernels::row_max(in, count);
  const auto winners = std::count(in, in + count, max);
  const bool has_nan = std::any_of(in, in + count, [](float score) { return std::isnan(score); });
  const float share = max == kMinusInfinity ? 0.0f : 1.0f / static_cast<float>(winners);
  const float rest = has_nan ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
  for (std::size_t i = 0; i < count; ++i) out[i] = in[i] == max && !has_nan ? share : rest;
}

}  // namespace

void weigh_row(float* out, const float* in, std::size_t count, KeyRange seen, float temperature) {
  // From a whole register on: the sums in lanes are then those of the whole row.
  const std::size_t begin = seen.begin / kLanes * kLanes, n = seen.end - begin;
  if (n == 0) {
    std::fill_n(out, count, 0.0f);
    return;
  }
  if (temperature == 0) {
    arg_max_row(out + begin, in + begin, n);
  } else if (temperature == 1) {
    kernels::softmax_row(out + begin, in + begin, n);
  } else {
    kernels::divide(out + begin, in + begin, temperature, n);
    kernels::softmax_row(out + begin, out + begin, n);
  }
  const float rest = 0 * out[begin];  // NaN in a row of NaN
  std::fill(out, out + begin, rest);
  std::fill(out + seen.end, out + count, rest);
}

}  // namespace attention::inline ATTENTION_SET
