#include "kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "narrow.h"
#include "tile.h"

namespace attention::kernels::inline ATTENTION_SET {

namespace {

// out[i] = op(in[i]...) in lanes, then one by one: both round in the same way.
template <class Op, class... In>
inline void map(float* out, std::size_t count, Op op, const In*... in) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) op(Lanes::load_unaligned(in + i)...).store_unaligned(out + i);
  for (; i < count; ++i) out[i] = op(Lanes(in[i])...).get(0);
}

// The same for long functions, whose code is not repeated: the last numbers are put into a register.
template <class Op>
inline void map_padded(float* out, const float* in, std::size_t count, Op op) {
  for (std::size_t i = 0; i < count; i += kLanes) store_up_to(out + i, count - i, op(load_up_to(in + i, count - i)));
}

// y · sigmoid(x), by exp of what is not positive.
inline Lanes times_sigmoid(Lanes y, Lanes x) {
  const Lanes e = exp_nonpositive(-xsimd::abs(x));
  return y * xsimd::select(x < Lanes(0.0f), e, Lanes(1.0f)) / (1.0f + e);
}

// --- matmul: blocks of rows and of depth, packed, tile by tile ---------------------------------
constexpr std::size_t kBlockRows = 256 / kTileRows * kTileRows;
constexpr std::size_t kBlockDepth = 192;  // a panel of 192 x 8 floats stays in the first-level cache
// Packed at a time: rows of b lie far apart, and memory is read ahead only along them.
constexpr std::size_t kBlockCols = 64 / kTileCols * kTileCols;
static_assert(kBlockCols % kGroupRows == 0 && kGroupRows % kLanes == 0);

// Rows of a, tile after tile, each [depth, kTileRows]; columns of b, panel after panel, each [depth, kTileCols].
using LeftBlock = std::array<float, kBlockRows * kBlockDepth>;
using RightBlock = std::array<float, kBlockCols * kBlockDepth>;

inline void copy(float* to, std::size_t stride, Matrix from) {
  for (std::size_t r = 0; r < from.rows; ++r) std::copy_n(from.data + r * from.stride, from.cols, to + r * stride);
}

// out[m…, n…] += the block of rows · the panel of columns. A tile at the matrix's edge goes through a padded copy.
ATTENTION_KERNEL void multiply_panel(Matrix out, std::size_t m, std::size_t rows, std::size_t n,
                                     const float* a, const float* b, std::size_t depth,
                                     bool is_first) {
  const std::size_t cols = std::min(kTileCols, out.cols - n);
  std::array<float, kTileRows * kTileCols> padded{};
  for (const std::size_t end = m + rows; m < end; m += kTileRows, a += depth * kTileRows) {
    const std::size_t high = std::min(kTileRows, out.rows - m);
    const Matrix corner{out.data + m * out.stride + n, high, cols, out.stride};
    const bool is_edge = high < kTileRows || cols < kTileCols;
    float* const to = is_edge ? padded.data() : corner.data;
    const std::size_t stride = is_edge ? kTileCols : out.stride;
    Tile<kTileRows> tile;
    if (is_first) {
      tile.clear();
    } else {
      if (is_edge) copy(to, kTileCols, corner);
      tile.load(to, stride);
    }
    tile.multiply<kTileRows>(a, b, depth);
    tile.store(to, stride);
    if (is_edge) copy(corner.data, out.stride, {to, high, cols, kTileCols});
  }
}

