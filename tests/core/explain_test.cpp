// How a number came about: operands are the arrays' own, and sums end in the stage's bits.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "attention/layer/reference.h"
#include "attention/layer/session.h"
#include "attention/layer/trace.h"
#include "attention/measures.h"
#include "attention/vectors.h"
#include "four_lanes.h"
#include "random.h"

using namespace attention;
using test::Random;

namespace {

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::vector<float> numbers_of(const Session& session, std::string_view id) {
  if (const Stage* stage = find_stage(id)) {
    const std::span<float> view = session.trace().*stage->buffer;
    return {view.begin(), view.end()};
  }
  return session.parameter(*find_parameter(id));
}

double constant(const Explanation& e, std::string_view name) {
  for (const Constant& c : e.constants)
    if (c.name == name) return c.value;
  return std::numeric_limits<double>::quiet_NaN();
}

void check_operand(const Session& session, const Operand& operand) {
  const std::vector<float> numbers = numbers_of(session, operand.array);
  REQUIRE(operand.index < numbers.size());
  REQUIRE(same(operand.value, numbers[operand.index]));
}

// What the terms say the result is, by the rule's own words in explanation.h.
float told(const Explanation& e) {
  const float last = e.terms.empty() ? 0.0f : e.terms.back().partial_sum;
  const auto self = static_cast<std::size_t>(constant(e, "self"));
  if (e.rule == "mask") return constant(e, "allowed") == 1 ? last : -std::numeric_limits<float>::infinity();
  if (e.rule == "softmax") {
    float lanes[kMostLanes] = {}, sum_of_lanes = 0;
    for (std::size_t k = 0; k < e.terms.size(); ++k) lanes[k % static_cast<std::size_t>(simd_lanes())] = e.terms[k].partial_sum;
    for (const float lane : lanes) sum_of_lanes += lane;
    CHECK(sum_of_lanes == static_cast<float>(constant(e, "exp_sum")));
    const auto sum = static_cast<float>(constant(e, "exp_sum"));
    return sum == 0 ? 0.0f : e.terms[self].product / sum;
  }
  if (e.rule == "arg-max") {
    const auto ties = static_cast<float>(constant(e, "ties"));
    return ties == 0 ? 0.0f : e.terms[self].product * (1 / ties);
  }
  return e.bias.array.empty() ? last : last + e.bias.value;
}

// What is taken off before exp: the largest masked score over the temperature, of the whole row.
void check_max(const Explanation& e) {
  const auto temperature = static_cast<float>(constant(e, "temperature"));
  float max = -std::numeric_limits<float>::infinity();
  for (const Term& term : e.terms) max = std::max(max, temperature == 0 ? term.left.value : term.left.value / temperature);
  CHECK(constant(e, "max") == static_cast<double>(max));
}

const std::set<std::string_view> kLeaves{"draw", "given", "edit", "zero", "sinusoid", "angle", "slope"};

void check(const Session& session, std::string_view id, std::size_t index, const std::vector<float>& numbers,
           std::map<std::string_view, int>& rules) {
  Explanation e;
  REQUIRE_FALSE(session.explain(id, index, e));
  INFO(id << "[" << index << "] by " << e.rule);
  ++rules[e.rule];
  REQUIRE(same(e.result, numbers[index]));
  if (kLeaves.contains(e.rule)) {
    REQUIRE(e.terms.empty());
    return;
  }
  REQUIRE(same(told(e), e.result));
  if (e.rule == "softmax" || e.rule == "arg-max") check_max(e);
  for (const Term& term : e.terms) {
    check_operand(session, term.left);
    if (!term.right.array.empty()) {
      check_operand(session, term.right);
      const float product = term.left.value * term.right.value;
      REQUIRE((same(term.product, product) || (e.rule == "rotate" && same(term.product, -product))));
    }
  }
  if (!e.bias.array.empty()) check_operand(session, e.bias);
}

}  // namespace

