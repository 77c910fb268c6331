#include "attention/positions.h"

#include <catch2/catch_test_macros.hpp>

#include "random_layer.h"

using namespace attention;
using test::Random;
using test::same_bits;

TEST_CASE("sinusoids are within an ulp of their definition", "[positions]") {
  for (const std::size_t width : {1, 2, 7, 64, 129}) {
    std::vector<float> table(300 * width);
    fill_sinusoids(table.data(), 300, width);
    for (std::size_t t = 0; t < 300; ++t)
      for (std::size_t c = 0; c < width; ++c) {
        const double angle = double(t) / std::pow(10000.0, double(c / 2 * 2) / double(width));
        const double expected = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        REQUIRE(std::fabs(table[t * width + c] - expected) <= 6e-8);
      }
  }
}

TEST_CASE("each row gets its position's row of the table, and no other", "[positions]") {
  Random random(71);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t B = random.size(1, 3), T = random.size(1, 9), width = random.size(1, 20);
    const std::size_t first = random.size(0, 5), table_rows = first + T + random.size(0, 3);
    const auto x = random.numbers(B * T * width), table = random.numbers(table_rows * width);
    std::vector<std::int64_t> positions;
    if (random.coin()) {
      for (std::size_t i = 0; i < B * T; ++i)
        positions.push_back(random.whole(0, static_cast<int>(table_rows) - 1));
    }
    auto out = x;
    REQUIRE_FALSE(add_positions({x.data(), B, T, width}, table, positions, first, out.data()));
    auto in_place = x;
    REQUIRE_FALSE(
        add_positions({in_place.data(), B, T, width}, table, positions, first, in_place.data()));
    CHECK(same_bits(out, in_place));
    for (std::size_t row = 0; row < B * T; ++row) {
      const std::size_t p =
          positions.empty() ? first + row % T : static_cast<std::size_t>(positions[row]);
      for (std::size_t i = 0; i < width; ++i) {
        REQUIRE(out[row * width + i] == x[row * width + i] + table[p * width + i]);
      }
    }
  }
}

TEST_CASE("positions outside the table are refused, and nothing is written",
          "[positions][errors]") {
  const std::vector<float> x(12, 1), table(15, 1);  // [2, 2, 3] and [5, 3]
  std::vector<float> out(12, 7);
  const auto untouched = out;
  const Rows rows{x.data(), 2, 2, 3};
  const auto refuses = [&](const Rows& in, std::span<const float> t, std::vector<std::int64_t> p,
                           std::size_t first) {
    const Error error = add_positions(in, t, p, first, out.data());
    return error.code() == ErrorCode::invalid_shape && !message(error).empty() && out == untouched;
  };
  CHECK(refuses(rows, table, {}, 4));
  CHECK(refuses(rows, table, {}, SIZE_MAX));
  CHECK(refuses(rows, table, {0, 1, 2, 5}, 0));
  CHECK(refuses(rows, table, {0, 1, 2, -1}, 0));
  CHECK(refuses(rows, table, {0, 1}, 0));
  CHECK(refuses(rows, std::span(table).first(14), {}, 0));
  CHECK(refuses(rows, {}, {}, 0));
  CHECK(refuses({nullptr, 2, 2, 3}, table, {}, 0));
  CHECK(refuses({x.data(), 0, 2, 3}, table, {}, 0));
  CHECK(refuses({x.data(), SIZE_MAX / 2, 2, 3}, table, {}, 0));
  CHECK_FALSE(refuses(rows, table, {}, 3));
}
