#include "kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "lanes.h"
#include "tile.h"

namespace attention::kernels::inline ATTENTION_SET {

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

// --- matmul: blocks of rows and of depth, packed, tile by tile ---------------------------------
constexpr std::size_t kBlockRows = 256 / kTileRows * kTileRows;
constexpr std::size_t kBlockDepth = 192;  // a panel of 192 x 8 floats stays in the first-level cache

// Rows of a, tile after tile, each [depth, kTileRows]; columns of b, [depth, kTileCols].
using LeftBlock = std::array<float, kBlockRows * kBlockDepth>;
using RightPanel = std::array<float, kTileCols * kBlockDepth>;

// A tile at the matrix's edge goes through a padded copy: one rule for every width and height.
inline void multiply_edge(Matrix out, std::size_t m, std::size_t n, const float* a, const float* b,
                          std::size_t depth, bool is_first) {
  const std::size_t rows = std::min(kTileRows, out.rows - m), cols = std::min(kTileCols, out.cols - n);
  std::array<float, kTileRows * kTileCols> padded{};
  float* const corner = out.data + m * out.stride + n;
  for (std::size_t r = 0; r < rows && !is_first; ++r) {
    std::copy_n(corner + r * out.stride, cols, &padded[r * kTileCols]);
  }
  Tile<kTileRows> tile;
  tile.load(padded.data(), kTileCols);
  tile.multiply<kTileRows>(a, b, depth);
  tile.store(padded.data(), kTileCols);
  for (std::size_t r = 0; r < rows; ++r) {
    std::copy_n(&padded[r * kTileCols], cols, corner + r * out.stride);
  }
}

// out[m…, n…] += the block of rows · the panel of columns.
ATTENTION_KERNEL void multiply_panel(Matrix out, std::size_t m, std::size_t rows, std::size_t n,
                                     const float* a, const float* b, std::size_t depth,
                                     bool is_first) {
  for (const std::size_t end = m + rows; m < end; m += kTileRows, a += depth * kTileRows) {
    if (m + kTileRows > out.rows || n + kTileCols > out.cols) {
      multiply_edge(out, m, n, a, b, depth, is_first);
      continue;
    }
    Tile<kTileRows> tile;
    float* const corner = out.data + m * out.stride + n;
    if (is_first) {
      tile.clear();
    } else {
      tile.load(corner, out.stride);
    }
    tile.multiply<kTileRows>(a, b, depth);
    tile.store(corner, out.stride);
  }
}

template <class PackRight>
inline void multiply(Matrix out, ConstMatrix a, PackRight pack_right) {
  LeftBlock left;
  RightPanel right;
  for (std::size_t m = 0; m < out.rows; m += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, out.rows - m);
    for (std::size_t k = 0; k < a.cols; k += kBlockDepth) {
      const std::size_t depth = std::min(kBlockDepth, a.cols - k);
      for (std::size_t r = 0; r < rows; r += kTileRows) {
        pack_columns<kTileRows>(left.data() + r * depth, a.data + (m + r) * a.stride + k, a.stride,
                                std::min(kTileRows, rows - r), depth);
      }
      for (std::size_t n = 0; n < out.cols; n += kTileCols) {
        pack_right(right.data(), k, n, std::min(kTileCols, out.cols - n), depth);
        multiply_panel(out, m, rows, n, left.data(), right.data(), depth, k == 0);
      }
    }
  }
}

// --- one row at a time: packing would cost more than it saves --------------------------------------
constexpr std::size_t kFewRows = 3;

// out = start · out + row · b, b's columns in registers; start 0 = whatever out held.
ATTENTION_KERNEL void multiply_row_nn(float* out, float start, const float* row, ConstMatrix b) {
  constexpr std::size_t kWide = 4 * kLanes;
  std::size_t n = 0;
  for (; n + kWide <= b.cols; n += kWide) {
    std::array<Lanes, 4> sums;
    for (std::size_t i = 0; i < 4; ++i) {
      sums[i] = start == 0 ? Lanes(0.0f) : Lanes::load_unaligned(out + n + i * kLanes) * start;
    }
    const float* from = b.data + n;
    for (std::size_t k = 0; k < b.rows; ++k, from += b.stride) {
      const Lanes a(row[k]);
      for (std::size_t i = 0; i < 4; ++i) {
        sums[i] = multiply_add(sums[i], a, Lanes::load_unaligned(from + i * kLanes));
      }
    }
    for (std::size_t i = 0; i < 4; ++i) sums[i].store_unaligned(out + n + i * kLanes);
  }
  for (; n < b.cols; n += kLanes) {
    const std::size_t cols = std::min(kLanes, b.cols - n);
    std::array<float, kLanes> lanes{};
    if (start != 0) std::copy_n(out + n, cols, lanes.data());
    Lanes sum = Lanes::load_unaligned(lanes.data()) * start;
    for (std::size_t k = 0; k < b.rows; ++k) {
      std::copy_n(b.data + k * b.stride + n, cols, lanes.data());
      sum = multiply_add(sum, Lanes(row[k]), Lanes::load_unaligned(lanes.data()));
    }
    sum.store_unaligned(lanes.data());
    std::copy_n(lanes.data(), cols, out + n);
  }
}

