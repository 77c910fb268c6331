#include "attention/backward.h"
#include "train/rows.h"

namespace attention {

namespace {

float dot(const float* x, const float* y, std::size_t count) {
  Lanes sums(0.0f);
  kernels::each_register(count, [&](auto load, auto) { sums = sums + load(x) * load(y); });
  return kernels::sum_of(sums);
}

}  // namespace

ATTENTION_KERNEL void kernels::softmax_backward_row(const float* y, const float* dy, std::size_t count, float factor,
                                                    float* dx) {
  const Lanes sum(dot(y, dy, count));
  each_register(count, [&](auto load, auto store) { store(load(y) * (load(dy) - sum) * factor, dx); });
}

void softmax_backward(const float* y, const float* dy, std::size_t rows, std::size_t width, float* dx) {
  for (std::size_t r = 0; r < rows; ++r, y += width, dy += width, dx += width) {
    const Lanes sum(dot(y, dy, width));
    kernels::each_register(width, [&](auto load, auto store) {
      store(load(dx) + load(y) * (load(dy) - sum), dx);
    });
  }
}

}  // namespace attention
