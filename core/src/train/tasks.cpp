#include "attention/tasks.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "train/draws.h"

namespace attention {

namespace {

void repeat(const TaskSettings& s, Draws& draws, const Text& t) {
  const std::uint32_t period = draws.from_to(s.least_period, s.most_period);
  const auto block = draws.some_of(s.symbols, period);
  for (std::size_t i = 0; i < t.length(); ++i) {
    t.x[i] = block[i % period];
    if (i > 0 && i <= period) t.first_places[i] = id(i - 1);
    if (i < period) continue;
    t.y[i] = block[(i + 1) % period];
    t.second_places[i] = id(i + 1 - period);
  }
}

void dice(const TaskSettings& s, Draws& draws, const Text& t) {
  for (std::size_t i = 0; i < t.length(); ++i) {
    t.x[i] = id(draws.below(s.symbols));
    if (i > 0) t.y[i - 1] = t.x[i];
  }
  t.y.back() = id(draws.below(s.symbols));
}

// Keys are the ids below `symbols`, values those from there on.
void dictionary(const TaskSettings& s, Draws& draws, const Text& t) {
  const auto records = static_cast<std::uint32_t>(t.length() / 2);
  const auto keys = draws.some_of(s.symbols, records);
  for (std::size_t i = 0; i < t.length(); ++i) {
    if (i < records) {
      t.x[i] = keys[i];
      t.second[i] = id(s.symbols + draws.below(s.symbols));
    } else {
      const std::uint32_t asked = draws.below(records);
      t.x[i] = keys[asked];
      t.y[i] = t.second[asked];
      t.first_places[i] = id(asked);
    }
  }
}

void relations(const TaskSettings& s, Draws& draws, const Text& t) {
  for (std::size_t i = 0; i < t.length(); ++i) {
    t.x[i] = id(draws.below(s.symbols));
    if (i < std::max(s.back, s.back_2)) continue;
    t.first_places[i] = id(i - s.back);
    t.second_places[i] = id(i - s.back_2);
    t.y[2 * i] = t.x[i - s.back];
    t.y[2 * i + 1] = t.x[i - s.back_2];
  }
}

void back(const TaskSettings& s, Draws& draws, const Text& t) {
  for (std::size_t i = 0; i < t.length(); ++i) {
    t.x[i] = id(draws.below(s.symbols));
    if (i < s.back) continue;
    t.first_places[i] = id(i - s.back);
    t.y[i] = t.x[i - s.back];
  }
}

void recall(const TaskSettings& s, Draws& draws, const Text& t) {
  const auto keys = draws.some_of(s.symbols, s.pairs);
  for (std::uint32_t pair = 0; pair < s.pairs; ++pair) {
    const std::size_t i = 2 * pair;
    t.x[i] = keys[pair];
    t.x[i + 1] = id(s.symbols + draws.below(s.symbols));
    if (i > 0) t.first_places[i] = id(i - 1);
    t.first_places[i + 1] = id(i);
  }
  for (std::size_t i = 2 * s.pairs; i < t.length(); i += 2) {
    const std::size_t value = 2 * draws.below(s.pairs) + 1;
    t.x[i] = t.x[value - 1];
    t.x[i + 1] = t.y[i] = t.x[value];
    t.second_places[i] = id(value);
  }
}

// The separator is the id after the symbols; it asks for the first, and each sorted token for the one after it.
void sort(const TaskSettings& s, Draws& draws, const Text& t) {
  const std::size_t count = t.length() / 2;
  auto tokens = draws.some_of(s.symbols, static_cast<std::uint32_t>(count));
  std::ranges::copy(tokens, t.x.begin());
  // Few: each goes before those that are larger. The library's sort would be a twentieth of the page's module.
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = i; j > 0 && tokens[j] < tokens[j - 1]; --j) std::swap(tokens[j], tokens[j - 1]);
  for (std::size_t i = 0; i < count; ++i) {
    t.x[count + i] = i == 0 ? id(s.symbols) : tokens[i - 1];
    t.y[count + i] = tokens[i];
    t.first_places[count + i] = id(static_cast<std::size_t>(std::ranges::find(t.x, tokens[i]) - t.x.begin()));
  }
}

// Opening brackets are ids below `kinds`, closing ones follow; the last id says that none is open.
void brackets(const TaskSettings& s, Draws& draws, const Text& t) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < t.length(); ++i) {
    if (open.empty() || (open.size() < s.depth && draws.below(2) == 1)) {
      t.x[i] = id(draws.below(s.kinds));
      open.push_back(i);
    } else {
      t.x[i] = id(s.kinds) + t.x[open.back()];
      open.pop_back();
    }
    t.y[i] = open.empty() ? id(2 * s.kinds) : t.x[open.back()];
    if (!open.empty()) t.first_places[i] = id(open.back());
  }
}

