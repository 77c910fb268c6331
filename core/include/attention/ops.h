// The operators beside attention: linear layers, layer norm, GELU, SiLU, softmax.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "attention/export.h"
#include "attention/vectors.h"

namespace attention {

// The memory layout of a parameter matrix.
enum class Layout {
  in_out,  // [in, out], x·W: this library's own, and GPT-2's Conv1D
  out_in   // [out, in], x·W^T: torch.nn.Linear
};

// The number type of a parameter matrix: float32; bfloat16, its upper half; IEEE 754's binary16; int8 with one
// scale for each row; or llama.cpp's Q8_0: blocks of 32 int8, each block behind its scale, a binary16.
enum class NumberType : std::uint8_t { f32, bf16, f16, i8, q8_0 };

inline constexpr std::size_t kBlockNumbers = 32, kBlockBytes = 34;  // for Q8_0

// The bytes of so many numbers; for Q8_0, those of the blocks that they fill.
constexpr std::size_t bytes_of(NumberType type, std::size_t numbers) {
  if (type == NumberType::q8_0) return numbers / kBlockNumbers * kBlockBytes;
  return numbers * (type == NumberType::f32 ? 4 : type == NumberType::i8 ? 1 : 2);
}

// How a matrix's numbers lie in memory: row after row, or interleaved: kGroupRows rows at a time, the first number of each,
// then the second of each, and so on; the last group is as large as the others. Q8_0, block by block: the scale of each row,
// then the first number of each row, then the second, and so on. Only an [out, in] matrix may be interleaved, and Q8_0 only in
// rows of whole blocks. Products need not turn its rows to columns, and are faster for it, most of all those of one row and
// those by narrower types.
enum class Order : std::uint8_t { rows, interleaved };
inline constexpr std::size_t kGroupRows = kMostLanes;
constexpr std::size_t whole_groups(std::size_t rows) { return (rows + kGroupRows - 1) / kGroupRows * kGroupRows; }

// The numbers of a parameter matrix. They are converted to float32 when read: bf16 and f16 exactly,
// int8 by multiplying with its scale, which is 0 or at least 2^-102 in size. Results have the same bits as with the converted matrix.
struct Weight {
  const void* data = nullptr;
  NumberType type = NumberType::f32;
  const float* scales = nullptr;  // for int8: one for each row of the stored matrix; interleaved, for all rows of whole groups
  // For f16: whether no number of the matrix is infinite or NaN; null if unknown. Products are faster if so.
  const bool* is_finite = nullptr;
  Order order = Order::rows;
  // In rows, for Q8_0: how many numbers of its first block come before. Interleaved, of any type: how many rows of its first
  // group do; and for Q8_0, how many columns of its first blocks.
  std::uint8_t first = 0, first_column = 0;

  constexpr Weight() = default;
  constexpr Weight(const void* numbers, NumberType of, const float* by = nullptr) : data(numbers), type(of), scales(by) {}
  constexpr Weight(const float* numbers) : data(numbers) {}

  friend constexpr bool operator==(const Weight& weight, const void* other) { return weight.data == other; }
  constexpr explicit operator bool() const { return data != nullptr; }

  const float* floats() const {
    assert(type == NumberType::f32 && order == Order::rows);
    return static_cast<const float*>(data);
  }
  // The part of a matrix that begins at (row, column); its rows are `stride` numbers apart.
  Weight from(std::size_t row, std::size_t column, std::size_t stride) const {
    Weight further = *this;
    std::size_t n = row * stride + column;
    if (order == Order::interleaved) {
      const std::size_t k = first_column + column, before = type == NumberType::q8_0 ? k % kBlockNumbers : 0;
      n = ((first + row) / kGroupRows * stride + k - before) * kGroupRows;
      further.first = static_cast<std::uint8_t>((first + row) % kGroupRows);
      further.first_column = static_cast<std::uint8_t>(before);
    } else if (type == NumberType::q8_0) {
      n += first;
      further.first = static_cast<std::uint8_t>(n % kBlockNumbers);
    }
    further.data = static_cast<const std::byte*>(data) + bytes_of(type, n);
    if (scales != nullptr) further.scales += row;
    return further;
  }
};

// Writes `count` numbers to their places in an interleaved [out, in] matrix: those from number `at` on, row after row, of the
// matrix as it is `given`. `matrix` has room for whole_groups(out) · in numbers. int8 and Q8_0 are given as [out, in], since
// their scales are those of rows; Q8_0 in whole blocks.
ATTENTION_API void interleave(NumberType type, Layout given, const void* numbers, std::size_t count, std::size_t at, std::size_t in,
                              std::size_t out, void* matrix);

// Row `row` of a matrix whose rows are `stride` numbers apart, its numbers from `column` on, widened: out [count].
ATTENTION_API void widen(const Weight& weight, std::size_t stride, std::size_t row, std::size_t column,
                         std::size_t count, float* out);

// y = x·W + b.
struct Linear {
  Weight weight;
  const float* bias = nullptr;  // [out], or null
  std::size_t in = 0, out = 0;
  Layout layout = Layout::in_out;
  std::size_t stride = 0;  // numbers from one row of the matrix to the next; 0 = contiguous
};

// Part `part` of `parts` equal ones of a packed matrix's outputs, as a view: query, key and value of a
// [D, 3·D] or [3·D, D] matrix are parts 0, 1 and 2 of 3. Where `parts` does not divide them, or `part` is
// none of these, a Linear without a matrix, which layers refuse and apply() asserts in a debug build.
ATTENTION_API Linear slice(const Linear& packed, std::size_t part, std::size_t parts);

// x [rows, in], row-major; y [rows, out] must not overlap x (asserted in a debug build).
ATTENTION_API void apply(const Linear& linear, const float* x, std::size_t rows, float* y);

// Ba, Kiros and Hinton 2016: (each row minus its mean) / its standard deviation · gain + bias. Rows may hold any
// finite numbers; a NaN or an infinity makes its whole row NaN.
struct LayerNorm {
  const float* gain = nullptr;  // [width]
  const float* bias = nullptr;  // [width], or null
  std::size_t width = 0;
  float epsilon = 1e-5f;  // added to the variance; with 0 a constant row is 0 / 0, NaN
  // RMSNorm, Zhang and Sennrich 2019: the mean is not subtracted, and the mean square replaces the variance.
  bool is_rms = false;
};
// in and out [rows, width], row-major; out may be in.
ATTENTION_API void apply(const LayerNorm& norm, const float* in, std::size_t rows, float* out);

// Hendrycks and Gimpel 2016: x·Phi(x), exactly by erf, or GPT-2's approximation by tanh.
enum class Gelu { erf, tanh };
// out may be in.
ATTENTION_API void apply(Gelu gelu, const float* in, std::size_t count, float* out);

// Hendrycks and Gimpel 2016, equation 2 with Ramachandran, Zoph and Le 2017's name "swish": x / (1 + exp(-x)).
// out may be in.
ATTENTION_API void silu(const float* in, std::size_t count, float* out);

// out[r, i] = exp(in[r, i] - max of row r) / the row's sum: in and out [rows, width], row-major. A
// row of -infinity alone becomes zeros. out may be in.
ATTENTION_API void softmax(const float* in, std::size_t rows, std::size_t width, float* out);

}  // namespace attention
