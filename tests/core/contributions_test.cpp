#include "attention/contributions.h"

#include <catch2/catch_test_macros.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "random_decoder.h"

using namespace attention;
using test::Random;
using test::RandomDecoder;

namespace {

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