TEST_CASE("any number of any stage or parameter is explained to its last bit", "[explain]") {
  test::needs_four_lanes();
  Random random(61);
  std::map<std::string_view, int> rules;
  for (int trial = 0; trial < 150; ++trial) {
    const Settings s = random.any_settings();
    Session session;
    REQUIRE_FALSE(session.run(random.request(s), s));
    const auto check_some = [&](std::string_view id) {
      const std::vector<float> numbers = numbers_of(session, id);
      for (int i = 0; i < 2 && !numbers.empty(); ++i) {
        check(session, id, random.size(0, static_cast<int>(numbers.size()) - 1), numbers, rules);
      }
    };
    for (const Stage& stage : stages())
      if (stage.buffer != nullptr) check_some(stage.id);
    for (const ParameterArray& array : parameter_arrays()) check_some(array.id);
  }
  for (const char* rule : {"draw", "given", "edit", "zero", "sinusoid", "angle", "slope", "copy", "add", "dot",
                           "rotate", "scale", "cap", "mask", "softmax", "arg-max", "drop"}) {
    INFO(rule);
    CHECK(rules[rule] > 0);
  }
}

TEST_CASE("a dot product's norms and cosine are those of its two vectors", "[explain]") {
  Session session;
  REQUIRE_FALSE(session.run(std::vector<std::string>{"a", "b", "c"}, Settings{}));
  Explanation e;
  REQUIRE_FALSE(session.explain("scores", 5, e));
  double dot = 0, left = 0, right = 0;
  for (const Term& term : e.terms) {
    dot += static_cast<double>(term.left.value) * static_cast<double>(term.right.value);
    left += static_cast<double>(term.left.value) * static_cast<double>(term.left.value);
    right += static_cast<double>(term.right.value) * static_cast<double>(term.right.value);
  }
  CHECK(std::fabs(constant(e, "norm_left") - std::sqrt(left)) < 1e-5);
  CHECK(std::fabs(constant(e, "norm_right") - std::sqrt(right)) < 1e-5);
  CHECK(std::fabs(constant(e, "cosine") - dot / std::sqrt(left * right)) < 1e-5);
}

TEST_CASE("from a residual, operands lead back to the embeddings and the parameters", "[explain]") {
  Settings s;
  s.positions = Positions::rope;
  s.biases = true;
  Session session;
  REQUIRE_FALSE(session.run(std::vector<std::string>{"a", "b", "c"}, s));
  std::set<std::string_view> seen{"residual"};
  std::vector<Operand> open{{"residual", 70, 0}};
  while (!open.empty()) {
    const Operand at = open.back();
    open.pop_back();
    Explanation e;
    REQUIRE_FALSE(session.explain(at.array, at.index, e));
    for (const Term& term : e.terms) {
      for (const Operand& next : {term.left, term.right}) {
        if (!next.array.empty() && seen.insert(next.array).second) open.push_back(next);
      }
    }
    if (!e.bias.array.empty()) seen.insert(e.bias.array);
  }
  for (const char* id : {"output", "concat", "context", "weights", "masked_scores", "scaled_scores", "scores",
                         "rotated_query", "rotated_key", "query", "key", "value", "embeddings", "content",
                         "position", "P", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "cos", "sin"}) {
    INFO(id);
    CHECK(seen.contains(id));
  }
}

TEST_CASE("given values are explained by the content and W_V where these make them", "[explain]") {
  test::needs_four_lanes();
  const std::vector<std::string> tokens{"a", "b", "c"};
  Settings s;
  s.d_model = 12;
  s.num_heads = 3;
  s.positions = Positions::learned;
  for (const bool biases : {false, true}) {
    s.biases = biases;
    Settings placeless = s;
    placeless.positions = Positions::none;
    Session other, session;
    REQUIRE_FALSE(other.run(tokens, placeless));
    std::vector<float> value(other.trace().value.begin(), other.trace().value.end());
    value[20] = 7;  // not made of them
    Request request;
    request.tokens = tokens;
    request.given = {{"value", value}};
    REQUIRE_FALSE(session.run(request, s));
    CHECK(session.trace().value[0] == value[0]);
    for (std::size_t index = 0; index < value.size(); ++index) {
      Explanation e;
      REQUIRE_FALSE(session.explain("value", index, e));
      INFO(index);
      REQUIRE(same(e.result, value[index]));
      if (index == 20) {
        CHECK(e.rule == "given");
        CHECK(e.terms.empty());
        CHECK(e.bias.array.empty());
        continue;
      }
      REQUIRE(e.rule == "dot");
      CHECK(same(told(e), value[index]));
      CHECK(e.terms[0].left.array == "content");
      CHECK(e.terms[0].right.array == "W_V");
      for (const Term& term : e.terms) check_operand(session, term.left), check_operand(session, term.right);
    }
  }
}

