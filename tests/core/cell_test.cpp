#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "attention/session.h"
#include "four_lanes.h"
#include "random.h"

using namespace attention;
using test::Random;

TEST_CASE("a cell's arithmetic ends in exactly the numbers of the trace", "[cell]") {
  test::needs_four_lanes();
  Random random(21);
  for (int trial = 0; trial < 60; ++trial) {
    const Settings s = random.any_settings();
    Session session;
    REQUIRE_FALSE(session.run(random.request(s), s));
    const Trace& t = session.trace();
    const std::size_t T = t.shape.T, S = t.shape.S;
    const int head = random.whole(0, s.num_heads - 1);
    const int query = random.whole(0, static_cast<int>(T) - 1);
    const int key = random.whole(0, static_cast<int>(S) - 1);
    CellArithmetic c;
    REQUIRE_FALSE(session.cell(head, query, key, c));

    const std::size_t row = (static_cast<std::size_t>(head) * T + static_cast<std::size_t>(query)) * S;
    const std::size_t at = row + static_cast<std::size_t>(key);
    REQUIRE(c.products.size() == t.shape.d_k);
    CHECK(c.partial_sums.back() == t.scores[at]);
    CHECK(c.score == t.scores[at]);
    CHECK(c.scaled_score == c.score * c.factor);
    CHECK(c.allowed == (t.masked_scores[at] != -std::numeric_limits<float>::infinity()));
    CHECK(c.masked_score == t.masked_scores[at]);
    REQUIRE(c.exps.size() == S);
    for (std::size_t k = 0; k < S; ++k) {
      const float share = s.temperature == 0 ? c.exps[k] * (1 / c.exp_sum) : c.exps[k] / c.exp_sum;
      CHECK((c.exp_sum == 0 ? 0.0f : share) == t.weights[row + k]);
    }
    CHECK(c.weight == t.weights[at]);
  }
}

TEST_CASE("weighted values are weight times value, and their sum is the context row", "[cell]") {
  test::needs_four_lanes();
  Random random(22);
  for (int trial = 0; trial < 40; ++trial) {
    const Settings s = random.any_settings();
    Session session;
    REQUIRE_FALSE(session.run(random.request(s), s));
    const auto [T, S, D, H, H_kv, d_k, d_v, r] = session.trace().shape;
    const std::size_t h = random.size(0, static_cast<int>(H) - 1);
    const std::size_t q = random.size(0, static_cast<int>(T) - 1);
    std::vector<float> values;
    REQUIRE_FALSE(session.weighted_values(static_cast<int>(h), static_cast<int>(q), values));
    REQUIRE(values.size() == S * d_v);
    for (std::size_t d = 0; d < d_v; ++d) {
      float sum = 0;
      for (std::size_t k = 0; k < S; ++k) {
        REQUIRE(values[k * d_v + d] == session.trace().used_weights()[(h * T + q) * S + k] *
                                           session.trace().value[(h / (H / H_kv) * S + k) * d_v + d]);
        sum += values[k * d_v + d];
      }
      CHECK(sum == session.trace().context[(h * T + q) * d_v + d]);
    }
  }
}

TEST_CASE("a cell outside the run is refused", "[cell]") {
  Session session;
  CellArithmetic c;
  std::vector<float> values;
  CHECK(session.cell(0, 0, 0, c).code() == ErrorCode::index_out_of_range);
  REQUIRE_FALSE(session.run(std::vector<std::string>{"a", "b"}, Settings{}));
  CHECK_FALSE(session.cell(3, 1, 1, c));
  CHECK(session.cell(4, 0, 0, c).code() == ErrorCode::index_out_of_range);
  CHECK(session.cell(0, 2, 0, c).code() == ErrorCode::index_out_of_range);
  CHECK(session.cell(0, 0, -1, c).code() == ErrorCode::index_out_of_range);
  CHECK(session.weighted_values(0, 2, values).code() == ErrorCode::index_out_of_range);
}
