#include "attention/measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

template <class Sum>
Sum dot(std::span<const float> a, std::span<const float> b) {
  Sum sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<Sum>(a[i]) * static_cast<Sum>(b[i]);
  return sum;
}

}  // namespace

void subtract(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] - b[i];
}

Comparison compare(std::span<const float> a, std::span<const float> b) {
  // In double no square of a float32 is lost, nor too large.
  const double norm_a = std::sqrt(dot<double>(a, a)), norm_b = std::sqrt(dot<double>(b, b));
  const double cosine = norm_a > 0 && norm_b > 0 ? dot<double>(a, b) / norm_a / norm_b : 0;
  return {dot<float>(a, b), static_cast<float>(norm_a), static_cast<float>(norm_b), static_cast<float>(cosine)};
}

ATTENTION_KERNEL float entropy(std::span<const float> weights) {
  constexpr float kBitsPerNat = 1.44269504f;
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < weights.size(); i += kLanes) {
    std::array<float, kLanes> lanes{};
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(i), std::min(kLanes, weights.size() - i),
                lanes.begin());
    const Lanes w = Lanes::load_unaligned(lanes.data());
    // log(1) stands in for log(0).
    const Lanes log = xsimd::log(xsimd::select(w > Lanes(0.0f), w, Lanes(1.0f)));
    sums = sums - w * log;
  }
  std::array<float, kLanes> lanes;
  sums.store_unaligned(lanes.data());
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum * kBitsPerNat;
}

}  // namespace attention
