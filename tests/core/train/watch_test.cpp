#include "attention/watch.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "attention/lessons.h"

using namespace attention;

namespace {

Trainer started(const Lesson& lesson) {
  Trainer trainer;
  REQUIRE_FALSE(trainer.start(lesson.shape, 3));
  return trainer;
}

TaskBatch batch_of(const Lesson& lesson, std::size_t texts, std::uint32_t step, bool is_held_out = false) {
  TaskBatch batch;
  TaskSettings settings = lesson.settings;
  settings.is_held_out = is_held_out;
  REQUIRE_FALSE(make_batch(lesson.task, settings, texts, 1, step, batch));
  return batch;
}

std::string sentence(const TaskBatch& batch, std::size_t text) {
  std::string words;
  const std::size_t length = batch.tokens.size() / batch.texts;
  for (std::size_t i = 0; i < batch.lengths[text]; ++i) {
    words += std::string(task_words()[static_cast<std::size_t>(batch.tokens[text * length + i])]) + " ";
  }
  return words;
}

}  // namespace

TEST_CASE("a head's scores are means over its rows", "[train][watch]") {
  for (const char* name : {"two_heads", "english_two_heads"}) {
    const Lesson& lesson = *find_lesson("heads", name);
    Trainer trainer = started(lesson);
    const TaskBatch batch = batch_of(lesson, 3, 0);
    StepReport report;
    REQUIRE_FALSE(trainer.measure(batch.view(), lesson.rule, report));
    const std::vector<HeadScore> scores = head_scores(trainer, batch);
    REQUIRE(scores.size() == 2);
    for (std::size_t head = 0; head < 2; ++head) {
      const Trainer::Weights w = trainer.attention(0);
      double first = 0, derivative = 0, decided = 0;
      int rows = 0, asked = 0;
      for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
        const float* const row = w.row(i / w.length, head, i % w.length);
        if (batch.first_places[i] >= 0) first += static_cast<double>(row[batch.first_places[i]]), ++rows;
        if (batch.targets[2 * i] < 0) continue;
        const std::size_t keys = batch.lengths.empty() ? w.length : batch.lengths[i / w.length];
        double squares = 0, most = 0;
        for (std::size_t k = 0; k < keys; ++k) squares += std::pow(row[k], 2), most = std::max<double>(most, row[k]);
        derivative += 1 - squares, decided += most > 0.95, ++asked;
      }
      CHECK(std::fabs(scores[head].first - first / rows) < 1e-9);
      CHECK(std::fabs(scores[head].derivative - derivative / asked) < 1e-6);
      CHECK(scores[head].decided == decided / asked);
    }
    CHECK(head_scores(trainer, batch_of(lesson, 4, 0)).empty());  // not that of the last pass
  }
}

TEST_CASE("a fair test asks each prefix alone", "[train][watch]") {
  const Lesson& lesson = *find_lesson("mask", "dice_unmasked");
  Trainer trainer = started(lesson);
  const TaskBatch batch = batch_of(lesson, 2, 7);
  StepReport fair, part;
  REQUIRE_FALSE(fair_test(trainer, batch, lesson.rule, fair));
  double loss = 0;
  std::uint32_t right = 0;
  for (std::size_t text = 0; text < 2; ++text) {
    for (std::size_t end = 1; end <= 24; ++end) {
      const auto from = static_cast<std::ptrdiff_t>(24 * text);
      std::vector<std::int32_t> targets(end, -1);
      targets.back() = batch.targets[24 * text + end - 1];
      REQUIRE_FALSE(trainer.measure({std::span(batch.tokens).subspan(static_cast<std::size_t>(from), end), {}, targets, 1}, lesson.rule, part));
      loss += part.loss, right += part.right;
    }
  }
  CHECK(fair.asked == 48);
  CHECK(fair.right == right);
  CHECK(std::fabs(fair.loss - loss / 48) < 1e-6);
  // With a mask it is nothing new.
  TrainerRule masked = lesson.rule;
  masked.is_causal = true;
  REQUIRE_FALSE(fair_test(trainer, batch, masked, fair));
  REQUIRE_FALSE(trainer.measure(batch.view(), masked, part));
  CHECK(std::fabs(fair.loss - part.loss) < 1e-6);
}

