// What the public interface does with pointers, strides, enumerators and objects that others spoiled; and the sentences of errors.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "attention/decoder.h"
#include "attention/error.h"
#include "attention/layer/session.h"
#include "attention/positions.h"
#include "random_layer.h"

using namespace attention;
using test::Random;

namespace {

template <class T>
T* misaligned(T* data) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(data) + 1);
}

constexpr ErrorCode kShape = ErrorCode::invalid_shape, kOption = ErrorCode::invalid_option;

}  // namespace

TEST_CASE("no ALiBi slopes are none", "[errors]") {
  fill_alibi_slopes({});
  float one = 0;
  fill_alibi_slopes({&one, 1});
  CHECK(one == 0x1p-8f);
}

TEST_CASE("what is no enumerator of a setting is refused", "[settings][errors]") {
  const auto code = [](auto change) {
    Settings s;
    change(s);
    return validate(s).code();
  };
  for (const int other : {-1, 5, 7, 1 << 30}) {
    CHECK(code([&](Settings& s) { s.mask = Mask(other); }) == ErrorCode::invalid_setting);
    CHECK(code([&](Settings& s) { s.scale = Scale(other); }) == ErrorCode::invalid_setting);
    CHECK(code([&](Settings& s) { s.positions = Positions(other); }) == ErrorCode::invalid_setting);
    CHECK(code([&](Settings& s) { s.tie = Tie(other); }) == ErrorCode::invalid_setting);
  }
  Settings s;
  s.mask = Mask(7);
  Session session;
  CHECK(session.run(std::vector<std::string>{"a"}, s).code() == ErrorCode::invalid_setting);
}

TEST_CASE("a session that was moved from is as a new one", "[session]") {
  const std::vector<std::string> tokens{"a", "b"};
  Settings settings;
  settings.d_model = 8;
  Session first;
  REQUIRE_FALSE(first.run(tokens, settings));
  const std::vector<float> output(first.trace().output.begin(), first.trace().output.end());
  const auto is_same = [&](const Session& s) { return std::ranges::equal(s.trace().output, output); };

  Session second = std::move(first);
  CHECK(is_same(second));
  CHECK(second.trace().tokens[1] == "b");
  CHECK(first.trace().output.empty());
  CHECK(first.trace().shape == Shape{});
  CHECK(first.request().tokens.empty());
  CHECK(first.settings() == Settings{});
  CHECK(first.parameters().W_Q.empty());
  std::vector<float> values;
  CHECK(first.weighted_values(0, 0, values).code() == ErrorCode::index_out_of_range);
  REQUIRE_FALSE(first.run(tokens, settings));
  CHECK(is_same(first));
  CHECK(is_same(second));

  Session& itself = second;
  second = std::move(itself);
  CHECK(is_same(second));
  first = std::move(second);
  CHECK(is_same(first));
  CHECK(second.trace().output.empty());
  REQUIRE_FALSE(second.run(tokens, settings));
  CHECK(is_same(second));
}

// One head of two numbers, `rows` of them.
Error append(KeyValueCache& cache, const float* key, const float* value, std::size_t rows) {
  return cache.append(heads_last(key, 1, rows, 1, 2), heads_last(value, 1, rows, 1, 2));
}

TEST_CASE("a cache that was moved from has no room", "[cache]") {
  const std::vector<float> key{1, 2}, value{3, 4};
  KeyValueCache first;
  REQUIRE_FALSE(first.reserve(1, 3, 2, 2));
  REQUIRE_FALSE(append(first, key.data(), value.data(), 1));
  KeyValueCache second = std::move(first);
  CHECK(second.length() == 1);
  CHECK(second.keys().row(0, 0, 0)[1] == 2);
  CHECK(first.length() == 0);
  CHECK(first.capacity() == 0);
  CHECK(first.keys().rows == 0);
  CHECK(append(first, key.data(), value.data(), 1).code() == kShape);
  KeyValueCache third;
  REQUIRE_FALSE(third.reserve(2, 50, 1, 1));
  third = std::move(second);  // whose memory may now be the third's
  CHECK(third.values().row(0, 0, 0)[0] == 3);
  CHECK(second.capacity() == 0);
  CHECK(append(second, key.data(), value.data(), 1).code() == kShape);
  REQUIRE_FALSE(second.reserve(1, 1, 2, 2));
  REQUIRE_FALSE(append(second, key.data(), value.data(), 1));
  CHECK(third.keys().row(0, 0, 0)[0] == 1);
}