// pack_right(to, k, n, cols, depth) packs columns [n, n + cols) of rows [k, k + depth) of b.
template <class PackRight>
inline void multiply(Matrix out, ConstMatrix a, PackRight pack_right) {
  LeftBlock left;
  RightBlock right;
  for (std::size_t m = 0; m < out.rows; m += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, out.rows - m);
    for (std::size_t k = 0; k < a.cols; k += kBlockDepth) {
      const std::size_t depth = std::min(kBlockDepth, a.cols - k);
      for (std::size_t r = 0; r < rows; r += kTileRows) {
        pack_columns<kTileRows>(left.data() + r * depth, a.data + (m + r) * a.stride + k, a.stride,
                                std::min(kTileRows, rows - r), depth);
      }
      for (std::size_t n = 0; n < out.cols; n += kBlockCols) {
        const std::size_t cols = std::min(kBlockCols, out.cols - n);
        pack_right(right.data(), k, n, cols, depth);
        for (std::size_t c = 0; c < cols; c += kTileCols) {
          multiply_panel(out, m, rows, n + c, left.data(), right.data() + c * depth, depth, k == 0);
        }
      }
    }
  }
}

// --- one row at a time: packing would cost more than it saves --------------------------------------

// Fewer rows than kFewRows go one at a time; the page's module packs always, since it multiplies no large matrix by one row.
// Rows of b that are read side by side: from so many places in memory at once a processor still reads ahead. And groups of
// sums: one need not wait for another's last term.
#ifdef ATTENTION_FLOAT32_ONLY
constexpr std::size_t kFewRows = 0, kRowsAtOnce = 1, kGroupsAtOnce = 1;
#else
constexpr std::size_t kFewRows = 3, kRowsAtOnce = 4, kGroupsAtOnce = 3;
#endif

// out += factors · the kRows rows of b from `first` on, a row's terms after the former's.
template <std::size_t kRows, class Numbers>
inline void add_rows(float* out, const float* factors, const Numbers& b, std::size_t first) {
  using Row = typename Numbers::Row;
  std::array<Row, kRows> rows;
  std::array<Lanes, kRows> factor;
  for (std::size_t r = 0; r < kRows; ++r) rows[r] = b.row(first + r), factor[r] = Row::factor(factors[r]);
  std::size_t n = 0;
  for (; n + Row::kWide <= b.cols; n += Row::kWide) {
    std::array<Lanes, Row::kWide / kLanes> sums;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = Lanes::load_unaligned(out + n + i * kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto numbers = rows[r].load_wide(n);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = multiply_add(sums[i], factor[r], numbers[i]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].store_unaligned(out + n + i * kLanes);
  }
  for (; n < b.cols; ++n) {
    Lanes sum(out[n]);
    for (std::size_t r = 0; r < kRows; ++r) sum = multiply_add(sum, Lanes(factors[r]), Lanes(rows[r][n]));
    out[n] = sum.get(0);
  }
}

// out = start · out + row · b; start 0 = whatever out held.
template <class Numbers>
ATTENTION_KERNEL void multiply_row_nn(float* out, float start, const float* row, Numbers b) {
  if (start == 0) std::fill_n(out, b.cols, 0.0f);
  else if (start != 1) map(out, b.cols, [start](auto x) { return x * start; }, out);
  std::size_t k = 0;
  for (; k + kRowsAtOnce <= b.rows; k += kRowsAtOnce) add_rows<kRowsAtOnce>(out, row + k, b, k);
  if constexpr (kRowsAtOnce > 1) {
    for (; k < b.rows; ++k) add_rows<1>(out, row + k, b, k);
  }
}

// out[0 … kGroups · kLanes) = row · the rows of b from `first` on, transposed, `count` of them: each lane adds one row's terms in
// order.
template <std::size_t kGroups>
inline void multiply_groups_nt(float* out, const float* row, const ConstMatrix& b, std::size_t first, std::size_t count) {
  const std::size_t whole = b.cols / kLanes * kLanes;
  // Rows beyond the last repeat it; their sums are dropped.
  std::array<const float*, kGroups * kLanes> rows;
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = b.data + (first + std::min(r, count - 1)) * b.stride;
  std::array<Lanes, kGroups> sums;
  sums.fill(Lanes(0.0f));
  for (std::size_t k = 0; k < whole; k += kLanes) {
    std::array<std::array<Lanes, kLanes>, kGroups> blocks;
    for (std::size_t r = 0; r < rows.size(); ++r) blocks[r / kLanes][r % kLanes] = Lanes::load_unaligned(rows[r] + k);
    for (auto& block : blocks) transpose(block);
    for (std::size_t i = 0; i < kLanes; ++i) {
      for (std::size_t g = 0; g < kGroups; ++g) sums[g] = multiply_add(sums[g], Lanes(row[k + i]), blocks[g][i]);
    }
  }
  std::array<float, kGroups * kLanes> lanes;
  for (std::size_t k = whole; k < b.cols; ++k) {
    for (std::size_t r = 0; r < lanes.size(); ++r) lanes[r] = rows[r][k];
    for (std::size_t g = 0; g < kGroups; ++g) {
      sums[g] = multiply_add(sums[g], Lanes(row[k]), Lanes::load_unaligned(lanes.data() + g * kLanes));
    }
  }
  for (std::size_t g = 0; g < kGroups; ++g) sums[g].store_unaligned(lanes.data() + g * kLanes);
  std::copy_n(lanes.data(), count, out);
}

ATTENTION_KERNEL void multiply_row_nt(float* out, const float* row, ConstMatrix b) {
  constexpr std::size_t kGroups = kGroupsAtOnce;
  std::size_t n = 0;
  if constexpr (kGroups > 1) {
    for (; n + kGroups * kLanes <= b.rows; n += kGroups * kLanes) {
      multiply_groups_nt<kGroups>(out + n, row, b, n, kGroups * kLanes);
    }
  }
  for (; n < b.rows; n += kLanes) multiply_groups_nt<1>(out + n, row, b, n, std::min(kLanes, b.rows - n));
}

struct FloatRows : ConstMatrix {
  struct Row : FloatRow {
    static constexpr std::size_t kWide = kLanes;
    std::array<Lanes, 1> load_wide(std::size_t k) const { return {load(k)}; }
    static Lanes factor(float x) { return Lanes(x); }
  };
  Row row(std::size_t r) const { return {{data + r * stride}}; }
};

}  // namespace

