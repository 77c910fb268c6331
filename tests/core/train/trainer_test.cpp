#include "attention/trainer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <string>

#include "../four_lanes.h"
#include "../random.h"
#include "attention/lessons.h"
#include "attention/positions.h"
#include "differences.h"

using namespace attention;
using test::distance;
using test::Doubles;
using test::Random;

namespace {

struct Batch {
  std::vector<std::int32_t> tokens, second, targets;
  std::vector<std::uint32_t> lengths;
  std::size_t texts;

  Batch(Random& random, const TrainerShape& s, std::size_t count, std::size_t length, bool has_second) : texts(count) {
    const int last = static_cast<int>(s.vocabulary) - 1;
    for (std::size_t i = 0; i < texts * length; ++i) {
      tokens.push_back(random.whole(0, last));
      if (has_second) second.push_back(random.whole(-1, last));
      for (std::uint32_t slot = 0; slot < s.slots; ++slot) targets.push_back(random.whole(-1, last));
    }
    targets[0] = 0;
  }
  TrainBatch view() const { return {tokens, second, targets, texts, lengths}; }

  // Some of each text's last tokens become filler.
  Batch& fill_up(Random& random) {
    const std::size_t length = tokens.size() / texts, slots = targets.size() / tokens.size();
    for (std::size_t text = 0; text < texts; ++text) {
      lengths.push_back(static_cast<std::uint32_t>(random.size(1, static_cast<int>(length))));
      for (std::size_t i = (text * length + lengths.back()) * slots; i < (text + 1) * length * slots; ++i) targets[i] = -1;
    }
    return *this;
  }
};

TrainerShape random_shape(Random& random) {
  TrainerShape s;
  s.vocabulary = static_cast<std::uint32_t>(random.whole(2, 9));
  s.context = static_cast<std::uint32_t>(random.whole(1, 10));
  s.heads = static_cast<std::uint32_t>(random.whole(1, 3));
  const int least = s.heads == 1 ? 4 : 3;  // norms of fewer numbers magnify rounding
  s.d_model = s.heads * static_cast<std::uint32_t>(random.whole(least, 6));
  s.d_k = static_cast<std::uint32_t>(random.whole(1, 6));
  s.layers = static_cast<std::uint32_t>(random.whole(1, 3));
  s.hidden = random.coin() ? static_cast<std::uint32_t>(random.whole(1, 9)) : 0;
  s.positions = static_cast<PositionKind>(random.whole(0, 2));
  s.tied = random.coin();
  s.slots = s.tied ? 1 : static_cast<std::uint32_t>(random.whole(1, 2));
  s.query_key_gain = random.coin() ? 1 : 3;
  return s;
}

TrainerRule random_rule(Random& random) {
  TrainerRule rule;
  rule.is_causal = random.coin();
  rule.scales = random.coin();
  return rule;
}

Doubles all_weights(const Trainer& trainer) {
  Doubles all;
  for (const TrainedArray& array : trainer.arrays()) all.insert(all.end(), array.weights.begin(), array.weights.end());
  return all;
}
Doubles all_gradients(const Trainer& trainer) {
  Doubles all;
  for (const TrainedArray& array : trainer.arrays())
    all.insert(all.end(), array.gradients.begin(), array.gradients.end());
  return all;
}

Trainer started(const TrainerShape& shape, std::uint32_t seed = 1) {
  Trainer trainer;
  REQUIRE_FALSE(trainer.start(shape, seed));
  return trainer;
}

// Steps [from, to) of a lesson.
StepReport run(Trainer& trainer, const Lesson& lesson, std::uint32_t from, std::uint32_t to) {
  TaskBatch batch;
  StepReport report;
  for (std::uint32_t step = from; step < to; ++step) {
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, lesson.texts, 1, step, batch));
    REQUIRE_FALSE(trainer.step(batch.view(), lesson.rule, report));
  }
  return report;
}

}  // namespace

