// What a session is asked for besides settings: second texts, edits, given numbers, and what it measures.
#include "attention/layer/session.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "attention/layer/trace.h"
#include "attention/measures.h"
#include "four_lanes.h"
#include "random.h"

using namespace attention;
using test::Random;

namespace {

using Tokens = std::vector<std::string>;
constexpr float kMasked = -std::numeric_limits<float>::infinity();

Session run(Request request, const Settings& s) {
  Session session;
  const Error error = session.run(std::move(request), s);
  INFO(message(error));
  REQUIRE_FALSE(error);
  return session;
}

Request words(Tokens tokens) {
  Request request;
  request.tokens = std::move(tokens);
  return request;
}

Error refused(Request request, const Settings& s = {}) {
  Session session;
  const Error error = session.run(std::move(request), s);
  CHECK(session.trace().weights.empty());
  return error;
}

std::vector<float> copy(std::span<const float> view) { return {view.begin(), view.end()}; }

}  // namespace

TEST_CASE("an edit turns one cell round in every head, and twice turns back", "[session][mask]") {
  Request request = words({"a", "b", "c", "d"});
  request.mask_edits = {{0, 2}, {3, 1}, {2, 2}, {2, 2}, {9, 0}, {0, -1}};
  const Session session = run(request, Settings{});
  const Trace& t = session.trace();
  for (std::size_t h = 0; h < 4; ++h) {
    for (std::size_t q = 0; q < 4; ++q) {
      for (std::size_t k = 0; k < 4; ++k) {
        const bool is_turned = (q == 0 && k == 2) || (q == 3 && k == 1);
        const bool is_masked = t.masked_scores[(h * 4 + q) * 4 + k] == kMasked;
        CHECK(is_masked == ((k > q) != is_turned));
        CHECK((t.weights[(h * 4 + q) * 4 + k] == 0) == is_masked);
      }
    }
  }
}

TEST_CASE("a row masked by hand has no weight and no context", "[session][mask]") {
  Request request = words({"a", "b"});
  request.mask_edits = {{0, 0}};
  for (const float temperature : {1.0f, 0.0f, 2.0f}) {
    Settings s;
    s.temperature = temperature;
    const Session session = run(request, s);
    for (std::size_t h = 0; h < 4; ++h) {
      CHECK(session.trace().weights[h * 4] == 0);
      CHECK(session.trace().context[h * 2 * 16] == 0);
    }
  }
}

TEST_CASE("a window holds both its ends", "[session][mask]") {
  Settings s;
  s.mask = Mask::window;
  s.window_left = 2;
  s.window_right = 1;
  const Session session = run(words(Tokens(9, "a")), s);
  for (std::size_t q = 0; q < 9; ++q)
    for (std::size_t k = 0; k < 9; ++k)
      CHECK((session.trace().masked_scores[q * 9 + k] != kMasked) == (k + 2 >= q && k <= q + 1));
}

TEST_CASE("temperature 0 gives all to the largest, and equals share", "[session]") {
  Settings s;
  s.mask = Mask::none;
  s.positions = Positions::none;
  s.temperature = 0;
  const Session session = run(words({"a", "b", "a", "c"}), s);
  const Trace& t = session.trace();
  for (std::size_t row = 0; row < 16; ++row) {
    float largest = kMasked, winners = 0;
    for (std::size_t k = 0; k < 4; ++k) largest = std::max(largest, t.masked_scores[row * 4 + k]);
    for (std::size_t k = 0; k < 4; ++k) winners += t.masked_scores[row * 4 + k] == largest;
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(t.weights[row * 4 + k] == (t.masked_scores[row * 4 + k] == largest ? 1 / winners : 0));
    }
    CHECK(t.weights[row * 4] == t.weights[row * 4 + 2]);  // the same word, and no position
  }
}

