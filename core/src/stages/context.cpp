#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_context(const Inputs&, Trace& t) {
  const auto [T, S, D, H, d_k, d_v] = t.shape;
  for (std::size_t h = 0; h < H; ++h) {
    kernels::matmul_nn({t.context.data() + h * T * d_v, T, d_v, d_v},
                       {t.weights.data() + h * T * S, T, S, S},
                       {t.value.data() + h * S * d_v, S, d_v, d_v});
  }
}

}  // namespace attention
