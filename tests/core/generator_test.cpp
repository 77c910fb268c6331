#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/generator.h"
#include "attention/vectors.h"
#include "four_lanes.h"
#include "random.h"

using namespace attention;

TEST_CASE("Philox gives the known answers of its authors", "[generator]") {
  // Random123's kat_vectors, philox4x32 with 10 rounds.
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t f = 0xffffffff;
  CHECK(philox({f, f, f, f}, {f, f}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("token hashes are FNV-1a", "[generator]") {
  CHECK(token_hash("") == 0xcbf29ce484222325);
  CHECK(token_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(token_hash("foobar") == 0x85944171f73967e8);
}

TEST_CASE("each normal number is the quantile of its documented word", "[generator]") {
  constexpr std::size_t kColumns = 40'001;
  std::vector<float> numbers(kColumns);
  fill_normal(numbers, 7, Drawn::W_V, 3, 0x123456789abcdef0);
  double worst = 0;
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    const auto words = philox({c / 4, 3, 0x9abcdef0, 0x12345678},
                              {7, static_cast<std::uint32_t>(Drawn::W_V)});
    const double p = (words[c % 4] + 0.5) / 4294967296.0;
    const double x = numbers[c];
    // The C library's own normal distribution, on the side where it is precise.
    const double tail = 0.5 * std::erfc(std::fabs(x) / std::sqrt(2.0));
    const double expected = p < 0.5 ? p : 1 - p;
    worst = std::fmax(worst, std::fabs(tail - expected) / expected);
    if (std::fabs(p - 0.5) > 1e-6) REQUIRE((x < 0) == (p < 0.5));
  }
  CHECK(worst < 2e-5);  // d(tail)/tail is about x dx; x reaches 4, dx a few float32 roundings of it
}

TEST_CASE("the furthest of many draws are the quantiles of their words", "[generator]") {
  // Of four million words the least and the largest: some below 2^-20, of either side.
  int far = 0;
  std::array<float, 4> four;
  for (std::uint32_t row = 0; row < 1'000'000; ++row) {
    const auto words = philox({0, row, 0, 0}, {3, static_cast<std::uint32_t>(Drawn::W_Q)});
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t below = std::min(words[lane], ~words[lane]);
      if (below >= 1u << 14) continue;
      fill_normal(four, 3, Drawn::W_Q, row);
      const double x = static_cast<double>(four[lane]), p = (below + 0.5) / 4294967296.0;
      const double tail = 0.5 * std::erfc(std::fabs(x) / std::sqrt(2.0));
      REQUIRE((x < 0) == (words[lane] < 0x80000000u));
      REQUIRE(std::fabs(tail - p) < 5e-5 * p);
      ++far;
    }
  }
  CHECK(far > 20);
}

TEST_CASE("a million draws have the moments of a standard normal", "[generator]") {
  constexpr std::size_t kRows = 1000, kColumns = 1000;
  std::vector<float> row(kColumns);
  double sum = 0, squares = 0, fourths = 0;
  for (std::uint32_t r = 0; r < kRows; ++r) {
    fill_normal(row, 1, Drawn::W_Q, r);
    for (const double x : row) {
      sum += x;
      squares += x * x;
      fourths += x * x * x * x;
    }
  }
  constexpr double n = kRows * kColumns;
  // Five standard errors of each estimate: 1/sqrt(n), sqrt(2/n), sqrt(96/n).
  CHECK(std::fabs(sum / n) < 5 / std::sqrt(n));
  CHECK(std::fabs(squares / n - 1) < 5 * std::sqrt(2 / n));
  CHECK(std::fabs(fourths / n - 3) < 5 * std::sqrt(96 / n));
}

TEST_CASE("a number depends on where it stands, not on how many are drawn", "[generator]") {
  test::Random random(1);
  std::vector<float> all(300);
  fill_normal(all, 5, Drawn::W_K, 2);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<float> some(random.size(1, 300));
    fill_normal(some, 5, Drawn::W_K, 2);
    CHECK(test::same_bits(some, std::vector<float>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(some.size()))));
  }
}

TEST_CASE("the draw keeps its bits from version to version", "[generator]") {
  if (!has_vectors(Vectors::four_lanes)) SKIP("A build for wider processors alone fuses multiplication and addition.");
  test::leaves_neon_out();
  std::vector<float> row(20'000);
  std::uint64_t bits = 0xcbf29ce484222325;
  for (const std::uint32_t seed : {0u, 1u, 0xffffffffu}) {
    fill_normal(row, seed, Drawn::content, 5, 0x123456789abcdef0);
    for (const float x : row) bits = (bits ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001b3;
  }
  CHECK(bits == 0x70c1cc75d5f06423);
}

TEST_CASE("seed, matrix, row and salt each change the draw", "[generator]") {
  const auto draw = [](std::uint32_t seed, Drawn drawn, std::uint32_t row, std::uint64_t salt) {
    std::vector<float> out(8);
    fill_normal(out, seed, drawn, row, salt);
    return out;
  };
  const auto base = draw(1, Drawn::content, 0, 0);
  CHECK(base == draw(1, Drawn::content, 0, 0));
  CHECK(base != draw(2, Drawn::content, 0, 0));
  CHECK(base != draw(1, Drawn::W_Q, 0, 0));
  CHECK(base != draw(1, Drawn::content, 1, 0));
  CHECK(base != draw(1, Drawn::content, 0, 1));
  CHECK(base != draw(1, Drawn::content, 0, std::uint64_t{1} << 32));
}
