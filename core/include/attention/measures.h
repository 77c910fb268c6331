// Simple measures of the numbers on the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/export.h"

namespace attention {

// out[i] = a[i] - b[i]; all equally long. out may be a or b.
ATTENTION_API void subtract(std::span<const float> a, std::span<const float> b, std::span<float> out);

// Of two equally long vectors. The dot product adds its terms in order, as a score does; norms and the
// cosine are taken in double, and the cosine is 0 when either vector is.
struct Comparison {
  float dot = 0, norm_a = 0, norm_b = 0, cosine = 0;
};
ATTENTION_API Comparison compare(std::span<const float> a, std::span<const float> b);

// -sum of w·log2(w) over numbers from 0 to 1, in bits; 0·log2(0) counts as 0.
ATTENTION_API float entropy(std::span<const float> weights);

// Random numbers and softmax: the experiment behind "why divide by sqrt(d_k)".

// Independent standard normal numbers, out [rows, width] row-major, drawn as the parameters are: the
// number at (seed, stream, row, column) is the same whatever is drawn beside it, so that more rows or
// columns only add to a draw. Row r of `out` is row first_row + r of the stream.
ATTENTION_API void normals(float* out, std::size_t rows, std::size_t width, std::uint32_t seed, std::uint32_t stream,
                           std::uint32_t first_row = 0);

// out[r] = sum over c < width of a[r, c] · b[r, c]; a and b [rows, stride] row-major, stride >= width,
// out [rows]. Terms are added in index order, as in Q·K^T: the bits are those of a score.
ATTENTION_API void dot_rows(const float* a, const float* b, std::size_t rows, std::size_t width, std::size_t stride,
                            float* out);

// Of all numbers together: their sum over their count, and their mean square distance from it (the
// population's variance). Added in double; zeros for no numbers.
struct Moments {
  double mean = 0, variance = 0;
};
ATTENTION_API Moments moments(std::span<const float> x);

// Of one row of softmax's weights, which are shares of 1.
struct RowFacts {
  float entropy = 0;  // bits, as above: log2(n) for n equal shares, 0 for a single one
  float largest = 0;
  // How far the weights move when the scores do: the Frobenius norm of softmax's Jacobian,
  // dw_i/ds_j = w_i·([i = j] - w_j), so of diag(w) - w·w^T (Goodfellow, Bengio and Courville, "Deep
  // learning", 2016, 6.2.2.3, on how softmax saturates). 0 when one weight is 1, 1/2 at most.
  float jacobian_norm = 0;
};
ATTENTION_API RowFacts row_facts(std::span<const float> weights);

// The same in plain loops in double, with the whole Jacobian. For tests.
struct ReferenceRowFacts {
  double entropy = 0, largest = 0, jacobian_norm = 0;
};
ATTENTION_API ReferenceRowFacts reference_row_facts(std::span<const float> weights);
ATTENTION_API void reference_dot_rows(const float* a, const float* b, std::size_t rows, std::size_t width,
                                      std::size_t stride, double* out);

}  // namespace attention
