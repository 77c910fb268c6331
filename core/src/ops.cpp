// The operators beside attention: calls the kernels for each row.
#include "attention/ops.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>

#include "checks.h"
#include "kernels.h"

namespace attention {

void apply(const LayerNorm& norm, const float* in, std::size_t rows, float* out) {
  kernels::layer_norm(norm, in, rows, out);
}

void apply(Gelu gelu, const float* in, std::size_t count, float* out) {
  if (gelu == Gelu::erf) {
    kernels::gelu_erf(out, in, count);
  } else {
    kernels::gelu_tanh(out, in, count);
  }
}

void silu(const float* in, std::size_t count, float* out) { kernels::silu(out, in, count); }

void softmax(const float* in, std::size_t rows, std::size_t width, float* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    kernels::softmax_row(out + row * width, in + row * width, width);
  }
}

Linear slice(const Linear& packed, std::size_t part, std::size_t parts) {
  if (parts == 0 || part >= parts || packed.out % parts != 0) return {};
  Linear view = packed;
  const bool in_out = packed.layout == Layout::in_out;
  view.out = packed.out / parts;
  view.stride = packed.stride != 0 ? packed.stride : in_out ? packed.out : packed.in;
  const std::size_t first = part * view.out;
  view.weight = packed.weight.from(in_out ? 0 : first, in_out ? first : 0, view.stride);
  if (packed.bias != nullptr) view.bias = packed.bias + part * view.out;
  return view;
}

void widen(const Weight& weight, std::size_t stride, std::size_t row, std::size_t column, std::size_t count,
           float* out) {
  const Weight first = weight.from(row, column, stride);
  if (is_float_rows(weight)) {
    std::copy_n(first.floats(), count, out);
  } else {
    kernels::widen_row(out, first, count);
  }
}

namespace {

struct Interleaved {
  bool is_in_out;
  std::size_t count, at, in, out;

  template <std::size_t kSize>
  void write(const void* numbers, void* matrix) const {
    const auto* from = static_cast<const std::byte*>(numbers);
    const std::size_t columns = is_in_out ? out : in;
    std::size_t first = at / columns, second = at % columns;
    for (std::size_t i = 0; i < count; ++i, from += kSize) {
      const std::size_t row = is_in_out ? second : first, column = is_in_out ? first : second;
      const std::size_t n = (row / kGroupRows * in + column) * kGroupRows + row % kGroupRows;
      std::memcpy(static_cast<std::byte*>(matrix) + n * kSize, from, kSize);
      if (++second == columns) second = 0, ++first;
    }
  }
};

void interleave_blocks(const std::byte* from, std::size_t count, std::size_t at, std::size_t in, std::byte* matrix) {
  constexpr std::size_t kScale = kBlockBytes - kBlockNumbers;
  for (const std::size_t end = at + count; at < end; at += kBlockNumbers, from += kBlockBytes) {
    const std::size_t row = at / in, lane = row % kGroupRows;
    std::byte* const to = matrix + bytes_of(NumberType::q8_0, (row / kGroupRows * in + at % in) * kGroupRows);
    std::memcpy(to + lane * kScale, from, kScale);
    for (std::size_t i = 0; i < kBlockNumbers; ++i) to[kGroupRows * (kScale + i) + lane] = from[kScale + i];
  }
}

}  // namespace

void interleave(NumberType type, Layout given, const void* numbers, std::size_t count, std::size_t at, std::size_t in, std::size_t out,
                void* matrix) {
  if (type == NumberType::q8_0) return interleave_blocks(static_cast<const std::byte*>(numbers), count, at, in, static_cast<std::byte*>(matrix));
  const Interleaved to{given == Layout::in_out, count, at, in, out};
  switch (bytes_of(type, 1)) {
    case 1: return to.write<1>(numbers, matrix);
    case 2: return to.write<2>(numbers, matrix);
    default: return to.write<4>(numbers, matrix);
  }
}

void apply(const Linear& linear, const float* x, std::size_t rows, float* y) {
  apply_part(linear, x, rows, y, linear.out);
}

namespace {

void multiply_widened(const Linear& linear, kernels::Matrix to, kernels::ConstMatrix from) {
  const auto [weight, bias, in, out, layout, stride] = linear;
  if (layout == Layout::in_out) {
    kernels::matmul_nn_widened(to, from, {weight, in, out, stride != 0 ? stride : out});
  } else {
    kernels::matmul_nt_widened(to, from, {weight, out, in, stride != 0 ? stride : in});
  }
}

}  // namespace

void apply_part(const Linear& linear, const float* x, std::size_t rows, float* y, std::size_t y_stride) {
  const auto [weight, bias, in, out, layout, stride] = linear;
  assert(weight != nullptr && x != nullptr && y != nullptr);
  assert(weight.order == Order::rows || layout == Layout::out_in);
  assert(rows == 0 || std::less_equal<>()(y + (rows - 1) * y_stride + out, x) || std::less_equal<>()(x + rows * in, y));
  const kernels::Matrix to{y, rows, out, y_stride};
  const kernels::ConstMatrix from{x, rows, in, in};
  if (!is_float_rows(weight)) {
    multiply_widened(linear, to, from);
  } else if (layout == Layout::in_out) {
    kernels::matmul_nn(to, from, {weight.floats(), in, out, stride != 0 ? stride : out});
  } else {
    kernels::matmul_nt(to, from, {weight.floats(), out, in, stride != 0 ? stride : in});
  }
  for (std::size_t row = 0; row < rows && bias != nullptr; ++row) {
    kernels::add(y + row * y_stride, y + row * y_stride, bias, out);
  }
}

}  // namespace attention
