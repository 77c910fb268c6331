// The inner loops of training. Like kernels.h: pointers and counts, no allocation, no policy.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "attention/backward.h"
#include "attention/heads.h"
#include "kernels.h"
#include "lanes.h"
#include "tile.h"

namespace attention::kernels {

// Rows of numbers.

inline float largest_of(Lanes x) {
  std::array<float, kLanes> lanes;
  x.store_unaligned(lanes.data());
  return *std::max_element(lanes.begin(), lanes.end());
}

// Calls step(load, store) for each register of a row and once for its tail, where loads give 0 beyond the end.
// load(from) takes a row's first number, store(x, to) too.
template <class Step>
inline void each_register(std::size_t count, Step step) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    step([i](const float* from) { return Lanes::load_unaligned(from + i); },
         [i](Lanes x, float* to) { x.store_unaligned(to + i); });
  }
  if (i == count) return;
  step([i, count](const float* from) { return load_up_to(from + i, count - i); },
       [i, count](Lanes x, float* to) { store_up_to(to + i, count - i, x); });
}

// dx[i] = factor · y[i] · (dy[i] - sum over j of y[j] · dy[j]). dx may be dy.
void softmax_backward_row(const float* y, const float* dy, std::size_t count, float factor, float* dx);

// `out` = the norm of `in`, [rows, norm.width], and a row's statistics each.
void norm_rows(const LayerNorm& norm, const float* in, std::size_t rows, float* out, NormStatistics* statistics);

// As layer_norm_backward(), with the statistics that norm_rows() kept.
void norm_rows_backward(const LayerNorm& norm, const NormStatistics* statistics, const float* in, std::size_t rows,
                        const float* dy, const LayerNormGradients& gradients);

// out[i] = gelu_tanh(in[i]), slope[i] = its derivative there. out may be in.
void gelu_tanh_with_slope(float* out, float* slope, const float* in, std::size_t count);

// x[i] = x[i] · y[i].
void multiply(float* x, const float* y, std::size_t count);

// Products of matrices as gradients need them: either operand read transposed, sums that go on from what is
// there, and tiles that are known to be zero left out.

// Which operand is read transposed: out = a·b, a·b^T or a^T·b.
enum class Turned { none, right, left };

// Whether the sums begin at 0 or at what `out` holds.
enum class Sums { begin, go_on };

// For each tile of kTileRows rows of `out`, the columns that are wanted and the terms that are not zero;
// null = all. What is not wanted is left as it was.
struct TileRanges {
  const KeyRange* columns = nullptr;
  const KeyRange* depth = nullptr;
};

constexpr std::size_t tiles_of(std::size_t rows) { return (rows + kTileRows - 1) / kTileRows; }

// out[m, n] (+)= sum over k of a[m, k] · b[k, n], with a or b turned. Each sum adds its terms in the order of
// k, whatever the tile. out must not overlap a or b.
void matmul(Matrix out, ConstMatrix a, ConstMatrix b, Turned turned, Sums sums, const TileRanges& limits = {});

// Attention among the tokens of short texts, all weights kept: what training does a thousand times.

// Queries, keys and values of one head of one text, each [length, its width].
struct HeadMatrices {
  ConstMatrix query, key, value;
};

// How the weights of a head lie and what they are made by.
struct HeadRule {
  std::size_t length, stride;  // rows of weights: [length, stride], stride a register or more beyond length
  float factor;                // scaled scores = factor · scores
  bool is_causal;
  const KeyRange *to_here, *from_here;  // of each tile of places: those up to its end, those from its beginning
};

// weights = softmax(factor · Q·K^T) over the keys that a query may see, and 0 at the others and up to whole
// registers; context = weights · V.
void attend_head(const HeadMatrices& head, const HeadRule& rule, float* weights, Matrix context);

// Of dweights, those of scores: factor · weights ∘ (dweights - each row's sum of weights ∘ dweights), and 0 at
// keys that are not seen.
void weigh_rows_backward(const float* weights, float* dweights, const HeadRule& rule);

// From the derivative by the context to those by query, key and value, which are written. `scratch`
// [length, stride] holds finite numbers.
struct HeadGradients {
  Matrix query, key, value;
};
void attend_head_backward(const HeadMatrices& head, const HeadRule& rule, const float* weights, ConstMatrix dcontext,
                          const HeadGradients& gradients, float* scratch);

}  // namespace attention::kernels
