// The inner loops of gradients: rows of numbers. Like kernels.h: pointers and counts, no allocation, no policy.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels.h"
#include "lanes.h"

namespace attention::kernels {

// Lane by lane: the same order on every architecture of this width.
inline float sum_of(Lanes sums) {
  std::array<float, kLanes> lanes;
  sums.store_unaligned(lanes.data());
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

inline float largest_of(Lanes x) {
  std::array<float, kLanes> lanes;
  x.store_unaligned(lanes.data());
  return *std::max_element(lanes.begin(), lanes.end());
}

// `count` < kLanes numbers, and `rest` in the other lanes.
inline Lanes load_some(const float* from, std::size_t count, float rest = 0) {
  std::array<float, kLanes> lanes;
  lanes.fill(rest);
  std::copy_n(from, count, lanes.begin());
  return Lanes::load_unaligned(lanes.data());
}
inline void store_some(Lanes x, float* to, std::size_t count) {
  std::array<float, kLanes> lanes;
  x.store_unaligned(lanes.data());
  std::copy_n(lanes.begin(), count, to);
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
  step([i, count](const float* from) { return load_some(from + i, count - i); },
       [i, count](Lanes x, float* to) { store_some(x, to + i, count - i); });
}

// dx[i] = factor · y[i] · (dy[i] - sum over j of y[j] · dy[j]). dx may be dy.
void softmax_backward_row(const float* y, const float* dy, std::size_t count, float factor, float* dx);

// What one row's norm keeps for its gradient.
struct NormStatistics {
  float mean, inverse;  // of the deviation
};

// `out` = the norm of `in`, [rows, width], and a row's statistics each.
void norm_rows(const float* gain, const float* bias, float epsilon, const float* in, std::size_t rows,
               std::size_t width, float* out, NormStatistics* statistics);

// As layer_norm_backward(), with the statistics that norm_rows() kept.
void norm_rows_backward(const float* gain, const NormStatistics* statistics, const float* in, const float* dy,
                        std::size_t rows, std::size_t width, float* dx, float* dgain, float* dbias);

// out[i] = gelu_tanh(in[i]), slope[i] = its derivative there. out may be in.
void gelu_tanh_with_slope(float* out, float* slope, const float* in, std::size_t count);

// x[i] = x[i] · y[i].
void multiply(float* x, const float* y, std::size_t count);

}  // namespace attention::kernels
