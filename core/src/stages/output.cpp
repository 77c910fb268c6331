#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_output(const Inputs& in, Trace& t) {
  const auto [T, S, D, H, d_k, d_v] = t.shape;
  const std::size_t width = H * d_v;
  kernels::matmul_nn({t.output.data(), T, D, D}, {t.concat.data(), T, width, width},
                     {in.parameters.W_O.data(), width, D, D});
  for (std::size_t row = 0; row < T; ++row) {
    float* out = t.output.data() + row * D;
    kernels::add(out, out, in.parameters.b_O.data(), D);
  }
}

}  // namespace attention