TEST_CASE("the nearer the temperature to 0, the nearer softmax to arg-max", "[session]") {
  Settings s;
  const auto weights = [&](float temperature) {
    s.temperature = temperature;
    return copy(run(words({"a", "b", "c"}), s).trace().weights);
  };
  const auto sharp = weights(0), nearly = weights(0.001f), soft = weights(100);
  for (std::size_t i = 0; i < sharp.size(); ++i) CHECK(std::fabs(sharp[i] - nearly[i]) < 1e-6f);
  CHECK(std::fabs(soft[6] - 1 / 3.0f) < 0.02f);
}

TEST_CASE("keys and values come from the second text, queries from the first", "[session][cross]") {
  Request request = words({"a", "b", "c"});
  request.key_tokens = Tokens{"x", "b", "y", "z", "w"};
  Settings s;
  const Session session = run(request, s);
  const Trace& t = session.trace();
  CHECK(t.shape.T == 3);
  CHECK(t.shape.S == 5);
  const Session source = run(words(*request.key_tokens), s), own = run(words(request.tokens), s);
  CHECK(test::same_bits(copy(t.query), copy(own.trace().query)));
  CHECK(test::same_bits(copy(t.key), copy(source.trace().key)));
  CHECK(test::same_bits(copy(t.value), copy(source.trace().value)));
  CHECK(test::same_bits(copy(t.key_embeddings), copy(source.trace().embeddings)));
  CHECK(t.weights[4] == 0);  // causal by index: query 0 sees key 0 alone
  CHECK(t.weights[0] == 1);

  request.key_tokens->clear();
  CHECK(refused(request).code() == ErrorCode::no_tokens);
  request.key_tokens->assign(4097, "a");
  CHECK(refused(request).code() == ErrorCode::too_many_tokens);
}

TEST_CASE("grouped heads read the same key and value head", "[session][heads]") {
  Settings s;
  s.num_kv_heads = 2;
  const Session session = run(words({"a", "b", "c"}), s);
  const Trace& t = session.trace();
  CHECK(t.key.size() == 2 * 3 * 16);
  const Session all = run(words({"a", "b", "c"}), Settings{});
  CHECK(test::same_bits(copy(t.key), copy(all.trace().key.first(2 * 3 * 16))));  // the same matrix, sliced
  for (std::size_t h = 0; h < 4; ++h) {
    float score = 0;
    for (std::size_t d = 0; d < 16; ++d) score += t.query[(h * 3 + 2) * 16 + d] * t.key[(h / 2 * 3 + 1) * 16 + d];
    const float expected = t.scores[(h * 3 + 2) * 3 + 1];
    CHECK(std::fabs(score - expected) <= (vectors() == Vectors::four_lanes ? 0 : 1e-6f * std::fabs(expected)));
  }
}

TEST_CASE("heads of any width need not divide d_model", "[session][heads]") {
  Settings s;
  s.d_model = 10;
  s.num_heads = 3;
  s.d_k = 7;
  s.d_v = 2;
  const Session session = run(words({"a", "b"}), s);
  CHECK(session.trace().shape.d_k == 7);
  CHECK(session.trace().concat.size() == 2 * 6);
  CHECK(session.parameters().W_Q.size() == 10 * 21);
  CHECK(session.trace().factor == 1.0f / std::sqrt(7.0f));
}

TEST_CASE("tied projections are one matrix, edits included", "[session][tie]") {
  Settings s;
  s.biases = true;
  s.tie = Tie::qkv;
  Request request = words({"a", "b", "c"});
  request.edits = {{"W_K", "", 3, 5, 9.0f}};
  const Session session = run(request, s);
  const Trace& t = session.trace();
  CHECK(test::same_bits(copy(t.query), copy(t.key)));
  CHECK(test::same_bits(copy(t.query), copy(t.value)));
  CHECK(session.parameters().W_Q[3 * 64 + 5] == 9);
  s.tie = Tie::qk;
  const Session pair = run(words({"a", "b"}), s);
  CHECK(test::same_bits(copy(pair.trace().query), copy(pair.trace().key)));
  CHECK_FALSE(test::same_bits(copy(pair.trace().query), copy(pair.trace().value)));
}