// row · b^T: kLanes rows of b at a time, turned so that each lane adds one row's terms in order.
template <class Numbers>
ATTENTION_KERNEL void multiply_row_nt(float* out, const float* row, Numbers b, std::size_t b_rows, std::size_t depth) {
  const std::size_t whole = depth / kLanes * kLanes;
  for (std::size_t n = 0; n < b_rows; n += kLanes) {
    const std::size_t count = std::min(kLanes, b_rows - n);
    // Rows beyond the last repeat it; their sums are dropped.
    std::array<typename Numbers::Row, kLanes> from;
    for (std::size_t r = 0; r < kLanes; ++r) from[r] = b.row(n + std::min(r, count - 1));
    Lanes sum(0.0f);
    for (std::size_t k = 0; k < whole; k += kLanes) {
      std::array<Lanes, kLanes> block;
      for (std::size_t r = 0; r < kLanes; ++r) block[r] = from[r].load(k);
      transpose(block);
      for (std::size_t i = 0; i < kLanes; ++i) sum = multiply_add(sum, Lanes(row[k + i]), block[i]);
    }
    std::array<float, kLanes> lanes;
    for (std::size_t k = whole; k < depth; ++k) {
      for (std::size_t r = 0; r < kLanes; ++r) lanes[r] = from[r][k];
      sum = multiply_add(sum, Lanes(row[k]), Lanes::load_unaligned(lanes.data()));
    }
    sum.store_unaligned(lanes.data());
    std::copy_n(lanes.data(), count, out + n);
  }
}

struct FloatRows {
  struct Row {
    const float* numbers;
    Lanes load(std::size_t k) const { return Lanes::load_unaligned(numbers + k); }
    float operator[](std::size_t k) const { return numbers[k]; }
  };
  ConstMatrix matrix;
  Row row(std::size_t r) const { return {matrix.data + r * matrix.stride}; }
};

}  // namespace

void matmul_nn(Matrix out, ConstMatrix a, ConstMatrix b) {
  if (out.rows < kFewRows) {
    for (std::size_t m = 0; m < out.rows; ++m) {
      multiply_row_nn(out.data + m * out.stride, 0, a.data + m * a.stride, b);
    }
    return;
  }
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    pack_rows(to, b.data + k * b.stride + n, b.stride, cols, depth);
  });
}

void add_values(float* out, std::size_t count, float rescale, const float* row, ConstMatrix b) {
  b.cols = count;
  multiply_row_nn(out, rescale, row, b);
}

void matmul_nt(Matrix out, ConstMatrix a, ConstMatrix b) {
  if (out.rows < kFewRows) {
    for (std::size_t m = 0; m < out.rows; ++m) {
      multiply_row_nt(out.data + m * out.stride, a.data + m * a.stride, FloatRows{b}, b.rows, b.cols);
    }
    return;
  }
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    pack_columns<kTileCols>(to, b.data + n * b.stride + k, b.stride, cols, depth);
  });
}

// --- matrices of other types: widened part by part, then as above ------------------------------------------------

