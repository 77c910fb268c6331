// The angles of sinusoidal and rotary positions, in double: xsimd's exp, and a sine and cosine for
// angles that positions reach.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

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

inline constexpr double kMostAngle = 0x1p20;

// sin x and cos x for 0 <= x < kMostAngle, within 1e-16 of them. Cody and Waite's reduction with pi/2 in three
// parts, k · the first two exact; the polynomials of Sun's fdlibm. xsimd's own, which reduce any angle,
// are a twentieth of the page's whole module.
inline std::pair<Doubles, Doubles> sine_and_cosine(Doubles x) {
  using Bits = xsimd::batch<std::int64_t>;
  constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, left in the low bits
  const Doubles shifted = x * 6.36619772367581382433e-01 + kShift;
  const Doubles k = shifted - kShift;
  const Doubles first = x - k * 1.57079632673412561417e+00;
  const Doubles second = k * 6.07710050630396597660e-11;
  const Doubles near = first - second;
  const Doubles r = near - (k * 2.02226624879595063154e-21 - ((first - near) - second));

  const auto polynomial = [z = r * r](const std::array<double, 6>& c) {
    Doubles sum(c[0]);
    for (std::size_t i = 1; i < c.size(); ++i) sum = sum * z + c[i];
    return sum * z;
  };
  const Doubles sine = r + r * polynomial({1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                           2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                           8.33333333332248946124e-03, -1.66666666666666324348e-01});
  const Doubles z = r * r;
  const Doubles cosine = 1.0 - (0.5 * z - z * polynomial({-1.13596475577881948265e-11,
                                                          2.08757232129817482790e-09,
                                                          -2.75573143513906633035e-07,
                                                          2.48015872894767294178e-05,
                                                          -1.38888888888741095749e-03,
                                                          4.16666666666666019037e-02}));
  // Odd quarters swap the two; the second bit of the quarter, and of the next, is the sign.
  const Bits quarter = xsimd::bitwise_cast<std::int64_t>(shifted);
  const Bits swap = Bits(0) - (quarter & Bits(1));
  const Bits a = xsimd::bitwise_cast<std::int64_t>(sine), b = xsimd::bitwise_cast<std::int64_t>(cosine);
  const Bits both = (a ^ b) & swap;
  const auto signed_by = [](Bits magnitude, Bits sign) {
    return xsimd::bitwise_cast<double>(magnitude ^ ((sign & Bits(2)) << 62));
  };
  return {signed_by(a ^ both, quarter), signed_by(b ^ both, quarter + Bits(1))};
}

// write(t, sines, cosines) of t · base^-exponent for each row t, lane by lane.
template <class Write>
inline void each_row_of_angles(Doubles exponent, double log_base, std::size_t rows, Write write) {
  const Doubles rate = xsimd::exp(exponent * -log_base);
  DoubleArray sines, cosines;
  for (std::size_t t = 0; t < rows; ++t) {
    const auto [sine, cosine] = sine_and_cosine(rate * static_cast<double>(t));
    sine.store_unaligned(sines.data());
    cosine.store_unaligned(cosines.data());
    write(t, sines, cosines);
  }
}

}  // namespace attention