void text(const TaskSettings& s, Draws& draws, const Text& t) {
  const std::size_t first = draws.below(static_cast<std::uint32_t>(s.text.size() - t.length()));
  for (std::size_t i = 0; i < t.length(); ++i) {
    t.x[i] = s.text[first + i];
    t.y[i] = s.text[first + i + 1];
    if (i > 0) t.first_places[i] = id(i - 1);
  }
}

// --- the table -----------------------------------------------------------------------------------

struct Limit {
  std::string_view name;
  std::uint32_t value, least, most;
};

struct TaskRow {
  Task task;
  std::string_view name;
  void (*fill)(const TaskSettings&, Draws&, const Text&);
  TaskShape (*shape)(const TaskSettings&);
  std::array<Limit, 2> (*limits)(const TaskSettings&);
  bool has_second = false, has_lengths = false;
};

constexpr Task kLast = Task::who;

constexpr Limit kAny{"", 0, 0, 0};

TaskShape of_words(const TaskSettings& s) { return {words::vocabulary(), s.length}; }
TaskShape plain(const TaskSettings& s) { return {s.symbols, s.length}; }
std::array<Limit, 2> long_enough(const TaskSettings& s) {
  return {Limit{"length", s.length, words::kMostWords, kMostTrained}, kAny};
}
std::array<Limit, 2> no_limits(const TaskSettings&) { return {kAny, kAny}; }

constexpr TaskRow kTasks[] = {
    {Task::repeat, "repeat", repeat, plain,
     [](const TaskSettings& s) {
       return std::array{Limit{"least_period", s.least_period, 1, s.most_period},
                         Limit{"most_period", s.most_period, 1, s.symbols}};
     }},
    {Task::dice, "dice", dice, plain, no_limits},
    {Task::dictionary, "dictionary", dictionary,
     [](const TaskSettings& s) { return TaskShape{2 * s.symbols, s.length}; },
     [](const TaskSettings& s) { return std::array{Limit{"length", s.length, 2, 2 * s.symbols + 1}, kAny}; }, true},
    {Task::relations, "relations", relations,
     [](const TaskSettings& s) { return TaskShape{s.symbols, s.length, 2}; },
     [](const TaskSettings& s) {
       return std::array{Limit{"back", s.back, 0, s.length - 1}, Limit{"back_2", s.back_2, 0, s.length - 1}};
     }},
    {Task::back, "back", back, plain,
     [](const TaskSettings& s) { return std::array{Limit{"back", s.back, 0, s.length - 1}, kAny}; }},
    {Task::recall, "recall", recall,
     [](const TaskSettings& s) { return TaskShape{2 * s.symbols, 4 * s.pairs}; },
     [](const TaskSettings& s) { return std::array{Limit{"pairs", s.pairs, 1, s.symbols}, kAny}; }},
    {Task::sort, "sort", sort,
     [](const TaskSettings& s) { return TaskShape{s.symbols + 1, s.length / 2 * 2}; },
     [](const TaskSettings& s) { return std::array{Limit{"length", s.length, 2, 2 * s.symbols + 1}, kAny}; }},
    {Task::brackets, "brackets", brackets,
     [](const TaskSettings& s) { return TaskShape{2 * s.kinds + 1, s.length}; },
     [](const TaskSettings& s) {
       return std::array{Limit{"kinds", s.kinds, 1, kMostTrained}, Limit{"depth", s.depth, 1, kMostTrained}};
     }},
    {Task::text, "text", text, plain, no_limits},
    {Task::stands_for, "stands_for", words::stands_for, of_words, long_enough, false, true},
    {Task::who, "who", words::who, [](const TaskSettings& s) { return TaskShape{words::vocabulary(), s.length, 2}; },
     long_enough, false, true},
};

