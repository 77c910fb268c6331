#include "attention/sample.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "attention/generator.h"
#include "random.h"

using namespace attention;

namespace {

// The same by sorting, in double.
std::vector<double> expected(const std::vector<float>& logits, const SampleRule& rule) {
  const std::size_t V = logits.size();
  std::vector<std::size_t> order(V);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  std::vector<double> shares(V), out(V);
  const double most = double(logits[order[0]]);
  for (std::size_t i = 0; i < V; ++i)
    shares[i] = std::exp((double(logits[i]) - most) / double(rule.temperature));
  if (rule.top_k > 0 && rule.top_k < V) order.resize(rule.top_k);
  double all = 0;
  for (const std::size_t i : order) all += shares[i];
  double kept = 0;
  for (const std::size_t i : order) {
    if (rule.top_p < 1 && kept >= double(rule.top_p) * all) break;
    out[i] = shares[i];
    kept += shares[i];
  }
  for (double& share : out) share /= kept;
  return out;
}

std::vector<float> shares_of(const std::vector<float>& logits, const SampleRule& rule) {
  std::vector<float> shares(logits.size());
  REQUIRE_FALSE(sample_shares(logits, rule, shares));
  return shares;
}

}  // namespace

TEST_CASE("the tokens that are kept, and their shares, are those that sorting finds in double",
          "[sample]") {
  test::Random random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t V = random.size(1, 300);
    std::vector<float> logits = random.numbers(V);
    for (float& each : logits) each *= 6;
    const SampleRule rule{0.3f + std::fabs(random.number()) * 2,
                          random.coin() ? 0 : random.size(1, 320),
                          random.coin() ? 1.0f : 0.05f + 0.9f * std::fabs(random.number())};
    const std::vector<double> want = expected(logits, rule);
    const std::vector<float> shares = shares_of(logits, rule);
    for (std::size_t i = 0; i < V; ++i) {
      REQUIRE((shares[i] > 0) == (want[i] > 0));
      REQUIRE(std::fabs(double(shares[i]) - want[i]) < 2e-6);
    }
    std::vector<float> in_place = logits;
    REQUIRE_FALSE(sample_shares(in_place, rule, in_place));
    CHECK(test::same_bits(in_place, shares));
  }
}

TEST_CASE("of equal logits the first are kept", "[sample]") {
  const std::vector<float> equal(8, 1.5f);
  CHECK(shares_of(equal, {.top_k = 2}) == std::vector<float>{0.5f, 0.5f, 0, 0, 0, 0, 0, 0});
  CHECK(shares_of(equal, {.top_p = 0.5f}) ==
        std::vector<float>{0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 0, 0});
  CHECK(shares_of(equal, {.temperature = 0}) == std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(shares_of({1, 3, 3, 2}, {.top_k = 1}) == std::vector<float>{0, 1, 0, 0});
  CHECK(shares_of({1, 3, 3, 2}, {.top_p = 1e-6f}) == std::vector<float>{0, 1, 0, 0});
}

TEST_CASE("no temperature makes a share that is no number, and what is impossible stays so",
          "[sample]") {
  constexpr float none = -std::numeric_limits<float>::infinity();
  for (const float temperature : {1e-45f, 1e-30f, 1e30f}) {
    for (const float share : shares_of({1, 90, none, -80}, {.temperature = temperature}))
      CHECK(std::isfinite(share));
    CHECK(shares_of({1, 90, none, -80}, {.temperature = temperature})[2] == 0);
  }
  CHECK(shares_of({1, 90, none, -80}, {.temperature = 1e-30f}) == std::vector<float>{0, 1, 0, 0});
  const std::vector<float> nothing = shares_of({none, none}, {});
  CHECK(nothing == std::vector<float>{0, 0});
  CHECK(draw_token(nothing, 1, 0) == 2);
}

TEST_CASE("a token is drawn by the number of its seed and place, as often as its share says",
          "[sample]") {
  const std::vector<float> shares{0, 0.5f, 0.125f, 0, 0.375f, 0};
  std::vector<int> counts(shares.size());
  for (std::uint32_t place = 0; place < 4000; ++place) {
    const double at =
        double(philox({place, 0, 0, 0}, {9, static_cast<std::uint32_t>(Drawn::sample)})[0] >> 8) /
        16777216;
    const std::size_t want = at < 0.5 ? 1 : at < 0.625 ? 2 : 4;
    const std::size_t token = draw_token(shares, 9, place);
    REQUIRE(token == want);
    ++counts[token];
  }
  CHECK(std::abs(counts[1] - 2000) < 150);
  CHECK(std::abs(counts[2] - 500) < 100);
  // Shares that add up to something else are drawn alike.
  std::vector<float> thrice = shares;
  for (float& share : thrice) share *= 3;
  for (std::uint32_t place = 0; place < 100; ++place)
    CHECK(draw_token(thrice, 4, place) == draw_token(shares, 4, place));
}

TEST_CASE("a rule that is none is refused", "[sample]") {
  std::vector<float> shares(2, 7);
  const std::vector<float> logits{1, 2};
  CHECK(sample_shares(logits, {.temperature = -1}, shares).rule == Rule::option_temperature);
  CHECK(sample_shares(logits, {.temperature = NAN}, shares).rule == Rule::option_temperature);
  for (const float top_p : {0.0f, -1.0f, 1.5f, NAN})
    CHECK(sample_shares(logits, {.top_p = top_p}, shares).rule == Rule::sample_top_p);
  CHECK(shares == std::vector<float>{7, 7});
}