TEST_CASE("a model's gradient in double is what finite differences say", "[train][trainer]") {
  Random random(41);
  for (int trial = 0; trial < 24; ++trial) {
    const Trainer trainer = started(random_shape(random), static_cast<std::uint32_t>(trial));
    const TrainerShape shape = trainer.shape();
    const TrainerRule rule = random_rule(random);
    const std::size_t length = random.size(1, static_cast<int>(shape.context));
    Batch batch(random, shape, 2, length, trial % 2 == 1);
    Random filler(100 + static_cast<std::uint32_t>(trial));
    if (trial % 3 == 1) batch.fill_up(filler);
    const Doubles weights = all_weights(trainer);
    const ReferenceStep exact = reference_gradients(shape, weights, batch.view(), rule);
    const auto loss = [&](const Doubles& w) { return reference_gradients(shape, w, batch.view(), rule).loss; };
    INFO("trial " << trial);
    CHECK(distance(exact.gradients, test::differences(weights, loss, 1e-5), 0.01) < 2e-6);
  }
}

TEST_CASE("a step's loss and gradients are those in double", "[train][trainer]") {
  Random random(42);
  for (int trial = 0; trial < 120; ++trial) {
    Trainer trainer = started(random_shape(random), static_cast<std::uint32_t>(trial));
    const TrainerShape shape = trainer.shape();
    TrainerRule rule = random_rule(random);
    // Of different lengths by turns: memory is parted again.
    for (int step = 0; step < 3; ++step) {
      const std::size_t texts = random.size(1, 3), length = random.size(1, static_cast<int>(shape.context));
      Batch batch(random, shape, texts, length, step == 1);
      Random filler(static_cast<std::uint32_t>(10 * trial + step));
      if (trial % 2 == 1) batch.fill_up(filler);
      const ReferenceStep exact = reference_gradients(shape, all_weights(trainer), batch.view(), rule);
      StepReport measured, report;
      REQUIRE_FALSE(trainer.measure(batch.view(), rule, measured));
      REQUIRE_FALSE(trainer.step(batch.view(), rule, report));
      INFO("trial " << trial << ", step " << step);
      CHECK(std::fabs(report.loss - exact.loss) < 1e-5);
      CHECK(std::fabs(measured.loss - report.loss) < 1e-6);
      CHECK(measured.right == report.right);
      CHECK(distance(all_gradients(trainer), exact.gradients, 0.01) < 5e-4);
      double square = 0;
      for (const double g : exact.gradients) square += g * g;
      CHECK(std::fabs(static_cast<double>(report.gradient_norm) - std::sqrt(square)) < 1e-3 * (1 + std::sqrt(square)));
    }
  }
}

TEST_CASE("larger models, too: tiles, registers and tails", "[train][trainer]") {
  Random random(43);
  for (const std::uint32_t length : {32u, 37u, 70u}) {
    for (const bool is_causal : {true, false}) {
      TrainerShape shape;
      shape.vocabulary = 30;
      shape.context = 70;
      shape.d_model = 48;
      shape.heads = 3;
      shape.hidden = 50;
      shape.positions = is_causal ? PositionKind::in_queries_and_keys : PositionKind::added;
      Trainer trainer = started(shape);
      TrainerRule rule;
      rule.is_causal = is_causal;
      const Batch batch(random, trainer.shape(), 2, length, false);
      const ReferenceStep exact = reference_gradients(trainer.shape(), all_weights(trainer), batch.view(), rule);
      StepReport report;
      REQUIRE_FALSE(trainer.step(batch.view(), rule, report));
      CHECK(std::fabs(report.loss - exact.loss) < 1e-5);
      CHECK(distance(all_gradients(trainer), exact.gradients) < 1e-5);
    }
  }
}

