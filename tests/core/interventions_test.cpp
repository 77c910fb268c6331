#include "attention/block.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "random_layer.h"

using namespace attention;
using test::is_close;
using test::Random;
using test::RandomDecoder;
using test::same_bits;

namespace {

// One text and its decoder, with room for what a run keeps.
struct Trial {
  RandomDecoder p;
  std::vector<std::int32_t> tokens;
  DecoderState state;
  std::size_t T, N;

  explicit Trial(Random& random) : p(random), tokens(p.tokens(random, random.size(2, 30))) {
    T = tokens.size();
    N = p.blocks.size();
    REQUIRE_FALSE(state.reserve(p.decoder, T));
  }
  std::size_t heads(std::size_t block) const { return p.blocks[block].attention.heads; }

  struct Kept {
    std::vector<float> logits;
    std::vector<std::vector<float>> weights;  // of each block
  };
  Kept run(std::span<const Intervention> interventions) {
    Kept kept{std::vector<float>(T * p.decoder.vocabulary), {}};
    std::vector<MultiHeadStages> stages(N);
    for (std::size_t i = 0; i < N; ++i) kept.weights.emplace_back(heads(i) * T * T);
    for (std::size_t i = 0; i < N; ++i) stages[i].attend.weights = kept.weights[i].data();
    state.truncate(0);
    REQUIRE_FALSE(attention::run(p.decoder, tokens, state, kept.logits.data(),
                                 LogitsOf::every_token, {nullptr, stages, {}}, interventions));
    return kept;
  }

  // What lies between, of some tokens after those that the state holds; of attention all that a run keeps.
  struct Stages {
    struct OfBlock {
      std::vector<float> weights, values, contexts, residuals;
    };
    std::size_t tokens;
    std::vector<float> embeddings;
    std::vector<OfBlock> blocks;

    std::vector<float> rows(const std::vector<float>& all, std::size_t first, std::size_t count) const {
      const auto own = std::span(all).subspan(all.size() / tokens * first, all.size() / tokens * count);
      return {own.begin(), own.end()};
    }
  };
  // cells [T, T] of every block's mask, or null.
  Stages stages(std::size_t first, std::size_t count, std::vector<Intervention> changes, const std::uint8_t* cells) {
    const std::size_t keys = first + count;
    std::vector<std::uint8_t> own;
    for (std::size_t q = first; q < keys && cells != nullptr; ++q) own.insert(own.end(), cells + q * T, cells + q * T + keys);
    Stages kept{count, std::vector<float>(count * p.decoder.d_model), std::vector<Stages::OfBlock>(N)};
    std::vector<MultiHeadStages> layers(N);
    std::vector<float*> residuals;
    for (std::size_t i = 0; i < N; ++i) {
      const MultiHead& layer = p.blocks[i].attention;
      auto& [weights, values, contexts, rows] = kept.blocks[i];
      weights.resize(layer.heads * count * keys);
      values.resize(count * layer.value.out);
      contexts.resize(count * layer.heads * (layer.value.out / layer.key_heads));
      rows.resize(count * p.decoder.d_model);
      layers[i].attend.weights = weights.data();
      layers[i].value = values.data();
      layers[i].concat = contexts.data();
      residuals.push_back(rows.data());
      if (cells != nullptr && changes[i].options) changes[i].options->mask = {own.data(), nullptr, {1, 1, count, keys}};
    }
    state.truncate(first);
    REQUIRE_FALSE(attention::run(p.decoder, std::span(tokens).subspan(first, count), state, nullptr, LogitsOf::no_token,
                                 {kept.embeddings.data(), layers, residuals}, changes));
    return kept;
  }
};

// Changes of any kind, with their numbers.
struct RandomChanges {
  std::vector<std::vector<float>> numbers;
  std::vector<std::vector<HeadPatch>> patches;
  std::vector<Intervention> all;

  RandomChanges(Random& random, const Trial& trial) : patches(trial.N), all(trial.N) {
    const auto keep = [&](std::size_t count) {
      numbers.push_back(random.numbers(count));
      return std::span<const float>(numbers.back());
    };
    for (std::size_t i = 0; i < trial.N; ++i) {
      if (random.coin()) all[i].options = options(random);
      if (random.coin()) all[i].heads.gains = keep(trial.heads(i));
      if (random.coin()) {
        const std::size_t head = random.size(0, static_cast<int>(trial.heads(i)) - 1);
        patches[i].push_back({head, keep(trial.T * trial.T).data()});
        all[i].heads.patches = patches[i];
      }
    }
  }

  static AttendOptions options(Random& random) {
    AttendOptions o;
    o.is_causal = random.coin();
    if (random.coin()) o.window_left = random.whole(0, 6);
    if (random.coin()) o.window_right = random.whole(0, 3);
    if (random.coin()) o.scale = random.number();
    if (random.coin()) o.softcap = 2;
    return o;
  }
};

}  // namespace