TEST_CASE("parameters that were moved from are drawn again", "[parameters]") {
  RandomParameters first;
  REQUIRE_FALSE(first.draw({}));
  const RandomParameters second = std::move(first);
  CHECK(first.view().W_Q.empty());
  REQUIRE_FALSE(first.draw({}));
  CHECK(first.view().W_Q.data() != second.view().W_Q.data());
  CHECK(test::same_bits(first.view().W_Q, second.view().W_Q));
}

TEST_CASE("a cache takes up to its room, and refuses what has no data", "[cache][errors]") {
  std::vector<float> rows(8, 1.0f);
  KeyValueCache cache;
  REQUIRE_FALSE(cache.reserve(1, 3, 2, 2));
  CHECK(append(cache, rows.data(), rows.data(), 4).code() == kShape);
  CHECK(append(cache, nullptr, rows.data(), 1).code() == kShape);
  CHECK(append(cache, rows.data(), nullptr, 1).code() == kShape);
  CHECK(append(cache, misaligned(rows.data()), rows.data(), 1).code() == kShape);
  CHECK(append(cache, rows.data(), misaligned(rows.data()), 1).code() == kShape);
  CHECK(cache.length() == 0);
  CHECK_FALSE(append(cache, rows.data(), rows.data(), 2));
  CHECK(append(cache, rows.data(), rows.data(), 2).code() == kShape);
  CHECK_FALSE(append(cache, rows.data(), rows.data(), 1));
  CHECK(append(cache, rows.data(), rows.data(), 1).code() == kShape);
  CHECK(append(cache, rows.data(), rows.data(), 0).code() == kShape);
  CHECK(cache.length() == 3);
}

TEST_CASE("a slice that does not exist has no matrix", "[linear]") {
  const std::vector<float> numbers(12, 1.0f);
  const Linear packed{numbers.data(), nullptr, 2, 6};
  CHECK(slice(packed, 2, 3).weight == numbers.data() + 4);
  for (const auto& [part, parts] : {std::pair<std::size_t, std::size_t>{0, 0}, {3, 3}, {0, 4}, {1, 7}}) {
    CHECK(slice(packed, part, parts).weight == nullptr);
  }
}

TEST_CASE("rotary tables are refused where they cannot be filled", "[rotary][errors]") {
  std::vector<float> cosines(12, 7), sines(12, 7);
  const auto code = [&](std::size_t count, std::size_t positions, std::size_t dim, double base) {
    return fill_rotary(std::span(cosines).first(count), sines, positions, dim, base).code();
  };
  for (const double base : {0.0, -1.0, -10000.0, std::nan(""), HUGE_VAL, -HUGE_VAL}) CHECK(code(12, 4, 6, base) == kOption);
  CHECK(code(12, 4, 6, 1e-6) == kOption);  // angles of millions
  CHECK(code(12, 5, 6, 10000) == kShape);
  CHECK(code(11, 4, 6, 10000) == kShape);
  CHECK(code(12, 4, 7, 10000) == kShape);
  CHECK(code(12, SIZE_MAX / 2, 6, 10000) == kShape);
  const double nan = std::nan("");
  for (const RotaryScaling scaling : {RotaryScaling{0.5}, {0}, {nan}, {HUGE_VAL}, {2, -1}, {2, nan}, {2, 9, 4, 4}, {2, 9, 0, 4}, {2, 9, 1, HUGE_VAL},
                                      {2, 0, 1, 4, true}, {2, 9, 1, 4, true, true, 0}, {2, 9, 1, 4, false, true, -1}, {2, 9, 1, 4, true, true, HUGE_VAL}, {2, 9, 1, 4, true, true, nan}}) {
    CHECK(fill_rotary(cosines, sines, 4, 6, 10000, scaling).code() == kOption);
  }
  for (const double base : {1.0, 0.5}) CHECK(fill_rotary(cosines, sines, 4, 6, base, {2, 9, 1, 4, true}).code() == kOption);
  CHECK(cosines == std::vector<float>(12, 7));
  CHECK(sines == std::vector<float>(12, 7));
  CHECK(code(12, 4, 6, 0.5) == ErrorCode::none);
  CHECK(std::fabs(cosines[11] - std::cos(3 * std::pow(0.5, -2 / 3.0))) < 1e-6);
}

