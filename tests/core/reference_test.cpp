#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/layer/reference.h"
#include "attention/layer/session.h"
#include "attention/layer/trace.h"
#include "kernels.h"
#include "random.h"

using namespace attention;

namespace {

// The largest |float32 - double| of a stage, against the largest number of that stage.
double relative_error(std::span<const float> got, const std::vector<double>& expected) {
  double error = 0, magnitude = 1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isinf(expected[i]) || std::isinf(got[i])) {
      if (double(got[i]) != expected[i]) return HUGE_VAL;
      continue;
    }
    if (std::isnan(got[i])) return HUGE_VAL;
    error = std::max(error, std::fabs(got[i] - expected[i]));
    magnitude = std::max(magnitude, std::fabs(expected[i]));
  }
  return error / magnitude;
}

void check_against_reference(const Request& request, const Settings& s, double bound) {
  Session session;
  REQUIRE_FALSE(session.run(request, s));
  const Trace& t = session.trace();
  const ReferenceTrace expected = run_reference(session);
  for (const Stage& stage : stages()) {
    if (stage.buffer == nullptr) continue;
    const std::vector<double>* doubles = expected.stage(stage.id);
    REQUIRE(doubles != nullptr);
    const std::span<float> floats = t.*stage.buffer;
    CHECK(floats.empty() != is_present(stage, s, request.is_cross()));
    REQUIRE(floats.size() == doubles->size());
    INFO(stage.id << ": T " << t.shape.T << ", D " << s.d_model << ", H " << s.num_heads);
    CHECK(relative_error(floats, *doubles) < bound);
  }
}

void check_against_reference(const Settings& s, const std::vector<std::string>& tokens, double bound) {
  Request request;
  request.tokens = tokens;
  check_against_reference(request, s, bound);
}

}  // namespace

TEST_CASE("every stage stays near the double reference over random settings", "[reference]") {
  test::Random random(31);
  for (int trial = 0; trial < 150; ++trial) {
    const Settings s = random.settings();
    check_against_reference(s, random.tokens(random.size(1, 40)), 2e-5);
  }
}

TEST_CASE("every stage stays near the double reference whatever is switched on, given or edited",
          "[reference]") {
  test::Random random(33);
  for (int trial = 0; trial < 400; ++trial) {
    const Settings s = random.any_settings();
    check_against_reference(random.request(s), s, 1e-4);  // temperature 0.5 magnifies rounding
  }
}

TEST_CASE("every stage stays near the double reference at a page's sizes", "[reference]") {
  test::Random random(32);
  Settings s;
  s.d_model = 512;
  s.num_heads = 8;
  s.biases = true;
  check_against_reference(s, random.tokens(70), 2e-5);
  s.scale = Scale::none;
  s.mask = Mask::none;
  check_against_reference(s, random.tokens(33), 2e-4);  // raw scores near 50: exp magnifies rounding
}

TEST_CASE("the reference knows each stage of the table", "[reference]") {
  const ReferenceTrace empty;
  for (const Stage& stage : stages()) {
    CHECK((empty.stage(stage.id) != nullptr) == (stage.buffer != nullptr));
  }
  CHECK(empty.stage("no such stage") == nullptr);
}

using namespace attention;

// Numbers that textbooks and articles print, so that a reader finds them again.

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
