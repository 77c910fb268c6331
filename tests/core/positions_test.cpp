#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "attention/positions.h"
#include "random.h"
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

TEST_CASE("YaRN divides rates by a ramp over the pairs, and makes both tables larger", "[rotary]") {
  struct Wanted {
    RotaryScaling scaling;
    std::size_t dim;
    double base, first, last;  // the ramp's ends, counted by hand
  };
  const double far = 64 * std::log(4096 / (0.5 * 2 * M_PI)) / (2 * std::log(10000.0));  // 24.92…
  const double near = 64 * std::log(4096 / (40 * 2 * M_PI)) / (2 * std::log(10000.0));  // 9.70…
  for (const Wanted& w : {Wanted{{4, 32768, 1, 32, true, true, 1.1386}, 64, 1e6, 11, 20}, Wanted{{16, 4096, 0.5, 40, true, false, 1}, 64, 10000, near, far},
                          Wanted{{2, 60, 1, 32, true, true, 2}, 16, 100, 0, 4}, Wanted{{2, 1e6, 1, 2, true, true, 1}, 8, 4, 32, 7},
                          Wanted{{8, 6.2, 1, 1.01, true, true, 1}, 8, 1e4, 0, 0.001}}) {
    const std::size_t half = w.dim / 2;
    std::vector<float> c(300 * half), s(c.size());
    REQUIRE_FALSE(fill_rotary(c, s, 300, w.dim, w.base, w.scaling));
    for (std::size_t i = 0; i < half; ++i) {
      const double rate = std::pow(w.base, -2.0 * double(i) / double(w.dim));
      const double share = std::fmin(1, std::fmax(0, (double(i) - w.first) / (w.last - w.first)));
      const double own = rate / w.scaling.factor * share + rate * (1 - share);
      INFO(w.base << " " << i);
      for (std::size_t p = 0; p < 300; ++p) {
        REQUIRE(std::fabs(c[p * half + i] - w.scaling.amplitude * std::cos(double(p) * own)) < 2e-7);
        REQUIRE(std::fabs(s[p * half + i] - w.scaling.amplitude * std::sin(double(p) * own)) < 2e-7);
      }
    }
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
