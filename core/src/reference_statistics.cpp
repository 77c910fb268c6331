#include <algorithm>
#include <cmath>

#include "attention/statistics.h"

namespace attention {

ReferenceRowFacts reference_row_facts(std::span<const float> weights) {
  ReferenceRowFacts facts;
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double w = weights[i];
    facts.largest = std::max(facts.largest, w);
    if (w > 0) facts.entropy -= w * std::log2(w);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double slope = w * ((i == j ? 1 : 0) - static_cast<double>(weights[j]));
      squares += slope * slope;
    }
  }
  facts.jacobian_norm = std::sqrt(squares);
  return facts;
}

void reference_dot_rows(const float* a, const float* b, std::size_t rows, std::size_t width,
                        std::size_t stride, double* out) {
  for (std::size_t r = 0; r < rows; ++r) {
    out[r] = 0;
    for (std::size_t c = 0; c < width; ++c) {
      out[r] += static_cast<double>(a[r * stride + c]) * static_cast<double>(b[r * stride + c]);
    }
  }
}

}  // namespace attention
