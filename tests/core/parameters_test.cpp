#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/layer/parameters.h"
#include "attention/layer/session.h"
#include "random.h"

using namespace attention;
using test::Random;

namespace {

std::vector<float> copy(std::span<const float> view) { return {view.begin(), view.end()}; }

RandomParameters drawn(const Settings& settings) {
  RandomParameters parameters;
  REQUIRE_FALSE(parameters.draw(settings));
  return parameters;
}

Request words(std::vector<std::string> tokens) {
  Request request;
  request.tokens = std::move(tokens);
  return request;
}

Session run(Request request, const Settings& s) {
  Session session;
  REQUIRE_FALSE(session.run(std::move(request), s));
  return session;
}

}  // namespace

TEST_CASE("parameter matrices have mean 0 and variance 1/d_model", "[parameters]") {
  Settings s;
  s.d_model = 512;
  const RandomParameters p = drawn(s);
  for (const auto view : {p.view().W_Q, p.view().W_K, p.view().W_V, p.view().W_O}) {
    double sum = 0, squares = 0;
    for (const double x : view) {
      sum += x;
      squares += x * x;
    }
    const double n = static_cast<double>(view.size());
    CHECK(n == 512 * 512);
    CHECK(std::fabs(sum / n) < 5 / std::sqrt(512 * n));
    CHECK(std::fabs(squares / n * 512 - 1) < 5 * std::sqrt(2 / n));
  }
}

TEST_CASE("the number of heads, mask, scale and positions draw the same parameters", "[parameters]") {
  Settings a, b;
  b.num_heads = 16;
  b.mask = Mask::none;
  b.scale = Scale::none;
  b.positions = Positions::none;
  CHECK(test::same_bits(copy(drawn(a).view().W_Q), copy(drawn(b).view().W_Q)));
  b.seed = 2;
  CHECK_FALSE(test::same_bits(copy(drawn(a).view().W_Q), copy(drawn(b).view().W_Q)));
}

TEST_CASE("a matrix entry keeps its bits when d_model grows, up to the 1/sqrt(d_model)", "[parameters]") {
  Settings small, large;
  small.d_model = 16;
  large.d_model = 64;  // deviations 1/4 and 1/8: scaling by two is exact
  const RandomParameters a = drawn(small), b = drawn(large);
  for (std::size_t r = 0; r < 16; ++r) {
    for (std::size_t c = 0; c < 16; ++c) {
      REQUIRE(a.view().W_K[r * 16 + c] == 2 * b.view().W_K[r * 64 + c]);
    }
  }
}

TEST_CASE("biases are zeros until switched on, and leave the matrices alone", "[parameters]") {
  Settings s;
  RandomParameters p = drawn(s);
  const auto W_O = copy(p.view().W_O);
  CHECK(copy(p.view().b_Q) == std::vector<float>(64, 0.0f));
  s.biases = true;
  REQUIRE_FALSE(p.draw(s));
  CHECK(copy(p.view().b_Q) != std::vector<float>(64, 0.0f));
  CHECK(copy(p.view().b_O) != copy(p.view().b_V));
  CHECK(test::same_bits(W_O, copy(p.view().W_O)));
  s.biases = false;
  REQUIRE_FALSE(p.draw(s));
  CHECK(copy(p.view().b_O) == std::vector<float>(64, 0.0f));
}

TEST_CASE("a run that another session has made is taken over bit for bit, and explained as its own", "[session][parameters]") {
  Random random(71);
  for (int i = 0; i < 60; ++i) {
    const Settings s = random.settings();
    const Request request = random.request(s);
    Session made, taken, computed;
    REQUIRE_FALSE(made.run(request, s));
    std::vector<Given> all;
    for (const Stage& stage : stages()) {
      if (stage.buffer != nullptr) all.push_back({std::string(stage.id), copy(made.trace().*stage.buffer)});
    }
    // Numbers that no run has made show that they are taken, not computed.
    const std::size_t last = made.trace().output.size() - 1;
    std::vector<Given> strange = all;
    for (Given& each : strange) {
      if (each.array == "output") each.numbers[last] = 1234.5f;
    }
    REQUIRE_FALSE(taken.take(request, s, strange));
    CHECK(taken.trace().output[last] == 1234.5f);
    REQUIRE_FALSE(taken.take(request, s, all));
    strange.pop_back();
    std::erase_if(strange, [](const Given& g) { return g.array == "weights"; });
    REQUIRE_FALSE(computed.take(request, s, strange));
    for (const Session* each : {&taken, &computed}) {
      for (const Stage& stage : stages()) {
        if (stage.buffer != nullptr) REQUIRE(copy(each->trace().*stage.buffer) == copy(made.trace().*stage.buffer));
      }
      Explanation own, expected;
      REQUIRE_FALSE(each->explain("query", 0, own));
      REQUIRE_FALSE(made.explain("query", 0, expected));
      CHECK(own.result == expected.result);
      CHECK(own.terms.size() == expected.terms.size());
    }
  }
  Session session;
  CHECK(session.take(Request{}, Settings{}, {}).code() == ErrorCode::no_tokens);
  CHECK(session.trace().weights.empty());
}

TEST_CASE("a layer whose matrices are all given is the same whatever the seed, and the next is drawn again", "[session][parameters]") {
  Settings s;
  s.biases = false;
  const Session drawn = run(words({"a", "b"}), s);
  Request request = words({"a", "b"});
  request.given = {{"content", copy(drawn.trace().content)}};
  for (const ParameterArray& array : parameter_arrays()) {
    const std::vector<float> numbers = drawn.parameter(array);
    if (!numbers.empty() && is_settable(array, s)) request.given.push_back({std::string(array.id), numbers});
  }
  Settings other = s;
  other.seed = s.seed + 1;
  Session session;
  REQUIRE_FALSE(session.run(request, other));
  CHECK(copy(session.trace().output) == copy(drawn.trace().output));
  REQUIRE_FALSE(session.run(words({"a", "b"}), s));
  CHECK(copy(session.trace().output) == copy(drawn.trace().output));
  std::erase_if(request.given, [](const Given& g) { return g.array == "W_K"; });
  REQUIRE_FALSE(session.run(request, s));
  CHECK(copy(session.trace().output) == copy(drawn.trace().output));
}
