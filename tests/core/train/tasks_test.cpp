#include "attention/tasks.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "../random.h"
#include "attention/lessons.h"

using namespace attention;

namespace {

constexpr Task kAll[] = {Task::repeat, Task::dice, Task::dictionary, Task::relations, Task::back,
                         Task::recall, Task::sort, Task::brackets,   Task::text};

std::vector<std::int32_t> squares() {
  std::vector<std::int32_t> text;
  for (int i = 0; i < 300; ++i) text.push_back(i * i % 32);
  return text;
}

// One text of a batch.
struct Text {
  std::vector<std::int32_t> x, second, y, first_places, second_places;
};
std::vector<Text> texts_of(Task task, const TaskSettings& settings, std::uint32_t seed = 1, std::uint32_t step = 0,
                           std::size_t count = 60) {
  TaskBatch batch;
  REQUIRE_FALSE(make_batch(task, settings, count, seed, step, batch));
  const TaskShape shape = shape_of(task, settings);
  REQUIRE(batch.tokens.size() == count * shape.length);
  REQUIRE(batch.targets.size() == batch.tokens.size() * shape.slots);
  std::vector<Text> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&](const std::vector<std::int32_t>& from) {
      const std::size_t each = from.size() / count;
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(i * each);
      return std::vector(begin, begin + static_cast<std::ptrdiff_t>(each));
    };
    all[i] = {part(batch.tokens), part(batch.second), part(batch.targets), part(batch.first_places),
              part(batch.second_places)};
  }
  return all;
}

bool are_different(std::span<const std::int32_t> x) { return std::set(x.begin(), x.end()).size() == x.size(); }

std::size_t place(std::int32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

TEST_CASE("a batch follows from its task, settings, seed and step", "[train][tasks]") {
  const auto text = squares();
  TaskSettings settings;
  settings.text = text;
  for (const Task task : kAll) {
    INFO(name(task));
    TaskBatch first, again, fewer;
    REQUIRE_FALSE(make_batch(task, settings, 8, 5, 3, first));
    REQUIRE_FALSE(make_batch(task, settings, 8, 5, 3, again));
    CHECK(first.tokens == again.tokens);
    CHECK(first.second == again.second);
    CHECK(first.targets == again.targets);
    // A text does not depend on how many there are.
    REQUIRE_FALSE(make_batch(task, settings, 2, 5, 3, fewer));
    CHECK(std::equal(fewer.tokens.begin(), fewer.tokens.end(), first.tokens.begin()));
    for (const auto& [seed, step] : {std::pair{6u, 3u}, std::pair{5u, 4u}}) {
      REQUIRE_FALSE(make_batch(task, settings, 8, seed, step, again));
      CHECK(first.tokens != again.tokens);
    }
    const TaskShape shape = shape_of(task, settings);
    for (const std::int32_t id : first.tokens) CHECK((id >= 0 && place(id) < shape.vocabulary));
    for (const std::int32_t id : first.targets) CHECK((id >= -1 && id < static_cast<std::int32_t>(shape.vocabulary)));
    CHECK(first.second.empty() == (task != Task::dictionary));
  }
}

TEST_CASE("repeat: a block of different tokens again and again, of every period", "[train][tasks]") {
  std::map<std::size_t, int> periods;
  for (const auto& [x, second, y, before, earlier] : texts_of(Task::repeat, {}, 1, 0, 300)) {
    std::size_t period = 1;
    while (x[period] != x[0]) ++period;
    ++periods[period];
    CHECK(are_different(std::span(x).first(period)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i >= period) CHECK(x[i] == x[i - period]);
      CHECK(y[i] == (i < period ? -1 : x[(i + 1) % period]));
      CHECK(before[i] == (i > 0 && i <= period ? static_cast<std::int32_t>(i) - 1 : -1));
      CHECK((earlier[i] >= 0) == (i >= period));
      if (i >= period) CHECK(x[place(earlier[i])] == y[i]);
    }
  }
  CHECK(periods.size() == 11);
  CHECK(periods.begin()->first == 6);
  CHECK(periods.rbegin()->first == 16);
}

TEST_CASE("dice: what comes next, and every face as often", "[train][tasks]") {
  std::map<std::int32_t, int> faces;
  for (const auto& [x, second, y, first, other] : texts_of(Task::dice, {.length = 24, .symbols = 6}, 1, 0, 500)) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) CHECK(y[i] == x[i + 1]);
    for (const std::int32_t face : x) ++faces[face];
    ++faces[y.back()];
  }
  CHECK(faces.size() == 6);
  for (const auto& [face, count] : faces) CHECK(std::abs(count - 500 * 25 / 6) < 200);  // four deviations
}

