#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/layer/parameters.h"
#include "random.h"

using namespace attention;

namespace {

std::vector<float> copy(std::span<const float> view) { return {view.begin(), view.end()}; }

RandomParameters drawn(const Settings& settings) {
  RandomParameters parameters;
  REQUIRE_FALSE(parameters.draw(settings));
  return parameters;
}

}  // namespace

TEST_CASE("parameter matrices have mean 0 and variance 1/d_model", "[parameters]") {
  Settings s;
  s.d_model = 512;
  const RandomParameters p = drawn(s);
  for (const auto view : {p.view().W_Q, p.view().W_K, p.view().W_V, p.view().W_O}) {
    double sum = 0, squares = 0;
    for (const double x : view) {
      sum += x;
      squares += x * x;
    }
    const double n = static_cast<double>(view.size());
    CHECK(n == 512 * 512);
    CHECK(std::fabs(sum / n) < 5 / std::sqrt(512 * n));
    CHECK(std::fabs(squares / n * 512 - 1) < 5 * std::sqrt(2 / n));
  }
}

TEST_CASE("the number of heads, mask, scale and positions draw the same parameters", "[parameters]") {
  Settings a, b;
  b.num_heads = 16;
  b.mask = Mask::none;
  b.scale = Scale::none;
  b.positions = Positions::none;
  CHECK(test::same_bits(copy(drawn(a).view().W_Q), copy(drawn(b).view().W_Q)));
  b.seed = 2;
  CHECK_FALSE(test::same_bits(copy(drawn(a).view().W_Q), copy(drawn(b).view().W_Q)));
}

TEST_CASE("a matrix entry keeps its bits when d_model grows, up to the 1/sqrt(d_model)", "[parameters]") {
  Settings small, large;
  small.d_model = 16;
  large.d_model = 64;  // deviations 1/4 and 1/8: scaling by two is exact
  const RandomParameters a = drawn(small), b = drawn(large);
  for (std::size_t r = 0; r < 16; ++r) {
    for (std::size_t c = 0; c < 16; ++c) {
      REQUIRE(a.view().W_K[r * 16 + c] == 2 * b.view().W_K[r * 64 + c]);
    }
  }
}

TEST_CASE("biases are zeros until switched on, and leave the matrices alone", "[parameters]") {
  Settings s;
  RandomParameters p = drawn(s);
  const auto W_O = copy(p.view().W_O);
  CHECK(copy(p.view().b_Q) == std::vector<float>(64, 0.0f));
  s.biases = true;
  REQUIRE_FALSE(p.draw(s));
  CHECK(copy(p.view().b_Q) != std::vector<float>(64, 0.0f));
  CHECK(copy(p.view().b_O) != copy(p.view().b_V));
  CHECK(test::same_bits(W_O, copy(p.view().W_O)));
  s.biases = false;
  REQUIRE_FALSE(p.draw(s));
  CHECK(copy(p.view().b_O) == std::vector<float>(64, 0.0f));
}