TEST_CASE("attend refuses what is misaligned and contexts that overlap", "[attend][errors]") {
  std::vector<float> memory(96, 1.0f), out(96, 99.0f);
  std::vector<std::int64_t> integers(4);
  Buffer scratch;
  const auto code = [&](auto change) {
    const auto in = heads_first<const float>(memory.data(), 2, 2, 4, 4);
    auto context = heads_first(out.data(), 2, 2, 4, 4);
    AttendOptions options;
    AttendStages stages;
    change(options, stages, context);
    const ErrorCode result = attend(in, in, in, options, context, scratch, stages).code();
    CHECK(out == std::vector<float>(96, 99.0f));
    return result;
  };
  using O = AttendOptions&;
  using S = AttendStages&;
  using C = Heads<float>&;
  CHECK(code([&](O o, S, C) { o.mask.bias = misaligned(memory.data()), o.mask.extents[3] = 4; }) == kShape);
  CHECK(code([&](O o, S, C) { o.alibi_slopes = {misaligned(memory.data()), 2}; }) == kOption);
  CHECK(code([&](O o, S, C) { o.batch_offsets = {misaligned(integers.data()), 2}; }) == kOption);
  CHECK(code([&](O o, S, C) { o.key_lengths = {misaligned(integers.data()), 2}; }) == kOption);
  for (float* AttendStages::* const stage :
       {&AttendStages::scores, &AttendStages::scaled_scores, &AttendStages::capped_scores,
        &AttendStages::masked_scores, &AttendStages::weights, &AttendStages::dropped_weights}) {
    CHECK(code([&](O, S s, C) { s.*stage = misaligned(memory.data()); }) == kShape);
  }
  // Heads within rows, heads on rows, and batches on heads.
  CHECK(code([](O, S, C c) { c.head_stride = 4; }) == kShape);
  CHECK(code([](O, S, C c) { c.head_stride = 15; }) == kShape);
  CHECK(code([](O, S, C c) { c.row_stride = 16, c.head_stride = 3; }) == kShape);
  CHECK(code([](O, S, C c) { c.batch_stride = 16; }) == kShape);
  CHECK(code([](O, S, C c) { c.batch_stride = 31; }) == kShape);
  CHECK(code([](O, S, C c) { c.batch_stride = c.head_stride = c.row_stride = 4; }) == kShape);
}

TEST_CASE("attend refuses to write over what it reads", "[attend][errors]") {
  Random random(31);
  std::vector<float> memory = random.numbers(400);
  const std::vector<float> before = memory;
  Buffer scratch;
  // (B, H, T, d) = (2, 2, 4, 4), each of 64 numbers
  const auto at = [&](std::size_t first) { return heads_first(memory.data() + first, 2, 2, 4, 4); };
  const auto code = [&](Heads<float> q, Heads<float> k, Heads<float> v, Heads<float> context, float* bias = nullptr,
                        float* weights = nullptr) {
    AttendOptions options;
    options.mask = {nullptr, bias, {2, 2, 4, 4}};
    AttendStages stages;
    stages.weights = weights;
    const ErrorCode plain = attend(q, k, v, options, context, scratch, stages).code();
    if (plain != ErrorCode::none) CHECK(memory == before);
    memory = before;
    return plain;
  };
  for (const std::size_t first : {0u, 64u, 128u, 1u, 63u, 191u}) CHECK(code(at(0), at(64), at(128), at(first)) == kShape);
  CHECK(code(at(0), at(64), at(128), at(192)) == ErrorCode::none);
  CHECK(code(at(64), at(128), at(192), at(0)) == ErrorCode::none);
  CHECK(code(at(0), at(64), at(128), at(192), memory.data() + 200) == kShape);
  CHECK(code(at(0), at(64), at(128), at(192), memory.data() + 256) == ErrorCode::none);
  for (const std::size_t stage : {0u, 100u, 128u, 192u, 255u}) {
    CHECK(code(at(0), at(64), at(128), at(192), nullptr, memory.data() + stage) == kShape);
  }
  CHECK(code(at(0), at(64), at(128), at(192), nullptr, memory.data() + 256) == ErrorCode::none);

  // Parts of one packed tensor take turns: columns of each row, heads, batches.
  const auto columns = [&](std::size_t part) { return Heads<float>{memory.data() + part * 8, 2, 2, 4, 4, 128, 4, 32}; };
  CHECK(code(columns(0), columns(1), columns(2), columns(3)) == ErrorCode::none);
  CHECK(code(columns(0), columns(1), columns(2), columns(2)) == kShape);
  const auto heads = [&](std::size_t part) { return Heads<float>{memory.data() + part * 16, 2, 2, 4, 4, 128, 64, 4}; };
  CHECK(code(heads(0), heads(1), heads(2), heads(3)) == ErrorCode::none);
  CHECK(code(heads(0), heads(1), heads(2), heads(1)) == kShape);
  const auto batches = [&](std::size_t part) { return Heads<float>{memory.data() + part * 32, 2, 2, 4, 4, 128, 16, 4}; };
  CHECK(code(batches(0), batches(1), batches(2), batches(3)) == ErrorCode::none);
  CHECK(code(batches(0), batches(1), batches(2), batches(0)) == kShape);
}