void matmul_nn(Matrix out, ConstMatrix a, ConstMatrix b) {
  if (out.rows < kFewRows) {
    for (std::size_t m = 0; m < out.rows; ++m) {
      multiply_row_nn(out.data + m * out.stride, 0, a.data + m * a.stride, FloatRows{b});
    }
    return;
  }
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    pack_rows(to, b.data + k * b.stride + n, b.stride, cols, depth);
  });
}

void add_values(float* out, std::size_t count, float rescale, const float* row, ConstMatrix b) {
  b.cols = count;
  multiply_row_nn(out, rescale, row, FloatRows{b});
}

void matmul_nt(Matrix out, ConstMatrix a, ConstMatrix b) {
  if (out.rows < kFewRows) {
    for (std::size_t m = 0; m < out.rows; ++m) {
      multiply_row_nt(out.data + m * out.stride, a.data + m * a.stride, b);
    }
    return;
  }
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    for (std::size_t c = 0; c < cols; c += kTileCols) {
      pack_columns<kTileCols>(to + c * depth, b.data + (n + c) * b.stride + k, b.stride, std::min(kTileCols, cols - c), depth);
    }
  });
}

// --- matrices of other types or orders: widened while they are packed, or read a row at a time -------------------

namespace {

// NaN is not below anything.
inline bool all_below(const float* row, std::size_t count, float most) {
  bool are = true;
  for (std::size_t i = 0; i < count; ++i) are &= std::fabs(row[i]) < most;
  return are;
}

// Whether what is read at once never lies in two blocks.
inline bool has_whole_blocks(const WeightMatrix& b) {
  return b.weight.type != NumberType::q8_0 || (b.weight.first == 0 && b.stride % kBlockNumbers == 0);
}

// Calls its argument with the type of narrow.h for a matrix that is multiplied by `count` numbers: none, where it is packed.
// Float32 in rows has its own products.
template <Order kOrder, class Do>
inline void with_type(const Weight& weight, const float* row, std::size_t count, Do task) {
  const bool is_finite = weight.type == NumberType::f16 && weight.is_finite != nullptr && *weight.is_finite;
  if (is_finite && all_below(row, count, FiniteF16::kMost)) return task(FiniteF16{});
  switch (weight.type) {
    case NumberType::bf16: return task(Bf16{});
    case NumberType::f16: return task(F16{});
    case NumberType::i8: return task(I8{});
    case NumberType::q8_0: return task(Q8{});
    case NumberType::f32:
      if constexpr (kOrder == Order::interleaved) task(F32{});
      return;
  }
}

// out = a · b row by row, with the product that of(type) points to: a function of its own, since V8 keeps fewer numbers in
// registers where it is inlined.
template <Order kOrder, class Of>
inline void by_rows(Matrix out, ConstMatrix a, const WeightMatrix& b, Of of) {
  for (std::size_t m = 0; m < out.rows; ++m) {
    const float* const row = a.data + m * a.stride;
    void (*product)(float*, const float*, WeightMatrix) = nullptr;
    with_type<kOrder>(b.weight, row, a.cols, [&](auto type) { product = of(type); });
    product(out.data + m * out.stride, row, b);
  }
}

template <class Type>
ATTENTION_KERNEL void narrow_row_nn(float* out, const float* row, WeightMatrix b) { multiply_row_nn(out, 0, row, NarrowRows<Type>{b}); }

// --- interleaved matrices: their rows are columns already ------------------------------------------------------------

// out[0 … b.rows) = row · b, transposed: each lane adds one row's terms in order.
template <class Type>
ATTENTION_KERNEL void interleaved_row_nt(float* out, const float* row, WeightMatrix b) {
  for (std::size_t n = 0; n < b.rows;) {
    const Weight from = b.weight.from(n, 0, b.stride);
    typename Group<Type>::Column sums;
    sums.fill(Lanes(0.0f));
    Group<Type>(from).each_part(b.cols, [&](const auto& group, std::size_t k, std::size_t end) {
      for (std::size_t i = k; i < end; ++i) {
        const Lanes factor = Group<Type>::factor(row[i]);
        const auto column = group.column(i - k);
        for (std::size_t r = 0; r < sums.size(); ++r) sums[r] = multiply_add(sums[r], factor, column[r]);
      }
    });
    std::array<float, kGroupRows> all;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].store_unaligned(all.data() + i * kLanes);
    const std::size_t count = std::min(kGroupRows - from.first, b.rows - n);
    std::copy_n(all.data() + from.first, count, out + n);
    n += count;
  }
}

