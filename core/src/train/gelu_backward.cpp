#include <algorithm>

#include "attention/backward.h"
#include "lanes.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace kernels {

namespace {

constexpr float kSqrtTwoOverPi = 0.79788456f, kCubic = 0.044715f;

// tanh(x) by exp(-2|x|): within 1.5e-7 of its value, and of no more than 1.
Lanes tanh_of(Lanes x) {
  const Lanes e = exp_nonpositive(xsimd::abs(x) * -2.0f);
  const Lanes t = quotient(Lanes(1.0f) - e, Lanes(1.0f) + e);
  return xsimd::select(x < Lanes(0.0f), Lanes(0.0f) - t, t);
}

struct Value {
  Lanes y, slope;
};

// x/2 · (1 + t), t = tanh(u), u = sqrt(2/pi)(x + 0.044715 x³); its derivative is
// (1 + t)/2 + x/2 · (1 - t²) · du/dx.
Value tanh_form(Lanes x) {
  const Lanes square = x * x;
  const Lanes t = tanh_of(kSqrtTwoOverPi * x * (1.0f + kCubic * square));
  const Lanes half = 0.5f * (1.0f + t);
  const Lanes by_x = kSqrtTwoOverPi * (1.0f + 3 * kCubic * square);
  return {x * half, half + 0.5f * x * (1.0f - t * t) * by_x};
}

// (1 + erf(x/sqrt 2))/2 + x · exp(-x²/2)/sqrt(2 pi).
Lanes erf_slope(Lanes x) {
  constexpr float kSqrtHalf = 0.70710678f, kDensity = 0.39894228f;
  return 0.5f * (1.0f + xsimd::erf(x * kSqrtHalf)) + x * kDensity * exp_nonpositive(x * x * -0.5f);
}

}  // namespace

ATTENTION_KERNEL void gelu_tanh_with_slope(float* out, float* slope, const float* in, std::size_t count) {
  each_register(count, [&](auto load, auto store) {
    const Value value = tanh_form(load(in));
    store(value.y, out);
    store(value.slope, slope);
  });
}

ATTENTION_KERNEL void multiply(float* x, const float* y, std::size_t count) {
  each_register(count, [&](auto load, auto store) { store(load(x) * load(y), x); });
}

}  // namespace kernels

void gelu_backward(Gelu gelu, const float* x, const float* dy, std::size_t count, float* dx) {
  kernels::each_register(count, [&](auto load, auto store) {
    const Lanes at = load(x), slope = gelu == Gelu::tanh ? kernels::tanh_form(at).slope : kernels::erf_slope(at);
    store(load(dx) + load(dy) * slope, dx);
  });
}

}  // namespace attention
