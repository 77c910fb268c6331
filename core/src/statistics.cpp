#include "attention/statistics.h"

#include <algorithm>
#include <cmath>

#include "attention/generator.h"
#include "attention/measures.h"
#include "kernels.h"

namespace attention {

void normals(float* out, std::size_t rows, std::size_t width, std::uint32_t seed, std::uint32_t stream,
             std::uint32_t first_row) {
  for (std::size_t r = 0; r < rows; ++r) {
    fill_normal({out + r * width, width}, seed, Matrix::sample, first_row + static_cast<std::uint32_t>(r),
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
