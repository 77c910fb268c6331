#include "attention/head_measures.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "attention/ops.h"
#include "random_layer.h"

using namespace attention;
using test::Random;
using test::RandomDecoder;

namespace {

// Rows of shares, causal or not, as sharp as a head may be.
std::vector<float> weights_of(test::Random& random, std::size_t heads, std::size_t T, bool is_causal) {
  std::vector<float> weights = random.numbers(heads * T * T);
  const float sharpness = static_cast<float>(random.whole(0, 30));
  for (std::size_t row = 0; row < heads * T; ++row) {
    float* const from = &weights[row * T];
    const std::size_t seen = is_causal ? row % T + 1 : T;
    for (std::size_t k = 0; k < T; ++k) from[k] *= sharpness;
    softmax(from, 1, seen, from);
    for (std::size_t k = seen; k < T; ++k) from[k] = 0;
  }
  return weights;
}

std::vector<std::int32_t> ids_of(test::Random& random, std::size_t T) {
  std::vector<std::int32_t> ids(T);
  for (std::int32_t& id : ids) id = random.whole(0, 5);
  return ids;
}

// A decoder whose logits are sums of parts, and what a run of a text kept.
struct Run {
  RandomDecoder p;
  std::vector<std::int32_t> tokens;
  std::size_t T, L, D;
  std::vector<float> embeddings, residuals, contexts, logits;
  std::vector<std::vector<float>> values;

  explicit Run(Random& random) : p(random) {
    p.decoder.transform = {};
    L = p.blocks.size();
    for (Block& block : p.blocks) {
      block.is_post_norm = false;
      // As many heads as the first, of its widths.
      if (&block != &p.blocks[0]) {
        block.attention = p.blocks[0].attention;
        block.alibi_slopes = p.blocks[0].alibi_slopes;
      }
    }
    tokens = p.tokens(random, random.size(1, 12));
    T = tokens.size();
    D = p.decoder.d_model;
    read({});
  }

  std::size_t width() const {
    const MultiHead& layer = p.blocks[0].attention;
    return layer.heads * (layer.value.out / layer.key_heads);
  }
  void read(std::span<const Intervention> changes) {
    embeddings.assign(T * D, 0);
    residuals.assign(L * T * D, 0);
    contexts.assign(L * T * width(), 0);
    logits.assign(T * p.decoder.vocabulary, 0);
    values.assign(L, std::vector<float>(T * p.blocks[0].attention.value.out));
    std::vector<MultiHeadStages> layers(L);
    std::vector<float*> rows(L);
    for (std::size_t i = 0; i < L; ++i) {
      layers[i].value = values[i].data();
      layers[i].concat = &contexts[i * T * width()];
      rows[i] = &residuals[i * T * D];
    }
    DecoderState state;
    REQUIRE_FALSE(state.reserve(p.decoder, T));
    REQUIRE_FALSE(run(p.decoder, tokens, state, logits.data(), LogitsOf::every_token, {embeddings.data(), layers, rows}, changes));
  }
  ReadText text() const { return {embeddings.data(), residuals.data(), contexts.data(), T}; }
  std::vector<float> parts(std::size_t position, std::int32_t token) const {
    std::vector<float> found(logit_part_count(p.decoder));
    REQUIRE(logit_parts(p.decoder, text(), position, token, found.data()));
    return found;
  }
};

double size_of(const std::vector<double>& numbers) {
  double size = 1;
  for (const double x : numbers) size = std::max(size, std::fabs(x));
  return size;
}

}  // namespace

TEST_CASE("what heads do is what plain loops in double find", "[heads]") {
  test::Random random(301);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t heads = random.size(1, 6), T = random.size(1, 40);
    const std::vector<float> weights = weights_of(random, heads, T, random.coin());
    const std::vector<std::int32_t> ids = ids_of(random, T);
    std::vector<float> facts(heads * kHeadFacts);
    head_facts(weights.data(), heads, ids, facts.data());
    const std::vector<double> expected = reference_head_facts(weights.data(), heads, ids);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (std::isnan(expected[i])) REQUIRE(std::isnan(facts[i]));
      else REQUIRE(std::fabs(static_cast<double>(facts[i]) - expected[i]) < 2e-6 * (1 + expected[i]));
    }
  }
}