TEST_CASE("a model goes on from a text", "[train][watch]") {
  const Lesson& lesson = *find_lesson("look_back", "two_layers");
  Trainer trainer = started(lesson);
  const std::vector<std::int32_t> text{1, 2, 3};
  Continuation likeliest, drawn, again;
  REQUIRE_FALSE(continue_text(trainer, lesson.rule, text, 40, 0, 1, likeliest));
  const Decoder decoder = trainer.view();
  std::vector<std::int32_t> all = text;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t seen = std::min<std::size_t>(all.size(), 32);
    DecoderState state;
    std::vector<float> logits(32);
    REQUIRE_FALSE(state.reserve(decoder, seen));
    REQUIRE_FALSE(run(decoder, std::span(all).last(seen), state, logits.data(), LogitsOf::last_token));
    all.push_back(static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin()));
    CHECK(likeliest.tokens[i] == all.back());
    CHECK(likeliest.probabilities[i] > 1.0f / 32);
  }
  REQUIRE_FALSE(continue_text(trainer, lesson.rule, text, 40, 1, 5, drawn));
  REQUIRE_FALSE(continue_text(trainer, lesson.rule, text, 40, 1, 5, again));
  CHECK(drawn.tokens == again.tokens);
  CHECK(drawn.tokens != likeliest.tokens);
  CHECK(continue_text(trainer, lesson.rule, text, 1, -1, 1, drawn).rule == Rule::train_rule);
  CHECK(continue_text(trainer, lesson.rule, {}, 1, 0, 1, drawn).rule == Rule::train_batch);
  CHECK(drawn.tokens == again.tokens);
}

TEST_CASE("sentences with it name the noun by its adjective, or by its part", "[train][tasks]") {
  const Lesson& lesson = *find_lesson("stands_for", "seen_whole");
  const TaskBatch batch = batch_of(lesson, 400, 3);
  std::size_t longest = 0;
  for (std::size_t text = 0; text < 400; ++text) {
    longest = std::max<std::size_t>(longest, batch.lengths[text]);
    int asked = 0;
    for (std::size_t i = 32 * text; i < 32 * (text + 1); ++i) {
      if (batch.targets[i] < 0) continue;
      ++asked;
      const std::string_view word = task_words()[static_cast<std::size_t>(batch.tokens[i])];
      CHECK((word == "it" || word == "."));
      CHECK(batch.tokens[32 * text + static_cast<std::size_t>(batch.first_places[i])] == batch.targets[i]);
      CHECK(static_cast<std::uint32_t>(batch.second_places[i]) < batch.lengths[text]);
    }
    CHECK(asked == 2);
    const std::string words = sentence(batch, text);
    CHECK(words.find(" it ") + words.find("because it ") != std::string::npos);
    // Held out: the well-known sentences.
    CHECK_FALSE((words.find("animal") != words.npos && words.find("street") != words.npos && words.find("near") == words.npos && words.find("be") == words.npos));
  }
  CHECK(longest <= 32);
  CHECK(longest > 20);

  // Held out sentences come in pairs that differ in their adjective, and stand for the other noun.
  const TaskBatch pairs = batch_of(lesson, 200, 3, true);
  for (std::size_t text = 0; text < 200; text += 2) {
    int differences = 0;
    for (std::size_t i = 32 * text; i < 32 * (text + 1); ++i) {
      differences += pairs.tokens[i] != pairs.tokens[i + 32];
      if (pairs.targets[i] < 0) continue;
      CHECK(pairs.targets[i] != pairs.targets[i + 32]);
      CHECK(pairs.second_places[i] == pairs.second_places[i + 32]);
    }
    CHECK(differences == 1);
  }
}

TEST_CASE("sentences of a deed ask at the verb who did it, and to whom", "[train][tasks]") {
  const Lesson& lesson = *find_lesson("heads", "english_two_heads");
  const TaskBatch batch = batch_of(lesson, 200, 3);
  int passive = 0;
  for (std::size_t text = 0; text < 200; ++text) {
    int asked = 0;
    for (std::size_t i = 32 * text; i < 32 * (text + 1); ++i) {
      if (batch.targets[2 * i] < 0) continue;
      ++asked;
      const auto place = [&](std::int32_t at) { return 32 * text + static_cast<std::size_t>(at); };
      CHECK(batch.tokens[place(batch.first_places[i])] == batch.targets[2 * i]);
      CHECK(batch.tokens[place(batch.second_places[i])] == batch.targets[2 * i + 1]);
      const bool is_passive = sentence(batch, text).find(" by the ") != std::string::npos;
      CHECK(is_passive == (batch.first_places[i] > batch.second_places[i]));
      passive += is_passive;
    }
    CHECK(asked == 1);
  }
  CHECK(passive > 60);
  CHECK(passive < 140);
}
