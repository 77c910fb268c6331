#include "attention/ops.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "random.h"

using namespace attention;

TEST_CASE("softmax makes shares of 1 of each row, as in double", "[softmax]") {
  test::Random random(81);
  for (const std::size_t width : {1, 2, 3, 4, 7, 8, 100, 8083}) {
    const std::size_t rows = 3;
    std::vector<float> x = random.numbers(rows * width);
    for (float& each : x) each *= 30;
    std::vector<float> y(x.size());
    softmax(x.data(), rows, width, y.data());
    for (std::size_t row = 0; row < rows; ++row) {
      double most = -INFINITY, sum = 0;
      for (std::size_t i = 0; i < width; ++i) most = std::fmax(most, double(x[row * width + i]));
      for (std::size_t i = 0; i < width; ++i) sum += std::exp(double(x[row * width + i]) - most);
      for (std::size_t i = 0; i < width; ++i) {
        const double share = std::exp(double(x[row * width + i]) - most) / sum;
        REQUIRE(std::fabs(double(y[row * width + i]) - share) < 1e-6);
      }
    }
    softmax(x.data(), rows, width, x.data());
    CHECK(test::same_bits(x, y));
  }
}

TEST_CASE("a row of nothing possible becomes zeros", "[softmax]") {
  std::vector<float> x(5, -std::numeric_limits<float>::infinity());
  softmax(x.data(), 1, 5, x.data());
  CHECK(x == std::vector<float>(5, 0));
}