TEST_CASE("heads that do one thing alone are told by it", "[heads]") {
  const std::vector<std::int32_t> ids{9, 4, 7, 7, 4, 7};  // rows 4 and 5 have a token that others followed
  constexpr std::size_t kWords = 6;
  const std::size_t keys[4][kWords] = {
      {0, 0, 1, 2, 3, 4},   // the one before
      {0, 0, 0, 0, 0, 0},   // the first
      {0, 1, 2, 3, 4, 5},   // itself
      {0, 0, 0, 0, 2, 4},   // after the same one before
  };
  std::vector<float> weights(5 * kWords * kWords, 0);
  for (std::size_t head = 0; head < 4; ++head)
    for (std::size_t t = 0; t < kWords; ++t) weights[(head * kWords + t) * kWords + keys[head][t]] = 1;
  for (std::size_t i = 4 * kWords * kWords; i < weights.size(); ++i) weights[i] = 1.0f / kWords;
  std::vector<float> facts(5 * kHeadFacts);
  head_facts(weights.data(), 5, ids, facts.data());
  const auto fact = [&](std::size_t head, HeadFact which) { return facts[head * kHeadFacts + static_cast<std::size_t>(which)]; };
  for (std::size_t head = 0; head < 4; ++head) CHECK(fact(head, static_cast<HeadFact>(head)) == 1);
  CHECK(fact(0, HeadFact::start) == 0.2f);      // of five rows, the second word's before it is the first
  CHECK(fact(0, HeadFact::induction) == 0.5f);  // row 5: what followed the last 7 stands before it
  CHECK(fact(2, HeadFact::previous) == 0);
  CHECK(fact(3, HeadFact::entropy) == 0);
  CHECK(std::fabs(fact(4, HeadFact::entropy) - std::log2(6.0f)) < 1e-5f);
  CHECK(induction_rows(ids) == 2);
  CHECK(induction_rows(std::vector<std::int32_t>{1, 1, 2}) == 0);
}

TEST_CASE("a mean of heads and attention rollout are those of plain loops in double", "[heads]") {
  test::Random random(302);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t layers = random.size(1, 5), heads = random.size(1, 6), T = random.size(1, 40);
    const std::vector<float> weights = weights_of(random, layers * heads, T, random.coin());
    const std::vector<double> expected = reference_rollout(weights.data(), layers, heads, T);
    std::vector<float> mean(T * T), rolled(layers * T * T);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      mean_of_heads(&weights[layer * heads * T * T], heads, T, mean.data());
      for (std::size_t cell = 0; cell < T * T; ++cell) {
        double sum = 0;
        for (std::size_t head = 0; head < heads; ++head) sum += static_cast<double>(weights[(layer * heads + head) * T * T + cell]);
        REQUIRE(std::fabs(static_cast<double>(mean[cell]) - sum / static_cast<double>(heads)) < 1e-6);
      }
      roll_out(mean.data(), layer == 0 ? nullptr : &rolled[(layer - 1) * T * T], T, &rolled[layer * T * T]);
    }
    for (std::size_t i = 0; i < rolled.size(); ++i) REQUIRE(std::fabs(static_cast<double>(rolled[i]) - expected[i]) < 2e-6);
  }
}

TEST_CASE("a rollout worked by hand: two layers of two words", "[heads]") {
  // A = (mean + I)/2: [1, 0; .25, .75], then [1, 0; .4, .6]; their product's second row is .4 + .6 · .25, .6 · .75.
  const std::vector<float> below{1, 0, 0.5f, 0.5f}, above{1, 0, 0.8f, 0.2f};
  std::vector<float> first(4), second(4);
  roll_out(below.data(), nullptr, 2, first.data());
  roll_out(above.data(), first.data(), 2, second.data());
  CHECK(first == std::vector<float>{1, 0, 0.25f, 0.75f});
  CHECK(second[0] == 1);
  CHECK(std::fabs(second[2] - 0.55f) < 1e-7f);
  CHECK(std::fabs(second[3] - 0.45f) < 1e-7f);
  // Rows of no weight at all leave a word where it was.
  roll_out(std::vector<float>(4, 0).data(), nullptr, 2, first.data());
  CHECK(first == std::vector<float>{1, 0, 0, 1});
}