TEST_CASE("a decoder with its heads changed equals the same in double", "[interventions]") {
  Random random(71);
  for (int trial = 0; trial < 120; ++trial) {
    Trial t(random);
    const RandomChanges changes(random, t);
    const auto expected = reference_logits(t.p.decoder, t.tokens, changes.all);
    CHECK(is_close(t.run(changes.all).logits, expected, 2e-4));

    std::vector<float> logits(expected.size());
    t.state.truncate(0);
    REQUIRE_FALSE(
        run(t.p.decoder, t.tokens, t.state, logits.data(), LogitsOf::every_token, {}, changes.all));
    CHECK(is_close(logits, expected, 2e-4));
    CHECK(t.state.length() == t.T);
  }
}

TEST_CASE("a changed text that is read on has the bits of one that is read whole, in every stage", "[interventions][cache]") {
  Random random(77);
  for (int trial = 0; trial < 150; ++trial) {
    Trial t(random);
    RandomChanges changes(random, t);
    for (Intervention& each : changes.all) {
      each.heads.patches = {};
      if (!each.options) continue;
      each.options->is_causal = true;
      if (random.coin()) each.options->temperature = std::array{0.0f, 0.5f, 2.0f}[random.size(0, 2)];
    }
    // A mask of cells, over these tokens and all keys.
    std::vector<std::uint8_t> cells(t.T * t.T);
    for (auto& cell : cells) cell = random.whole(0, 3) > 0;
    const bool has_cells = random.coin();
    const auto whole = t.stages(0, t.T, changes.all, has_cells ? cells.data() : nullptr);
    // Going back to any token and on from there is the same as never having read further.
    t.state.truncate(random.size(0, static_cast<int>(t.T) - 1));
    while (t.state.length() < t.T) {
      const std::size_t first = t.state.length(), count = std::min(t.T - first, random.size(1, 4));
      const auto part = t.stages(first, count, changes.all, has_cells ? cells.data() : nullptr);
      REQUIRE(same_bits(part.embeddings, whole.rows(whole.embeddings, first, count)));
      for (std::size_t i = 0; i < t.N; ++i) {
        REQUIRE(same_bits(part.blocks[i].residuals, whole.rows(whole.blocks[i].residuals, first, count)));
        REQUIRE(same_bits(part.blocks[i].values, whole.rows(whole.blocks[i].values, first, count)));
        REQUIRE(same_bits(part.blocks[i].contexts, whole.rows(whole.blocks[i].contexts, first, count)));
        for (std::size_t r = 0; r < t.heads(i) * count; ++r) {
          const std::size_t row = r / count * t.T + first + r % count;
          const auto all = std::span(whole.blocks[i].weights).subspan(row * t.T, t.T);
          REQUIRE(same_bits(std::span(part.blocks[i].weights).subspan(r * (first + count), first + count), all.first(first + count)));
          REQUIRE(std::all_of(all.begin() + std::ptrdiff_t(first + count), all.end(), [](float weight) { return weight == 0; }));
        }
      }
    }
  }
}

TEST_CASE("a layer's changed heads equal the same in double, in every batch", "[interventions]") {
  Random random(72);
  for (int trial = 0; trial < 60; ++trial) {
    test::Memory memory(random);
    const std::size_t B = random.size(1, 3), T = random.size(1, 9), D = random.size(1, 9);
    const std::size_t H_kv = random.size(1, 2), H = H_kv * random.size(1, 3);
    MultiHead layer;
    layer.heads = H;
    layer.key_heads = H_kv;
    layer.query = memory.linear(D, H * 3);
    layer.key = memory.linear(D, H_kv * 3);
    layer.value = memory.linear(D, H_kv * 2);
    MultiHeadInput input;
    input.x = {memory.numbers(B * T * D), B, T, D};
    const std::vector<HeadPatch> patches{{H - 1, memory.numbers(T * T)}};
    input.changes = {{memory.numbers(H), H}, patches};

    AttendOptions options;
    if (random.coin()) options.dropout = 0.5f;

    const auto expected = reference_run(layer, input, options);
    std::vector<float> y(expected.y.size()), weights(B * H * T * T), dropped(weights.size());
    MultiHeadScratch scratch;
    MultiHeadStages stages;
    stages.attend.weights = weights.data();
    stages.attend.dropped_weights = dropped.data();
    REQUIRE_FALSE(run(layer, input, options, y.data(), scratch, stages));
    CHECK(is_close(y, expected.y, 1e-5));
    CHECK(is_close(weights, expected.attend.weights, 1e-5));
    CHECK(is_close(dropped, expected.attend.dropped_weights, 1e-5));
    // A patch is used as it is: no weight of it is dropped.
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t patched = (b * H + H - 1) * T * T;
      CHECK(std::equal(patches[0].weights, patches[0].weights + T * T, dropped.begin() + std::ptrdiff_t(patched)));
    }
  }
}

