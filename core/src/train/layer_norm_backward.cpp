#include "attention/backward.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace kernels {

namespace {

// `in`, `dy` and `dx` are a row's, the others the layer's.
void norm_row_backward(const LayerNorm& norm, const NormStatistics& s, const float* in, const float* dy,
                       const LayerNormGradients& gradients) {
  float *const dx = gradients.x, *const dgain = gradients.gain, *const dbias = gradients.bias;
  const std::size_t width = norm.width;
  const float share = 1 / static_cast<float>(width);
  const Lanes mean(s.mean), shift(s.shift), inverse(s.inverse);
  Lanes sums(0.0f), products(0.0f);
  each_register(width, [&](auto load, auto store) {
    const Lanes h = (load(in) - mean - shift) * inverse, by = load(dy), g = by * load(norm.gain);
    sums = sums + g;
    products = products + g * h;
    if (dgain != nullptr) store(load(dgain) + by * h, dgain);
    if (dbias != nullptr) store(load(dbias) + by, dbias);
  });
  if (dx == nullptr) return;
  // RMSNorm takes no mean off.
  const Lanes of_sums(norm.is_rms ? 0.0f : sum_of(sums) * share), of_products(sum_of(products) * share);
  each_register(width, [&](auto load, auto store) {
    const Lanes h = (load(in) - mean - shift) * inverse, g = load(dy) * load(norm.gain);
    store(load(dx) + inverse * (g - of_sums - h * of_products), dx);
  });
}

LayerNormGradients row_of(const LayerNormGradients& all, std::size_t at) {
  return {all.x == nullptr ? nullptr : all.x + at, all.gain, all.bias};
}

}  // namespace

ATTENTION_KERNEL void norm_rows(const LayerNorm& norm, const float* in, std::size_t rows, float* out,
                                NormStatistics* statistics) {
  for (std::size_t r = 0; r < rows; ++r, in += norm.width, out += norm.width) {
    statistics[r] = norm_statistics(norm, in);
    norm_row(norm, in, statistics[r], out);
  }
}

ATTENTION_KERNEL void norm_rows_backward(const LayerNorm& norm, const NormStatistics* statistics, const float* in,
                                         std::size_t rows, const float* dy, const LayerNormGradients& gradients) {
  for (std::size_t at = 0, r = 0; r < rows; ++r, at += norm.width) {
    norm_row_backward(norm, statistics[r], in + at, dy + at, row_of(gradients, at));
  }
}

}  // namespace kernels

void layer_norm_backward(const LayerNorm& norm, const float* x, std::size_t rows, const float* dy,
                         const LayerNormGradients& gradients) {
  for (std::size_t at = 0, r = 0; r < rows; ++r, at += norm.width) {
    const kernels::NormStatistics statistics = kernels::norm_statistics(norm, x + at);
    kernels::norm_row_backward(norm, statistics, x + at, dy + at, kernels::row_of(gradients, at));
  }
}

}  // namespace attention
