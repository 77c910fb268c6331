#include "attention/linear.h"

#include "kernels.h"

namespace attention {

Linear slice(const Linear& packed, std::size_t part, std::size_t parts) {
  if (parts == 0 || part >= parts || packed.out % parts != 0) return {};
  Linear view = packed;
  const bool in_out = packed.layout == Layout::in_out;
  view.out = packed.out / parts;
  view.stride = packed.stride != 0 ? packed.stride : in_out ? packed.out : packed.in;
  view.weight = packed.weight + part * view.out * (in_out ? 1 : view.stride);
  if (packed.bias != nullptr) view.bias = packed.bias + part * view.out;
  return view;
}

void apply(const Linear& linear, const float* x, std::size_t rows, float* y) {
  const auto [weight, bias, in, out, layout, stride] = linear;
  const kernels::Matrix to{y, rows, out, out};
  const kernels::ConstMatrix from{x, rows, in, in};
  if (layout == Layout::in_out) {
    kernels::matmul_nn(to, from, {weight, in, out, stride != 0 ? stride : out});
  } else {
    kernels::matmul_nt(to, from, {weight, out, in, stride != 0 ? stride : in});
  }
  for (std::size_t row = 0; row < rows && bias != nullptr; ++row) {
    kernels::add(y + row * out, y + row * out, bias, out);
  }
}

}  // namespace attention
