#include "attention/measures.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/attend.h"
#include "attention/generator.h"
#include "attention/ops.h"
#include "random.h"

using namespace attention;

namespace {

bool near(double a, double b, double relative) { return std::fabs(a - b) <= relative * std::fabs(b) + 1e-12; }

}  // namespace

TEST_CASE("a sample's number depends on where it stands, not on what is drawn beside it", "[statistics]") {
  constexpr std::size_t kRows = 9, kWidth = 37;
  std::vector<float> all(kRows * kWidth);
  normals(all.data(), kRows, kWidth, 5, 2);
  test::Random random(91);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t first = random.size(0, kRows - 1), rows = random.size(1, static_cast<int>(kRows - first));
    const std::size_t width = random.size(1, kWidth);
    std::vector<float> some(rows * width);
    normals(some.data(), rows, width, 5, 2, static_cast<std::uint32_t>(first));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < width; ++c) REQUIRE(some[r * width + c] == all[(first + r) * kWidth + c]);
  }
  for (const auto& [seed, stream] : {std::pair{6u, 2u}, std::pair{5u, 3u}}) {
    std::vector<float> other(all.size());
    normals(other.data(), kRows, kWidth, seed, stream);
    CHECK(other != all);
  }
}

TEST_CASE("samples are none of the parameters' numbers", "[statistics]") {
  std::vector<float> sample(64), parameter(64);
  normals(sample.data(), 1, 64, 1, 0);
  for (std::uint32_t matrix = 0; matrix <= static_cast<std::uint32_t>(Drawn::P); ++matrix) {
    fill_normal(parameter, 1, static_cast<Drawn>(matrix), 0);
    CHECK(parameter != sample);
  }
}

TEST_CASE("dots of rows are those of plain loops, of any width of a wider matrix", "[statistics]") {
  test::Random random(92);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t rows = random.size(1, 40), width = random.size(1, 300);
    const std::size_t stride = width + random.size(0, 9);
    const auto a = random.numbers(rows * stride), b = random.numbers(rows * stride);
    std::vector<float> out(rows);
    std::vector<double> expected(rows);
    dot_rows(a.data(), b.data(), rows, width, stride, out.data());
    reference_dot_rows(a.data(), b.data(), rows, width, stride, expected.data());
    for (std::size_t r = 0; r < rows; ++r) REQUIRE(std::fabs(out[r] - expected[r]) < 1e-5 * std::sqrt(double(width)) * 10);
  }
}

TEST_CASE("a dot of rows has the bits of the score that attention makes of them", "[statistics]") {
  test::Random random(93);
  for (const std::size_t width : {1, 3, 16, 64, 201}) {
    const std::size_t n = 7;
    const auto q = random.numbers(n * width), k = random.numbers(n * width);
    std::vector<float> scores(n * n), context(n * width), dots(n);
    AttendStages stages;
    stages.scores = scores.data();
    Buffer scratch;
    REQUIRE_FALSE(attend(heads_first<const float>(q.data(), 1, 1, n, width), heads_first<const float>(k.data(), 1, 1, n, width),
                         heads_first<const float>(k.data(), 1, 1, n, width), {}, heads_first(context.data(), 1, 1, n, width), scratch, stages));
    dot_rows(q.data(), k.data(), n, width, width, dots.data());
    for (std::size_t i = 0; i < n; ++i) CHECK(dots[i] == scores[i * n + i]);
  }
}

TEST_CASE("moments are the mean and the population's variance", "[statistics]") {
  const std::vector<float> few{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(moments(few).mean == 5);
  CHECK(moments(few).variance == 4);
  CHECK(moments({}).variance == 0);
  CHECK(moments(std::vector<float>(1000, 3)).variance == 0);
  // Far from 0, where a difference of sums of squares would have no digits left.
  const std::vector<float> far{16777214, 16777216};
  CHECK(moments(far).mean == 16777215);
  CHECK(moments(far).variance == 1);
}

TEST_CASE("dot products of normals have mean 0 and variance d", "[statistics]") {
  constexpr std::size_t kPairs = 20'000, kWidth = 256;
  std::vector<float> q(kPairs * kWidth), k(q.size()), dots(kPairs);
  normals(q.data(), kPairs, kWidth, 1, 0);
  normals(k.data(), kPairs, kWidth, 1, 1);
  for (const std::size_t d : {1, 2, 16, 100, 256}) {
    dot_rows(q.data(), k.data(), kPairs, d, kWidth, dots.data());
    const auto [mean, variance] = moments(dots);
    const double n = kPairs, size = static_cast<double>(d);
    // Five standard errors. The fourth moment of a product of two normals is 9, so that of the sum is
    // 3d² + 6d, and the variance of the variance (2d² + 6d)/n.
    CHECK(std::fabs(mean) < 5 * std::sqrt(size / n));
    CHECK(std::fabs(variance - size) < 5 * std::sqrt((2 * size * size + 6 * size) / n));
  }
}

TEST_CASE("facts of a row are those of plain loops, from flat to saturated", "[statistics]") {
  test::Random random(94);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = random.size(1, 70);
    std::vector<float> weights = random.numbers(n);
    const float sharpness = static_cast<float>(random.whole(0, 60));
    for (float& each : weights) each *= sharpness;
    softmax(weights.data(), 1, n, weights.data());
    const RowFacts facts = row_facts(weights);
    const ReferenceRowFacts expected = reference_row_facts(weights);
    CHECK(near(facts.entropy, expected.entropy, 1e-4));
    CHECK(facts.largest == expected.largest);
    CHECK(near(facts.jacobian_norm, expected.jacobian_norm, 1e-6));
    CHECK(facts.jacobian_norm <= 0.5000001f);
  }
}

TEST_CASE("facts of rows that closed formulas tell", "[statistics]") {
  for (const std::size_t n : {1, 2, 4, 16, 1024}) {
    const double size = static_cast<double>(n);
    const RowFacts equal = row_facts(std::vector<float>(n, 1 / static_cast<float>(n)));
    CHECK(near(equal.entropy, std::log2(size), 1e-5));
    CHECK(near(equal.jacobian_norm, std::sqrt(size - 1) / size, 1e-6));
  }
  const RowFacts single = row_facts(std::vector<float>{0, 1, 0});
  CHECK(single.entropy == 0);
  CHECK(single.largest == 1);
  CHECK(single.jacobian_norm == 0);
  // A saturated row: sqrt(Σw² - 2Σw³ + (Σw²)²) would lose all digits.
  CHECK(near(row_facts(std::vector<float>{1 - 0x1p-20f, 0x1p-20f}).jacobian_norm, 2 * (0x1p-20 - 0x1p-40), 1e-6));
  CHECK(row_facts(std::vector<float>(3, 0)).jacobian_norm == 0);
}
