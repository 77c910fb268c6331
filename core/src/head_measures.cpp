#include "attention/head_measures.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "attention/measures.h"
#include "kernels.h"

namespace attention {

namespace {

// A mean of the numbers that are added; NaN of none.
class Mean {
 public:
  void add(float x) {
    sum_ += static_cast<double>(x);
    ++count_;
  }
  float value() const {
    return count_ == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

// The token after the last earlier one of the same id as `t`'s; 0 = there is none.
std::size_t after_the_same(std::span<const std::int32_t> tokens, std::size_t t) {
  for (std::size_t p = t; p-- > 0;)
    if (tokens[p] == tokens[t] && p + 1 < t) return p + 1;
  return 0;
}

}  // namespace

void head_facts(const float* weights, std::size_t heads, std::span<const std::int32_t> tokens, float* facts) {
  const std::size_t T = tokens.size();
  for (std::size_t head = 0; head < heads; ++head) {
    Mean previous, start, self, induction, bits;
    for (std::size_t t = 1; t < T; ++t) {
      const float* const row = weights + (head * T + t) * T;
      previous.add(row[t - 1]);
      start.add(row[0]);
      self.add(row[t]);
      bits.add(entropy({row, T}));
      if (const std::size_t key = after_the_same(tokens, t)) induction.add(row[key]);
    }
    float* const to = facts + head * kHeadFacts;
    const float all[kHeadFacts] = {previous.value(), start.value(), self.value(), induction.value(), bits.value()};
    std::copy_n(all, kHeadFacts, to);
  }
}

std::size_t induction_rows(std::span<const std::int32_t> tokens) {
  std::size_t rows = 0;
  for (std::size_t t = 1; t < tokens.size(); ++t) rows += after_the_same(tokens, t) != 0 ? 1 : 0;
  return rows;
}

void mean_of_heads(const float* weights, std::size_t heads, std::size_t T, float* mean) {
  std::copy_n(weights, T * T, mean);
  for (std::size_t head = 1; head < heads; ++head) kernels::add(mean, mean, weights + head * T * T, T * T);
  kernels::divide(mean, mean, static_cast<float>(heads), T * T);
}

void roll_out(const float* mean, const float* below, std::size_t T, float* out) {
  if (below != nullptr) kernels::matmul_nn({out, T, T, T}, {mean, T, T, T}, {below, T, T, T});
  else std::copy_n(mean, T * T, out);
  // (mean + I)/2 over its row's sum, times below, is (mean · below + below) over the row's sum and 1.
  for (std::size_t t = 0; t < T; ++t) {
    float* const row = out + t * T;
    if (below != nullptr) kernels::add(row, row, below + t * T, T);
    else row[t] += 1;
    kernels::divide(row, row, std::accumulate(mean + t * T, mean + (t + 1) * T, 1.0f), T);
  }
}

}  // namespace attention
