#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "attention/layer/session.h"
#include "attention/layer/trace.h"
#include "random.h"

using namespace attention;
using test::Random;

namespace {

using Tokens = std::vector<std::string>;

// Rows [0, rows) of a stage, for every head, as one vector.
std::vector<float> first_rows(const Trace& t, const Stage& stage, std::size_t rows) {
  const std::span<float> all = t.*stage.buffer;
  if (all.empty()) return {};  // not in this run
  const bool per_head = stage.axes[0] == Axis::H || stage.axes[0] == Axis::H_kv;
  const std::size_t heads = per_head ? extent(stage.axes[0], t.shape) : 1;
  const std::size_t columns = extent(stage.axes[per_head ? 2 : 1], t.shape);
  std::vector<float> out;
  for (std::size_t h = 0; h < heads; ++h) {
    const std::span<float> head = all.subspan(h * t.shape.T * columns, rows * columns);
    out.insert(out.end(), head.begin(), head.end());
  }
  return out;
}

Session run(const Tokens& tokens, const Settings& s) {
  Session session;
  REQUIRE_FALSE(session.run(tokens, s));
  return session;
}

}  // namespace

TEST_CASE("with the mask on, changing later words leaves earlier rows bit-identical", "[layer][causal]") {
  Random random(41);
  for (int trial = 0; trial < 60; ++trial) {
    Settings s = random.settings();
    s.mask = Mask::causal;
    Tokens tokens = random.tokens(random.size(2, 30));
    const std::size_t kept = random.size(1, static_cast<int>(tokens.size()) - 1);
    const Session before = run(tokens, s);
    for (std::size_t i = kept; i < tokens.size(); ++i) tokens[i] = "other" + std::to_string(i);
    const Session after = run(tokens, s);
    for (const Stage& stage : stages()) {
      // Scores see every key until the mask; all that follows must not.
      if (stage.buffer == nullptr || stage.id == "scores" || stage.id == "scaled_scores") continue;
      INFO(stage.id);
      CHECK(test::same_bits(first_rows(before.trace(), stage, kept),
                            first_rows(after.trace(), stage, kept)));
    }
  }
}

TEST_CASE("with the mask on, appending words leaves earlier rows bit-identical", "[layer][causal]") {
  Random random(42);
  for (int trial = 0; trial < 40; ++trial) {
    Settings s = random.settings();
    s.mask = Mask::causal;
    Tokens tokens = random.tokens(random.size(1, 30));
    const std::size_t kept = tokens.size();
    const Session before = run(tokens, s);
    for (int i = random.whole(1, 9); i > 0; --i) tokens.push_back("more" + std::to_string(i));
    const Session after = run(tokens, s);
    for (const char* id : {"context", "output", "residual"}) {
      const Stage& stage = *find_stage(id);
      CHECK(test::same_bits(first_rows(before.trace(), stage, kept),
                            first_rows(after.trace(), stage, kept)));
    }
  }
}

TEST_CASE("with the mask off, changing the last word changes every row", "[layer][causal]") {
  Settings s;
  s.mask = Mask::none;
  Tokens tokens{"the", "animal", "was", "tired"};
  const Session before = run(tokens, s);
  tokens.back() = "wide";
  const Session after = run(tokens, s);
  const Stage& output = *find_stage("output");
  for (std::size_t row = 1; row <= 3; ++row) {
    CHECK_FALSE(test::same_bits(first_rows(before.trace(), output, row),
                                first_rows(after.trace(), output, row)));
  }
}

TEST_CASE("weights are a distribution over the allowed keys", "[layer]") {
  Random random(43);
  for (int trial = 0; trial < 80; ++trial) {
    const Settings s = random.settings();
    const Session session = run(random.tokens(random.size(1, 40)), s);
    const Trace& t = session.trace();
    for (std::size_t row = 0; row < t.shape.H * t.shape.T; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < t.shape.S; ++k) {
        const std::size_t cell = row * t.shape.S + k;
        const bool masked = s.mask == Mask::causal && k > row % t.shape.T;
        REQUIRE((t.masked_scores[cell] == -std::numeric_limits<float>::infinity()) == masked);
        REQUIRE(t.weights[cell] >= 0);
        if (masked) REQUIRE(t.weights[cell] == 0);
        if (!masked) REQUIRE(t.masked_scores[cell] == t.scaled_scores[cell]);
        sum += t.weights[cell];
      }
      REQUIRE(std::fabs(sum - 1) < 1e-5);
    }
  }
}

TEST_CASE("heads are slices of one projection: splitting finer moves no bit", "[layer][heads]") {
  Settings s;
  s.d_model = 48;
  s.biases = true;
  const Tokens tokens = Random(44).tokens(13);
  std::vector<float> whole;
  for (const int heads : {1, 2, 3, 4, 6, 8, 12, 16, 24, 48}) {
    s.num_heads = heads;
    const Session session = run(tokens, s);
    const Trace& t = session.trace();
    const std::size_t d_k = t.shape.d_k;
    std::vector<float> joined(13 * 48);
    for (std::size_t h = 0; h < t.shape.H; ++h)
      for (std::size_t q = 0; q < 13; ++q)
        for (std::size_t d = 0; d < d_k; ++d)
          joined[q * 48 + h * d_k + d] = t.query[(h * 13 + q) * d_k + d];
    if (whole.empty()) whole = joined;
    CHECK(test::same_bits(joined, whole));
  }
}

