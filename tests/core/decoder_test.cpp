#include "attention/decoder.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <list>

#include "attention/workers.h"
#include "random_layer.h"

using namespace attention;
using test::is_close;
using test::kContext;
using test::Random;
using test::RandomDecoder;
using test::same_bits;

TEST_CASE("a decoder's logits equal the same decoder's in double, with and without stages",
          "[decoder]") {
  Random random(61);
  for (int trial = 0; trial < 120; ++trial) {
    const RandomDecoder p(random, trial % 2 == 0);
    const auto tokens = p.tokens(random, random.size(1, 30));
    const std::size_t T = tokens.size(), N = p.blocks.size();
    const auto expected = reference_logits(p.decoder, tokens);
    DecoderState state;
    REQUIRE_FALSE(state.reserve(p.decoder, T));
    std::vector<float> logits(expected.size()), staged = logits, last(p.decoder.vocabulary);
    REQUIRE_FALSE(run(p.decoder, tokens, state, logits.data()));
    REQUIRE(is_close(logits, expected, 2e-4));

    state.truncate(0);
    std::vector<std::vector<float>> weights, residuals;
    std::vector<MultiHeadStages> layers(N);
    std::vector<float*> kept;
    for (std::size_t i = 0; i < N; ++i) {
      weights.emplace_back(p.blocks[i].attention.heads * T * T);
      residuals.emplace_back(T * p.decoder.d_model);
      layers[i].attend.weights = weights.back().data();
      kept.push_back(residuals.back().data());
    }
    REQUIRE_FALSE(run(p.decoder, tokens, state, staged.data(), LogitsOf::every_token,
                      {nullptr, layers, kept}));
    REQUIRE(is_close(staged, expected, 2e-4));
    for (const auto& w : weights) {
      for (std::size_t row = 0; row < w.size() / T; ++row) {
        double sum = 0;
        for (std::size_t k = 0; k < T; ++k) sum += w[row * T + k];
        REQUIRE(std::fabs(sum - 1) < 1e-5);
      }
    }
    // The last block's residual is what is transformed and normed, and what the output matrix then reads.
    auto x = residuals.back();
    if (p.decoder.transform.weight) {
      apply(p.decoder.transform, residuals.back().data(), T, x.data());
      apply(p.decoder.transform_gelu, x.data(), x.size(), x.data());
    }
    if (p.decoder.final_norm.gain) apply(p.decoder.final_norm, x.data(), T, x.data());
    std::vector<float> again(logits.size());
    apply(output_of(p.decoder), x.data(), T, again.data());
    CHECK(same_bits(again, staged));

    state.truncate(0);
    REQUIRE_FALSE(run(p.decoder, tokens, state, last.data(), LogitsOf::last_token));
    CHECK(same_bits(
        last,
        std::vector<float>(logits.end() - static_cast<std::ptrdiff_t>(last.size()), logits.end())));
  }
}

namespace {

// A decoder's matrices as another type, and a second one of the same numbers as float32.
struct TwoDecoders {
  std::list<test::StoredMatrix> memory;
  std::vector<Block> narrow_blocks, wide_blocks;
  Decoder narrow, wide;

  // What is (in, out), or of no whole blocks, stays float32 where the others are interleaved.
  TwoDecoders(const Decoder& d, test::Stored stored) : narrow_blocks(d.blocks.begin(), d.blocks.end()), wide_blocks(narrow_blocks), narrow(d), wide(d) {
    narrow.blocks = narrow_blocks;
    wide.blocks = wide_blocks;
    const auto set = [&](Weight& n, Weight& w, std::size_t rows, std::size_t width) {
      if (!n || (stored.type == NumberType::q8_0 && stored.order == Order::interleaved && width % kBlockNumbers != 0)) return;
      const test::StoredMatrix& made = memory.emplace_back(stored, n.floats(), rows, width);
      n = made.weight;
      w = made.widened.data();
    };
    const auto set_linear = [&](Linear& n, Linear& w) {
      const bool is_in_out = n.layout == Layout::in_out;
      if (is_in_out && stored.order == Order::interleaved) return;
      set(n.weight, w.weight, is_in_out ? n.in : n.out, is_in_out ? n.out : n.in);
    };
    set(narrow.embeddings, wide.embeddings, d.vocabulary, d.d_model);
    set_linear(narrow.transform, wide.transform);
    set_linear(narrow.output, wide.output);
    for (std::size_t i = 0; i < narrow_blocks.size(); ++i) {
      for (Linear Block::* const each : {&Block::up, &Block::down, &Block::gate}) {
        set_linear(narrow_blocks[i].*each, wide_blocks[i].*each);
      }
      for (Linear MultiHead::* const each : {&MultiHead::query, &MultiHead::key, &MultiHead::value, &MultiHead::value_down, &MultiHead::out_proj}) {
        set_linear(narrow_blocks[i].attention.*each, wide_blocks[i].attention.*each);
      }
    }
  }
};

#ifdef __EMSCRIPTEN__  // without shared memory there are no threads
constexpr std::size_t kWorkers = 1;
#else
constexpr std::size_t kWorkers = 2;
#endif

std::vector<float> read(const Decoder& d, std::span<const std::int32_t> tokens, std::size_t first, Workers* workers) {
  DecoderState state;
  state.use(workers);
  REQUIRE_FALSE(state.reserve(d, tokens.size()));
  std::vector<float> logits(tokens.size() * d.vocabulary);
  REQUIRE_FALSE(run(d, tokens.first(first), state, logits.data()));
  for (std::size_t t = first; t < tokens.size(); ++t) {
    REQUIRE_FALSE(run(d, tokens.subspan(t, 1), state, logits.data() + t * d.vocabulary));
  }
  return logits;
}

}  // namespace

