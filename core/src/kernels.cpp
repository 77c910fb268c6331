#include "kernels.h"

#include <algorithm>
#include <array>
#include <limits>

#include "lanes.h"

namespace attention::kernels {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// out[i] = op(in[i]...) in lanes, then one by one: both round alike, so the seam does not show.
template <class Op, class... In>
inline void map(float* out, std::size_t count, Op op, const In*... in) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    op(Lanes::load_unaligned(in + i)...).store_unaligned(out + i);
  }
  for (; i < count; ++i) out[i] = op(in[i]...);
}

// The same for functions that only lanes compute: the tail goes through a register of its own.
template <class Op>
inline void map_padded(float* out, const float* in, std::size_t count, Op op) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) op(Lanes::load_unaligned(in + i)).store_unaligned(out + i);
  if (i == count) return;
  std::array<float, kLanes> lanes{};
  std::copy(in + i, in + count, lanes.begin());
  op(Lanes::load_unaligned(lanes.data())).store_unaligned(lanes.data());
  std::copy_n(lanes.begin(), count - i, out + i);
}

// --- matmul: out += a · panel, over blocks of k and panels of two registers' width ---------------
// A 4 x 2-register tile keeps its 8 sums, 2 columns of b and 1 broadcast of a in 16 registers.
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kPanelCols = 2 * kLanes;
constexpr std::size_t kBlockDepth = 256;  // a panel of 256 x 8 floats stays in the first-level cache

// A block of b, kPanelCols wide, rows contiguous, missing columns filled with zeros.
struct Panel {
  alignas(64) std::array<float, kBlockDepth * kPanelCols> data;
  std::size_t depth, cols;
};

template <std::size_t kRows>
inline void multiply_tile(float* out, std::size_t out_stride, const float* a, std::size_t a_stride,
                          const Panel& panel, bool first_block) {
  std::array<Lanes, kRows> left, right;
  // The last columns go through a padded copy: one tail rule for every width.
  std::array<float, kRows * kPanelCols> edge;
  const bool partial = panel.cols < kPanelCols;
  float* tile = out;
  std::size_t tile_stride = out_stride;
  if (partial) {
    for (std::size_t r = 0; r < kRows; ++r) {
      std::fill_n(&edge[r * kPanelCols], kPanelCols, 0.0f);
      std::copy_n(out + r * out_stride, panel.cols, &edge[r * kPanelCols]);
    }
    tile = edge.data();
    tile_stride = kPanelCols;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    left[r] = first_block ? Lanes(0.0f) : Lanes::load_unaligned(tile + r * tile_stride);
    right[r] = first_block ? Lanes(0.0f) : Lanes::load_unaligned(tile + r * tile_stride + kLanes);
  }
  const float* b = panel.data.data();
  for (std::size_t k = 0; k < panel.depth; ++k, b += kPanelCols) {
    const Lanes b_left = Lanes::load_aligned(b);
    const Lanes b_right = Lanes::load_aligned(b + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Lanes a_rk(a[r * a_stride + k]);
      left[r] = left[r] + a_rk * b_left;
      right[r] = right[r] + a_rk * b_right;
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    left[r].store_unaligned(tile + r * tile_stride);
    right[r].store_unaligned(tile + r * tile_stride + kLanes);
  }
  if (partial) {
    for (std::size_t r = 0; r < kRows; ++r) {
      std::copy_n(&edge[r * kPanelCols], panel.cols, out + r * out_stride);
    }
  }
}

// Columns [n, n + panel.cols) of out over one block of k.
ATTENTION_KERNEL void multiply_panel(Matrix out, ConstMatrix a, std::size_t k, std::size_t n,
                                     const Panel& panel) {
  std::size_t m = 0;
  for (; m + kTileRows <= out.rows; m += kTileRows) {
    multiply_tile<kTileRows>(out.data + m * out.stride + n, out.stride, a.data + m * a.stride + k,
                             a.stride, panel, k == 0);
  }
  for (; m < out.rows; ++m) {
    multiply_tile<1>(out.data + m * out.stride + n, out.stride, a.data + m * a.stride + k, a.stride,
                     panel, k == 0);
  }
}

void pack_rows(Panel& panel, ConstMatrix b, std::size_t k, std::size_t n) {
  for (std::size_t i = 0; i < panel.depth; ++i) {
    float* row = &panel.data[i * kPanelCols];
    std::copy_n(b.data + (k + i) * b.stride + n, panel.cols, row);
    std::fill(row + panel.cols, row + kPanelCols, 0.0f);
  }
}

void pack_transposed(Panel& panel, ConstMatrix b, std::size_t k, std::size_t n) {
  std::fill_n(panel.data.begin(), panel.depth * kPanelCols, 0.0f);
  for (std::size_t j = 0; j < panel.cols; ++j) {
    const float* row = b.data + (n + j) * b.stride + k;
    for (std::size_t i = 0; i < panel.depth; ++i) panel.data[i * kPanelCols + j] = row[i];
  }
}

template <class Pack>
inline void multiply(Matrix out, ConstMatrix a, ConstMatrix b, Pack pack) {
  Panel panel;
  for (std::size_t n = 0; n < out.cols; n += kPanelCols) {
    panel.cols = std::min(kPanelCols, out.cols - n);
    for (std::size_t k = 0; k < a.cols; k += kBlockDepth) {
      panel.depth = std::min(kBlockDepth, a.cols - k);
      pack(panel, b, k, n);
      multiply_panel(out, a, k, n, panel);
    }
  }
}

}  // namespace

