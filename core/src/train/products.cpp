#include "train/gradient_kernels.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace attention::kernels {

namespace {

constexpr std::size_t kBlockDepth = 256;
constexpr std::size_t kBlockCols = 64 / kTileCols * kTileCols;
constexpr std::size_t kGroup = 16 / kTileRows;  // tiles whose rows of the transpose share a cache line

// Without AVX no load of x86 fills all lanes: it takes a shuffle, for which additions then wait. Where a packed
// number is used often enough, it is packed once a lane.
#if defined(__SSE2__) && !defined(__AVX__)
constexpr std::size_t kCopies = kLanes;
#else
constexpr std::size_t kCopies = 1;
#endif
constexpr std::size_t kFewPanels = 3;
// Rows that lie no further apart are read where they lie: they stay in the nearest cache, and packing them costs more.
constexpr std::size_t kNear = 64;

// A block of b as panels of columns, [depth, kTileCols] each.
using RightBlock = std::array<float, kBlockDepth * kBlockCols>;
// A group of tiles of a, [depth, kTileRows, copies] each.
using LeftGroup = std::array<float, kGroup * kBlockDepth * kTileRows * kCopies>;

// A tile of the left operand: how its element (r, k) is read into all lanes.
struct Straight {  // as it lies, rows beside one another
  const float* data;
  std::size_t stride;
  Lanes operator()(std::size_t r) const { return Lanes(data[r * stride]); }
  void next() { ++data; }
};
struct Across {  // as it lies, rows in columns
  const float* data;
  std::size_t stride;
  Lanes operator()(std::size_t r) const { return Lanes(data[r]); }
  void next() { data += stride; }
};
struct Packed {
  const float* data;
  Lanes operator()(std::size_t r) const { return Lanes(data[r]); }
  void next() { data += kTileRows; }
};
struct Spread {
  const float* data;
  Lanes operator()(std::size_t r) const { return Lanes::load_unaligned(data + r * kLanes); }
  void next() { data += kTileRows * kLanes; }
};

// Where panels of columns of b lie: so many floats from one to the next, and from a term's row to the next.
struct Steps {
  std::size_t panel, row;
};

// `panels` tiles beside one another: (+)= left · b.
template <class Left>
ATTENTION_KERNEL void multiply_row(float* corner, std::size_t stride, Left left, const float* b, Steps steps,
                                   std::size_t panels, std::size_t depth, bool begins) {
  for (const float* const end = b + panels * steps.panel; b != end; b += steps.panel, corner += kTileCols) {
    Tile<kTileRows> tile;
    if (begins) {
      tile.clear();
    } else {
      tile.load(corner, stride);
    }
    Left a = left;
    for (const float *at = b, *const last = b + depth * steps.row; at != last; at += steps.row, a.next())
      tile.step(a, at);
    tile.store(corner, stride);
  }
}

// A tile that hangs over the matrix's edge goes through a padded copy.
template <class Left>
void multiply_edge(float* corner, std::size_t stride, std::size_t rows, std::size_t cols, Left left, const float* b,
                   Steps steps, std::size_t depth, bool begins) {
  std::array<float, kTileRows * kTileCols> padded{};
  for (std::size_t r = 0; r < rows && !begins; ++r) std::copy_n(corner + r * stride, cols, &padded[r * kTileCols]);
  multiply_row(padded.data(), kTileCols, left, b, steps, 1, depth, begins);
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(&padded[r * kTileCols], cols, corner + r * stride);
}

// Rows k … k + depth and columns n … n + cols of b, or of its transpose.
void pack_right(float* to, ConstMatrix b, bool is_turned, std::size_t k, std::size_t depth, std::size_t n,
                std::size_t cols) {
  if (!is_turned) return pack_rows(to, b.data + k * b.stride + n, b.stride, cols, depth);
  for (const std::size_t end = n + cols; n < end; n += kTileCols, to += depth * kTileCols) {
    pack_columns<kTileCols>(to, b.data + n * b.stride + k, b.stride, std::min(kTileCols, end - n), depth);
  }
}

// to[(k · kTileRows + r) · copies …] = from[r · row_step + k · depth_step]: `count` rows, the missing ones 0.
template <std::size_t kTimes>
void pack_left(float* to, const float* from, std::size_t row_step, std::size_t depth_step, std::size_t count,
               std::size_t depth) {
  if (kTimes == 1 && row_step == 1 && count == kTileRows) {
    for (const float* const end = to + depth * kTileRows; to != end; to += kTileRows, from += depth_step) {
      std::copy_n(from, kTileRows, to);
    }
    return;
  }
  for (std::size_t k = 0; k < depth; ++k, from += depth_step) {
    for (std::size_t r = 0; r < kTileRows; ++r, to += kTimes) {
      const float x = r < count ? from[r * row_step] : 0.0f;
      if constexpr (kTimes == 1) {
        *to = x;
      } else {
        Lanes(x).store_unaligned(to);
      }
    }
  }
}

KeyRange within(KeyRange range, std::size_t from, std::size_t count) {
  const std::size_t begin = std::clamp(range.begin, from, from + count);
  return {begin, std::max(begin, std::clamp(range.end, from, from + count))};
}

// The part of a product that is at hand: terms [k, k + depth), columns [n, n + cols), and b's block of them.
struct Part {
  Matrix out;
  ConstMatrix a;
  bool is_left_turned, begins;
  const TileRanges& limits;
  std::size_t k, depth, n, cols;
  const float* right;
  Steps steps;

