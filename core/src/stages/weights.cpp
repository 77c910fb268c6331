#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_weights(const Inputs&, Trace& t) {
  const std::size_t S = t.shape.S;
  for (std::size_t row = 0; row < t.shape.H * t.shape.T; ++row) {
    kernels::softmax_row(t.weights.data() + row * S, t.masked_scores.data() + row * S, S);
  }
}

}  // namespace attention
