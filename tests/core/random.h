// Reproducible random shapes and numbers for property tests.
#pragma once

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "attention/settings.h"

namespace attention::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int whole(int least, int most) {
    return least + static_cast<int>(engine_() % static_cast<unsigned>(most - least + 1));
  }
  std::size_t size(int least, int most) { return static_cast<std::size_t>(whole(least, most)); }
  bool coin() { return whole(0, 1) == 1; }
  // Uniform in [-1, 1).
  float number() { return static_cast<float>(engine_() >> 8) * 0x1p-23f - 1.0f; }

  std::vector<float> numbers(std::size_t count) {
    std::vector<float> out(count);
    for (float& x : out) x = number();
    return out;
  }

  std::vector<std::string> tokens(std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back("word" + std::to_string(whole(0, 40)));
    return out;
  }

  Settings settings() {
    Settings s;
    s.num_heads = whole(1, 6);
    s.d_model = s.num_heads * whole(1, 13);
    s.mask = coin() ? Mask::causal : Mask::none;
    s.scale = static_cast<Scale>(whole(0, 2));
    s.scale_factor = number() * 2;
    s.positions = coin() ? Positions::sinusoidal : Positions::none;
    s.biases = coin();
    s.seed = engine_();
    return s;
  }

 private:
  std::mt19937 engine_;  // the same sequence in every standard library
};

// Equality of bits: tells -0 from 0, and finds a NaN equal to itself.
template <class Range>
bool same_bits(const Range& a, const Range& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace attention::test
