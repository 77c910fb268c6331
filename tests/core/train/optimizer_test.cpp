#include "attention/optimizer.h"

#include <catch2/catch_test_macros.hpp>

#include "../random.h"
#include "differences.h"

using namespace attention;
using test::Random;

TEST_CASE("AdamW in lanes is AdamW number by number", "[train][optimizer]") {
  Random random(31);
  for (const std::size_t count : {1, 3, 4, 17, 100}) {
    auto w = random.numbers(count), m = std::vector<float>(count), v = std::vector<float>(count);
    std::vector<double> exact_w(w.begin(), w.end()), exact_m(count), exact_v(count);
    double power_1 = 1, power_2 = 1;
    for (std::uint32_t step = 1; step <= 30; ++step) {
      const auto g = random.numbers(count);
      power_1 *= kBeta1;
      power_2 *= kBeta2;
      adamw({0.5f, 3e-3, 0.1, power_1, power_2}, g.data(), count, w.data(), m.data(), v.data());
      for (std::size_t i = 0; i < count; ++i) {
        reference_adamw(step, 3e-3, 0.1, 0.5 * static_cast<double>(g[i]), exact_w[i], exact_m[i], exact_v[i]);
      }
    }
    CHECK(test::distance(w, exact_w) < 1e-6);
    CHECK(test::distance(m, exact_m) < 1e-6);
    CHECK(test::distance(v, exact_v) < 1e-6);
  }
}

TEST_CASE("gradient descent in lanes is gradient descent number by number", "[train][optimizer]") {
  Random random(32);
  auto w = random.numbers(23), m = std::vector<float>(23);
  std::vector<double> exact_w(w.begin(), w.end()), exact_m(23);
  for (int step = 0; step < 30; ++step) {
    const auto g = random.numbers(23);
    sgd({2, 0.1, 0.05}, g.data(), 23, w.data(), m.data());
    for (std::size_t i = 0; i < 23; ++i)
      reference_sgd(0.1, 0.05, 2 * static_cast<double>(g[i]), exact_w[i], exact_m[i]);
  }
  CHECK(test::distance(w, exact_w) < 2e-6);
  CHECK(test::distance(m, exact_m) < 2e-6);
}

TEST_CASE("a norm is taken in double", "[train][optimizer]") {
  const std::vector<float> large(11, 1e30f);
  CHECK(std::fabs(squared_norm(large) / 11e60 - 1) < 1e-6);
  std::vector<float> mixed{3, 4, 12, 0, 0, 0, 0, 0, 84};
  CHECK(squared_norm(mixed) == 9 + 16 + 144 + 7056);
  CHECK(squared_norm({}) == 0);
}