TEST_CASE("a logit's parts are those of plain loops in double, and add up to it", "[contributions]") {
  Random random(401);
  for (int trial = 0; trial < 60; ++trial) {
    const Run run(random);
    const std::size_t position = random.size(0, static_cast<int>(run.T) - 1);
    const std::int32_t token = random.whole(0, static_cast<int>(run.p.decoder.vocabulary) - 1);
    const std::vector<float> found = run.parts(position, token);
    const std::vector<double> expected = reference_logit_parts(run.p.decoder, run.text(), position, token);
    REQUIRE(found.size() == expected.size());
    const double tolerance = 3e-6 * size_of(expected);
    double sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(std::fabs(static_cast<double>(found[i]) - expected[i]) < tolerance);
      if (i + 5 < found.size()) sum += static_cast<double>(found[i]);
    }
    sum += static_cast<double>(found[found.size() - 5]);  // the embedding; sums of the rest follow
    const double logit = static_cast<double>(run.logits[position * run.p.decoder.vocabulary + static_cast<std::size_t>(token)]);
    REQUIRE(std::fabs(sum - logit) < 20 * tolerance);
    REQUIRE(std::fabs(static_cast<double>(found.back()) - logit) < 10 * tolerance);
  }
}

TEST_CASE("a head of the last layer adds to a logit what is missing without it, where no MLP follows and no norm", "[contributions]") {
  Random random(402);
  for (int trial = 0; trial < 40; ++trial) {
    Run run(random);
    Block& last = run.p.blocks.back();
    last.up = last.down = last.gate = {};
    last.is_parallel = false;
    run.p.decoder.final_norm = {};
    run.read({});
    const std::size_t heads = last.attention.heads, position = run.T - 1;
    const std::vector<float> parts = run.parts(position, 0), with = run.logits;
    REQUIRE(std::fabs(parts[parts.size() - kLogitSums - 1]) < 1e-4);  // there is no MLP
    for (std::size_t head = 0; head < heads; ++head) {
      std::vector<Intervention> changes(run.L);
      std::vector<float> gains(heads, 1);
      gains[head] = 0;
      changes.back().heads.gains = gains;
      run.read(changes);
      const std::size_t at = position * run.p.decoder.vocabulary;
      REQUIRE(std::fabs(with[at] - run.logits[at] - parts[(run.L - 1) * (heads + 2) + head]) < 1e-4f * (1 + std::fabs(with[at])));
    }
  }
}

TEST_CASE("a logit after a transform, or after norms that come last, is no sum of parts", "[contributions]") {
  Random random(403);
  Run run(random);
  CHECK(logit_part_count(run.p.decoder) == run.L * (run.p.blocks[0].attention.heads + 2) + kLogitSums);
  run.p.blocks.back().is_post_norm = true;
  CHECK(logit_part_count(run.p.decoder) == 0);
  run.p.blocks.back().is_post_norm = false;
  run.p.decoder.transform = run.p.memory.linear(run.D, run.D);
  CHECK(logit_part_count(run.p.decoder) == 0);
}

TEST_CASE("values through their heads' output are as long as plain loops in double say", "[contributions]") {
  Random random(404);
  for (int trial = 0; trial < 60; ++trial) {
    const Run run(random);
    for (std::size_t block = 0; block < run.L; ++block) {
      const MultiHead& layer = run.p.blocks[block].attention;
      std::vector<float> norms(layer.heads * run.T);
      REQUIRE(value_norms(layer, run.values[block].data(), run.T, norms.data()));
      const std::vector<double> expected = reference_value_norms(layer, run.values[block].data(), run.T);
      for (std::size_t i = 0; i < norms.size(); ++i) REQUIRE(std::fabs(static_cast<double>(norms[i]) - expected[i]) < 2e-6 * size_of(expected));
      const Linear& output = layer.out_proj;
      if (output.weight == nullptr || output.layout == Layout::in_out) continue;
      const test::StoredMatrix stored({NumberType::f32, Order::interleaved}, output.weight.floats(), output.out, output.in);
      MultiHead interleaved = layer;
      interleaved.out_proj.weight = stored.weight;
      std::vector<float> again(norms.size());
      REQUIRE(value_norms(interleaved, run.values[block].data(), run.T, again.data()));
      REQUIRE(test::same_bits(again, norms));
    }
  }
}

TEST_CASE("weights times lengths of values, each row over its sum", "[contributions]") {
  // Two heads of two words. A value four times as long makes up for a fifth of the weight.
  const std::vector<float> weights{1, 0, 0.2f, 0.8f, 1, 0, 0.5f, 0.5f}, norms{4, 1, 0, 0};
  std::vector<float> weighted(8, -1);
  weigh_values(weights.data(), norms.data(), 2, 2, weighted.data());
  CHECK(weighted[0] == 1);
  CHECK(std::fabs(weighted[2] - 0.5f) < 1e-6f);
  CHECK(std::fabs(weighted[3] - 0.5f) < 1e-6f);
  CHECK(std::vector<float>(weighted.begin() + 4, weighted.end()) == std::vector<float>(4, 0));
}