const TaskRow& row_of(Task task) { return kTasks[static_cast<std::size_t>(task)]; }

Error check(const TaskRow& row, const TaskSettings& s) {
  const Limit of_all[] = {{"length", s.length, 1, kMostTrained}, {"symbols", s.symbols, 1, kMostTrained}};
  const auto check = [](std::span<const Limit> limits) {
    for (const auto& [name, value, least, most] : limits) {
      if (value < least || value > most) return error(Rule::task_setting, name, {least, most});
    }
    return Error{};
  };
  if (Error error = check(of_all)) return error;  // first: the others' limits follow from these
  if (Error error = check(row.limits(s))) return error;
  if (row.task != Task::text) return {};
  if (s.text.size() <= s.length || s.text.size() > UINT32_MAX) {
    return error(Rule::task_text, {s.text.size(), s.length});
  }
  for (const std::int32_t token : s.text) {
    if (token < 0 || token >= static_cast<std::int32_t>(s.symbols)) {
      return error(Rule::train_token, "Token", {token, 0, s.symbols - 1});
    }
  }
  return {};
}

}  // namespace

std::string_view name(Task task) { return task > kLast ? std::string_view() : row_of(task).name; }

TaskShape shape_of(Task task, const TaskSettings& settings) {
  return task > kLast ? TaskShape{} : row_of(task).shape(settings);
}

Error make_batch(Task task, const TaskSettings& settings, std::size_t texts, std::uint32_t seed,
                 std::uint32_t step, TaskBatch& batch) {
  if (task > kLast) return error(Rule::task_setting, "name", {0, static_cast<int>(kLast)});
  if (texts == 0 || texts > kMostTrained) return error(Rule::task_setting, "number of texts", {1, kMostTrained});
  const TaskRow& row = row_of(task);
  if (Error error = check(row, settings)) return error;
  const TaskShape shape = row.shape(settings);
  const std::size_t tokens = texts * shape.length;
  batch.texts = texts;
  batch.tokens.assign(tokens, 0);
  batch.second.assign(row.has_second ? tokens : 0, -1);
  batch.targets.assign(tokens * shape.slots, -1);
  batch.first_places.assign(tokens, -1);
  batch.second_places.assign(tokens, -1);
  batch.lengths.assign(row.has_lengths ? texts : 0, 0);
  for (std::size_t i = 0; i < texts; ++i) {
    // Contrast pairs are drawn alike.
    const bool are_pairs = task == Task::stands_for && settings.is_held_out;
    Draws draws(task, seed, step, static_cast<std::uint32_t>(are_pairs ? i / 2 : i));
    const auto of = [&](std::vector<std::int32_t>& all, std::size_t each) {
      return all.empty() ? Ids() : Ids(all).subspan(i * each, each);
    };
    std::uint32_t unused = 0;
    row.fill(settings, draws,
             {of(batch.tokens, shape.length), of(batch.second, shape.length),
              of(batch.targets, std::size_t{shape.length} * shape.slots), of(batch.first_places, shape.length),
              of(batch.second_places, shape.length),
              batch.lengths.empty() ? unused : batch.lengths[i], i % 2 == 1});
  }
  return {};
}

}  // namespace attention