TEST_CASE("a low rank factors W_V, which stays readable, and values keep their size", "[session]") {
  Settings s;
  s.d_model = 256;
  s.value_rank = 8;
  s.positions = Positions::none;
  Tokens tokens;
  for (int i = 0; i < 200; ++i) tokens.push_back("word" + std::to_string(i));
  const Session session = run(words(tokens), s);
  double squares = 0;
  for (const double v : session.trace().value) squares += v * v;
  const double variance = squares / static_cast<double>(session.trace().value.size());
  CHECK(variance > 0.5);
  CHECK(variance < 2);

  const std::vector<float> W_V = session.parameter(*find_parameter("W_V"));
  double largest = 0;
  for (std::size_t c = 0; c < 256; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      sum += static_cast<double>(session.trace().embeddings[i]) * static_cast<double>(W_V[i * 256 + c]);
    }
    largest = std::max(largest, std::fabs(sum - static_cast<double>(session.trace().value[c / 64 * 200 * 64 + c % 64])));
  }
  CHECK(largest < 1e-4);
}

TEST_CASE("RoPE's scores depend on the distance alone", "[session][positions]") {
  Settings s;
  s.mask = Mask::none;
  s.positions = Positions::rope;
  const Session rope = run(words(Tokens(8, "a")), s);
  for (std::size_t q = 1; q < 8; ++q) {
    CHECK(std::fabs(rope.trace().scores[q * 8 + q - 1] - rope.trace().scores[8]) < 1e-4f);
  }
  CHECK(std::fabs(rope.trace().scores[7 * 8] - rope.trace().scores[8]) > 1e-3f);
}

TEST_CASE("ALiBi takes a head's slope off for each word of distance, to either side", "[session][positions]") {
  Settings s;
  s.positions = Positions::alibi;
  const auto check = [&](const std::optional<Tokens>& key_tokens, const std::vector<MaskEdit>& mask_edits) {
    Request request = words(Tokens(8, "a"));
    request.key_tokens = key_tokens;
    request.mask_edits = mask_edits;
    Session session;
    REQUIRE_FALSE(session.run(request, s));
    const Trace& t = session.trace();
    std::size_t before = 0, after = 0;
    for (std::size_t cell = 0; cell < t.masked_scores.size(); ++cell) {
      const std::size_t h = cell / t.shape.S / t.shape.T, q = cell / t.shape.S % t.shape.T, k = cell % t.shape.S;
      const float slope = session.parameters().slopes[h];
      CHECK(slope == std::exp2(-2.0f * static_cast<float>(h + 1)));  // 4 heads: 2^-2, 2^-4, …
      if (std::isinf(t.masked_scores[cell])) continue;
      ++(k > q ? after : before);
      CHECK(t.masked_scores[cell] == t.scaled_scores[cell] - slope * std::fabs(static_cast<float>(q) - static_cast<float>(k)));
    }
    return std::pair{before, after};
  };
  CHECK(check(std::nullopt, {}) == std::pair<std::size_t, std::size_t>{4 * 36, 0});
  CHECK(check(std::nullopt, {{2, 7}}) == std::pair<std::size_t, std::size_t>{4 * 36, 4});  // shown by hand
  s.mask = Mask::none;
  CHECK(check(std::nullopt, {}) == std::pair<std::size_t, std::size_t>{4 * 36, 4 * 28});
  CHECK(check(Tokens(11, "b"), {}) == std::pair<std::size_t, std::size_t>{4 * 36, 4 * 52});
}