TEST_CASE("dictionary: keys with values, then keys", "[train][tasks]") {
  for (const auto& [x, second, y, record, other] : texts_of(Task::dictionary, {.length = 32, .symbols = 16})) {
    CHECK(are_different(std::span(x).first(16)));
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK((second[i] >= 16) == (i < 16));
      if (i < 16) CHECK(y[i] == -1);
      if (i >= 16) CHECK((x[place(record[i])] == x[i] && y[i] == second[place(record[i])]));
    }
  }
}

TEST_CASE("relations and back: tokens so many places ago", "[train][tasks]") {
  for (const auto& [x, second, y, first, other] :
       texts_of(Task::relations, {.length = 24, .symbols = 16, .back = 1, .back_2 = 3})) {
    for (std::size_t i = 0; i < 24; ++i) {
      CHECK(y[2 * i] == (i < 3 ? -1 : x[i - 1]));
      CHECK(y[2 * i + 1] == (i < 3 ? -1 : x[i - 3]));
      if (i >= 3) CHECK((first[i] == static_cast<int>(i) - 1 && other[i] == static_cast<int>(i) - 3));
    }
  }
  for (const auto& [x, second, y, first, other] : texts_of(Task::back, {.length = 24, .symbols = 16, .back = 2})) {
    for (std::size_t i = 0; i < 24; ++i) CHECK(y[i] == (i < 2 ? -1 : x[i - 2]));
  }
}

TEST_CASE("recall: pairs, then keys again with their values", "[train][tasks]") {
  for (const auto& [x, second, y, first, value] : texts_of(Task::recall, {.symbols = 16, .pairs = 8})) {
    std::map<std::int32_t, std::int32_t> pairs;
    for (std::size_t i = 0; i < 16; i += 2) pairs[x[i]] = x[i + 1];
    CHECK(pairs.size() == 8);
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(first[i] == static_cast<int>(i) - 1);  // none at the first
      CHECK((x[i] < 16) == (i % 2 == 0));
    }
    for (std::size_t i = 16; i < 32; i += 2) {
      CHECK((y[i] == pairs.at(x[i]) && x[i + 1] == y[i] && y[i + 1] == -1));
      CHECK(x[place(value[i])] == y[i]);
    }
  }
}

TEST_CASE("sort: the same tokens in order, each asked for by the one before", "[train][tasks]") {
  for (const auto& [x, second, y, from, other] : texts_of(Task::sort, {.length = 20, .symbols = 16})) {
    std::vector<std::int32_t> sorted(x.begin(), x.begin() + 10);
    CHECK(are_different(sorted));
    std::ranges::sort(sorted);
    CHECK(x[10] == 16);
    CHECK(std::equal(sorted.begin(), sorted.end(), y.begin() + 10));
    CHECK(std::equal(sorted.begin(), sorted.end() - 1, x.begin() + 11));
    for (std::size_t i = 10; i < 20; ++i) CHECK(x[place(from[i])] == y[i]);
  }
}

TEST_CASE("brackets: the innermost that is open", "[train][tasks]") {
  bool is_deep = false;
  for (const auto& [x, second, y, from, other] : texts_of(Task::brackets, {.length = 40, .kinds = 3, .depth = 4})) {
    std::vector<std::int32_t> open;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < 3)
        open.push_back(x[i]);
      else {
        REQUIRE_FALSE(open.empty());
        CHECK(x[i] - 3 == open.back());
        open.pop_back();
      }
      CHECK(open.size() <= 4);
      is_deep = is_deep || open.size() == 4;
      CHECK(y[i] == (open.empty() ? 6 : open.back()));
      if (!open.empty()) CHECK(x[place(from[i])] == y[i]);
    }
  }
  CHECK(is_deep);
}

TEST_CASE("text: windows of it, the first and the last among them", "[train][tasks]") {
  const auto text = squares();
  TaskSettings settings;
  settings.text = std::span(text).first(36);
  std::set<std::int32_t> begun, ended;
  for (const auto& [x, second, y, from, other] : texts_of(Task::text, settings, 1, 0, 200)) {
    const auto found = std::ranges::search(text, x);
    REQUIRE(!found.empty());
    CHECK(std::equal(x.begin() + 1, x.end(), y.begin()));
    ended.insert(y.back());
    begun.insert(x[1]);
  }
  CHECK(ended == std::set<std::int32_t>{text[32], text[33], text[34], text[35]});
  CHECK(begun.size() == 4);
}

