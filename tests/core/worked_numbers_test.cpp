// Numbers that textbooks and articles print, so that a reader finds them again.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/layer/session.h"
#include "kernels.h"

using namespace attention;

TEST_CASE("0.27 times [6.2, 1.4, 7.9] is [1.674, 0.378, 2.133]", "[worked]") {
  const std::vector<float> value{6.2f, 1.4f, 7.9f};
  std::vector<float> out(3);
  kernels::scale(out.data(), value.data(), 0.27f, 3);
  CHECK(std::fabs(out[0] - 1.674) < 1e-6);
  CHECK(std::fabs(out[1] - 0.378) < 1e-6);
  CHECK(std::fabs(out[2] - 2.133) < 1e-6);
}

TEST_CASE("aligned keys win, orthogonal keys score 0, opposed keys lose", "[worked]") {
  const std::vector<float> query{1, 2}, keys{1, 2, -2, 1, -1, -2};
  std::vector<float> scores(3), weights(3);
  kernels::matmul_nt({scores.data(), 1, 3, 3}, {query.data(), 1, 2, 2}, {keys.data(), 3, 2, 2});
  CHECK(scores == std::vector<float>{5, 0, -5});
  kernels::softmax_row(weights.data(), scores.data(), 3);
  CHECK(std::fabs(weights[0] - 0.993262) < 1e-6);  // e^5 / (e^5 + 1 + e^-5)
  CHECK(std::fabs(weights[1] - 0.006693) < 1e-6);
  CHECK(std::fabs(weights[2] - 0.000045) < 1e-6);
}

TEST_CASE("720 dimensions in 12 heads are 12 times 60, scaled by 1/sqrt(60)", "[worked]") {
  Settings s;
  s.d_model = 720;
  s.num_heads = 12;
  Session session;
  const std::vector<std::string> tokens{"one", "two"};
  REQUIRE_FALSE(session.run(tokens, s));
  CHECK(session.trace().shape.d_k == 60);
  CHECK(std::fabs(session.trace().factor - 1 / std::sqrt(60.0)) < 1e-8);
}

TEST_CASE("five tokens of width four: lower triangle, first row 1, first output = first value",
          "[worked]") {
  Settings s;
  s.d_model = 4;
  s.num_heads = 1;
  Session session;
  const std::vector<std::string> tokens{"a", "b", "c", "d", "e"};
  REQUIRE_FALSE(session.run(tokens, s));
  const Trace& t = session.trace();
  CHECK(t.weights[0] == 1);
  for (std::size_t q = 0; q < 5; ++q) {
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      if (k > q) CHECK(t.weights[q * 5 + k] == 0);
      else CHECK(t.weights[q * 5 + k] > 0);
      sum += t.weights[q * 5 + k];
    }
    CHECK(std::fabs(sum - 1) < 1e-6);
  }
  for (std::size_t d = 0; d < 4; ++d) CHECK(t.context[d] == t.value[d]);
}