TEST_CASE("dropout sets about its share of weights to 0 and keeps the sum on average", "[session]") {
  Settings s;
  s.mask = Mask::none;
  s.scale = Scale::factor;
  s.scale_factor = 0;
  s.dropout = 0.25f;
  const Session session = run(words(Tokens(64, "a")), s);
  const Trace& t = session.trace();
  std::size_t dropped = 0;
  double sum = 0;
  for (std::size_t i = 0; i < t.dropped_weights.size(); ++i) {
    dropped += t.dropped_weights[i] == 0;
    sum += static_cast<double>(t.dropped_weights[i]);
    CHECK((t.dropped_weights[i] == 0 || std::fabs(t.dropped_weights[i] - t.weights[i] / 0.75f) < 1e-7f));
  }
  const double count = static_cast<double>(t.weights.size());
  CHECK(std::fabs(static_cast<double>(dropped) / count - 0.25) < 0.02);
  CHECK(std::fabs(sum / 256 - 1) < 0.03);
  s.dropout_seed = 2;
  CHECK_FALSE(test::same_bits(copy(run(words(Tokens(64, "a")), s).trace().dropped_weights), copy(t.dropped_weights)));
}

TEST_CASE("without W_O the output is concat; without the residual there is none", "[session]") {
  Settings s;
  s.out_proj = false;
  s.residual = false;
  const Session session = run(words({"a", "b"}), s);
  CHECK(test::same_bits(copy(session.trace().output), copy(session.trace().concat)));
  CHECK(session.trace().residual.empty());
}

TEST_CASE("numbers set by hand stand where they were set, on random and given ones alike", "[session][edit]") {
  Request request = words({"it", "was", "it"});
  request.edits = {{"", "it", 0, 7, 5.0f}, {"", "absent", 0, 7, 6.0f}, {"P", "", 1, 2, -3.0f},
                   {"P", "", 999, 2, 1.0f}, {"W_Q", "", 0, 1, 4.0f}, {"W_Q", "", 64, 1, 4.0f}, {"W_Q", "", 63, 63, 8.0f}, {"W_Q", "", 1, 64, 4.0f},
                   {"W_Q", "", -1, 0, 4.0f}, {"b_Q", "", 0, 0, 1.0f}};
  const Session edited = run(request, Settings{}), plain = run(words(request.tokens), Settings{});
  CHECK(edited.trace().content[7] == 5);
  CHECK(edited.trace().content[2 * 64 + 7] == 5);
  CHECK(edited.trace().content[64 + 7] == plain.trace().content[64 + 7]);
  CHECK(edited.trace().position[64 + 2] == -3);
  CHECK(edited.parameters().W_Q[1] == 4);
  CHECK(edited.parameters().W_Q[64 * 64 - 1] == 8);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < 64 * 64; ++i) changed += edited.parameters().W_Q[i] != plain.parameters().W_Q[i];
  CHECK(changed == 2);
  CHECK(edited.parameters().b_Q[0] == 0);  // off, and so not there to be set

  request.given = {{"W_Q", std::vector<float>(64 * 64, 2.0f)}, {"content", std::vector<float>(3 * 64, 0.5f)}};
  const Session given = run(request, Settings{});
  CHECK(given.parameters().W_Q[0] == 2);
  CHECK(given.parameters().W_Q[1] == 4);
  CHECK(given.trace().content[0] == 0.5f);
  CHECK(given.trace().content[7] == 5);
  CHECK(test::same_bits(copy(given.parameters().W_K), copy(plain.parameters().W_K)));  // the rest stays random
}

TEST_CASE("given queries, keys and values are the stages themselves", "[session][given]") {
  Random random(71);
  Request request = words({"a", "b", "c"});
  const auto query = random.numbers(4 * 3 * 16), key = random.numbers(4 * 3 * 16), value = random.numbers(4 * 3 * 16);
  request.given = {{"query", query}, {"key", key}, {"value", value}};
  const Session session = run(request, Settings{});
  CHECK(test::same_bits(copy(session.trace().query), query));
  CHECK(test::same_bits(copy(session.trace().key), key));
  CHECK(test::same_bits(copy(session.trace().value), value));
}

