#include <algorithm>

#include "../kernels.h"
#include "attention/stages.h"

namespace attention {

void compute_output(const Inputs& in, Trace& t) {
  if (!in.settings.out_proj) {
    std::copy(t.concat.begin(), t.concat.end(), t.output.begin());
    return;
  }
  const std::size_t T = t.shape.T, D = t.shape.D, width = t.shape.H * t.shape.d_v;
  kernels::matmul_nn({t.output.data(), T, D, D}, {t.concat.data(), T, width, width},
                     {in.parameters.W_O.data(), width, D, D});
  for (std::size_t row = 0; row < T; ++row) {
    float* out = t.output.data() + row * D;
    kernels::add(out, out, in.parameters.b_O.data(), D);
  }
}

}  // namespace attention