TEST_CASE("concat holds each head's context side by side", "[layer][heads]") {
  Random random(45);
  for (int trial = 0; trial < 20; ++trial) {
    const Session session = run(random.tokens(random.size(1, 20)), random.settings());
    const auto [T, S, D, H, H_kv, d_k, d_v, r] = session.trace().shape;
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t q = 0; q < T; ++q)
        for (std::size_t d = 0; d < d_v; ++d)
          REQUIRE(session.trace().concat[q * H * d_v + h * d_v + d] ==
                  session.trace().context[(h * T + q) * d_v + d]);
  }
}

TEST_CASE("the same word has the same content vector wherever it stands", "[layer]") {
  const Session session = run({"the", "animal", "crossed", "the", "street"}, Settings{});
  const Trace& t = session.trace();
  const auto row = [&](std::span<float> stage, std::size_t i) {
    return std::vector<float>(stage.begin() + static_cast<std::ptrdiff_t>(i * 64),
                              stage.begin() + static_cast<std::ptrdiff_t>(i * 64 + 64));
  };
  CHECK(test::same_bits(row(t.content, 0), row(t.content, 3)));
  CHECK_FALSE(test::same_bits(row(t.content, 0), row(t.content, 1)));
  CHECK_FALSE(test::same_bits(row(t.embeddings, 0), row(t.embeddings, 3)));  // positions differ
}

TEST_CASE("without positions and mask, shuffled words give shuffled outputs", "[layer]") {
  Settings s;
  s.mask = Mask::none;
  s.positions = Positions::none;
  const Session forward = run({"one", "two", "three", "four", "five"}, s);
  const Session reversed = run({"five", "four", "three", "two", "one"}, s);
  for (std::size_t q = 0; q < 5; ++q)
    for (std::size_t d = 0; d < 64; ++d)
      REQUIRE(std::fabs(forward.trace().output[q * 64 + d] -
                        reversed.trace().output[(4 - q) * 64 + d]) < 1e-5f);
}

TEST_CASE("raw scores have a variance of about d_k", "[layer][scale]") {
  Settings s;
  s.d_model = 256;
  s.num_heads = 4;
  s.mask = Mask::none;
  s.positions = Positions::none;
  Tokens tokens;
  for (int i = 0; i < 300; ++i) tokens.push_back("word" + std::to_string(i));
  const Session session = run(tokens, s);
  double squares = 0;
  for (const double score : session.trace().scores) squares += score * score;
  const double variance = squares / static_cast<double>(session.trace().scores.size());
  CHECK(variance > 0.8 * 64);
  CHECK(variance < 1.25 * 64);
}

TEST_CASE("each scale multiplies the scores by its factor", "[layer][scale]") {
  Settings s;
  s.scale = Scale::sqrt_dk;
  CHECK(run({"a"}, s).trace().factor == 0.25f);  // 1/sqrt(16)
  s.scale = Scale::none;
  CHECK(run({"a"}, s).trace().factor == 1);
  s.scale = Scale::factor;
  for (const float factor : {0.0f, -2.5f, 10000.0f}) {
    s.scale_factor = factor;
    const Session session = run({"a", "b", "c"}, s);
    const Trace& t = session.trace();
    for (std::size_t i = 0; i < t.scores.size(); ++i) {
      REQUIRE(t.scaled_scores[i] == t.scores[i] * factor);
      REQUIRE(std::isfinite(t.weights[i]));
    }
  }
}

TEST_CASE("no token, too many tokens and too large a trace are refused, and nothing stays behind",
          "[layer][errors]") {
  Session session;
  REQUIRE_FALSE(session.run(Tokens{"a"}, Settings{}));
  const auto refused = [&](const Tokens& tokens, const Settings& s) {
    const ErrorCode code = session.run(tokens, s).code();
    CHECK(session.trace().weights.empty());
    CHECK(session.trace().tokens.empty());
    CHECK(session.trace().shape == Shape{});
    return code;
  };
  CHECK(refused({}, Settings{}) == ErrorCode::no_tokens);
  CHECK(refused(Tokens(4097, "a"), Settings{}) == ErrorCode::too_many_tokens);
  Settings s;
  s.num_heads = 64;
  CHECK(refused(Tokens(4096, "a"), s) == ErrorCode::trace_too_large);
  s.num_heads = 3;
  CHECK(refused({"a"}, s) == ErrorCode::invalid_setting);
  REQUIRE_FALSE(session.run(Tokens{"a"}, Settings{}));
}

TEST_CASE("a session that ran other things gives the same bits as a new one", "[layer]") {
  Random random(46);
  Session used;
  for (int trial = 0; trial < 40; ++trial) {
    const Settings s = random.settings();
    const Tokens tokens = random.tokens(random.size(1, 30));
    REQUIRE_FALSE(used.run(tokens, s));
    const Session fresh = run(tokens, s);
    for (const Stage& stage : stages()) {
      if (stage.buffer == nullptr) continue;
      REQUIRE(test::same_bits(used.trace().*stage.buffer, fresh.trace().*stage.buffer));
    }
  }
}

TEST_CASE("tokens are bytes to the core: any script, empty or with zeros", "[layer]") {
  const Tokens odd{"动物", "עברית", "👩‍👩‍👧", "e\u0301", "<script>", "{{}}", "", std::string("a\0b", 3)};
  const Session session = run(odd, Settings{});
  for (const float x : session.trace().residual) REQUIRE(std::isfinite(x));
}
