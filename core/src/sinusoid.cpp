#include "sinusoid.h"

#include <algorithm>
#include <array>

#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

using Doubles = xsimd::batch<double>;
constexpr std::size_t kDoubles = Doubles::size;
constexpr double kLog10000 = 9.210340371976184;

// The columns of kDoubles neighbouring frequencies, all rows.
ATTENTION_KERNEL void sinusoid_columns(float* out, std::size_t rows, std::size_t D,
                                       std::size_t first_pair) {
  std::array<double, kDoubles> pair, sines, cosines;
  for (std::size_t lane = 0; lane < kDoubles; ++lane) {
    pair[lane] = static_cast<double>(first_pair + lane);
  }
  const Doubles exponent = Doubles::load_unaligned(pair.data()) * (2.0 / static_cast<double>(D));
  const Doubles rate = xsimd::exp(exponent * -kLog10000);
  const std::size_t first_column = 2 * first_pair;
  const std::size_t columns = std::min(2 * kDoubles, D - first_column);
  for (std::size_t t = 0; t < rows; ++t) {
    const auto [sine, cosine] = xsimd::sincos(rate * static_cast<double>(t));
    sine.store_unaligned(sines.data());
    cosine.store_unaligned(cosines.data());
    float* row = out + t * D + first_column;
    for (std::size_t c = 0; c < columns; ++c) {
      row[c] = static_cast<float>(c % 2 == 0 ? sines[c / 2] : cosines[c / 2]);
    }
  }
}

}  // namespace

void fill_sinusoids(float* out, std::size_t rows, std::size_t D) {
  for (std::size_t pair = 0; 2 * pair < D; pair += kDoubles) sinusoid_columns(out, rows, D, pair);
}

}  // namespace attention