namespace {

// Vectors of the compiler's own, which convert numbers of any width.
using Bits __attribute__((vector_size(4 * kLanes))) = std::int32_t;
using Floats __attribute__((vector_size(4 * kLanes))) = float;
using Halves __attribute__((vector_size(2 * kLanes))) = std::uint16_t;
using Bytes __attribute__((vector_size(kLanes))) = std::int8_t;

inline Lanes lanes(Floats floats) { return std::bit_cast<Lanes::register_type>(floats); }
inline Lanes lanes(Bits bits) { return std::bit_cast<Lanes::register_type>(bits); }

struct Bf16 {
  using Number = std::uint16_t;
  using Vector = Halves;
  static Lanes widen(Bits bits, float) { return lanes(bits << 16); }
};
struct F16 {
  using Number = std::uint16_t;
  using Vector = Halves;
  // All of them as normal and as subnormal numbers, of which each lane takes one.
  static Lanes widen(Bits half, float) {
    constexpr std::int32_t kBias = (127 - 15) << 23, kOne = 1 << 23, kInfinite = 31 << 23;
    const Bits size = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
    const Bits is_subnormal = size < kOne, is_infinite = size >= kInfinite;  // infinities and NaN
    const Bits normal = size + kBias + (is_infinite & kBias);
    const Bits subnormal = std::bit_cast<Bits>(std::bit_cast<Floats>(size + (kBias + kOne)) - 0x1p-14f);
    return lanes((is_subnormal & subnormal) | (~is_subnormal & normal) | sign);
  }
};
struct I8 {
  using Number = std::int8_t;
  using Vector = Bytes;
  static Lanes widen(Bits whole, float scale) { return lanes(__builtin_convertvector(whole, Floats)) * scale; }
};

template <class Type>
struct NarrowRow {
  const typename Type::Number* numbers;
  float scale;

  explicit NarrowRow(const Weight& weight)
      : numbers(static_cast<const typename Type::Number*>(weight.data)), scale(weight.scales != nullptr ? *weight.scales : 1) {}
  NarrowRow() = default;
  Lanes load(std::size_t k) const { return widen(numbers + k); }
  float operator[](std::size_t k) const {
    std::array<typename Type::Number, kLanes> one{numbers[k]};
    return widen(one.data()).get(0);
  }

 private:
  Lanes widen(const typename Type::Number* from) const {
    typename Type::Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return Type::widen(__builtin_convertvector(vector, Bits), scale);
  }
};

template <class Type>
struct NarrowRows {
  using Row = NarrowRow<Type>;
  WeightMatrix matrix;
  Row row(std::size_t r) const { return Row(matrix.weight.from(r * matrix.stride, r)); }
};

template <class Type>
inline void widen_each(float* out, NarrowRow<Type> from, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) from.load(i).store_unaligned(out + i);
  for (; i < count; ++i) out[i] = from[i];
}

// Calls what it is given with one of the types above.
template <class Do>
inline void with_type(NumberType type, Do task) {
  switch (type) {
    case NumberType::bf16: return task(Bf16{});
    case NumberType::f16: return task(F16{});
    case NumberType::i8: return task(I8{});
    case NumberType::f32: return;
  }
}

// A part of a matrix, widened, in the first level of the cache.
class WidenedPart {
 public:
  // Rows [row, row + rows), columns [column, column + columns): at most kNumbers.
  ConstMatrix widen(const WeightMatrix& b, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r) {
      widen_row(numbers_.data() + r * columns, b.weight.from((row + r) * b.stride + column, row + r), columns);
    }
    return {numbers_.data(), rows, columns, columns};
  }
  static constexpr std::size_t kNumbers = std::max<std::size_t>(4096, kTileCols * kBlockDepth);

 private:
  std::array<float, kNumbers> numbers_;
};

// Calls what it is given with each part of b, a row of parts after another.
template <class Do>
inline void each_part(const WeightMatrix& b, std::size_t rows, Do task) {
  const std::size_t columns = WidenedPart::kNumbers / rows;
  WidenedPart part;
  for (std::size_t row = 0; row < b.rows; row += rows) {
    for (std::size_t column = 0; column < b.cols; column += columns) {
      task(row, column, part.widen(b, row, std::min(rows, b.rows - row), column, std::min(columns, b.cols - column)));
    }
  }
}

}  // namespace

ATTENTION_KERNEL void widen_row(float* out, const Weight& from, std::size_t count) {
  with_type(from.type, [&]<class Type>(Type) { widen_each(out, NarrowRow<Type>(from), count); });
}

void matmul_nn_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  constexpr std::size_t kRows = 16;
  if (out.rows < kFewRows) {
    return each_part(b, kRows, [&](std::size_t k, std::size_t n, ConstMatrix part) {
      for (std::size_t m = 0; m < out.rows; ++m) {
        multiply_row_nn(out.data + m * out.stride + n, k == 0 ? 0.0f : 1.0f, a.data + m * a.stride + k, part);
      }
    });
  }
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    for (std::size_t i = 0; i < depth; ++i, to += kTileCols) {
      widen_row(to, b.weight.from((k + i) * b.stride + n, k + i), cols);
      std::fill(to + cols, to + kTileCols, 0.0f);
    }
  });
}