TEST_CASE("settings of which no task can be made are refused", "[train][tasks][errors]") {
  const auto text = squares();
  const auto rule = [](Task task, const TaskSettings& settings, std::size_t texts = 2) {
    TaskBatch batch;
    batch.texts = 77;
    const Rule broken = make_batch(task, settings, texts, 1, 1, batch).rule;
    CHECK((broken == Rule::none || batch.texts == 77));
    return broken;
  };
  for (const Task task : kAll) {
    TaskSettings settings;
    settings.text = text;
    CHECK(rule(task, settings) == Rule::none);
    CHECK(rule(task, settings, 0) == Rule::task_setting);
    settings.length = 0;
    CHECK(rule(task, settings) == Rule::task_setting);
    settings.length = 32;
    settings.symbols = 0;
    CHECK(rule(task, settings) == Rule::task_setting);
  }
  CHECK(rule(static_cast<Task>(11), {}) == Rule::task_setting);
  CHECK(name(static_cast<Task>(11)).empty());
  CHECK(rule(Task::repeat, {.symbols = 15}) == Rule::task_setting);
  CHECK(rule(Task::repeat, {.least_period = 0}) == Rule::task_setting);
  CHECK(rule(Task::repeat, {.least_period = 17}) == Rule::task_setting);
  CHECK(rule(Task::dictionary, {.length = 34, .symbols = 16}) == Rule::task_setting);
  CHECK(rule(Task::relations, {.back = 32}) == Rule::task_setting);
  CHECK(rule(Task::relations, {.back_2 = 32}) == Rule::task_setting);
  CHECK(rule(Task::back, {.back = 32}) == Rule::task_setting);
  CHECK(rule(Task::recall, {.symbols = 7}) == Rule::task_setting);
  CHECK(rule(Task::sort, {.length = 40, .symbols = 16}) == Rule::task_setting);
  CHECK(rule(Task::sort, {.length = 1}) == Rule::task_setting);
  CHECK(rule(Task::brackets, {.kinds = 0}) == Rule::task_setting);
  CHECK(rule(Task::brackets, {.depth = 0}) == Rule::task_setting);
  CHECK(rule(Task::text, {}) == Rule::task_text);
  TaskSettings settings;
  settings.text = text;
  settings.symbols = 16;
  CHECK(rule(Task::text, settings) == Rule::train_token);
  TaskBatch batch;
  CHECK(message(make_batch(Task::text, settings, 2, 1, 1, batch)) ==
        "Token 16 of a batch is not in the vocabulary: it must be from 0 to 15.");
  // The least of each.
  CHECK(rule(Task::back, {.length = 1, .back = 0}) == Rule::none);
  CHECK(rule(Task::relations, {.length = 1, .back = 0, .back_2 = 0}) == Rule::none);
  CHECK(rule(Task::repeat, {.length = 1, .symbols = 1, .least_period = 1, .most_period = 1}) == Rule::none);
  CHECK(rule(Task::recall, {.length = 1, .symbols = 1, .pairs = 1}) == Rule::none);
  CHECK(rule(Task::sort, {.length = 2, .symbols = 1}) == Rule::none);
  CHECK(rule(Task::dictionary, {.length = 2, .symbols = 1}) == Rule::none);
  CHECK(rule(Task::brackets, {.length = 1, .symbols = 1, .kinds = 1, .depth = 1}) == Rule::none);
}

TEST_CASE("each lesson's model is one of its task", "[train][lessons]") {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const Lesson& lesson : lessons()) {
    CHECK(names.insert({lesson.id, lesson.run}).second);
    CHECK(find_lesson(lesson.id, lesson.run) == &lesson);
    const auto text = squares();
    const Lesson fitted = lesson.task == Task::text ? with_text(lesson, text, 32) : lesson;
    const TaskShape shape = shape_of(fitted.task, fitted.settings);
    CHECK(fitted.shape.vocabulary == shape.vocabulary);
    CHECK(fitted.shape.context == shape.length);
    CHECK(fitted.shape.slots == shape.slots);
    Trainer trainer;
    TaskBatch batch;
    StepReport report;
    REQUIRE_FALSE(trainer.start(fitted.shape, 1));
    REQUIRE_FALSE(make_batch(fitted.task, fitted.settings, fitted.texts, 1, 0, batch));
    CHECK_FALSE(trainer.step(batch.view(), fitted.rule, report));
  }
  CHECK(find_lesson("mask", "nothing") == nullptr);
  // A text shorter than the window makes a shorter one.
  const auto text = squares();
  const Lesson shorter = with_text(*find_lesson("words", "own_paragraph"), std::span(text).first(9), 32);
  CHECK(shorter.settings.length == 8);
  CHECK(shorter.shape.context == 8);
}