void matmul_nn(Matrix out, ConstMatrix a, ConstMatrix b) { multiply(out, a, b, pack_rows); }

void matmul_nt(Matrix out, ConstMatrix a, ConstMatrix b) { multiply(out, a, b, pack_transposed); }

ATTENTION_KERNEL void add(float* out, const float* a, const float* b, std::size_t count) {
  map(out, count, [](auto x, auto y) { return x + y; }, a, b);
}

ATTENTION_KERNEL void scale(float* out, const float* in, float factor, std::size_t count) {
  map(out, count, [factor](auto x) { return x * factor; }, in);
}

ATTENTION_KERNEL void softcap(float* out, const float* in, float cap, std::size_t count) {
  map_padded(out, in, count, [cap](Lanes x) { return cap * xsimd::tanh(x / cap); });
}

ATTENTION_KERNEL void gelu_erf(float* out, const float* in, std::size_t count) {
  constexpr float kSqrtHalf = 0.70710678f;
  map_padded(out, in, count, [](Lanes x) { return 0.5f * x * (1.0f + xsimd::erf(x * kSqrtHalf)); });
}

ATTENTION_KERNEL void gelu_tanh(float* out, const float* in, std::size_t count) {
  constexpr float kSqrtTwoOverPi = 0.79788456f;
  map_padded(out, in, count, [](Lanes x) {
    return 0.5f * x * (1.0f + xsimd::tanh(kSqrtTwoOverPi * (x + 0.044715f * x * x * x)));
  });
}

ATTENTION_KERNEL void add_bias(float* out, const float* in, const float* bias, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes b = Lanes::load_unaligned(bias + i);
    const Lanes sum = Lanes::load_unaligned(in + i) + b;
    xsimd::select(b == Lanes(kMinusInfinity), b, sum).store_unaligned(out + i);
  }
  for (; i < count; ++i) out[i] = bias[i] == kMinusInfinity ? bias[i] : in[i] + bias[i];
}

ATTENTION_KERNEL float row_max(const float* in, std::size_t count) {
  Lanes best(kMinusInfinity);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) best = xsimd::max(best, Lanes::load_unaligned(in + i));
  std::array<float, kLanes> lanes;
  best.store_unaligned(lanes.data());
  float max = *std::max_element(lanes.begin(), lanes.end());
  for (; i < count; ++i) max = std::max(max, in[i]);
  return max;
}

ATTENTION_KERNEL float exp_row(float* out, const float* in, float max, std::size_t count) {
  Lanes sums(0.0f);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes e = xsimd::exp(Lanes::load_unaligned(in + i) - Lanes(max));
    e.store_unaligned(out + i);
    sums = sums + e;
  }
  std::array<float, kLanes> lanes;
  if (i < count) {
    // Padded with -infinity, whose exp is 0: the tail takes the same exp and the same partial sums.
    lanes.fill(kMinusInfinity);
    std::copy(in + i, in + count, lanes.begin());
    const Lanes e = xsimd::exp(Lanes::load_unaligned(lanes.data()) - Lanes(max));
    e.store_unaligned(lanes.data());
    std::copy_n(lanes.begin(), count - i, out + i);
    sums = sums + e;
  }
  sums.store_unaligned(lanes.data());
  float sum = 0;  // lane by lane: a library's horizontal sum may differ between architectures
  for (float lane : lanes) sum += lane;
  return sum;
}

ATTENTION_KERNEL void softmax_row(float* out, const float* in, std::size_t count) {
  const float max = row_max(in, count);
  if (max == kMinusInfinity) {  // fully masked, or nothing but NaN beside the masked keys
    for (std::size_t i = 0; i < count; ++i) out[i] = in[i] == kMinusInfinity ? 0.0f : in[i];
    return;
  }
  const float sum = exp_row(out, in, max, count);
  map(out, count, [sum](auto e) { return e / sum; }, out);
}

}  // namespace attention::kernels
