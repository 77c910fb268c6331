// The optimizers: AdamW and gradient descent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/export.h"

namespace attention {

enum class Optimizer : std::uint8_t {
  adamw,  // Loshchilov and Hutter 2019: Adam with decoupled weight decay
  sgd     // gradient descent with momentum
};

inline constexpr double kBeta1 = 0.9, kBeta2 = 0.98;  // of AdamW's moments
inline constexpr double kMomentum = 0.9;              // of gradient descent

// The sum of squares, in double.
ATTENTION_API double squared_norm(std::span<const float> gradient);

// One step of AdamW, its first being step 1:
//   g = gradient · factor, m = b1·m + (1 - b1)·g, v = b2·v + (1 - b2)·g²,
//   w -= rate · (m / (1 - b1^step) / (sqrt(v / (1 - b2^step)) + 1e-8) + decay · w)
struct AdamWStep {
  float factor = 1;           // of the gradient, as clipping wants it
  double rate = 0, decay = 0;
  double power_1 = 1, power_2 = 1;  // b1^step, b2^step
};
ATTENTION_API void adamw(const AdamWStep& step, const float* gradient, std::size_t count, float* weight, float* m, float* v);

// One step of gradient descent: g = gradient · factor, m = momentum · m + g, w -= rate · (m + decay · w).
struct SgdStep {
  float factor = 1;
  double rate = 0, decay = 0;
};
ATTENTION_API void sgd(const SgdStep& step, const float* gradient, std::size_t count, float* weight, float* m);

// Both in double, one number at a time.
ATTENTION_API void reference_adamw(std::uint32_t step, double rate, double decay, double gradient, double& weight, double& m,
                                   double& v);
ATTENTION_API void reference_sgd(double rate, double decay, double gradient, double& weight, double& m);

}  // namespace attention