TEST_CASE("what is given must fit, be finite and have a place; edits too must be finite", "[session][errors]") {
  const auto refused_given = [](const char* id, std::size_t count, const Settings& s = {}) {
    Request request = words({"a", "b"});
    request.given = {{id, std::vector<float>(count, 1.0f)}};
    return refused(request, s);
  };
  const Error shape = refused_given("W_Q", 64);
  CHECK(shape.code() == ErrorCode::invalid_request);
  CHECK(message(shape) == "W_Q must have 64 x 64 = 4096 numbers; 64 were given. Give as many, or choose other settings.");
  for (const char* id : {"b_Q", "W_V_down", "key_content", "weights", "cos", "nothing", ""}) {
    CHECK(refused_given(id, 64).code() == ErrorCode::invalid_request);
  }
  CHECK(message(refused_given("query_norm", 16)) == "query_norm must have 17 numbers; 16 were given. Give as many, or choose other settings.");
  Settings s;
  s.tie = Tie::qk;
  CHECK(refused_given("W_K", 64 * 64, s).code() == ErrorCode::invalid_request);
  s = {};
  s.value_rank = 3;
  CHECK(refused_given("W_V", 64 * 64, s).code() == ErrorCode::invalid_request);

  Request request = words({"a"});
  request.given = {{"content", std::vector<float>(64, 1.0f)}};
  request.given[0].numbers[9] = std::numeric_limits<float>::quiet_NaN();
  CHECK(message(refused(request)) == "content[9] is not a finite number. Give a finite one.");
  request.given.clear();
  request.edits = {{"W_Q", "", 1, 2, -kMasked}};
  CHECK(refused(request).code() == ErrorCode::invalid_request);
  request.edits = {{"no such matrix", "", 1, 2, 0}};
  CHECK(refused(request).code() == ErrorCode::invalid_request);
}

TEST_CASE("a session that ran anything gives the same bits as a new one", "[session]") {
  Random random(72);
  Session used;
  for (int trial = 0; trial < 150; ++trial) {
    const Settings s = random.any_settings();
    const Request request = random.request(s);
    REQUIRE_FALSE(used.run(request, s));
    const Session fresh = run(request, s);
    for (const Stage& stage : stages()) {
      if (stage.buffer != nullptr) {
        REQUIRE(test::same_bits(used.trace().*stage.buffer, fresh.trace().*stage.buffer));
      }
    }
  }
}

TEST_CASE("what is kept from run to run follows the seed, the widths and the kind of position", "[session]") {
  Session used;
  Settings s;
  s.d_model = 16;
  const Request request = words({"a", "b", "c"});
  for (const Positions positions : {Positions::learned, Positions::sinusoidal, Positions::none, Positions::rope}) {
    for (const std::uint32_t seed : {1u, 2u, 1u}) {
      for (const int d_k : {0, 2, 6}) {
        s.positions = positions;
        s.seed = seed;
        s.d_k = d_k;
        REQUIRE_FALSE(used.run(request, s));
        const Session fresh = run(request, s);
        REQUIRE(test::same_bits(used.trace().position, fresh.trace().position));
        REQUIRE(test::same_bits(used.trace().content, fresh.trace().content));
        REQUIRE(test::same_bits(used.trace().scores, fresh.trace().scores));
      }
    }
  }
}

TEST_CASE("thousands of words keep their own rows", "[session]") {
  Tokens tokens;
  for (int i = 0; i < 2000; ++i) tokens.push_back("word" + std::to_string(i));
  Settings s;
  s.d_model = 4;
  s.num_heads = 1;
  const Session session = run(words(tokens), s);
  std::vector<float> row(4);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    fill_normal(row, s.seed, Drawn::content, 0, token_hash(tokens[i]));
    REQUIRE(test::same_bits(copy(session.trace().content.subspan(4 * i, 4)), row));
  }
}

