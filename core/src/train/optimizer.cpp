#include "attention/optimizer.h"

#include <array>

#include "train/gradient_kernels.h"

namespace attention {

double squared_norm(std::span<const float> gradient) {
  constexpr std::size_t kSums = 8;  // side by side, so that none waits for another
  std::array<double, kSums> sums{};
  for (std::size_t i = 0; i + kSums <= gradient.size(); i += kSums) {
    for (std::size_t lane = 0; lane < kSums; ++lane) {
      const auto g = static_cast<double>(gradient[i + lane]);
      sums[lane] += g * g;
    }
  }
  for (std::size_t i = gradient.size() / kSums * kSums; i < gradient.size(); ++i) {
    const auto g = static_cast<double>(gradient[i]);
    sums[0] += g * g;
  }
  double sum = 0;
  for (const double each : sums) sum += each;
  return sum;
}

ATTENTION_KERNEL void adamw(const AdamWStep& step, const float* gradient, std::size_t count, float* weight, float* m,
                            float* v) {
  constexpr auto kB1 = static_cast<float>(kBeta1), kB2 = static_cast<float>(kBeta2);
  constexpr auto kShare1 = static_cast<float>(1 - kBeta1), kShare2 = static_cast<float>(1 - kBeta2);
  constexpr float kEpsilon = 1e-8f;
  const Lanes factor(step.factor), rate(static_cast<float>(step.rate / (1 - step.power_1)));
  const Lanes whole(static_cast<float>(1 / (1 - step.power_2))), decay(static_cast<float>(step.rate * step.decay));
  kernels::each_register(count, [&](auto load, auto store) {
    const Lanes g = load(gradient) * factor, w = load(weight);
    const Lanes m_now = kB1 * load(m) + kShare1 * g;
    const Lanes v_now = kB2 * load(v) + kShare2 * g * g;
    store(m_now, m);
    store(v_now, v);
    store(w - (rate * quotient(m_now, xsimd::sqrt(v_now * whole) + kEpsilon) + decay * w), weight);
  });
}

ATTENTION_KERNEL void sgd(const SgdStep& step, const float* gradient, std::size_t count, float* weight, float* m) {
  constexpr auto kKept = static_cast<float>(kMomentum);
  const Lanes factor(step.factor), rate(static_cast<float>(step.rate)),
      decay(static_cast<float>(step.rate * step.decay));
  kernels::each_register(count, [&](auto load, auto store) {
    const Lanes w = load(weight), m_now = kKept * load(m) + load(gradient) * factor;
    store(m_now, m);
    store(w - (rate * m_now + decay * w), weight);
  });
}

}  // namespace attention