void matmul_nt_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  if (out.rows < kFewRows) {
    return with_type(b.weight.type, [&]<class Type>(Type) {
      for (std::size_t m = 0; m < out.rows; ++m) {
        multiply_row_nt(out.data + m * out.stride, a.data + m * a.stride, NarrowRows<Type>{b}, b.rows, b.cols);
      }
    });
  }
  WidenedPart columns;
  multiply(out, a, [&](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    pack_columns<kTileCols>(to, columns.widen(b, n, cols, k, depth).data, depth, cols, depth);
  });
}

ATTENTION_KERNEL void add(float* out, const float* a, const float* b, std::size_t count) {
  map(out, count, [](auto x, auto y) { return x + y; }, a, b);
}

ATTENTION_KERNEL void scale(float* out, const float* in, float factor, std::size_t count) {
  map(out, count, [factor](auto x) { return x * factor; }, in);
}

ATTENTION_KERNEL void softcap(float* out, const float* in, float cap, std::size_t count) {
  // xsimd's tanh is 0 below about 2.4e-7, which a large cap makes visible. t - t³/3 errs by 2t⁵/15: less than a
  // bit where it is taken.
  constexpr float kSmall = 1.0f / 64;
  map_padded(out, in, count, [cap](Lanes x) {
    const Lanes t = x / cap;
    return cap * xsimd::select(xsimd::abs(t) < kSmall, t - t * t * t * (1.0f / 3), xsimd::tanh(t));
  });
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

ATTENTION_KERNEL void silu(float* out, const float* in, std::size_t count) {
  map_padded(out, in, count, [](Lanes x) {
    const Lanes e = exp_nonpositive(-xsimd::abs(x));
    return x * xsimd::select(x < Lanes(0.0f), e, Lanes(1.0f)) / (1.0f + e);
  });
}

ATTENTION_KERNEL void multiply(float* out, const float* a, const float* b, std::size_t count) {
  map(out, count, [](auto x, auto y) { return x * y; }, a, b);
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
  for (; i + kLanes <= count; i += kLanes) best = larger(best, Lanes::load_unaligned(in + i));
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
    const Lanes e = exp_nonpositive(Lanes::load_unaligned(in + i) - Lanes(max));
    e.store_unaligned(out + i);
    sums = sums + e;
  }
  std::array<float, kLanes> lanes;
  if (i < count) {
    // Padded with -infinity, whose exp is 0: the tail takes the same exp and the same partial sums.
    lanes.fill(kMinusInfinity);
    std::copy(in + i, in + count, lanes.begin());
    const Lanes e = exp_nonpositive(Lanes::load_unaligned(lanes.data()) - Lanes(max));
    e.store_unaligned(lanes.data());
    std::copy_n(lanes.begin(), count - i, out + i);
    sums = sums + e;
  }
  sums.store_unaligned(lanes.data());
  float sum = 0;  // lane by lane: a library's horizontal sum may differ between architectures
  for (float lane : lanes) sum += lane;
  return sum;
}

ATTENTION_KERNEL float running_softmax(float* row, std::size_t count, float& max, float& sum) {
  const auto exp_of = [](float x) { return exp_nonpositive(Lanes(x)).get(0); };
  const float before = max;
  max = std::max(before, row_max(row, count));
  const float base = max == kMinusInfinity ? 0.0f : max;
  const float rescale = exp_of(before - base);
  map_padded(row, row, count, [base](Lanes x) { return exp_nonpositive(x - Lanes(base)); });
  sum = sum * rescale;
  for (std::size_t i = 0; i < count; ++i) sum += row[i];
  return rescale;
}

ATTENTION_KERNEL void divide(float* out, const float* in, float divisor, std::size_t count) {
  map(out, count, [divisor](auto x) { return quotient(x, decltype(x)(divisor)); }, in);
}

ATTENTION_KERNEL void softmax_row(float* out, const float* in, std::size_t count) {
  const float max = row_max(in, count);
  if (max == kMinusInfinity) {  // fully masked, or nothing but NaN beside the masked keys
    const float* const nan = std::find_if(in, in + count, [](float x) { return x != x; });
    std::fill_n(out, count, nan == in + count ? 0.0f : *nan);
    return;
  }
  const float sum = exp_row(out, in, max, count);
  divide(out, out, sum, count);
}

}  // namespace attention::kernels::inline ATTENTION_SET
