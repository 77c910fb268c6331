#include "train/products.h"

#include <algorithm>
#include <array>

namespace attention::kernels {

namespace {

constexpr std::size_t kBlockDepth = 256;
constexpr std::size_t kBlockCols = 64 / kTileCols * kTileCols;

// A block of b as panels of columns, [depth, kTileCols] each.
using RightBlock = std::array<float, kBlockDepth * kBlockCols>;
// Columns of a that are rows of its transpose, [depth, kTileRows].
using LeftTile = std::array<float, kBlockDepth * kTileRows>;

// Element (r, k) of a tile of the left operand is data[r · row_step + k · depth_step].
struct Left {
  const float* data;
  std::size_t row_step, depth_step;
};

// How a tile is multiplied: straight from rows of a, or from what was packed of its columns.
struct FromRows {
  template <class Sum>
  static void multiply(Sum& tile, const Left& a, const float* b, std::size_t depth) {
    const float* from = a.data;
    for (const float* end = b + depth * kTileCols; b != end; ++from, b += kTileCols) {
      tile.step([&](std::size_t r) { return from[r * a.row_step]; }, b);
    }
  }
};
struct FromColumns {
  template <class Sum>
  static void multiply(Sum& tile, const Left& a, const float* b, std::size_t depth) {
    tile.template multiply<kTileRows>(a.data, b, depth);
  }
};

template <class From>
ATTENTION_KERNEL void multiply_whole(float* corner, std::size_t stride, Left a, const float* b,
                                     std::size_t depth, bool begins) {
  Tile<kTileRows> tile;
  if (begins) {
    tile.clear();
  } else {
    tile.load(corner, stride);
  }
  From::multiply(tile, a, b, depth);
  tile.store(corner, stride);
}

// The tile at (m, n), which may hang over the matrix's edges: there it goes through a padded copy. A row
// beyond the last reads the last one's numbers.
template <class From>
void multiply_tile(Matrix out, std::size_t m, std::size_t n, Left a, const float* b, std::size_t depth, bool begins) {
  float* const corner = out.data + m * out.stride + n;
  const std::size_t rows = std::min(kTileRows, out.rows - m), cols = std::min(kTileCols, out.cols - n);
  if (rows == kTileRows && cols == kTileCols) {
    multiply_whole<From>(corner, out.stride, a, b, depth, begins);
    return;
  }
  std::array<float, kTileRows * kTileCols> padded{};
  for (std::size_t r = 0; r < rows && !begins; ++r) {
    std::copy_n(corner + r * out.stride, cols, &padded[r * kTileCols]);
  }
  multiply_whole<From>(padded.data(), kTileCols, a, b, depth, begins);
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(&padded[r * kTileCols], cols, corner + r * out.stride);
}

// Rows k … k + depth and columns n … n + cols of b, or of its transpose.
void pack_right(float* to, ConstMatrix b, bool is_turned, std::size_t k, std::size_t depth, std::size_t n,
                std::size_t cols) {
  for (const std::size_t end = n + cols; n < end; n += kTileCols, to += depth * kTileCols) {
    const std::size_t count = std::min(kTileCols, end - n);
    if (is_turned) {
      pack_columns<kTileCols>(to, b.data + n * b.stride + k, b.stride, count, depth);
    } else {
      pack_rows(to, b.data + k * b.stride + n, b.stride, count, depth);
    }
  }
}

// to[k · kTileRows + r] = from[k · stride + r]: `count` columns of a, the missing ones 0.
void pack_left(float* to, const float* from, std::size_t stride, std::size_t count, std::size_t depth) {
  for (std::size_t k = 0; k < depth; ++k, to += kTileRows, from += stride) {
    if (count == kTileRows) {
      std::copy_n(from, kTileRows, to);
    } else {
      std::fill(std::copy_n(from, count, to), to + kTileRows, 0.0f);
    }
  }
}

KeyRange within(KeyRange range, std::size_t from, std::size_t count) {
  const std::size_t begin = std::clamp(range.begin, from, from + count);
  return {begin, std::max(begin, std::clamp(range.end, from, from + count))};
}

}  // namespace

void product(Matrix out, ConstMatrix a, ConstMatrix b, Turned turned, Sums sums, const Limits& limits) {
  const bool is_left_turned = turned == Turned::left;
  const std::size_t terms = is_left_turned ? a.rows : a.cols;
  RightBlock right;
  LeftTile packed, last_rows;
  for (std::size_t n = 0; n < out.cols; n += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, out.cols - n);
    for (std::size_t k = 0; k == 0 || k < terms; k += kBlockDepth) {
      const std::size_t depth = std::min(kBlockDepth, terms - k);
      pack_right(right.data(), b, turned == Turned::right, k, depth, n, cols);
      for (std::size_t m = 0; m < out.rows; m += kTileRows) {
        const std::size_t tile = m / kTileRows, rows = std::min(kTileRows, out.rows - m);
        const KeyRange here = limits.depth == nullptr ? KeyRange{k, k + depth} : within(limits.depth[tile], k, depth);
        const KeyRange wanted = limits.columns == nullptr ? KeyRange{n, n + cols} : within(limits.columns[tile], n, cols);
        const bool begins = k == 0 && sums == Sums::begin;
        const std::size_t count = here.end - here.begin;
        if (wanted.begin == wanted.end || (count == 0 && !begins)) continue;
        Left left{a.data + m * a.stride + here.begin, a.stride, 1};
        if (is_left_turned) {
          pack_left(packed.data(), a.data + here.begin * a.stride + m, a.stride, rows, count);
          left.data = packed.data();
        } else if (rows < kTileRows) {
          for (std::size_t r = 0; r < kTileRows; ++r) {
            std::copy_n(left.data + std::min(r, rows - 1) * a.stride, count, last_rows.data() + r * count);
          }
          left = {last_rows.data(), count, 1};
        }
        for (std::size_t c = (wanted.begin - n) / kTileCols * kTileCols; n + c < wanted.end; c += kTileCols) {
          const float* const panel = right.data() + c * depth + (here.begin - k) * kTileCols;
          if (is_left_turned) {
            multiply_tile<FromColumns>(out, m, n + c, left, panel, count, begins);
          } else {
            multiply_tile<FromRows>(out, m, n + c, left, panel, count, begins);
          }
        }
      }
    }
  }
}

}  // namespace attention::kernels