TEST_CASE("a decoder of matrices of another type has the bits of the widened one, and its double", "[decoder][types]") {
  Random random(74);
  Workers workers(kWorkers);
  for (int trial = 0; trial < 60; ++trial) {
    const bool is_causal = trial % 4 != 0;
    const test::Stored stored = test::kStored[trial % std::size(test::kStored)];
    const RandomDecoder p(random, is_causal, stored.type == NumberType::q8_0);
    const TwoDecoders two(p.decoder, stored);
    const auto tokens = p.tokens(random, random.size(1, 12));
    const std::size_t first = is_causal ? random.size(1, tokens.size()) : tokens.size();
    Workers* const by = trial % 2 ? &workers : nullptr;
    REQUIRE(same_bits(read(two.narrow, tokens, first, by), read(two.wide, tokens, first, nullptr)));
    REQUIRE(reference_logits(two.narrow, tokens) == reference_logits(two.wide, tokens));
  }
  const RandomDecoder p(random);
  TwoDecoders two(p.decoder, {NumberType::i8});
  two.narrow.embeddings.scales = nullptr;
  DecoderState state;
  REQUIRE_FALSE(state.reserve(two.narrow, 1));
  CHECK(run(two.narrow, std::vector<std::int32_t>{0}, state, nullptr, LogitsOf::no_token).rule == Rule::linear_scales);
}

TEST_CASE("parts of blocks are not interleaved, nor is what lies (in, out)", "[decoder][types]") {
  Random random(75);
  for (const bool is_of_blocks : {false, true}) {
    const RandomDecoder p(random, true, is_of_blocks);
    Decoder d = p.decoder;
    const std::vector<float> embeddings(whole_groups(d.vocabulary) * d.d_model);
    d.output = {};
    DecoderState state;
    REQUIRE_FALSE(state.reserve(d, 1));
    const auto refused = [&] { return run(d, std::vector<std::int32_t>{0}, state, nullptr, LogitsOf::no_token).rule == Rule::linear_order; };
    d.embeddings = embeddings.data();
    d.embeddings.order = Order::interleaved;
    CHECK_FALSE(refused());
    d.embeddings.type = NumberType::q8_0;
    CHECK(refused() == !is_of_blocks);
    d.embeddings = embeddings.data();
    d.output = {d.embeddings, nullptr, d.d_model, d.vocabulary, Layout::out_in};
    d.output.weight.order = Order::interleaved;
    CHECK_FALSE(refused());
    d.output.layout = Layout::in_out;
    CHECK(refused());
  }
}

TEST_CASE("a decoder reads a text a few tokens at a time as it reads it at once",
          "[decoder][cache]") {
  Random random(62);
  for (int trial = 0; trial < 80; ++trial) {
    const RandomDecoder p(random);
    const auto tokens = p.tokens(random, random.size(2, kContext));
    const std::size_t T = tokens.size(), V = p.decoder.vocabulary;
    DecoderState state;
    REQUIRE_FALSE(state.reserve(p.decoder, T));
    std::vector<float> whole(T * V), parts(T * V);
    REQUIRE_FALSE(run(p.decoder, tokens, state, whole.data()));
    // Going back to any token and on from there is the same as never having read further.
    state.truncate(random.size(0, static_cast<int>(T) - 1));
    for (std::size_t first = 0; first < state.length(); ++first) {
      std::copy_n(&whole[first * V], V, &parts[first * V]);
    }
    while (state.length() < T) {
      const std::size_t first = state.length(), count = std::min(T - first, random.size(1, 7));
      REQUIRE_FALSE(
          run(p.decoder, std::span(tokens).subspan(first, count), state, &parts[first * V]));
    }
    CHECK(same_bits(whole, parts));
  }
}