// Rows [n, n + count) of b to panels of columns, as pack_rows() does: whole groups at once.
template <class Type>
inline void pack_interleaved(float* to, const WeightMatrix& b, std::size_t n, std::size_t count, std::size_t k, std::size_t depth) {
  const auto place = [=](std::size_t c, std::size_t i) { return to + c / kTileCols * depth * kTileCols + i * kTileCols + c % kTileCols; };
  const std::size_t whole = (b.weight.first + n) % kGroupRows == 0 ? count : 0;
  for (std::size_t c = 0; c < whole; c += kGroupRows) {
    Group<Type>(b.weight.from(n + c, k, b.stride)).each_part(depth, [&](const auto& group, std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const auto column = group.column(i - first);
        for (std::size_t r = 0; r < column.size(); ++r) Group<Type>::number(column[r]).store_unaligned(place(c + r * kLanes, i));
      }
    });
  }
  for (std::size_t c = whole; c < count; ++c) {
    std::array<float, kBlockDepth> row;
    widen_apart<Type>(row.data(), b.weight.from(n + c, k, b.stride), depth);
    for (std::size_t i = 0; i < depth; ++i) *place(c, i) = row[i];
  }
  for (std::size_t c = count; c % kTileCols != 0; ++c) {
    for (std::size_t i = 0; i < depth; ++i) *place(c, i) = 0;
  }
}

