#include "../dropout.h"
#include "attention/stages.h"

namespace attention {

void compute_dropped_weights(const Inputs& in, Trace& t) {
  const Dropout dropout(in.settings);
  const std::size_t T = t.shape.T, S = t.shape.S;
  for (std::size_t row = 0; row < t.shape.H * T; ++row) {
    for (std::size_t k = 0; k < S; k += 4) {
      const auto words = dropout.words(row / T, row % T, k);
      for (std::size_t i = k; i < S && i < k + 4; ++i) {
        t.dropped_weights[row * S + i] = dropout.apply(t.weights[row * S + i], words[i % 4]);
      }
    }
  }
}

}  // namespace attention