TEST_CASE("sums of rows, their entropy and their largest weight are those of the weights", "[session][measures]") {
  Settings s;
  Random random(73);
  const Session session = run(words(random.tokens(13)), s);
  const Trace& t = session.trace();
  std::vector<float> sum;
  const std::vector<int> queries{2, 9};
  REQUIRE_FALSE(session.summed_weights(1, queries, sum));
  RowMeasures rows;
  REQUIRE_FALSE(session.measure_rows(1, rows));
  for (std::size_t k = 0; k < 13; ++k) {
    CHECK(sum[k] == t.weights[(13 + 2) * 13 + k] + t.weights[(13 + 9) * 13 + k]);
  }
  for (std::size_t q = 0; q < 13; ++q) {
    double bits = 0;
    const std::span<float> row = t.weights.subspan((13 + q) * 13, 13);
    for (const double w : row) bits -= w > 0 ? w * std::log2(w) : 0;
    CHECK(std::fabs(rows.entropy[q] - bits) < 1e-5);
    CHECK(rows.largest[q] == row[static_cast<std::size_t>(rows.largest_key[q])]);
    for (const float w : row) CHECK(w <= rows.largest[q]);
  }
  CHECK(rows.entropy[0] == 0);
  CHECK(session.summed_weights(1, std::vector<int>{13}, sum).code() == ErrorCode::index_out_of_range);
  CHECK(session.measure_rows(4, rows).code() == ErrorCode::index_out_of_range);
}

TEST_CASE("a row that sees no key has no weight, no entropy and no largest key", "[session][measures]") {
  Settings s;
  s.mask = Mask::window;
  s.window_left = 0;
  Request request = words({"a", "b", "c"});
  request.key_tokens = {"d"};
  const Session session = run(request, s);
  RowMeasures rows;
  REQUIRE_FALSE(session.measure_rows(0, rows));
  CHECK(rows.largest_key == std::vector<int>{0, -1, -1});
  CHECK(rows.largest == std::vector<float>{1, 0, 0});
  CHECK(rows.entropy == std::vector<float>{0, 0, 0});
}

TEST_CASE("comparing and subtracting vectors", "[session][measures]") {
  const std::vector<float> a{3, 4}, b{4, -3}, zero{0, 0};
  CHECK(compare(a, a).cosine == 1);
  CHECK(compare(a, b).cosine == 0);
  CHECK(compare(a, b).norm_b == 5);
  CHECK(compare(a, zero).cosine == 0);
  for (const float size : {1e-30f, 1e30f}) {  // whose squares float32 cannot hold
    const std::vector<float> small{3 * size, 4 * size}, other{4 * size, 3 * size};
    CHECK(compare(small, small).cosine == 1);
    CHECK(std::fabs(compare(small, other).cosine - 0.96f) < 1e-6f);
    CHECK(std::fabs(compare(small, other).norm_a / size - 5) < 1e-6f);
  }
  std::vector<float> difference(2);
  subtract(a, b, difference);
  CHECK(difference == std::vector<float>{-1, 7});
  CHECK(std::fabs(entropy(std::vector<float>(8, 0.125f)) - 3) < 1e-6f);
}

TEST_CASE("weighted values are weight times value, and their sum is the context row", "[session]") {
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

TEST_CASE("weighted values of a cell outside the run are refused", "[session]") {
  Session session;
  std::vector<float> values;
  CHECK(session.weighted_values(0, 0, values).code() == ErrorCode::index_out_of_range);
  REQUIRE_FALSE(session.run(Tokens{"a", "b"}, Settings{}));
  CHECK_FALSE(session.weighted_values(3, 1, values));
  CHECK(session.weighted_values(4, 0, values).code() == ErrorCode::index_out_of_range);
  CHECK(session.weighted_values(0, 2, values).code() == ErrorCode::index_out_of_range);
  CHECK(session.weighted_values(-1, 0, values).code() == ErrorCode::index_out_of_range);
}
