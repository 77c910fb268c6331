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
};

// x [rows, in], row-major; y [rows, out] must not overlap x.
void apply(const Linear& linear, const float* x, std::size_t rows, float* y);

}  // namespace attention
