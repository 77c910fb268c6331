// The natural logarithm in double, by IEEE operations alone: the same bits everywhere.
#pragma once

#include <bit>
#include <cstdint>

namespace attention {

// log(x) of a finite number x > 0 that is not denormal, within about 2e-16 of its value: x = m · 2^e with m
// around 1, log m = 2·(s + s³/3 + s⁵/5 + …), s = (m - 1)/(m + 1).
inline double logarithm(double x) {
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

}  // namespace attention
