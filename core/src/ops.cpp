// The operators beside attention: what is no loop of kernels.cpp, and the rows that those run over.
#include "attention/ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

float sum_of(Lanes sums) {
  std::array<float, kLanes> lanes;
  sums.store_unaligned(lanes.data());
  float sum = 0;  // lane by lane: the same order on every architecture of this width
  for (const float lane : lanes) sum += lane;
  return sum;
}

float mean_of(const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) sums = sums + Lanes::load_unaligned(in + i);
  float sum = sum_of(sums);
  for (std::size_t i = whole; i < n; ++i) sum += in[i];
  return sum * (1 / static_cast<float>(n));
}

// mean + shift is a row's mean: one float32 alone would leave its rounding in every difference from it.
struct Centre {
  float mean, shift, variance;
};

Centre centre_around(float mean, const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  const float share = 1 / static_cast<float>(n);
  Lanes sums(0.0f), squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean;
    sums = sums + d;
    squares = squares + d * d;
  }
  float sum = sum_of(sums), square = sum_of(squares);
  for (std::size_t i = whole; i < n; ++i) {
    const float d = in[i] - mean;
    sum += d;
    square += d * d;
  }
  const float shift = sum * share;
  return {mean, shift, std::max(square * share - shift * shift, 0.0f)};
}

Centre centre_of(const float* in, std::size_t n) {
  const Centre first = centre_around(mean_of(in, n), in, n);
  if (first.shift * first.shift <= first.variance) return first;
  return centre_around(first.mean + first.shift, in, n);  // else little is left of the squares
}

float mean_square_of(const float* in, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  Lanes squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes x = Lanes::load_unaligned(in + i);
    squares = squares + x * x;
  }
  float square = sum_of(squares);
  for (std::size_t i = whole; i < n; ++i) square += in[i] * in[i];
  return square * (1 / static_cast<float>(n));
}

Centre centre_of(const LayerNorm& norm, const float* in) {
  return norm.is_rms ? Centre{0, 0, mean_square_of(in, norm.width)} : centre_of(in, norm.width);
}

ATTENTION_KERNEL void norm_row(const LayerNorm& norm, const float* in, const Centre& centre, float* out) {
  const std::size_t n = norm.width, whole = n / kLanes * kLanes;
  const float mean = centre.mean, shift = centre.shift;
  const float inverse = 1 / std::sqrt(centre.variance + norm.epsilon);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean - shift;
    Lanes y = d * inverse * Lanes::load_unaligned(norm.gain + i);
    if (norm.bias != nullptr) y = y + Lanes::load_unaligned(norm.bias + i);
    y.store_unaligned(out + i);
  }
  for (std::size_t i = whole; i < n; ++i) {
    const float y = (in[i] - mean - shift) * inverse * norm.gain[i];
    out[i] = norm.bias != nullptr ? y + norm.bias[i] : y;
  }
}

// Rows whose sums or squares are beyond float32, which a NaN or infinity among them stays after scaling.
void norm_large_row(LayerNorm norm, const float* in, float* out) {
  kernels::scale(out, in, 0x1p-70f, norm.width);
  norm.epsilon = std::min(norm.epsilon, 0x1p-100f);  // less than any deviation that is left
  Centre centre = centre_of(norm, out);
  // A mean square alone would make zeros of what stands beside an infinity.
  if (!std::isfinite(centre.variance)) centre.variance = std::numeric_limits<float>::quiet_NaN();
  norm_row(norm, out, centre, out);
}

}  // namespace

void apply(const LayerNorm& norm, const float* in, std::size_t rows, float* out) {
  for (std::size_t row = 0; row < rows; ++row, in += norm.width, out += norm.width) {
    const Centre centre = centre_of(norm, in);
    if (std::isfinite(centre.variance)) {
      norm_row(norm, in, centre, out);
    } else {
      norm_large_row(norm, in, out);
    }
  }
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

std::string_view simd_architecture() { return Lanes::arch_type::name(); }

int simd_lanes() { return static_cast<int>(kLanes); }

}  // namespace attention