TEST_CASE("an update is AdamW or gradient descent of the clipped gradient at the warmed-up rate", "[train][trainer]") {
  Random random(44);
  for (const Optimizer optimizer : {Optimizer::adamw, Optimizer::sgd}) {
    for (const float clip : {0.0f, 0.1f, 100.0f}) {
      Trainer trainer = started(random_shape(random));
      TrainerRule rule;
      rule.optimizer = optimizer;
      rule.clip = clip;
      rule.warm_up = 4;
      rule.rate = 0.01f;
      rule.decay = 0.3f;
      Doubles weights = all_weights(trainer), m(weights.size()), v(weights.size());
      for (std::uint32_t step = 1; step <= 7; ++step) {
        const Batch batch(random, trainer.shape(), 2, trainer.shape().context, false);
        StepReport report;
        REQUIRE_FALSE(trainer.step(batch.view(), rule, report));
        const Doubles g = all_gradients(trainer);
        const double norm = std::sqrt(test::dot(g, g));
        const double factor = clip > 0 && norm > static_cast<double>(clip) ? static_cast<double>(clip) / norm : 1;
        const double rate = static_cast<double>(rule.rate) * std::fmin(1, step / 4.0);
        std::size_t i = 0;
        for (const TrainedArray& array : trainer.arrays()) {
          const bool is_matrix =
              array.name.find("norm") == array.name.npos && array.name != "embeddings" && array.name != "positions";
          CHECK(array.decays == is_matrix);
          CHECK(array.weights.size() == array.rows * array.columns);
          const double decay = is_matrix ? static_cast<double>(rule.decay) : 0;
          for (const std::size_t end = i + array.weights.size(); i < end; ++i) {
            if (optimizer == Optimizer::adamw) {
              reference_adamw(step, rate, decay, g[i] * factor, weights[i], m[i], v[i]);
            } else {
              reference_sgd(rate, decay, g[i] * factor, weights[i], m[i]);
            }
          }
        }
        CHECK(trainer.steps() == step);
        CHECK(distance(all_weights(trainer), weights, 0.1) < 1e-5);
      }
    }
  }
}

TEST_CASE("the view of a model is the model", "[train][trainer]") {
  Random random(45);
  for (int trial = 0; trial < 30; ++trial) {
    Trainer trainer = started(random_shape(random), 7);
    const TrainerShape& shape = trainer.shape();
    const TrainerRule rule;
    const Batch all(random, shape, 1, shape.context, false);
    StepReport report;
    for (int step = 0; step < 3; ++step) REQUIRE_FALSE(trainer.step(all.view(), rule, report));
    const std::size_t V = shape.vocabulary;
    for (std::size_t slot = 0; slot < shape.slots; ++slot) {
      // The last token's answer to one slot alone, from logits of the decoder.
      Batch batch = all;
      std::ranges::fill(batch.targets, -1);
      batch.targets[batch.targets.size() - shape.slots + slot] = 1;
      const Decoder decoder = trainer.view(slot);
      DecoderState state;
      REQUIRE_FALSE(state.reserve(decoder, shape.context));
      std::vector<float> logits(V);
      REQUIRE_FALSE(attention::run(decoder, batch.tokens, state, logits.data(), LogitsOf::last_token));
      double sum = 0;
      for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
      REQUIRE_FALSE(trainer.measure(batch.view(), rule, report));
      CHECK(std::fabs(report.loss - (std::log(sum) - static_cast<double>(logits[1]))) < 2e-5);
    }
    // And what its heads attend to.
    std::vector<float> weights(shape.heads * shape.context * shape.context);
    std::vector<MultiHeadStages> stages(shape.layers);
    stages.back().attend.weights = weights.data();
    const Decoder decoder = trainer.view();
    DecoderState state;
    REQUIRE_FALSE(state.reserve(decoder, shape.context));
    REQUIRE_FALSE(attention::run(decoder, all.tokens, state, nullptr, LogitsOf::no_token, {nullptr, stages, {}}));
    const Trainer::Weights kept = trainer.attention(shape.layers - 1);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::size_t key = i % shape.context, query = i / shape.context % shape.context,
                        head = i / shape.context / shape.context;
      CHECK(std::fabs(kept.row(0, head, query)[key] - weights[i]) < 1e-5f);
    }
  }
  CHECK(Trainer().view().blocks.empty());
  CHECK(Trainer().attention(0).data == nullptr);
}

TEST_CASE("what was saved goes on as what was not", "[train][trainer]") {
  const Lesson lesson = *find_lesson("look_back", "two_layers");
  Trainer first = started(lesson.shape), second = started(lesson.shape, 99);
  run(first, lesson, 0, 15);
  Buffer saved;
  REQUIRE_FALSE(first.save(saved));
  CHECK(saved.floats().size() == 17 + 3 * first.parameter_count());
  const StepReport expected = run(first, lesson, 15, 35);

  run(second, lesson, 0, 3);  // whatever it was
  REQUIRE_FALSE(second.restore(saved.floats()));
  CHECK(second.steps() == 15);
  const StepReport got = run(second, lesson, 15, 35);
  CHECK(weights_hash(second) == weights_hash(first));
  CHECK(got.loss == expected.loss);
  CHECK(got.gradient_norm == expected.gradient_norm);

  // Gradient descent after AdamW after gradient descent: the powers are part of what is saved.
  Lesson other = lesson;
  other.rule.optimizer = Optimizer::sgd;
  run(first, other, 35, 37);
  REQUIRE_FALSE(first.save(saved));
  run(first, lesson, 37, 40);
  REQUIRE_FALSE(second.restore(saved.floats()));
  run(second, lesson, 37, 40);
  CHECK(weights_hash(second) == weights_hash(first));
}

