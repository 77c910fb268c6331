#include "attention/measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/generator.h"
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

void normals(float* out, std::size_t rows, std::size_t width, std::uint32_t seed, std::uint32_t stream,
             std::uint32_t first_row) {
  for (std::size_t r = 0; r < rows; ++r) {
    fill_normal({out + r * width, width}, seed, Drawn::sample, first_row + static_cast<std::uint32_t>(r),
                stream);
  }
}

void dot_rows(const float* a, const float* b, std::size_t rows, std::size_t width, std::size_t stride,
              float* out) {
  for (std::size_t r = 0; r < rows; ++r) {
    kernels::matmul_nt({out + r, 1, 1, 1}, {a + r * stride, 1, width, stride},
                       {b + r * stride, 1, width, stride});
  }
}

Moments moments(std::span<const float> x) {
  if (x.empty()) return {};
  const auto n = static_cast<double>(x.size());
  Moments found;
  for (const double each : x) found.mean += each;
  found.mean /= n;
  for (const double each : x) found.variance += (each - found.mean) * (each - found.mean);
  found.variance /= n;
  return found;
}

RowFacts row_facts(std::span<const float> weights) {
  RowFacts facts;
  facts.entropy = entropy(weights);
  // The diagonal's squares and twice those below it. No difference of large sums: saturated rows, whose
  // norm is tiny, keep its digits.
  double squares = 0, before = 0;
  for (const double w : weights) {
    facts.largest = std::max(facts.largest, static_cast<float>(w));
    squares += w * (1 - w) * w * (1 - w) + 2 * w * w * before;
    before += w * w;
  }
  facts.jacobian_norm = static_cast<float>(std::sqrt(squares));
  return facts;
}

}  // namespace attention
