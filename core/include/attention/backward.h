// The gradients of the operators: from the derivative of a loss with respect to an operator's result to those with
// respect to its inputs and parameters.
//
// Gradients are added to the numbers already in their memory, so that a residual path or a matrix that is used twice
// sums its parts; fill it with zeros first. A gradient has the layout of its variable; a null pointer means that it
// is not wanted. Only functions that return an Error check their arguments. Numbers are float32, as in the forward
// operators, with the same bits in every build with four lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/attend.h"
#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/heads.h"
#include "attention/ops.h"
#include "attention/positions.h"

namespace attention {

// y = x·W + b: dx = dy·W^T, dW = x^T·dy, db = the sum of dy's rows.
//   x, dx [rows, in]; dy [rows, out]; weight as linear.weight lies, bias [out]
struct LinearGradients {
  float *x = nullptr, *weight = nullptr, *bias = nullptr;
};
// Matrices of other types than float32, and interleaved ones, are rejected.
ATTENTION_API Error linear_backward(const Linear& linear, const float* x, std::size_t rows, const float* dy,
                                    const LinearGradients& gradients);

// y = softmax(x): dx_i = y_i · (dy_i - sum over j of y_j · dy_j). y, dy and dx [rows, width].
ATTENTION_API void softmax_backward(const float* y, const float* dy, std::size_t rows, std::size_t width, float* dx);

// y = h · gain + bias, h = (x - mean) / deviation: with g = dy · gain,
// dx = (g - mean of g - h · mean of g·h) / deviation, dgain = sum of dy·h, dbias = sum of dy.
// RMSNorm takes no mean off: neither of x nor of g. Rows are of numbers whose squares add up within float32.
//   x, dy, dx [rows, width]; gain, bias [width]
struct LayerNormGradients {
  float *x = nullptr, *gain = nullptr, *bias = nullptr;
};
ATTENTION_API void layer_norm_backward(const LayerNorm& norm, const float* x, std::size_t rows, const float* dy,
                                       const LayerNormGradients& gradients);

// dx[i] = dy[i] · gelu'(x[i]).
ATTENTION_API void gelu_backward(Gelu gelu, const float* x, const float* dy, std::size_t count, float* dx);

// Row i of x was row ids[i] of a table, where ids[i] is not negative: its dy is added there.
//   dy [ids, width]; table [.., width]
ATTENTION_API void rows_backward(std::span<const std::int32_t> ids, const float* dy, std::size_t width, float* table);

// Row r of every batch had row first + r of a table added: dy [batch, rows, width], table [.., width].
ATTENTION_API void positions_backward(const Rows& dy, std::size_t first, float* table);

// The gradient of rotate(): dout rotated back. Arguments as for rotate(), which says what is rejected; din may be
// dout's memory. It is written, not added to.
ATTENTION_API Error rotate_backward(Heads<const float> dout, Heads<float> din, std::span<const float> cosines,
                                    std::span<const float> sines, std::size_t half,
                                    std::span<const std::int64_t> positions, RotaryPairs pairs);

// Cross-entropy of logits [rows, width] with one right answer for each row: the mean over the asked rows of -log
// softmax(logits)[target]. Rows with a target of -1 are not asked. dlogits = (softmax - [target]) / asked, and 0 in
// rows that are not asked; it is written, not added to, and may be logits' own memory; null = not wanted.
struct CrossEntropy {
  double loss = 0;  // in nats; 0 when no row is asked
  std::uint32_t asked = 0;
  std::uint32_t right = 0;  // rows whose largest logit, the first of equals, is the target's
};
ATTENTION_API CrossEntropy cross_entropy(const float* logits, std::size_t width, std::span<const std::int32_t> targets,
                                         float* dlogits);

// --- attention -------------------------------------------------------------------------------------

// (B, H, T, d_k), (B, H_kv, S, d_k) and (B, H_kv, S, d_v), as query, key and value; `bias` is the gradient of
// mask.bias, which `options` must then have, with its extents.
struct AttendGradients {
  Heads<float> query, key, value;
  float* bias = nullptr;
};

// From dcontext (B, H, T, d_v), the derivative by attend()'s context, to those by its inputs. With P the
// weights and all else as attend() has it: dV = P^T·dcontext, dP = dcontext·V^T,
// dS = P ∘ (dP - the sum over each row of P ∘ dP) / temperature, dQ = scale · dS·K, dK = scale · dS^T·Q and
// dbias = dS (Dao et al. 2022, appendix B.2); a softcap multiplies by 1 - tanh², and dropped weights are
// those that `options` drop. At temperature 0 the weights do not move, and dS is 0.
// Rows of weights are made again, 64 queries at a time: nothing of attend() is needed, and no (T, S) matrix is
// held. As in attend(), what masked keys and values hold changes nothing.
// What attend() refuses is refused, as are gradients whose shapes are not those of what they are of; nothing
// is then written.
ATTENTION_API Error attend_backward(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                                    const AttendOptions& options, Heads<const float> dcontext,
                                    const AttendGradients& gradients, Buffer& scratch);

// --- the same by plain loops in double -----------------------------------------------------------------

// Inputs are doubles, so that calls can be chained; each returns new gradients.
struct ReferenceLinearGradients {
  std::vector<double> x, weight, bias;
};
// weight [in, out], x [rows, in], dy [rows, out]
ATTENTION_API ReferenceLinearGradients reference_linear_backward(std::span<const double> weight,
                                                                 std::span<const double> x,
                                                                 std::span<const double> dy, std::size_t in,
                                                                 std::size_t out);

ATTENTION_API std::vector<double> reference_softmax_backward(std::span<const double> y, std::span<const double> dy,
                                                             std::size_t width);

struct ReferenceLayerNormGradients {
  std::vector<double> x, gain, bias;
};
ATTENTION_API ReferenceLayerNormGradients reference_layer_norm_backward(std::span<const double> gain, double epsilon,
                                                                        std::span<const double> x,
                                                                        std::span<const double> dy, bool is_rms = false);

ATTENTION_API std::vector<double> reference_gelu_backward(Gelu gelu, std::span<const double> x, std::span<const double> dy);

// The gradient of a table of `rows` rows, as rows_backward() and positions_backward() have it; dy [ids, width], and
// [batch, count, width].
ATTENTION_API std::vector<double> reference_rows_backward(std::span<const std::int32_t> ids, std::span<const double> dy,
                                                          std::size_t rows);
ATTENTION_API std::vector<double> reference_positions_backward(std::span<const double> dy, std::size_t batch,
                                                               std::size_t width, std::size_t first, std::size_t rows);

// Contiguous (B, H, T, width). `dout` … `pairs` as for rotate_backward(), which must have accepted them.
ATTENTION_API std::vector<double> reference_rotate_backward(Heads<const float> dout, std::span<const float> cosines,
                                                            std::span<const float> sines, std::size_t half,
                                                            std::span<const std::int64_t> positions, RotaryPairs pairs);

// The loss, and in dlogits its gradient.
ATTENTION_API double reference_cross_entropy(std::span<const double> logits, std::size_t width,
                                             std::span<const std::int32_t> targets, std::vector<double>& dlogits);

struct ReferenceAttendGradients {
  std::vector<double> query, key, value, bias;  // contiguous; bias over the mask's extents, empty without one
};
// `query` … `options` as for attend_backward(), which must have accepted them.
ATTENTION_API ReferenceAttendGradients reference_attend_backward(Heads<const float> query, Heads<const float> key,
                                                                 Heads<const float> value, const AttendOptions& options,
                                                                 Heads<const float> dcontext);

}  // namespace attention