TEST_CASE("a layer refuses heads that are not said, and to write over its parameters", "[multi_head][errors]") {
  std::vector<float> w(16, 0.5f), b(4, 0.5f), x(16, 1.0f), y(16);
  const Linear linear{w.data(), b.data(), 4, 4};
  MultiHead layer;
  layer.query = layer.key = layer.value = layer.out_proj = linear;
  MultiHeadScratch scratch;
  MultiHeadInput input;
  input.x = {x.data(), 1, 4, 4};
  CHECK(run(layer, input, {}, y.data(), scratch).code() == kShape);  // its heads are not said
  layer.heads = layer.key_heads = 2;
  CHECK(run(layer, input, {}, w.data(), scratch).code() == kShape);
  CHECK(run(layer, input, {}, b.data(), scratch).code() == kShape);
  CHECK(w == std::vector<float>(16, 0.5f));
  CHECK_FALSE(run(layer, input, {}, y.data(), scratch));
  CHECK_FALSE(run(layer, input, {}, x.data(), scratch));
  CHECK(x == y);
}

TEST_CASE("attend takes every context whose numbers have places of their own", "[attend]") {
  Random random(171);
  const auto numbers = random.numbers(2 * 3 * 4 * 2);
  const auto in = heads_first<const float>(numbers.data(), 2, 3, 4, 2);
  std::vector<float> plain(numbers.size());
  Buffer scratch;
  REQUIRE_FALSE(attend(in, in, in, {}, heads_first(plain.data(), 2, 3, 4, 2), scratch));
  // Any order of the axes, with gaps.
  for (const auto& [batch, head, row] : {std::array<std::size_t, 3>{30, 10, 2}, {2, 4, 13}, {30, 2, 7}, {3, 30, 7}}) {
    std::vector<float> out(100);
    const Heads<float> context{out.data(), 2, 3, 4, 2, batch, head, row};
    REQUIRE_FALSE(attend(in, in, in, {}, context, scratch));
    for (std::size_t i = 0; i < plain.size(); ++i) {
      CHECK(context.row(i / 24, i / 8 % 3, i / 2 % 4)[i % 2] == plain[i]);
    }
  }
}

TEST_CASE("rotate and add_positions refuse what is misaligned, and rows that overlap", "[rotary][errors]") {
  std::vector<float> x(32, 1.0f), out(32, 99.0f), c(8), s(8);
  std::vector<std::int64_t> places(4);
  const auto from = heads_first<const float>(x.data(), 1, 2, 4, 4);
  const auto to = heads_first(out.data(), 1, 2, 4, 4);
  const auto code = [&](Heads<const float> in, Heads<float> y, const float* cosines, const float* sines,
                        const std::int64_t* positions) {
    return rotate(in, y, {cosines, 8}, {sines, 8}, 2, {positions, positions ? 4u : 0u}, RotaryPairs::halved).code();
  };
  auto low = from, overlapping = from;
  auto high = to, doubled = to;
  low.data = misaligned(low.data);
  high.data = misaligned(high.data);
  overlapping.row_stride = 3;
  doubled.head_stride = 4;
  CHECK(code(low, to, c.data(), s.data(), nullptr) == kShape);
  CHECK(code(from, high, c.data(), s.data(), nullptr) == kShape);
  CHECK(code(overlapping, to, c.data(), s.data(), nullptr) == kShape);
  CHECK(code(from, doubled, c.data(), s.data(), nullptr) == kShape);
  CHECK(code(from, to, misaligned(c.data()), s.data(), nullptr) == kShape);
  CHECK(code(from, to, c.data(), misaligned(s.data()), nullptr) == kShape);
  CHECK(code(from, to, c.data(), s.data(), misaligned(places.data())) == kShape);

  const auto add = [&](const float* in, const float* table, const std::int64_t* positions, float* y) {
    return add_positions({in, 1, 4, 2}, {table, 8}, {positions, positions ? 4u : 0u}, 0, y).code();
  };
  CHECK(add(misaligned(x.data()), c.data(), nullptr, out.data()) == kShape);
  CHECK(add(x.data(), misaligned(c.data()), nullptr, out.data()) == kShape);
  CHECK(add(x.data(), c.data(), misaligned(places.data()), out.data()) == kShape);
  CHECK(add(x.data(), c.data(), nullptr, misaligned(out.data())) == kShape);
  CHECK(add(x.data(), c.data(), nullptr, nullptr) == kShape);
  CHECK(out == std::vector<float>(32, 99.0f));
  CHECK(add(x.data(), c.data(), nullptr, out.data()) == ErrorCode::none);
}

