#include <algorithm>
#include <bit>
#include <cstdint>

#include "attention/backward.h"
#include "kernels.h"

namespace attention {

namespace {

// The natural logarithm in double, by IEEE operations alone: the same bits everywhere.
// log(x) of a finite number x > 0 that is not denormal, within about 2e-16 of its value: x = m · 2^e with m
// around 1, log m = 2·(s + s³/3 + s⁵/5 + …), s = (m - 1)/(m + 1).
double logarithm(double x) {
  constexpr double kLn2 = 0.6931471805599453, kSqrt2 = 1.4142135623730951;
  constexpr std::uint64_t kMantissa = 0x000FFFFFFFFFFFFF, kOne = 0x3FF0000000000000;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  auto m = std::bit_cast<double>((bits & kMantissa) | kOne);
  if (m > kSqrt2) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double series = 0;
  for (int n = 21; n >= 1; n -= 2) series = series * square + 1.0 / n;
  return exponent * kLn2 + 2 * s * series;
}

}  // namespace

CrossEntropy cross_entropy(const float* logits, std::size_t width, std::span<const std::int32_t> targets,
                           float* dlogits) {
  CrossEntropy result;
  for (const std::int32_t target : targets) result.asked += target >= 0;
  const float share = result.asked == 0 ? 0 : 1 / static_cast<float>(result.asked);
  float unwanted = 0;
  for (const std::int32_t target : targets) {
    if (target >= 0) {
      const auto answer = static_cast<std::size_t>(target);
      const float max = kernels::row_max(logits, width), of_answer = logits[answer];
      result.right += std::find(logits, logits + width, max) == logits + answer;
      float sum = 0;
      if (dlogits != nullptr) {
        sum = kernels::exp_row(dlogits, logits, max, width);
        kernels::scale(dlogits, dlogits, share / sum, width);
        dlogits[answer] -= share;
      } else {
        for (std::size_t i = 0; i < width; ++i) sum += kernels::exp_row(&unwanted, logits + i, max, 1);
      }
      result.loss += logarithm(static_cast<double>(sum)) + (static_cast<double>(max) - static_cast<double>(of_answer));
    } else if (dlogits != nullptr) {
      std::fill_n(dlogits, width, 0.0f);
    }
    logits += width;
    if (dlogits != nullptr) dlogits += width;
  }
  if (result.asked > 0) result.loss /= result.asked;
  return result;
}

}  // namespace attention