TEST_CASE("a rule may change from one step to the next", "[train][trainer]") {
  const Lesson lesson = *find_lesson("mask", "dice_masked");
  Lesson unmasked = lesson;
  unmasked.rule.is_causal = false;
  Trainer trainer = started(lesson.shape);
  run(trainer, lesson, 0, 200);
  CHECK(run(trainer, lesson, 200, 201).loss > 1.7);
  run(trainer, unmasked, 201, 600);
  CHECK(run(trainer, unmasked, 600, 601).loss < 0.5);
}

TEST_CASE("a step may be taken in parts", "[train][trainer]") {
  const Lesson& lesson = *find_lesson("look_back", "two_layers");
  Trainer whole = started(lesson.shape), parts = started(lesson.shape);
  StepReport expected, report, unused;
  TaskBatch batch;
  for (std::uint32_t step = 0; step < 4; ++step) {
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, lesson.texts, 1, step, batch));
    REQUIRE_FALSE(whole.step(batch.view(), lesson.rule, expected));
    StepPart next = StepPart::forward;
    REQUIRE_FALSE(parts.step_part(batch.view(), lesson.rule, report, next));
    CHECK(next == StepPart::backward);
    if (step == 2) {  // what comes in between begins the step again
      REQUIRE_FALSE(parts.measure(batch.view(), lesson.rule, unused));
      REQUIRE_FALSE(parts.step_part(batch.view(), lesson.rule, report, next));
      CHECK(next == StepPart::backward);
    }
    REQUIRE_FALSE(parts.step_part(batch.view(), lesson.rule, report, next));
    CHECK(next == StepPart::update);
    CHECK(parts.steps() == step);
    REQUIRE_FALSE(parts.step_part(batch.view(), lesson.rule, report, next));
    CHECK(next == StepPart::forward);
    CHECK(report.loss == expected.loss);
    CHECK(report.gradient_norm == expected.gradient_norm);
  }
  CHECK(weights_hash(parts) == weights_hash(whole));
}

TEST_CASE("a rate may fall to a tenth", "[train][trainer]") {
  Random random(48);
  Trainer falling = started({}), given = started({});
  const Batch batch(random, falling.shape(), 2, 20, false);
  TrainerRule rule{.rate = 0.01f, .warm_up = 0, .falls_over = 8};
  StepReport report;
  for (int step = 0; step < 12; ++step) {
    TrainerRule at = rule;
    at.falls_over = 0;
    at.rate = 0.01f * std::max(0.1f, 1 - 0.9f * static_cast<float>(step) / 8);
    REQUIRE_FALSE(falling.step(batch.view(), rule, report));
    REQUIRE_FALSE(given.step(batch.view(), at, report));
    CHECK(distance(all_weights(falling), all_weights(given), 0.1) < 1e-5);
  }
}

TEST_CASE("positions may begin as sinusoids", "[train][trainer]") {
  const Trainer trainer = started({.context = 9, .d_model = 6, .position_base = 10000});
  std::vector<float> expected(9 * 6);
  fill_sinusoids(expected.data(), 9, 6);
  const auto positions = trainer.arrays()[1];
  REQUIRE(positions.name == "positions");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(std::fabs(positions.weights[i] - 0.7f * expected[i]) < 1e-6f);
  }
}

