#include "attention/layer/reference.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "attention/layer/session.h"
#include "attention/layer/trace.h"
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
