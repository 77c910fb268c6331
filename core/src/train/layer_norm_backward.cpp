#include <cmath>

#include "attention/backward.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace kernels {

namespace {

NormStatistics statistics_of(const float* in, std::size_t width, float epsilon) {
  const float share = 1 / static_cast<float>(width);
  Lanes sums(0.0f);
  each_register(width, [&](auto load, auto) { sums = sums + load(in); });
  const float mean = sum_of(sums) * share;
  const std::size_t whole = width / kLanes * kLanes;
  Lanes squares(0.0f);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const Lanes d = Lanes::load_unaligned(in + i) - mean;
    squares = squares + d * d;
  }
  if (whole < width) {
    const Lanes d = load_some(in + whole, width - whole, mean) - mean;  // 0 beyond the end
    squares = squares + d * d;
  }
  return {mean, 1 / std::sqrt(sum_of(squares) * share + epsilon)};
}

// `in`, `dy` and `dx` are a row's, the others the layer's.
void norm_row_backward(const float* gain, NormStatistics s, const float* in, const float* dy, std::size_t width,
                       float* dx, float* dgain, float* dbias) {
  const float share = 1 / static_cast<float>(width);
  const Lanes mean(s.mean), inverse(s.inverse);
  Lanes sums(0.0f), products(0.0f);
  each_register(width, [&](auto load, auto store) {
    const Lanes h = (load(in) - mean) * inverse, by = load(dy), g = by * load(gain);
    sums = sums + g;
    products = products + g * h;
    if (dgain != nullptr) store(load(dgain) + by * h, dgain);
    if (dbias != nullptr) store(load(dbias) + by, dbias);
  });
  if (dx == nullptr) return;
  const Lanes of_sums(sum_of(sums) * share), of_products(sum_of(products) * share);
  each_register(width, [&](auto load, auto store) {
    const Lanes h = (load(in) - mean) * inverse, g = load(dy) * load(gain);
    store(load(dx) + inverse * (g - of_sums - h * of_products), dx);
  });
}

}  // namespace

ATTENTION_KERNEL void norm_rows(const float* gain, const float* bias, float epsilon, const float* in,
                                std::size_t rows, std::size_t width, float* out, NormStatistics* statistics) {
  for (std::size_t r = 0; r < rows; ++r, in += width, out += width) {
    const NormStatistics s = statistics[r] = statistics_of(in, width, epsilon);
    const Lanes mean(s.mean), inverse(s.inverse);
    each_register(width, [&](auto load, auto store) {
      store((load(in) - mean) * inverse * load(gain) + load(bias), out);
    });
  }
}

ATTENTION_KERNEL void norm_rows_backward(const float* gain, const NormStatistics* statistics, const float* in,
                                         const float* dy, std::size_t rows, std::size_t width, float* dx,
                                         float* dgain, float* dbias) {
  for (std::size_t r = 0; r < rows; ++r, in += width, dy += width, dx += width) {
    norm_row_backward(gain, statistics[r], in, dy, width, dx, dgain, dbias);
  }
}

}  // namespace kernels

void layer_norm_backward(const LayerNorm& norm, const float* x, std::size_t rows, const float* dy,
                         const LayerNormGradients& gradients) {
  const auto& [dx, dgain, dbias] = gradients;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t row = r * norm.width;
    const kernels::NormStatistics s = kernels::statistics_of(x + row, norm.width, norm.epsilon);
    kernels::norm_row_backward(norm.gain, s, x + row, dy + row, norm.width, dx == nullptr ? nullptr : dx + row,
                               dgain, dbias);
  }
}

}  // namespace attention
