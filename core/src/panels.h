// The inner loops of fused attention. Scores are kept in panels, [keys, kPanel]: a column is a query,
// so softmax runs down the lanes, and a panel is already packed for the product with the values.
// Like kernels.h: pointers and counts, no allocation, no policy.
#pragma once

#include <cstddef>

#include "attention/heads.h"
#include "kernels.h"
#include "tile.h"

namespace attention::kernels::inline ATTENTION_SET {

inline constexpr std::size_t kPanel = kTileCols;  // queries of a panel

// Up to a multiple of a tile's rows or columns.
constexpr std::size_t whole_tiles(std::size_t keys) { return (keys + kTileRows - 1) / kTileRows * kTileRows; }
constexpr std::size_t whole_panels(std::size_t n) { return (n + kTileCols - 1) / kTileCols * kTileCols; }

// Keys [rows, width] to tiles [width, kTileRows]: whole_tiles(rows) · width floats.
void pack_keys(float* to, ConstMatrix keys);

// Values [rows, width] to panels of columns, [rows, kTileCols] each: rows · whole_panels(width) floats.
void pack_values(float* to, ConstMatrix values);

// The state of a softmax between blocks of keys, for each query.
struct RunningSoftmax {
  float max[kPanel];      // of the scores so far, -infinity at first
  float next[kPanel];     // the same, with the block at hand
  float sum[kPanel];      // of exp(score - max)
  float rescale[kPanel];  // factor for sums made with the former max

  void clear();
};

// panel[k, q] = factor · sum over d of keys[k, d] · queries[d, q], for `count` keys; written up to a whole
// tile. Those tiles that lie within `raising` raise state.next: scores that nothing is to change.
//   keys packed by pack_keys; queries [width, kPanel]
void panel_scores(float* panel, const float* keys, const float* queries, std::size_t width,
                  std::size_t count, float factor, KeyRange raising, RunningSoftmax& state);

// Raises state.next to the scores of `keys`.
void raise_max(const float* panel, KeyRange keys, RunningSoftmax& state);

// panel[k, q] becomes exp(panel[k, q] - next), and `next` the maximum. Columns that are
// wholly masked stay 0.
void panel_softmax(float* panel, std::size_t keys, RunningSoftmax& state);

// sums[q, c] = rescale[q] · sums[q, c] + sum over k of panel[k, q] · values[k, c]; sums
// [kPanel, stride].
//   values packed by pack_values, `value_rows` keys to a panel, the first of them the panel's first key
void panel_values(float* sums, std::size_t stride, const float* panel, std::size_t keys,
                  const float* values, std::size_t value_rows, std::size_t width,
                  const RunningSoftmax& state);

}  // namespace attention::kernels::inline ATTENTION_SET
