// Layer norm and RMSNorm, a row at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels.h"
#include "lanes.h"

namespace attention::kernels::inline ATTENTION_SET {

namespace {

float mean_of(const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) sums = sums + Lanes::load_unaligned(in + i);
  float sum = sum_of(sums);
  for (std::size_t i = whole; i < n; ++i) sum += in[i];
  return sum * (1 / static_cast<float>(n));
}

struct Centre {
  float mean, shift, variance;  // as in NormStatistics
};

Centre centre_around(float mean, const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  const float share = 1 / static_cast<float>(n);
  Lanes sums(0.0f), squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean;
    sums = sums + d;
    squares = squares + d * d;
  }
  float sum = sum_of(sums), square = sum_of(squares);
  for (std::size_t i = whole; i < n; ++i) {
    const float d = in[i] - mean;
    sum += d;
    square += d * d;
  }
  const float shift = sum * share;
  return {mean, shift, std::max(square * share - shift * shift, 0.0f)};
}

Centre centre_of(const float* in, std::size_t n) {
  const Centre first = centre_around(mean_of(in, n), in, n);
  if (first.shift * first.shift <= first.variance) return first;
  return centre_around(first.mean + first.shift, in, n);  // else little is left of the squares
}

float mean_square_of(const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  Lanes squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes x = Lanes::load_unaligned(in + i);
    squares = squares + x * x;
  }
  float square = sum_of(squares);
  for (std::size_t i = whole; i < n; ++i) square += in[i] * in[i];
  return square * (1 / static_cast<float>(n));
}

Centre centre_of(const LayerNorm& norm, const float* in) {
  return norm.is_rms ? Centre{0, 0, mean_square_of(in, norm.width)} : centre_of(in, norm.width);
}

NormStatistics statistics_of(const LayerNorm& norm, const Centre& centre) {
  return {centre.mean, centre.shift, 1 / std::sqrt(centre.variance + norm.epsilon)};
}

// Rows whose sums or squares are beyond float32, which a NaN or infinity among them stays after scaling.
void norm_large_row(LayerNorm norm, const float* in, float* out) {
  scale(out, in, 0x1p-70f, norm.width);
  norm.epsilon = std::min(norm.epsilon, 0x1p-100f);  // less than any deviation that is left
  Centre centre = centre_of(norm, out);
  // A mean square alone would make zeros of what stands beside an infinity.
  if (!std::isfinite(centre.variance)) centre.variance = std::numeric_limits<float>::quiet_NaN();
  norm_row(norm, out, statistics_of(norm, centre), out);
}

}  // namespace

NormStatistics norm_statistics(const LayerNorm& norm, const float* in) { return statistics_of(norm, centre_of(norm, in)); }

ATTENTION_KERNEL void norm_row(const LayerNorm& norm, const float* in, const NormStatistics& statistics, float* out) {
  const std::size_t n = norm.width, whole = n / kLanes * kLanes;
  const auto [mean, shift, inverse] = statistics;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean - shift;
    Lanes y = d * inverse * Lanes::load_unaligned(norm.gain + i);
    if (norm.bias != nullptr) y = y + Lanes::load_unaligned(norm.bias + i);
    y.store_unaligned(out + i);
  }
  for (std::size_t i = whole; i < n; ++i) {
    const float y = (in[i] - mean - shift) * inverse * norm.gain[i];
    out[i] = norm.bias != nullptr ? y + norm.bias[i] : y;
  }
}

void layer_norm(const LayerNorm& norm, const float* in, std::size_t rows, float* out) {
  for (std::size_t row = 0; row < rows; ++row, in += norm.width, out += norm.width) {
    const Centre centre = centre_of(norm, in);
    if (std::isfinite(centre.variance)) {
      norm_row(norm, in, statistics_of(norm, centre), out);
    } else {
      norm_large_row(norm, in, out);
    }
  }
}

}  // namespace attention::kernels::inline ATTENTION_SET
