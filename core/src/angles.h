// The angles of sinusoidal and rotary positions, by xsimd's exp, sin and cos in double.
#pragma once

#include <array>

#include "lanes.h"

namespace attention {

using Doubles = xsimd::batch<double>;
inline constexpr std::size_t kDoubles = Doubles::size;
using DoubleArray = std::array<double, kDoubles>;

// first, first + 1, …
inline Doubles count_from(std::size_t first) {
  DoubleArray numbers;
  for (std::size_t lane = 0; lane < kDoubles; ++lane) {
    numbers[lane] = static_cast<double>(first + lane);
  }
  return Doubles::load_unaligned(numbers.data());
}

// write(t, sines, cosines) of t · base^-exponent for each row t, lane by lane.
template <class Write>
inline void each_row_of_angles(Doubles exponent, double log_base, std::size_t rows, Write write) {
  const Doubles rate = xsimd::exp(exponent * -log_base);
  DoubleArray sines, cosines;
  for (std::size_t t = 0; t < rows; ++t) {
    const auto [sine, cosine] = xsimd::sincos(rate * static_cast<double>(t));
    sine.store_unaligned(sines.data());
    cosine.store_unaligned(cosines.data());
    write(t, sines, cosines);
  }
}

}  // namespace attention