TEST_CASE("a traced text has the gradients of a step, and those of each stage", "[train][trainer]") {
  Random random(49);
  for (int trial = 0; trial < 30; ++trial) {
    Trainer trainer = started(random_shape(random), static_cast<std::uint32_t>(trial));
    const TrainerShape s = trainer.shape();
    const TrainerRule rule = random_rule(random);
    const std::size_t T = random.size(1, static_cast<int>(s.context)), H = s.heads, d_k = s.d_k, d_v = s.d_model / H;
    const Batch batch(random, s, 1, T, trial % 2 == 1);
    const std::uint64_t before = weights_hash(trainer);
    StepReport traced, stepped;
    TracedPass pass;
    REQUIRE_FALSE(trainer.trace(batch.view(), rule, traced, pass));
    CHECK(weights_hash(trainer) == before);
    const Doubles gradients = all_gradients(trainer);
    std::map<std::string, std::vector<float>> weights;
    for (const TrainedArray& array : trainer.arrays()) weights[array.name].assign(array.weights.begin(), array.weights.end());
    REQUIRE_FALSE(trainer.step(batch.view(), rule, stepped));
    CHECK(all_gradients(trainer) == gradients);
    CHECK(traced.loss == stepped.loss);
    CHECK(traced.gradient_norm == stepped.gradient_norm);

    const double factor = rule.scales ? 1 / std::sqrt(static_cast<double>(d_k)) : 1;
    double worst = 0;
    const auto near = [&](double got, double wanted) { worst = std::max(worst, std::fabs(got - wanted) / (1 + std::fabs(wanted))); };
    for (const TracedLayer& l : pass.layers) {
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t t = 0; t < T; ++t) {
          const std::size_t row = (h * T + t) * T;
          double sum = 0, mixed = 0;
          for (std::size_t k = 0; k < T; ++k) {
            sum += static_cast<double>(l.weights.values[row + k]);
            mixed += static_cast<double>(l.weights.values[row + k]) * static_cast<double>(l.weights.gradients[row + k]);
          }
          near(sum, 1);
          for (std::size_t k = 0; k < T; ++k) {
            if (rule.is_causal && k > t) {
              for (const TracedStage* stage : {&l.products, &l.scores}) {
                CHECK(stage->values[row + k] == -INFINITY);
                CHECK(stage->gradients[row + k] == 0);
              }
              continue;
            }
            double score = 0, dweight = 0;
            for (std::size_t c = 0; c < d_k; ++c) {
              score += static_cast<double>(l.query.values[(t * H + h) * d_k + c]) * static_cast<double>(l.key.values[(k * H + h) * d_k + c]);
            }
            for (std::size_t c = 0; c < d_v; ++c) {
              dweight += static_cast<double>(l.context.gradients[(t * H + h) * d_v + c]) * static_cast<double>(l.value.values[(k * H + h) * d_v + c]);
            }
            near(l.products.values[row + k], score);
            near(l.scores.values[row + k], factor * score);
            near(l.products.gradients[row + k], factor * static_cast<double>(l.scores.gradients[row + k]));
            near(l.weights.gradients[row + k], dweight);
            near(l.scores.gradients[row + k], static_cast<double>(l.weights.values[row + k]) * (static_cast<double>(l.weights.gradients[row + k]) - mixed));
          }
        }
        for (std::size_t t = 0; t < T; ++t) {
          for (std::size_t c = 0; c < d_k; ++c) {
            double dquery = 0;
            for (std::size_t k = 0; k < T; ++k) {
              dquery += factor * static_cast<double>(l.scores.gradients[(h * T + t) * T + k]) * static_cast<double>(l.key.values[(k * H + h) * d_k + c]);
            }
            near(l.query.gradients[(t * H + h) * d_k + c], dquery);
          }
        }
      }
    }

    // The MLP: each stage from the one before it, and each gradient from the one behind it.
    const std::size_t D = s.d_model, hidden = s.hidden;
    const auto number = [](const std::vector<float>& of, std::size_t i) { return static_cast<double>(of[i]); };
    const auto gelu = [](double a) { return a / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (a + 0.044715 * a * a * a))); };
    for (std::size_t layer = 0; layer < pass.layers.size(); ++layer) {
      const TracedLayer& l = pass.layers[layer];
      CHECK(l.up.values.size() == T * hidden);
      if (hidden == 0) continue;
      const std::string block = "block_" + std::to_string(layer);
      const std::vector<float>&up = weights[block + ".up"], &down = weights[block + ".down"];
      const TracedStage& next = layer + 1 < pass.layers.size() ? pass.layers[layer + 1].x : pass.residual;
      CHECK(l.mlp_output.gradients == next.gradients);
      CHECK(l.between.gradients == l.output.gradients);
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t c = 0; c < D; ++c) {
          double made = 0, dnormed = 0;
          for (std::size_t i = 0; i < hidden; ++i) {
            made += number(l.hidden.values, t * hidden + i) * number(down, i * D + c);
            dnormed += number(l.up.gradients, t * hidden + i) * number(up, c * hidden + i);
          }
          near(l.mlp_output.values[t * D + c], made);
          near(l.normed_2.gradients[t * D + c], dnormed);
          near(l.between.values[t * D + c], number(l.x.values, t * D + c) + number(l.output.values, t * D + c));
          near(next.values[t * D + c], number(l.between.values, t * D + c) + made);
        }
        for (std::size_t i = 0; i < hidden; ++i) {
          const double a = number(l.up.values, t * hidden + i);
          double made = 0, dhidden = 0;
          for (std::size_t c = 0; c < D; ++c) {
            made += number(l.normed_2.values, t * D + c) * number(up, c * hidden + i);
            dhidden += number(l.mlp_output.gradients, t * D + c) * number(down, i * D + c);
          }
          near(a, made);
          near(l.hidden.values[t * hidden + i], gelu(a));
          near(l.hidden.gradients[t * hidden + i], dhidden);
          near(l.up.gradients[t * hidden + i], dhidden * (gelu(a + 1e-6) - gelu(a - 1e-6)) / 2e-6);
        }
      }
    }
    CHECK(worst < 2e-5);
  }
}

