#include <array>
#include <cmath>

#include "attention/block.h"
#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

float sum_of(Lanes sums) {
  std::array<float, kLanes> lanes;
  sums.store_unaligned(lanes.data());
  float sum = 0;  // lane by lane: the same order on every architecture of this width
  for (const float lane : lanes) sum += lane;
  return sum;
}

ATTENTION_KERNEL void norm_row(const LayerNorm& norm, const float* in, float* out) {
  const std::size_t n = norm.width, whole = n / kLanes * kLanes;
  const float count = static_cast<float>(n);

  Lanes sums(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) sums = sums + Lanes::load_unaligned(in + i);
  float sum = sum_of(sums);
  for (std::size_t i = whole; i < n; ++i) sum += in[i];
  const float mean = sum / count;

  Lanes squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean;
    squares = squares + d * d;
  }
  float square = sum_of(squares);
  for (std::size_t i = whole; i < n; ++i) square += (in[i] - mean) * (in[i] - mean);
  const float inverse = 1 / std::sqrt(square / count + norm.epsilon);

  for (std::size_t i = 0; i < whole; i += kLanes) {
    Lanes y = (Lanes::load_unaligned(in + i) - mean) * inverse * Lanes::load_unaligned(norm.gain + i);
    if (norm.bias != nullptr) y = y + Lanes::load_unaligned(norm.bias + i);
    y.store_unaligned(out + i);
  }
  for (std::size_t i = whole; i < n; ++i) {
    const float y = (in[i] - mean) * inverse * norm.gain[i];
    out[i] = norm.bias != nullptr ? y + norm.bias[i] : y;
  }
}

}  // namespace

void apply(const LayerNorm& norm, const float* in, std::size_t rows, float* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    norm_row(norm, in + row * norm.width, out + row * norm.width);
  }
}

}  // namespace attention
