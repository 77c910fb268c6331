#include "attention/block.h"
#include "kernels.h"

namespace attention {

void apply(Gelu gelu, const float* in, std::size_t count, float* out) {
  if (gelu == Gelu::erf) {
    kernels::gelu_erf(out, in, count);
  } else {
    kernels::gelu_tanh(out, in, count);
  }
}

}  // namespace attention
