// Gradients by finite differences, in double.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace attention::test {

using Doubles = std::vector<double>;

inline Doubles doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }

inline double dot(const Doubles& x, const Doubles& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// df/dx_i for each i, (f(x + e) - f(x - e)) / 2e: errs by e²/6 times a third derivative.
inline Doubles differences(Doubles x, const std::function<double(const Doubles&)>& f, double e = 1e-5) {
  Doubles slopes;
  for (double& each : x) {
    const double kept = each;
    each = kept + e;
    const double above = f(x);
    each = kept - e;
    slopes.push_back((above - f(x)) / (2 * e));
    each = kept;
  }
  return slopes;
}

// The largest |a - b|, as a share of the largest |b|, or of `least` where that is more.
template <class A, class B>
double distance(const A& a, const B& b, double least = 1e-6) {
  double most = least, error = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < b.size() && i < a.size(); ++i) {
    most = std::fmax(most, std::fabs(static_cast<double>(b[i])));
    const double off = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    error = off <= error ? error : off;  // a NaN, too
  }
  return error / most;
}

}  // namespace attention::test