inline void multiply_interleaved(Matrix out, ConstMatrix a, const WeightMatrix& b) {
  if (out.rows < kFewRows) return by_rows<Order::interleaved>(out, a, b, []<class Type>(Type) { return interleaved_row_nt<Type>; });
  multiply(out, a, [&](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    with_type<Order::interleaved>(b.weight, nullptr, 0, [&]<class Type>(Type) { pack_interleaved<Type>(to, b, n, cols, k, depth); });
  });
}

}  // namespace

ATTENTION_KERNEL void widen_row(float* out, const Weight& from, std::size_t count) {
  if (from.order == Order::interleaved) {
    with_type<Order::interleaved>(from, nullptr, 0, [&]<class Type>(Type) { widen_apart<Type>(out, from, count); });
  } else {
    with_type<Order::rows>(from, nullptr, 0, [&]<class Type>(Type) { widen_each(out, NarrowRow<Type>(from), count); });
  }
}

void matmul_nn_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  if (out.rows < kFewRows && has_whole_blocks(b)) return by_rows<Order::rows>(out, a, b, []<class Type>(Type) { return narrow_row_nn<Type>; });
  multiply(out, a, [b](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    with_type<Order::rows>(b.weight, nullptr, 0, [&]<class Type>(Type) {
      pack_rows(to, cols, depth, [&](std::size_t i) { return NarrowRow<Type>(b.weight.from(k + i, n, b.stride)); });
    });
  });
}

void matmul_nt_widened(Matrix out, ConstMatrix a, WeightMatrix b) {
  if (b.weight.order == Order::interleaved) return multiply_interleaved(out, a, b);
  multiply(out, a, [&](float* to, std::size_t k, std::size_t n, std::size_t cols, std::size_t depth) {
    std::array<float, kTileCols * kBlockDepth> rows;
    for (std::size_t c = 0; c < cols; c += kTileCols) {
      const std::size_t count = std::min(kTileCols, cols - c);
      for (std::size_t r = 0; r < count; ++r) widen_row(rows.data() + r * depth, b.weight.from(n + c + r, k, b.stride), depth);
      pack_columns<kTileCols>(to + c * depth, rows.data(), depth, count, depth);
    }
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

// x · sigmoid(2u) is x/2 · (1 + tanh(u)).
ATTENTION_KERNEL void gelu_tanh(float* out, const float* in, std::size_t count) {
  constexpr float kTwiceSqrtTwoOverPi = 1.59576912f;
  map_padded(out, in, count, [](Lanes x) { return times_sigmoid(x, kTwiceSqrtTwoOverPi * (x + 0.044715f * x * x * x)); });
}

ATTENTION_KERNEL void silu(float* out, const float* in, std::size_t count) {
  map_padded(out, in, count, [](Lanes x) { return times_sigmoid(x, x); });
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
  for (; i < count; ++i) best = larger(best, Lanes(in[i]));
  std::array<float, kLanes> lanes;
  best.store_unaligned(lanes.data());
  return *std::max_element(lanes.begin(), lanes.end());
}

ATTENTION_KERNEL float exp_row(float* out, const float* in, float max, std::size_t count) {
  Lanes sums(0.0f);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Lanes e = exp_nonpositive(load_up_to(in + i, count - i, kMinusInfinity) - Lanes(max));
    store_up_to(out + i, count - i, e);
    sums = sums + e;
  }
  return sum_of(sums);
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
  map(out, count, [divisor](auto x) { return quotient(x, Lanes(divisor)); }, in);
}

// 0 times a number is 0, unless it is infinite or NaN.
bool is_finite(const float* numbers, std::size_t count) {
  Lanes zero(0.0f);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) zero = zero + Lanes::load_unaligned(numbers + i) * Lanes(0.0f);
  for (; i < count; ++i) zero = zero + Lanes(numbers[i] * 0.0f);
  return xsimd::all(zero == Lanes(0.0f));
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