TEST_CASE("layers refuse what is misaligned or null, and norms of no epsilon", "[decoder][errors]") {
  Random random(172);
  test::RandomDecoder p(random);
  p.decoder.final_norm = p.norm(random);
  const std::size_t D = p.decoder.d_model;
  std::vector<float> memory(4096, 1.0f);
  const std::vector<std::int32_t> tokens{0};
  const auto code = [&](auto change) {
    std::vector<Block> blocks = p.blocks;
    Decoder decoder = p.decoder;
    DecoderStages stages;
    Intervention change_of_one;
    float* logits = memory.data();
    change(decoder, blocks.front(), stages, change_of_one.heads, logits);
    decoder.blocks = blocks;
    std::vector<Intervention> interventions(blocks.size());
    interventions.front() = change_of_one;
    DecoderState state;
    REQUIRE_FALSE(state.reserve(p.decoder, 4));
    const ErrorCode result =
        run(decoder, tokens, state, logits, LogitsOf::every_token, stages, interventions).code();
    CHECK(state.length() == (result == ErrorCode::none ? 1 : 0));
    return result;
  };
  using D_ = Decoder&;
  using B = Block&;
  using S = DecoderStages&;
  using C = HeadChanges&;
  using L = float*&;
  CHECK(code([](D_, B, S, C, L) {}) == ErrorCode::none);
  CHECK(code([&](D_ d, B, S, C, L) { d.embeddings = misaligned(d.embeddings.floats()); }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.positions = {misaligned(memory.data()), D}; }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.final_norm.gain = misaligned(memory.data()); }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.final_norm.bias = misaligned(memory.data()); }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.final_norm.epsilon = -1e-5f; }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.embeddings_norm = {misaligned(memory.data()), nullptr, D}; }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.embeddings_norm = {memory.data(), nullptr, D + 1}; }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.transform = {misaligned(memory.data()), nullptr, D, D}; }) == kShape);
  CHECK(code([&](D_ d, B, S, C, L) { d.transform = {memory.data(), nullptr, D, D + 1}; }) == kShape);
  CHECK(code([&](D_, B b, S, C, L) { b.norm_1.gain = misaligned(memory.data()); }) == kShape);
  CHECK(code([&](D_, B b, S, C, L) { b.norm_2.bias = misaligned(memory.data()); }) == kShape);
  CHECK(code([&](D_, B b, S, C, L) { b.norm_2.gain = nullptr; }) == kShape);
  CHECK(code([&](D_, B b, S, C, L) { b.norm_1.epsilon = std::nanf(""); }) == kShape);
  CHECK(code([&](D_, B b, S, C, L) { b.query_key_positions = {misaligned(memory.data()), D}; }) == kShape);
  CHECK(code([&](D_, B, S s, C, L) { s.embeddings = misaligned(memory.data()); }) == kShape);
  CHECK(code([&](D_, B, S, C, L l) { l = misaligned(l); }) == kShape);
  CHECK(code([&](D_, B, S, C, L l) { l = nullptr; }) == kShape);
  const std::size_t H = p.blocks.front().attention.heads;
  CHECK(code([&](D_, B, S, C c, L) { c.gains = {misaligned(memory.data()), H}; }) == kOption);
  const HeadPatch patch{0, misaligned(memory.data())};
  CHECK(code([&](D_, B, S, C c, L) { c.patches = {&patch, 1}; }) == kOption);
  for (float* MultiHeadStages::* const stage :
       {&MultiHeadStages::query, &MultiHeadStages::key, &MultiHeadStages::value, &MultiHeadStages::rotated_query,
        &MultiHeadStages::rotated_key, &MultiHeadStages::concat}) {
    std::vector<MultiHeadStages> layers(p.blocks.size());
    layers.front().*stage = misaligned(memory.data());
    CHECK(code([&](D_, B, S s, C, L) { s.layers = layers; }) == kShape);
  }
  std::vector<float*> residuals(p.blocks.size(), misaligned(memory.data()));
  CHECK(code([&](D_, B, S s, C, L) { s.residuals = residuals; }) == kShape);

  KeyValueCache cache;
  const MultiHead& l = p.blocks.front().attention;
  REQUIRE_FALSE(cache.reserve(l.key_heads, 1, l.key.out / l.key_heads, l.value.out / l.key_heads));
  BlockScratch scratch;
  CHECK(run(p.blocks.front(), nullptr, 1, cache, scratch).code() == kShape);
  CHECK(run(p.blocks.front(), misaligned(memory.data()), 1, cache, scratch).code() == kShape);
}