TEST_CASE("gains of 1, the causal rule and a head's own weights change no bit", "[interventions]") {
  Random random(73);
  for (int trial = 0; trial < 60; ++trial) {
    Trial t(random);
    const auto plain = t.run({});
    const std::vector<float> ones(8, 1.0f);
    std::vector<std::vector<HeadPatch>> patches(t.N);
    std::vector<Intervention> changes(t.N);
    for (std::size_t i = 0; i < t.N; ++i) {
      changes[i].options.emplace().is_causal = true;
      changes[i].heads.gains = std::span(ones).first(t.heads(i));
      for (std::size_t h = 0; h < t.heads(i); ++h) {
        patches[i].push_back({h, plain.weights[i].data() + h * t.T * t.T});
      }
      changes[i].heads.patches = patches[i];
    }
    CHECK(same_bits(t.run(changes).logits, plain.logits));
    CHECK(same_bits(t.run({}).logits, plain.logits));  // nothing of the changes stays
  }
}

TEST_CASE("weights of 0 take a head away as a gain of 0 does", "[interventions]") {
  Random random(74);
  for (int trial = 0; trial < 60; ++trial) {
    Trial t(random);
    const std::size_t block = random.size(0, static_cast<int>(t.N) - 1);
    const std::size_t head = random.size(0, static_cast<int>(t.heads(block)) - 1);
    std::vector<float> gains(t.heads(block), 1), zeros(t.T * t.T);
    gains[head] = 0;
    const std::vector<HeadPatch> patches{{head, zeros.data()}};
    std::vector<Intervention> gained(t.N), patched(t.N);
    gained[block].heads.gains = gains;
    patched[block].heads.patches = patches;
    const auto without = t.run(gained);
    const auto nowhere = t.run(patched);
    CHECK(without.logits == nowhere.logits);  // but for the sign of zeros
    CHECK(without.logits != t.run({}).logits);
    // The page shows what was used: its own weights, or the patch.
    CHECK(same_bits(std::span(nowhere.weights[block]).subspan(head * t.T * t.T, t.T * t.T),
                    std::span<const float>(zeros)));
    CHECK(same_bits(without.weights[block], t.run({}).weights[block]));
  }
}

TEST_CASE("without its mask the first block's last row attends as it did, and the others do not",
          "[interventions]") {
  Random random(75);
  for (int trial = 0; trial < 60; ++trial) {
    Trial t(random);
    std::vector<Intervention> open(t.N);
    for (Intervention& each : open) each.options.emplace();
    const auto causal = t.run({}).weights[0], all = t.run(open).weights[0];
    const std::size_t T = t.T;
    for (std::size_t h = 0; h < t.heads(0); ++h) {
      const std::size_t last = (h * T + T - 1) * T;
      CHECK(same_bits(std::span(all).subspan(last, T), std::span(causal).subspan(last, T)));
      CHECK(all[h * T * T] != 1);  // the first row
    }
  }
}

TEST_CASE("changes that cannot be made are refused, and nothing is written", "[interventions]") {
  Random random(76);
  for (int trial = 0; trial < 20; ++trial) {
    Trial t(random);
    const std::size_t V = t.p.decoder.vocabulary;
    std::vector<float> logits(t.T * V, 7);
    const auto refuses = [&](std::span<const Intervention> changes) {
      const auto untouched = logits;
      const std::size_t before = t.state.length();
      const Error error =
          run(t.p.decoder, t.tokens, t.state, logits.data(), LogitsOf::every_token, {}, changes);
      return bool(error) && message(error).back() == '.' && logits == untouched &&
             t.state.length() == before;
    };
    std::vector<Intervention> changes(t.N);
    CHECK(refuses(std::vector<Intervention>(t.N + 1)));

    const std::size_t block = t.N - 1, H = t.heads(block);
    std::vector<float> gains(H + 1, 1), weights(t.T * t.T);
    changes[block].heads.gains = gains;
    CHECK(refuses(changes));
    gains.back() = std::numeric_limits<float>::quiet_NaN();
    changes[block].heads.gains = std::span(gains).last(H);
    CHECK(refuses(changes));
    changes[block].heads.gains = {};

    std::vector<HeadPatch> patches{{H, weights.data()}};
    changes[block].heads.patches = patches;
    CHECK(refuses(changes));
    patches[0] = {0, nullptr};
    CHECK(refuses(changes));
    changes[block].heads.patches = {};

    changes[block].options.emplace().scale = std::numeric_limits<float>::infinity();
    CHECK(refuses(changes));
    changes[block].options.reset();

    REQUIRE_FALSE(run(t.p.decoder, std::span(t.tokens).first(1), t.state, logits.data(),
                      LogitsOf::last_token));
    t.tokens.pop_back();
    changes[block].options.emplace();
    CHECK(refuses(changes));  // what was read before could not see what comes now
    changes[block].options->is_causal = true;
    CHECK_FALSE(refuses(changes));
  }
}
