#include "attention/positions.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "random.h"

using namespace attention;

TEST_CASE("rotary tables are cos and sin of position over base to the 2i/d", "[rotary]") {
  for (const std::size_t dim : {2u, 6u, 64u, 100u}) {
    std::vector<float> c(500 * dim / 2), s(c.size());
    REQUIRE_FALSE(fill_rotary(c, s, 500, dim));
    for (std::size_t p = 0; p < 500; ++p) {
      for (std::size_t i = 0; i < dim / 2; ++i) {
        const double angle = double(p) * std::pow(10000.0, -2.0 * double(i) / double(dim));
        REQUIRE(std::fabs(c[p * dim / 2 + i] - std::cos(angle)) < 1e-7);
        REQUIRE(std::fabs(s[p * dim / 2 + i] - std::sin(angle)) < 1e-7);
      }
    }
  }
}

TEST_CASE("scaled rotary tables turn slower: all rates, or those below Llama 3.1's limits", "[rotary]") {
  const std::size_t dim = 64, half = dim / 2;
  for (const RotaryScaling scaling : {RotaryScaling{4}, RotaryScaling{8, 8192, 1, 4}, RotaryScaling{32, 100, 0.5, 8}}) {
    std::vector<float> c(500 * half), s(c.size());
    REQUIRE_FALSE(fill_rotary(c, s, 500, dim, 500000, scaling));
    std::size_t kept = 0, divided = 0;
    for (std::size_t i = 0; i < half; ++i) {
      double rate = std::pow(500000.0, -2.0 * double(i) / double(dim));
      // As Llama 3.1's own code has it, by wavelengths.
      const double wavelength = 2 * M_PI / rate, context = scaling.original_context;
      if (context == 0 || wavelength > context / scaling.low_turns) {
        rate /= scaling.factor;
        ++divided;
      } else if (wavelength >= context / scaling.high_turns) {
        const double smooth = (context / wavelength - scaling.low_turns) / (scaling.high_turns - scaling.low_turns);
        rate = (1 - smooth) * rate / scaling.factor + smooth * rate;
      } else {
        ++kept;
      }
      for (std::size_t p = 0; p < 500; ++p) {
        REQUIRE(std::fabs(c[p * half + i] - std::cos(double(p) * rate)) < 1e-7);
        REQUIRE(std::fabs(s[p * half + i] - std::sin(double(p) * rate)) < 1e-7);
      }
    }
    if (scaling.original_context > 0) REQUIRE((kept > 0 && divided > 0 && kept + divided < half));
  }
}

TEST_CASE("rotary turns pairs, keeps lengths, and leaves the rest of a head alone", "[rotary]") {
  test::Random random(61);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t width = random.size(2, 40), half = random.size(1, static_cast<int>(width / 2));
    const std::size_t B = random.size(1, 3), H = random.size(1, 3), n = random.size(1, 9);
    const auto pairs = random.coin() ? RotaryPairs::interleaved : RotaryPairs::halved;
    std::vector<float> c(20 * half), s(c.size());
    REQUIRE_FALSE(fill_rotary(c, s, 20, 2 * half));
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < B * n; ++i) positions.push_back(random.whole(0, 19));
    const auto in = random.numbers(B * H * n * width);
    std::vector<float> out(in.size());
    REQUIRE_FALSE(rotate(heads_first(in.data(), B, H, n, width),
                         heads_first(out.data(), B, H, n, width), c, s, half, positions, pairs));
    for (std::size_t row = 0; row < B * H * n; ++row) {
      const std::int64_t p = positions[row / (H * n) * n + row % n];
      for (std::size_t i = 0; i < width; ++i) {
        if (i >= 2 * half) REQUIRE(out[row * width + i] == in[row * width + i]);
      }
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t a = row * width + (pairs == RotaryPairs::interleaved ? 2 * i : i);
        const std::size_t b = pairs == RotaryPairs::interleaved ? a + 1 : a + half;
        const double angle = double(p) * std::pow(10000.0, -double(i) / double(half));
        REQUIRE(std::fabs(out[a] - (in[a] * std::cos(angle) - in[b] * std::sin(angle))) < 1e-6);
        REQUIRE(std::fabs(out[b] - (in[b] * std::cos(angle) + in[a] * std::sin(angle))) < 1e-6);
      }
    }
    auto same = in;
    const auto view = heads_first(same.data(), B, H, n, width);
    REQUIRE_FALSE(rotate(view, view, c, s, half, positions, pairs));
    CHECK(test::same_bits(same, out));
  }
}

TEST_CASE("rotary refuses tables and positions that do not fit", "[rotary][errors]") {
  std::vector<float> x(32), c(8), s(8);
  const auto view = heads_first(x.data(), 1, 1, 4, 8);
  const auto code = [&](std::span<const float> cosines, std::size_t half, std::vector<std::int64_t> at) {
    return rotate(view, view, cosines, s, half, at, RotaryPairs::halved).code();
  };
  CHECK(code(c, 2, {}) == ErrorCode::none);
  CHECK(code(c, 4, {}) == ErrorCode::invalid_shape);  // two table rows for four positions
  CHECK(code(c, 5, {}) == ErrorCode::invalid_shape);
  CHECK(code(c, 0, {}) == ErrorCode::invalid_shape);
  CHECK(code({c.data(), 6}, 2, {}) == ErrorCode::invalid_shape);
  CHECK(code(c, 2, {0, 1}) == ErrorCode::invalid_shape);
  CHECK(code(c, 2, {0, 1, 2, 4}) == ErrorCode::invalid_shape);
  CHECK(code(c, 2, {0, 1, 2, -1}) == ErrorCode::invalid_shape);
}
