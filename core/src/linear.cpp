#include "attention/linear.h"

#include "kernels.h"

namespace attention {

void apply(const Linear& linear, const float* x, std::size_t rows, float* y) {
  const auto [weight, bias, in, out, layout] = linear;
  const kernels::Matrix to{y, rows, out, out};
  const kernels::ConstMatrix from{x, rows, in, in};
  if (layout == Layout::in_out) {
    kernels::matmul_nn(to, from, {weight, in, out, out});
  } else {
    kernels::matmul_nt(to, from, {weight, out, in, in});
  }
  for (std::size_t row = 0; row < rows && bias != nullptr; ++row) {
    kernels::add(y + row * out, y + row * out, bias, out);
  }
}

}  // namespace attention
