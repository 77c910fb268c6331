// y = x·W + b.
#pragma once

#include <cstddef>

namespace attention {

// How a parameter matrix lies in memory.
enum class Layout {
  in_out,  // [in, out], x·W: this library's own, and GPT-2's Conv1D
  out_in   // [out, in], x·W^T: torch.nn.Linear
};

struct Linear {
  const float* weight = nullptr;
  const float* bias = nullptr;  // [out], or null
  std::size_t in = 0, out = 0;
  Layout layout = Layout::in_out;
  std::size_t stride = 0;  // numbers from one row of the matrix to the next; 0 = contiguous
};

// Part `part` of `parts` equal ones of a packed matrix's outputs, as a view: query, key and value of a
// [D, 3·D] or [3·D, D] matrix are parts 0, 1 and 2 of 3. Where `parts` does not divide them, or `part` is
// none of these, a Linear without a matrix.
Linear slice(const Linear& packed, std::size_t part, std::size_t parts);

// x [rows, in], row-major; y [rows, out] must not overlap x.
void apply(const Linear& linear, const float* x, std::size_t rows, float* y);

}  // namespace attention
