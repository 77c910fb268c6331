// Scores to shares of 1.
#pragma once

#include <cstddef>

namespace attention {

// out[r, i] = exp(in[r, i] - max of row r) / the row's sum: in and out [rows, width], row-major. A
// row of -infinity alone becomes zeros. out may be in.
void softmax(const float* in, std::size_t rows, std::size_t width, float* out);

}  // namespace attention
