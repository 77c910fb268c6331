// The inner loops. They take pointers and counts, allocate nothing, make no decisions and cannot fail. Each output
// element adds its terms in index order, whichever tile it is in, so that neither the matrix's size nor the number of
// other rows changes its bits.
#pragma once

#include <cstddef>
#include <limits>

#include "attention/ops.h"
#include "set.h"

// Not inlined, so that a test finds each by name in the disassembled module.
#define ATTENTION_KERNEL __attribute__((noinline))

namespace attention {

// The score of a masked key.
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

}  // namespace attention

namespace attention::kernels {

// Element (r, c) is data[r * stride + c].
struct ConstMatrix {
  const float* data;
  std::size_t rows, cols, stride;
};
struct WeightMatrix {
  Weight weight;
  std::size_t rows, cols, stride;
};
struct Matrix {
  float* data;
  std::size_t rows, cols, stride;
};

// A row is normalised as (x - mean - shift) · inverse. mean + shift is its mean: one float32 alone would leave its rounding in
// every difference from it.
struct NormStatistics {
  float mean, shift, inverse;  // inverse of the deviation
};

inline namespace ATTENTION_SET {

// out[m, n] = sum over k of a[m, k] · b[k, n]. out must not overlap a or b.
void matmul_nn(Matrix out, ConstMatrix a, ConstMatrix b);

// out[m, n] = sum over k of a[m, k] · b[n, k] (b transposed, as in Q·K^T). No overlap.
void matmul_nt(Matrix out, ConstMatrix a, ConstMatrix b);

// The same of a matrix of any type, with the bits that its widened numbers give.
void matmul_nn_widened(Matrix out, ConstMatrix a, WeightMatrix b);
void matmul_nt_widened(Matrix out, ConstMatrix a, WeightMatrix b);

// out[i] = number i of the row that `from` begins, as float32; of any type and order but float32 in rows.
void widen_row(float* out, const Weight& from, std::size_t count);

// out[i] = a[i] + b[i]. out may be a or b.
void add(float* out, const float* a, const float* b, std::size_t count);

// out[i] = in[i] · factor. out may be in.
void scale(float* out, const float* in, float factor, std::size_t count);

// out[i] = cap · tanh(in[i] / cap). out may be in.
void softcap(float* out, const float* in, float cap, std::size_t count);

// out[i] = x/2 · (1 + erf(x/sqrt 2)), and its approximation x/2 · (1 + tanh(sqrt(2/pi)(x + 0.044715 x^3))).
// out may be in.
void gelu_erf(float* out, const float* in, std::size_t count);
void gelu_tanh(float* out, const float* in, std::size_t count);

// out[i] = x / (1 + exp(-x)). out may be in.
void silu(float* out, const float* in, std::size_t count);

// out[i] = a[i] · b[i]. out may be a or b.
void multiply(float* out, const float* a, const float* b, std::size_t count);

// out[i] = in[i] + bias[i], or -infinity where bias[i] is: selected, so that an infinite score does not
// become NaN there. out may be in.
void add_bias(float* out, const float* in, const float* bias, std::size_t count);

// The largest of `count` >= 1 numbers; -infinity when all are.
float row_max(const float* in, std::size_t count);

// out[i] = exp(in[i] - max); returns their sum, added in kLanes interleaved partial sums.
// out may be in.
float exp_row(float* out, const float* in, float max, std::size_t count);

// One block of a row's softmax: row becomes exp(row - max of this block and those before), and `max` and `sum` are
// updated. Returns the factor for sums made with the former max. A row that is masked so far gives zeros. The sum is
// added term by term, as in panels.h.
float running_softmax(float* row, std::size_t count, float& max, float& sum);

// out[n] = rescale · out[n] + sum over k of row[k] · b[k, n], n < count <= b.cols. No overlap.
void add_values(float* out, std::size_t count, float rescale, const float* row, ConstMatrix b);

// out[i] = in[i] / divisor. out may be in.
void divide(float* out, const float* in, float divisor, std::size_t count);

// Whether none of them is infinite or NaN.
bool is_finite(const float* numbers, std::size_t count);

// As apply() of ops.h.
void layer_norm(const LayerNorm& norm, const float* in, std::size_t rows, float* out);

// One row of it, where no square is beyond float32; and what its gradient needs of it.
NormStatistics norm_statistics(const LayerNorm& norm, const float* in);
void norm_row(const LayerNorm& norm, const float* in, const NormStatistics& statistics, float* out);

// out = softmax(in) over one row; zeros when every in[i] is -infinity; NaN
// everywhere when one is NaN. out may be in.
void softmax_row(float* out, const float* in, std::size_t count);

}  // inline namespace ATTENTION_SET

}  // namespace attention::kernels