static_assert(std::is_trivially_copyable_v<Error>, "an error allocates nothing");

TEST_CASE("every rule has a name of its own, a code and a sentence", "[errors]") {
  REQUIRE(rules().size() == kRules);
  std::set<std::string_view> names, sentences;
  for (const RuleText& line : rules().subspan(1)) {
    INFO(line.name);
    CHECK(names.insert(line.name).second);
    CHECK(sentences.insert(line.sentence).second);
    CHECK(line.code != ErrorCode::none);
    CHECK(error(line.rule).code() == line.code);
    CHECK(line.sentence.ends_with('.'));
  }
  CHECK_FALSE(Error{});
  CHECK(message(Error{}).empty());
}

TEST_CASE("a sentence says every number that its rule has, and its name", "[errors]") {
  for (const RuleText& line : rules().subspan(1)) {
    INFO(line.name);
    const std::string text = message(error(line.rule, "W_Q", {1101, 1102, 1103, 1104, 1105}));
    CHECK(text.find_first_of("{}") == text.npos);
    CHECK((text.find("W_Q") != text.npos) == (line.sentence.find("{name}") != line.sentence.npos));
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < Error::kNumbers; ++i) {
      const bool is_said = line.sentence.find(std::string("{").append(std::to_string(i))) != line.sentence.npos;
      const std::string digits = std::to_string(1101 + i), grouped = std::string("1,10").append(std::to_string(1 + i));
      CHECK((text.find(digits) != text.npos || text.find(grouped) != text.npos) == is_said);
      if (is_said) CHECK(numbers++ == i);  // none is left out before another
    }
  }
}

TEST_CASE("numbers are written as people do", "[errors]") {
  CHECK(message(error(Rule::setting_scale_factor, {-10000, 0.9496f})) ==
        "The scale factor must be a number from -10000 to 0.95.");
  CHECK(message(error(Rule::setting_softcap, {0.001f, 0.9999})) ==
        "The softcap (0 = off) must be 0, or a number from 0.001 to 1.");
  CHECK(message(error(Rule::setting_heads_divide, {12})) ==
        "The number of heads must divide d_model = 12: choose one of 1, 2, 3, 4, 6, 12.");
  CHECK(message(error(Rule::too_many_tokens, {1234567, 999})) ==
        "The text has 1,234,567 tokens; the limit is 999. Shorten the text.");
}

TEST_CASE("a name that is too long is cut between two characters", "[errors]") {
  const auto name_of = [](const std::string& name) { return std::string(error(Rule::edit_array, name).name()); };
  const std::string fits(63, 'a'), longer(64, 'a');
  CHECK(name_of(fits) == fits);
  CHECK(name_of(longer) == std::string(60, 'a') + "...");
  std::string wide = "a";
  while (wide.size() < 70) wide += "ñ";  // two bytes each, so that byte 60 is the second of one
  CHECK(name_of(wide) == wide.substr(0, 59) + "...");
}