TEST_CASE("blocks that are not causal read a whole text, once", "[decoder][errors]") {
  Random random(64);
  for (int trial = 0; trial < 30; ++trial) {
    RandomDecoder p(random);
    p.blocks.back().is_causal = false;
    const auto tokens = p.tokens(random, 5);
    DecoderState state;
    std::vector<float> logits(5 * p.decoder.vocabulary), again = logits;
    REQUIRE_FALSE(state.reserve(p.decoder, 10));
    REQUIRE_FALSE(run(p.decoder, tokens, state, logits.data()));
    const auto untouched = logits;
    CHECK(run(p.decoder, tokens, state, logits.data()).rule == Rule::decoder_whole_text);
    CHECK((logits == untouched && state.length() == 5));
    state.truncate(0);
    REQUIRE_FALSE(run(p.decoder, tokens, state, again.data()));
    CHECK(same_bits(logits, again));
  }
}

TEST_CASE("what a decoder cannot read is refused, and its state kept", "[decoder][errors]") {
  Random random(63);
  for (int trial = 0; trial < 30; ++trial) {
    RandomDecoder p(random);
    p.decoder.positions = p.table();
    const auto tokens = p.tokens(random, 4);
    DecoderState state;
    std::vector<float> logits(kContext * p.decoder.vocabulary, 7);
    const auto refuses = [&](const Decoder& d, std::vector<std::int32_t> what) {
      const auto untouched = logits;
      const std::size_t before = state.length();
      const Error error = run(d, what, state, logits.data());
      return bool(error) && !message(error).empty() && state.length() == before &&
             logits == untouched;
    };
    CHECK(refuses(p.decoder, tokens));  // never reserved
    REQUIRE_FALSE(state.reserve(p.decoder, 5));
    CHECK(refuses(p.decoder, {}));
    CHECK(refuses(p.decoder, {-1}));
    CHECK(refuses(p.decoder, {static_cast<std::int32_t>(p.decoder.vocabulary)}));
    REQUIRE_FALSE(run(p.decoder, tokens, state, logits.data()));
    CHECK(refuses(p.decoder, {0, 0}));  // beyond the room
    CHECK(state.length() == 4);

    Decoder d = p.decoder;
    d.positions = d.positions.first(4 * d.d_model);
    CHECK(refuses(d, {0}));  // beyond the table
    d = p.decoder;
    d.embeddings = nullptr;
    CHECK(refuses(d, {0}));
    d = p.decoder;
    d.final_norm = {p.memory.numbers(3), nullptr, d.d_model + 1};
    CHECK(refuses(d, {0}));
    d = p.decoder;
    d.output = {p.memory.numbers(3), nullptr, d.d_model + 1, d.vocabulary};
    CHECK(refuses(d, {0}));
    d = p.decoder;
    d.blocks = {};
    CHECK(refuses(d, {0}));
    auto blocks = p.blocks;
    blocks.back().down.out += 1;  // found after the earlier blocks have run
    d = p.decoder;
    d.blocks = blocks;
    CHECK(refuses(d, {0}));
    const std::vector<MultiHeadStages> too_many(blocks.size() + 1);
    CHECK(
        run(p.decoder, tokens, state, logits.data(), LogitsOf::every_token, {nullptr, too_many, {}})
            .code() == ErrorCode::invalid_shape);
    blocks = p.blocks;
    blocks.front().attention.key_heads = 0;
    d.blocks = blocks;
    CHECK(state.reserve(d, 5).code() == ErrorCode::invalid_shape);
    CHECK(state.length() == 0);
    CHECK(state.reserve(p.decoder, SIZE_MAX).code() == ErrorCode::invalid_shape);
  }
}

TEST_CASE("each token's row of the positions may be said, as for a second segment's", "[decoder]") {
  Random random(95);
  for (int trial = 0; trial < 20; ++trial) {
    RandomDecoder p(random, true);
    Decoder& d = p.decoder;
    const auto tokens = p.tokens(random, random.size(2, 12));
    const std::size_t T = tokens.size(), D = d.d_model;
    // The second half of the table is of other numbers; a table of the rows that are said gives the same.
    const std::vector<float> table = random.numbers(2 * T * D);
    std::vector<std::int64_t> places(T);
    std::vector<float> own;
    for (std::size_t t = 0; t < T; ++t) {
      places[t] = static_cast<std::int64_t>(t + (t > T / 2 ? T : 0));
      own.insert(own.end(), table.begin() + places[t] * static_cast<std::ptrdiff_t>(D), table.begin() + (places[t] + 1) * static_cast<std::ptrdiff_t>(D));
    }
    DecoderState state;
    REQUIRE_FALSE(state.reserve(d, T));
    std::vector<float> said(T * d.vocabulary), expected = said;
    d.positions = table;
    REQUIRE_FALSE(run(d, tokens, state, said.data(), LogitsOf::every_token, {}, {}, places));
    d.positions = own;
    state.truncate(0);
    REQUIRE_FALSE(run(d, tokens, state, expected.data()));
    CHECK(same_bits(said, expected));
    state.truncate(0);
    places[0] = static_cast<std::int64_t>(2 * T);
    CHECK(run(d, tokens, state, said.data(), LogitsOf::every_token, {}, {}, places));
  }
}
