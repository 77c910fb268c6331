// Random layers with the memory behind their views.
#pragma once

#include <cmath>
#include <vector>

#include "attention/multi_head.h"
#include "random.h"

namespace attention::test {

// Parameters that stay in place while more are drawn.
class Memory {
 public:
  explicit Memory(Random& random) : random_(random) {}
  const float* numbers(std::size_t count) {
    all_.push_back(random_.numbers(count));
    return all_.back().data();
  }
  // Either layout, with or without a bias.
  Linear linear(std::size_t in, std::size_t out) {
    return {numbers(in * out),
            random_.coin() ? numbers(out) : nullptr,
            in,
            out,
            random_.coin() ? Layout::in_out : Layout::out_in,
            0};
  }

 private:
  Random& random_;
  std::vector<std::vector<float>> all_;  // their numbers do not move when it grows
};

inline constexpr std::size_t kRotaryRows = 200;

struct Tables {
  std::vector<float> cosines, sines;
  RotaryTables view;

  void fill(std::size_t half, RotaryPairs pairs) {
    cosines.resize(kRotaryRows * half);
    sines.resize(kRotaryRows * half);
    if (fill_rotary(cosines, sines, kRotaryRows, 2 * half)) cosines.clear();  // which its users refuse
    view = {cosines, sines, half, pairs};
  }
};

// |got - expected| <= bound · the largest of expected, or of 1.
inline bool is_close(const std::vector<float>& got, const std::vector<double>& expected,
                     double bound) {
  double scale = 1;
  for (const double y : expected) scale = std::fmax(scale, std::fabs(y));
  bool all = got.size() == expected.size();
  for (std::size_t i = 0; i < got.size() && all; ++i) {
    all = std::fabs(static_cast<double>(got[i]) - expected[i]) <= bound * scale;
  }
  return all;
}

}  // namespace attention::test