TEST_CASE("what is refused leaves all as it was", "[train][trainer][errors]") {
  Random random(46);
  Trainer trainer = started({});
  const Batch good(random, trainer.shape(), 2, 20, false);
  StepReport report{1, 2, 3, 4};
  for (int step = 0; step < 3; ++step) REQUIRE_FALSE(trainer.step(good.view(), {}, report));
  const std::uint64_t before = weights_hash(trainer);
  const auto refuses = [&](Rule rule, const TrainBatch& batch, const TrainerRule& by) {
    StepReport untouched{5, 6, 7, 8};
    const bool both =
        trainer.step(batch, by, untouched).rule == rule && trainer.measure(batch, by, untouched).rule == rule;
    return both && untouched.loss == 5 && trainer.steps() == 3 && weights_hash(trainer) == before;
  };
  for (float TrainerRule::*number : {&TrainerRule::rate, &TrainerRule::decay, &TrainerRule::clip}) {
    for (const float wrong : {-1.0f, INFINITY, NAN}) {
      TrainerRule rule;
      rule.*number = wrong;
      CHECK(refuses(Rule::train_rule, good.view(), rule));
    }
  }
  TrainerRule unknown;
  unknown.optimizer = static_cast<Optimizer>(2);
  CHECK(refuses(Rule::train_optimizer, good.view(), unknown));

  const auto with = [&](auto change) {
    Batch batch = good;
    change(batch);
    return batch;
  };
  const std::pair<Rule, Batch> wrong[] = {
      {Rule::train_batch, with([](Batch& b) { b.texts = 0; })},
      {Rule::train_batch, with([](Batch& b) { b.texts = 3; })},
      {Rule::train_batch, with([](Batch& b) { b.texts = 1; })},  // longer than the context
      {Rule::train_batch, with([](Batch& b) { b.tokens.clear(); })},
      {Rule::train_batch, with([](Batch& b) { b.targets.pop_back(); })},
      {Rule::train_batch, with([](Batch& b) { b.second = {1}; })},
      {Rule::train_batch, with([](Batch& b) { b.lengths = {20}; })},
      {Rule::train_batch, with([](Batch& b) { b.lengths = {20, 0}; })},
      {Rule::train_batch, with([](Batch& b) { b.lengths = {20, 21}; })},
      {Rule::train_batch, with([](Batch& b) { b.lengths = {20, 19}, b.targets.back() = 0; })},  // asks the filler
      {Rule::train_token, with([](Batch& b) { b.tokens[7] = 32; })},
      {Rule::train_token, with([](Batch& b) { b.tokens[7] = -1; })},
      {Rule::train_token, with([](Batch& b) { b.targets[7] = -2; })},
      {Rule::train_token, with([](Batch& b) { b.targets[7] = 32; })},
      {Rule::train_token, with([](Batch& b) { b.second = b.tokens, b.second[3] = 32; })},
  };
  for (const auto& [rule, batch] : wrong) CHECK(refuses(rule, batch.view(), {}));

  const std::pair<Rule, TrainerShape> shapes[] = {
      {Rule::train_size, {.vocabulary = 0}},
      {Rule::train_size, {.context = 0}},
      {Rule::train_size, {.slots = 0}},
      {Rule::train_size, {.d_model = 0}},
      {Rule::train_size, {.heads = 0}},
      {Rule::train_size, {.layers = 0}},
      {Rule::train_size, {.hidden = 65537}},
      {Rule::train_size, {.d_k = 65537}},
      {Rule::train_heads, {.heads = 3}},
      {Rule::train_size, {.positions = static_cast<PositionKind>(3)}},
      {Rule::train_size, {.slots = 2, .tied = true}},
      {Rule::train_rule, {.query_key_gain = NAN}},
      {Rule::train_memory, {.vocabulary = 65536, .d_model = 65536, .heads = 65536, .d_k = 65536, .layers = 65536}},
  };
  for (const auto& [rule, shape] : shapes) {
    const Error refused = trainer.start(shape, 1);
    CHECK(refused.rule == rule);
    CHECK(weights_hash(trainer) == before);
  }

  Buffer saved;
  REQUIRE_FALSE(trainer.save(saved));
  CHECK(trainer.restore(saved.floats().subspan(1)).rule == Rule::train_state);
  CHECK(trainer.restore({}).rule == Rule::train_state);
  saved.floats()[0] = 1;
  CHECK(trainer.restore(saved.floats()).rule == Rule::train_state);
  REQUIRE_FALSE(trainer.save(saved));
  Trainer other = started({.positions = PositionKind::in_queries_and_keys});  // as many numbers, another shape
  CHECK(other.restore(saved.floats()).rule == Rule::train_state);
  CHECK(weights_hash(trainer) == before);

  Trainer none;
  CHECK(none.step(good.view(), {}, report).rule == Rule::train_not_started);
  CHECK(none.measure(good.view(), {}, report).rule == Rule::train_not_started);
  CHECK(none.save(saved).rule == Rule::train_not_started);
  CHECK(none.restore({}).rule == Rule::train_not_started);
  CHECK(none.parameter_count() == 0);
}