TEST_CASE("normed queries and keys are explained by their dot product, their head's size and a gain", "[explain]") {
  test::needs_four_lanes();
  Random random(63);
  for (const bool biases : {false, true}) {
    Settings s;
    s.d_model = 12;
    s.num_heads = 4;
    s.num_kv_heads = 2;
    s.d_k = 5;
    s.positions = Positions::rope;
    s.biases = biases;
    std::vector<float> query_norm = random.numbers(6), key_norm = random.numbers(6);
    query_norm[5] = 0.01f;
    key_norm[5] = -1;  // as 0
    Request request;
    request.tokens = {"a", "b", "c"};
    Session plain, session;
    REQUIRE_FALSE(plain.run(request, s));
    request.given = {{"query_norm", query_norm}, {"key_norm", key_norm}};
    REQUIRE_FALSE(session.run(request, s));
    const ReferenceTrace reference = run_reference(session);
    for (const char* id : {"query", "key"}) {
      const std::vector<float> numbers = numbers_of(session, id), before = numbers_of(plain, id);
      const std::vector<float>& norm = *id == 'q' ? query_norm : key_norm;
      for (std::size_t index = 0; index < numbers.size(); ++index) {
        INFO(id << index);
        Explanation e;
        REQUIRE_FALSE(session.explain(id, index, e));
        REQUIRE(e.rule == "norm");
        CHECK(same(e.result, numbers[index]));
        CHECK(same(told(e), before[index]));
        CHECK(same(static_cast<float>(constant(e, "normed")) * static_cast<float>(constant(e, "gain")), numbers[index]));
        CHECK(same(static_cast<float>(constant(e, "gain")), norm[index % 5]));
        double squares = 0;
        for (std::size_t i = 0; i < 5; ++i) squares += std::pow(static_cast<double>(before[index - index % 5 + i]), 2) / 5;
        const double size = std::sqrt(squares + std::fmax(0, static_cast<double>(norm[5])));
        CHECK(std::fabs(constant(e, "rms") / size - 1) < 1e-7);
        const double expected = static_cast<double>(before[index]) / size * static_cast<double>(norm[index % 5]);
        CHECK(std::fabs(static_cast<double>(numbers[index]) - expected) < 2e-6);
        CHECK(std::fabs((*reference.stage(id))[index] - expected) < 2e-6);
        for (const Term& term : e.terms) check_operand(session, term.left), check_operand(session, term.right);
      }
    }
    // What is given is normed already.
    request.given.push_back({"query", numbers_of(plain, "query")});
    REQUIRE_FALSE(session.run(request, s));
    CHECK(numbers_of(session, "query") == numbers_of(plain, "query"));
    Explanation e;
    REQUIRE_FALSE(session.explain("query", 7, e));
    CHECK(e.rule == "given");
  }
}

TEST_CASE("what is not there cannot be explained", "[explain]") {
  Session session;
  Explanation e;
  CHECK(session.explain("weights", 0, e).code() == ErrorCode::index_out_of_range);
  CHECK(session.explain("W_Q", 0, e).code() == ErrorCode::index_out_of_range);
  REQUIRE_FALSE(session.run(std::vector<std::string>{"a", "b"}, Settings{}));
  CHECK_FALSE(session.explain("weights", 15, e));
  CHECK(session.explain("weights", 16, e).code() == ErrorCode::index_out_of_range);
  CHECK(session.explain("W_Q", 64 * 64, e).code() == ErrorCode::index_out_of_range);
  for (const char* id : {"tokens", "rotated_query", "W_V_down", "b_Q", "cos", "nothing", ""}) {
    CHECK(session.explain(id, 0, e).code() == ErrorCode::index_out_of_range);
  }
}
