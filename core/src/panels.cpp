#include "panels.h"

#include <limits>

#include "lanes.h"

namespace attention::kernels::inline ATTENTION_SET {

namespace {

// Queries of a panel that are summed at a time.
constexpr std::size_t kPanelRows = kLanes > 8 ? 8 : 4;
static_assert(kPanel % kPanelRows == 0);

// What is subtracted before exp: the maximum, or 0 in a column that is masked so far.
Lanes or_zero(Lanes max) { return xsimd::select(max == Lanes(kMinusInfinity), Lanes(0.0f), max); }

// One key's scores for a panel of queries; side by side they share what exp needs.
using Pair = std::array<Lanes, 2>;

inline Pair load(const float* from) {
  return {Lanes::load_unaligned(from), Lanes::load_unaligned(from + kLanes)};
}

inline void store(const Pair& x, float* to) {
  x[0].store_unaligned(to);
  x[1].store_unaligned(to + kLanes);
}

inline Pair larger(const Pair& a, const Pair& b) {
  return {attention::larger(a[0], b[0]), attention::larger(a[1], b[1])};
}

}  // namespace

void pack_keys(float* to, ConstMatrix keys) {
  for (std::size_t k = 0; k < keys.rows; k += kTileRows, to += kTileRows * keys.cols) {
    pack_columns<kTileRows>(to, keys.data + k * keys.stride, keys.stride,
                            std::min(kTileRows, keys.rows - k), keys.cols);
  }
}

void pack_values(float* to, ConstMatrix values) {
  pack_rows(to, values.data, values.stride, values.cols, values.rows);
}

void RunningSoftmax::clear() {
  for (float* const each : {max, next}) std::fill_n(each, kPanel, -std::numeric_limits<float>::infinity());
  std::fill_n(sum, kPanel, 0.0f);
}

ATTENTION_KERNEL void panel_scores(float* panel, const float* keys, const float* queries,
                                   std::size_t width, std::size_t count, float factor, KeyRange raising,
                                   RunningSoftmax& state) {
  for (std::size_t k = 0; k < count; k += kTileRows, keys += kTileRows * width) {
    Tile<kTileRows> tile;
    tile.clear();
    tile.multiply<kTileRows>(keys, queries, width);
    tile.scale(Lanes(factor));
    tile.store(panel + k * kPanel, kPanel);
    if (k < raising.begin || k + kTileRows > raising.end) continue;
    Pair max = load(state.next);  // while the scores are in registers
    for (std::size_t r = 0; r < kTileRows; ++r) max = larger(max, {tile.left[r], tile.right[r]});
    store(max, state.next);
  }
}

ATTENTION_KERNEL void raise_max(const float* panel, KeyRange keys, RunningSoftmax& state) {
  Pair max = load(state.next);
  for (std::size_t k = keys.begin; k < keys.end; ++k) max = larger(max, load(panel + k * kPanel));
  store(max, state.next);
}

ATTENTION_KERNEL void panel_softmax(float* panel, std::size_t keys, RunningSoftmax& state) {
  const Pair before = load(state.max), max = load(state.next);
  const Pair base{or_zero(max[0]), or_zero(max[1])};
  const Pair rescale = exp_nonpositive(Pair{before[0] - base[0], before[1] - base[1]});
  Pair sum = load(state.sum);
  for (std::size_t i = 0; i < 2; ++i) sum[i] = sum[i] * rescale[i];
  for (float *at = panel, *const end = panel + keys * kPanel; at != end; at += kPanel) {
    const Pair x = load(at);
    const Pair e = exp_nonpositive(Pair{x[0] - base[0], x[1] - base[1]});
    store(e, at);
    for (std::size_t i = 0; i < 2; ++i) sum[i] = sum[i] + e[i];
  }
  store(max, state.max);
  store(sum, state.sum);
  store(rescale, state.rescale);
}

ATTENTION_KERNEL void panel_values(float* sums, std::size_t stride, const float* panel,
                                   std::size_t keys, const float* values, std::size_t value_rows,
                                   std::size_t width, const RunningSoftmax& state) {
  for (std::size_t c = 0; c < width; c += kTileCols, values += value_rows * kTileCols) {
    for (std::size_t q = 0; q < kPanel; q += kPanelRows) {
      float* const corner = sums + q * stride + c;
      Tile<kPanelRows> tile;
      tile.load(corner, stride);
      tile.scale_rows(state.rescale + q);
      tile.multiply<kPanel>(panel + q, values, keys);
      tile.store(corner, stride);
    }
  }
}

}  // namespace attention::kernels::inline ATTENTION_SET