TEST_CASE("a model that has diverged is refused its steps, and can be taken back", "[train][trainer][errors]") {
  const Lesson lesson = *find_lesson("look_back", "two_layers");
  Trainer trainer = started(lesson.shape);
  run(trainer, lesson, 0, 5);
  Buffer saved;
  REQUIRE_FALSE(trainer.save(saved));
  run(trainer, lesson, 5, 10);
  const std::uint64_t healthy = weights_hash(trainer);

  TrainerRule wild = lesson.rule;
  wild.optimizer = Optimizer::sgd;
  wild.rate = 1e38f;
  wild.clip = 0;
  TaskBatch batch;
  StepReport report;
  Error refused;
  for (std::uint32_t step = 0; step < 10 && !refused; ++step) {
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, lesson.texts, 1, step, batch));
    refused = trainer.step(batch.view(), wild, report);
  }
  CHECK(refused.rule == Rule::train_diverged);
  const std::uint64_t steps = trainer.steps(), lost = weights_hash(trainer);
  CHECK(trainer.step(batch.view(), lesson.rule, report).rule == Rule::train_diverged);
  CHECK(trainer.measure(batch.view(), lesson.rule, report).rule == Rule::train_diverged);
  CHECK(trainer.steps() == steps);
  CHECK(weights_hash(trainer) == lost);

  REQUIRE_FALSE(trainer.restore(saved.floats()));
  run(trainer, lesson, 5, 10);
  CHECK(weights_hash(trainer) == healthy);
}