  KeyRange terms(std::size_t tile) const {
    return limits.depth == nullptr ? KeyRange{k, k + depth} : within(limits.depth[tile], k, depth);
  }
  KeyRange columns(std::size_t tile) const {
    return limits.columns == nullptr ? KeyRange{n, n + cols} : within(limits.columns[tile], n, cols);
  }
  std::size_t rows(std::size_t tile) const { return std::min(kTileRows, out.rows - tile * kTileRows); }
  const float* left(std::size_t tile, std::size_t term) const {
    return a.data + (is_left_turned ? term * a.stride + tile * kTileRows : tile * kTileRows * a.stride + term);
  }
};

template <class Left>
void multiply_tile(const Part& p, std::size_t tile, Left left) {
  const KeyRange terms = p.terms(tile), columns = p.columns(tile);
  const std::size_t depth = terms.end - terms.begin, rows = p.rows(tile);
  if (columns.begin == columns.end || (depth == 0 && !p.begins)) return;
  const std::size_t first = (columns.begin - p.n) / kTileCols * kTileCols, end = columns.end - p.n;
  const std::size_t whole =
      rows < kTileRows ? 0 : (std::min((end + kTileCols - 1) / kTileCols * kTileCols, p.cols) - first) / kTileCols;
  float* const corner = p.out.data + tile * kTileRows * p.out.stride + p.n;
  const auto panel = [&](std::size_t c) {
    return p.right + c / kTileCols * p.steps.panel + (terms.begin - p.k) * p.steps.row;
  };
  multiply_row(corner + first, p.out.stride, left, panel(first), p.steps, whole, depth, p.begins);
  for (std::size_t c = first + whole * kTileCols; c < end; c += kTileCols) {
    multiply_edge(corner + c, p.out.stride, rows, std::min(kTileCols, p.cols - c), left, panel(c), p.steps, depth,
                  p.begins);
  }
}

// The tiles [tile, last), packed first.
template <std::size_t kTimes>
void multiply_group(const Part& p, std::size_t tile, std::size_t last, LeftGroup& packed) {
  const std::size_t row_step = p.is_left_turned ? 1 : p.a.stride, depth_step = p.is_left_turned ? p.a.stride : 1;
  constexpr std::size_t kSize = kBlockDepth * kTileRows * kTimes;
  for (std::size_t i = tile; i < last; ++i) {
    const KeyRange terms = p.terms(i);
    pack_left<kTimes>(packed.data() + (i - tile) * kSize, p.left(i, terms.begin), row_step, depth_step, p.rows(i),
                      terms.end - terms.begin);
  }
  for (std::size_t i = tile; i < last; ++i) {
    using Left = std::conditional_t<kTimes == 1, Packed, Spread>;
    multiply_tile(p, i, Left{packed.data() + (i - tile) * kSize});
  }
}

}  // namespace

void matmul(Matrix out, ConstMatrix a, ConstMatrix b, Turned turned, Sums sums, const TileRanges& limits) {
  const bool is_left_turned = turned == Turned::left;
  const bool lies_near = turned != Turned::right && b.stride <= kNear && out.cols % kTileCols == 0;
  const std::size_t terms = is_left_turned ? a.rows : a.cols, tiles = tiles_of(out.rows);
  RightBlock right;
  LeftGroup packed;
  for (std::size_t n = 0; n < out.cols; n += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, out.cols - n);
    const bool spreads = kCopies > 1 && cols >= kFewPanels * kTileCols;
    for (std::size_t k = 0; k == 0 || k < terms; k += kBlockDepth) {
      const std::size_t depth = std::min(kBlockDepth, terms - k);
      const Part part{out, a, is_left_turned, k == 0 && sums == Sums::begin, limits, k, depth, n, cols,
                      lies_near ? b.data + k * b.stride + n : right.data(),
                      lies_near ? Steps{kTileCols, b.stride} : Steps{depth * kTileCols, kTileCols}};
      if (!lies_near) pack_right(right.data(), b, turned == Turned::right, k, depth, n, cols);
      for (std::size_t tile = 0; tile < tiles;) {
        const std::size_t last = std::min(tile + kGroup, tiles);
        if (spreads) {
          multiply_group<kCopies>(part, tile, last, packed);
        } else if (part.rows(last - 1) < kTileRows || (is_left_turned && a.stride > kNear)) {
          multiply_group<1>(part, tile, last, packed);
        } else {
          for (std::size_t i = tile; i < last; ++i) {
            const float* const left = part.left(i, part.terms(i).begin);
            if (is_left_turned) {
              multiply_tile(part, i, Across{left, a.stride});
            } else {
              multiply_tile(part, i, Straight{left, a.stride});
            }
          }
        }
        tile = last;
      }
    }
  }
}

}  // namespace attention::kernels
