// The parts of every matrix product: operands packed so that the inner loop reads each with one moving pointer, and a
// tile of sums that stays in registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "lanes.h"

namespace attention::kernels::inline ATTENTION_SET {

// A tile of sums is two registers wide, and as high as leaves registers for two of the right operand,
// one broadcast of the left and, where it is not fused, products. Measured: 5 rows are no faster unfused.
inline constexpr std::size_t kTileRows = kLanes > 8 ? 8 : kFused ? 6 : 4;
inline constexpr std::size_t kTileCols = 2 * kLanes;

// Keeps reads in the order written. Where Clang moves those of the left operand to the front, V8 runs out of registers, and
// products take 8 % longer.
inline void in_order() {
#ifdef __wasm__
  asm volatile("" ::: "memory");
#endif
}

template <std::size_t kRows>
struct Tile {
  std::array<Lanes, kRows> left, right;

  void clear() {
    for (std::size_t r = 0; r < kRows; ++r) left[r] = right[r] = Lanes(0.0f);
  }
  void load(const float* from, std::size_t stride) {
    for (std::size_t r = 0; r < kRows; ++r) {
      left[r] = Lanes::load_unaligned(from + r * stride);
      right[r] = Lanes::load_unaligned(from + r * stride + kLanes);
    }
  }
  void store(float* to, std::size_t stride) const {
    for (std::size_t r = 0; r < kRows; ++r) {
      left[r].store_unaligned(to + r * stride);
      right[r].store_unaligned(to + r * stride + kLanes);
    }
  }
  void scale(Lanes factor) {
    for (std::size_t r = 0; r < kRows; ++r) left[r] = left[r] * factor, right[r] = right[r] * factor;
  }
  void scale_rows(const float* factors) {
    for (std::size_t r = 0; r < kRows; ++r) {
      left[r] = left[r] * factors[r];
      right[r] = right[r] * factors[r];
    }
  }
  // Adds a(r) · b[c] to element (r, c), a(r) in all lanes.
  template <class Row>
  void step(Row a, const float* b) {
    const Lanes b_left = Lanes::load_unaligned(b);
    const Lanes b_right = Lanes::load_unaligned(b + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Lanes a_r = a(r);
      left[r] = multiply_add(left[r], a_r, b_left);
      right[r] = multiply_add(right[r], a_r, b_right);
    }
  }
  // Adds sum over k of a[k · kStep + r] · b[k · kTileCols + c] to element (r, c), k upwards. The loop is
  // not unrolled by hand: V8 then runs out of registers.
  template <std::size_t kStep>
  void multiply(const float* a, const float* b, std::size_t depth) {
    for (const float* end = b + depth * kTileCols; b != end; a += kStep, b += kTileCols) {
      const Lanes b_left = Lanes::load_unaligned(b);
      const Lanes b_right = Lanes::load_unaligned(b + kLanes);
      for (std::size_t r = 0; r < kRows; ++r) {
        in_order();
        const Lanes a_r(a[r]);
        left[r] = multiply_add(left[r], a_r, b_left);
        right[r] = multiply_add(right[r], a_r, b_right);
      }
    }
  }
};

// A block of kLanes x kLanes numbers, rows to columns.
inline void transpose(std::array<Lanes, kLanes>& rows) {
  for (std::size_t half = kLanes / 2, rounds = kLanes; rounds > 1; rounds /= 2) {
    std::array<Lanes, kLanes> zipped;
    for (std::size_t i = 0; i < half; ++i) {
      zipped[2 * i] = xsimd::zip_lo(rows[i], rows[i + half]);
      zipped[2 * i + 1] = xsimd::zip_hi(rows[i], rows[i + half]);
    }
    rows = zipped;
  }
}

// to[i · kWidth + j] = from[j · stride + i]: `count` <= kWidth rows become columns, the missing ones 0.
template <std::size_t kWidth>
inline void pack_columns(float* to, const float* from, std::size_t stride, std::size_t count,
                         std::size_t depth) {
  std::size_t i = 0;
  if constexpr (kWidth >= kLanes) {
    if (count == kWidth) {
      for (; i + kLanes <= depth; i += kLanes) {
        for (std::size_t at = 0; at < kWidth; at += kLanes) {
          const std::size_t j = std::min(at, kWidth - kLanes);  // the last block may begin in the former
          std::array<Lanes, kLanes> block;
          for (std::size_t r = 0; r < kLanes; ++r) {
            block[r] = Lanes::load_unaligned(from + (j + r) * stride + i);
          }
          transpose(block);
          for (std::size_t r = 0; r < kLanes; ++r) {
            block[r].store_unaligned(to + (i + r) * kWidth + j);
          }
        }
      }
    }
  }
  for (; i < depth; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) to[i * kWidth + j] = j < count ? from[j * stride + i] : 0;
  }
}

// `count` columns to panels, one after another: to[p · depth · kTileCols + i · kTileCols + j] is number
// p · kTileCols + j of row(i), the missing ones 0. A row gives its numbers one by one or, by load(), kLanes at a time.
template <class RowAt>
inline void pack_rows(float* to, std::size_t count, std::size_t depth, RowAt row) {
  const std::size_t whole = count / kTileCols * kTileCols;
  for (std::size_t i = 0; i < depth; ++i, to += kTileCols) {
    const auto from = row(i);
    float* at = to;
    for (std::size_t j = 0; j < whole; j += kTileCols, at += depth * kTileCols) {
      from.load(j).store_unaligned(at);
      from.load(j + kLanes).store_unaligned(at + kLanes);
    }
    for (std::size_t j = whole; j < count; ++j) *at++ = from[j];
    if (whole < count) std::fill_n(at, whole + kTileCols - count, 0.0f);
  }
}

// Of float32.
struct FloatRow {
  const float* numbers;
  Lanes load(std::size_t k) const { return Lanes::load_unaligned(numbers + k); }
  float operator[](std::size_t k) const { return numbers[k]; }
};
inline void pack_rows(float* to, const float* from, std::size_t stride, std::size_t count,
                      std::size_t depth) {
  pack_rows(to, count, depth, [=](std::size_t i) { return FloatRow{from + i * stride}; });
}

}  // namespace attention::kernels::inline ATTENTION_SET