TEST_CASE("the least model learns, too", "[train][trainer]") {
  TrainerShape least{.vocabulary = 1, .context = 1, .d_model = 1, .heads = 1, .d_k = 1, .layers = 1, .hidden = 1};
  Trainer trainer = started(least);
  const std::vector<std::int32_t> zero{0};
  StepReport report;
  CHECK_FALSE(trainer.step({zero, {}, zero, 1}, {}, report));
  CHECK(report.loss == 0);
  CHECK(report.asked == 1);
  CHECK(report.right == 1);
  // Nothing asked is nothing learnt.
  const std::vector<std::int32_t> none{-1};
  REQUIRE_FALSE(trainer.step({zero, {}, none, 1}, {}, report));
  CHECK(report.asked == 0);
  CHECK(report.gradient_norm == 0);
  CHECK(started({.d_model = 32, .heads = 4, .d_k = 0}).shape().d_k == 8);
}

TEST_CASE("an array's first numbers follow from the seed and its name", "[train][trainer]") {
  const Trainer small = started({.layers = 1}), large = started({.layers = 3, .hidden = 20}),
                other = started({.layers = 1}, 2);
  for (const TrainedArray& array : small.arrays()) {
    const auto same = std::ranges::find(large.arrays(), array.name, &TrainedArray::name);
    REQUIRE(same != large.arrays().end());
    CHECK(test::same_bits(array.weights, same->weights));
    const auto drawn = std::ranges::find(other.arrays(), array.name, &TrainedArray::name);
    CHECK(test::same_bits(array.weights, drawn->weights) == (array.name.find("norm") != array.name.npos));
  }
}

// Made by this build; every build of four lanes must make the same.
TEST_CASE("fifty steps of each lesson have the same bits in every build", "[train][exact]") {
  test::needs_four_lanes();
  test::leaves_neon_out();
  std::vector<std::int32_t> text, squares;
  for (int i = 0; i < 400; ++i) {  // squares, numbered as they come
    const auto found = std::ranges::find(squares, i * i % 23);
    text.push_back(static_cast<std::int32_t>(found - squares.begin()));
    if (found == squares.end()) squares.push_back(i * i % 23);
  }
  constexpr std::uint64_t kHashes[] = {
      0x39a1a377bb174d70,  // look_back two_layers
      0x6ba5ed885b608b10,  // look_back one_layer
      0x66110dacc5fcc943,  // mask dice_masked
      0xe9be1416a3404be0,  // mask dice_unmasked
      0x4939cec344e4ad1b,  // mask characters_masked
      0x917411cccc04655a,  // mask characters_unmasked
      0x5938e8e997163883,  // scale width_16_divided
      0x8f91662bd1168cf2,  // scale width_16_undivided
      0x7785c91fb95e4e62,  // scale width_64_divided
      0x19097f64b9aff2eb,  // scale width_64_undivided
      0x538ae544febec838,  // scale width_256_divided
      0x8d88256f4a10197a,  // scale width_256_undivided
      0xc167c9f5809db4e5,  // scale width_64_smaller
      0x1513abd964aafd8a,  // heads one_head
      0x8407c7b4d91d2e8c,  // heads two_heads
      0x03de9e1bc29c9799,  // heads four_heads
      0x809824cb15b5818f,  // heads english_one_head
      0x8c86adfb12f03d17,  // heads english_two_heads
      0xcfcac971ff9e6219,  // words own_paragraph
      0x7f5657f1c23151bd,  // positions with_positions
      0x7a8fe48e31867d36,  // positions without_positions
      0x9f1bb0bb54fac071,  // stands_for seen_whole
      0xa73eae743cca02a4,  // stands_for seen_so_far
      0xb033ea4f069cc8eb,  // stands_for one_layer
  };
  REQUIRE(std::size(kHashes) == lessons().size());
  for (std::size_t i = 0; i < std::size(kHashes); ++i) {
    Lesson lesson = lessons()[i];
    if (lesson.task == Task::text) lesson = with_text(lesson, text, static_cast<std::uint32_t>(squares.size()));
    Trainer trainer = started(lesson.shape);
#ifdef __SANITIZE_ADDRESS__
    run(trainer, lesson, 0, 2);  // the other steps touch the same memory
    continue;
#endif
    run(trainer, lesson, 0, 50);
    INFO(lesson.id << " " << lesson.run << " has 0x" << std::hex << weights_hash(trainer));
    CHECK(weights_hash(trainer) == kHashes[i]);
  }
}
