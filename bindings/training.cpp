// Training's functions over plain numbers in memory, without Embind, which would be larger than the trainer.
// JavaScript writes arguments into given() and reads results from said(): an Error, or numbers in the order that
// web/src/engine/training/module.ts also has.
#include <emscripten/emscripten.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "attention/lessons.h"
#include "attention/ops.h"
#include "attention/watch.h"

namespace {

using namespace attention;

// Texts that no step of a run reads.
constexpr std::uint32_t kShown = 0xFFFFFFFF, kTested = 0xFFFFFFFE;
constexpr std::size_t kTestedTexts = 16;

struct Run {
  Lesson lesson;
  std::uint32_t seed;
  std::vector<std::int32_t> text;  // the reader's
  Trainer trainer;
  TaskBatch batch, shown;
  StepPart next = StepPart::forward;
};

std::vector<std::byte> given_bytes, said_bytes;


template <class T>
std::span<const T> given(std::size_t count) {
  return {reinterpret_cast<const T*>(given_bytes.data()), count};
}

void begin() { said_bytes.clear(); }
template <class T>
void say(std::span<const T> numbers) {
  const auto bytes = std::as_bytes(numbers);
  said_bytes.insert(said_bytes.end(), bytes.begin(), bytes.end());
}
template <class T>
void say(const std::vector<T>& numbers) {
  say(std::span<const T>(numbers));
}
void say(std::initializer_list<double> numbers) { say(std::span<const double>(numbers)); }
void say(const StepReport& r) {
  say({r.loss, static_cast<double>(r.asked), static_cast<double>(r.right), static_cast<double>(r.gradient_norm)});
}

// 0 when all went well. Of an error: its rule, its numbers, and its name behind them.
int answer(const Error& error) {
  if (!error) return 0;
  begin();
  say({static_cast<double>(error.rule), static_cast<double>(error.code())});
  say(std::span<const double>(error.numbers));
  say(std::span<const char>(error.name_bytes));
  return 1;
}

constexpr int kRuleNumbers = 8, kShapeNumbers = 12;

void say_rule(const TrainerRule& r) {
  say({static_cast<double>(r.is_causal), static_cast<double>(r.scales), static_cast<double>(r.optimizer), r.rate, r.decay,
       r.clip, static_cast<double>(r.warm_up), static_cast<double>(r.falls_over)});
}
void say_shape(const TrainerShape& s) {
  say({static_cast<double>(s.vocabulary), static_cast<double>(s.context), static_cast<double>(s.slots),
       static_cast<double>(s.d_model), static_cast<double>(s.heads), static_cast<double>(s.d_k),
       static_cast<double>(s.layers), static_cast<double>(s.hidden), static_cast<double>(s.positions),
       static_cast<double>(s.tied), s.query_key_gain, s.position_base});
}

// A number of JavaScript's where one is given: NaN is none. What is no such integer becomes one that is refused.
template <class T>
void take(double number, T& field) {
  if (std::isnan(number)) return;
  if constexpr (std::is_same_v<T, float>) {
    field = static_cast<float>(number);
  } else if constexpr (std::is_same_v<T, bool>) {
    field = number != 0;
  } else {
    const bool is_one = number >= 0 && number <= 0x1p31 && number == std::floor(number);
    const auto whole = is_one ? static_cast<std::uint32_t>(number) : UINT32_MAX;
    field = static_cast<T>(sizeof(T) == 1 && whole > 255 ? 255 : whole);
  }
}
void take_rule(const double* n, TrainerRule& r) {
  take(n[0], r.is_causal), take(n[1], r.scales), take(n[2], r.optimizer), take(n[3], r.rate), take(n[4], r.decay);
  take(n[5], r.clip), take(n[6], r.warm_up), take(n[7], r.falls_over);
}
void take_shape(const double* n, TrainerShape& s) {
  take(n[3], s.d_model), take(n[4], s.heads), take(n[5], s.d_k), take(n[6], s.layers), take(n[7], s.hidden);
  take(n[8], s.positions), take(n[9], s.tied), take(n[10], s.query_key_gain), take(n[11], s.position_base);
}

const Lesson* find(std::size_t id, std::size_t run) {
  const auto* const names = reinterpret_cast<const char*>(given_bytes.data());
  return find_lesson({names, id}, {names + id, run});
}

Error make_shown(Run& run, std::uint32_t n, TaskBatch& shown) {
  TaskSettings settings = run.lesson.settings;
  settings.is_held_out = true;
  TaskBatch made;
  if (Error error = make_batch(run.lesson.task, settings, n + 1, 0, kShown, made)) return error;
  // The last text alone.
  const auto keep = [&](auto& all) {
    if (all.empty()) return;
    const std::size_t each = all.size() / made.texts;
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(each));
  };
  keep(made.tokens), keep(made.second), keep(made.targets), keep(made.first_places), keep(made.second_places);
  keep(made.lengths);
  made.texts = 1;
  if (!made.lengths.empty()) {  // without the filler
    const std::size_t read = made.lengths[0], slots = made.targets.size() / made.tokens.size();
    made.tokens.resize(read), made.first_places.resize(read), made.second_places.resize(read);
    made.targets.resize(read * slots);
    made.lengths.clear();
  }
  shown = std::move(made);
  return {};
}

Error measure_shown(Run& run) {
  StepReport report;
  run.next = StepPart::forward;
  return run.trainer.measure(run.shown.view(), run.lesson.rule, report);
}

template <class Visit>
void each_weight(const Run& run, Visit visit) {
  for (std::size_t layer = 0; layer < run.trainer.shape().layers; ++layer) {
    const Trainer::Weights w = run.trainer.attention(layer);
    for (std::size_t head = 0; head < w.heads; ++head)
      for (std::size_t q = 0; q < w.length; ++q) visit(std::span(w.row(0, head, q), w.length));
  }
}

void say(const TracedStage& stage) { say(stage.values), say(stage.gradients); }

}  // namespace

extern "C" {

// Memory for a function's arguments.
EMSCRIPTEN_KEEPALIVE void* training_given(std::size_t bytes) {
  given_bytes.resize(bytes);
  return given_bytes.data();
}
EMSCRIPTEN_KEEPALIVE const void* training_said() { return said_bytes.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t training_said_bytes() { return said_bytes.size(); }

// Two names a line, "id run", then those of the words of tasks.
EMSCRIPTEN_KEEPALIVE void training_lessons() {
  begin();
  const auto text = [](std::string_view part) { say(std::span<const char>(part)); };
  for (const Lesson& lesson : lessons()) text(lesson.id), text(" "), text(lesson.run), text("\n");
}
EMSCRIPTEN_KEEPALIVE void training_words() {
  begin();
  for (const std::string_view word : task_words()) say(std::span<const char>(word)), say(std::span<const char>("\n", 1));
}

// Given: the lesson's name and the run's; then, from the next multiple of 8 bytes, the rule's numbers, the
// shape's, and the ids of the reader's text. Seed 0 is the lesson's own. Null, and an error said, where it is refused.
EMSCRIPTEN_KEEPALIVE Run* training_open(std::size_t id, std::size_t name, std::uint32_t seed, std::size_t tokens,
                                        std::uint32_t symbols) {
  const Lesson* const found = find(id, name);
  if (found == nullptr) {
    answer(error(Rule::task_setting, "lesson", {0, lessons().size() - 1}));
    return nullptr;
  }
  const std::byte* const numbers = given_bytes.data() + (id + name + 7) / 8 * 8;
  double wanted[kRuleNumbers + kShapeNumbers];
  std::memcpy(wanted, numbers, sizeof(wanted));
  std::unique_ptr<Run> run(new (std::nothrow) Run);
  if (run == nullptr) {
    answer(error(Rule::train_memory, {0, 0}));
    return nullptr;
  }
  run->lesson = *found;
  run->seed = seed = seed == 0 ? found->seed : seed;
  run->text.resize(tokens);
  std::memcpy(run->text.data(), numbers + sizeof(wanted), tokens * sizeof(std::int32_t));
  if (run->lesson.task == Task::text) run->lesson = with_text(run->lesson, run->text, symbols);
  take_rule(wanted, run->lesson.rule);
  take_shape(wanted + kRuleNumbers, run->lesson.shape);
  // What the lesson's task is made of is checked before a model is drawn.
  Error error = make_batch(run->lesson.task, run->lesson.settings, run->lesson.texts, seed, 0, run->batch);
  if (!error) error = run->trainer.start(run->lesson.shape, seed);
  if (!error) error = make_shown(*run, 0, run->shown);
  if (!error) error = measure_shown(*run);
  if (answer(error) != 0) return nullptr;
  return run.release();
}
EMSCRIPTEN_KEEPALIVE void training_free(Run* run) { delete run; }

// A model that was trained elsewhere, to be shown texts and traced. Given: the shape's numbers, whether it is causal and
// whether scores are divided, then its weights, one array after another as training_arrays() has them.
EMSCRIPTEN_KEEPALIVE Run* training_model(std::size_t weights) {
  const double* const n = given<double>(kShapeNumbers + 2).data();
  std::unique_ptr<Run> run(new (std::nothrow) Run);
  if (run == nullptr) {
    answer(error(Rule::train_memory, {0, 0}));
    return nullptr;
  }
  TrainerShape& shape = run->lesson.shape;
  take(n[0], shape.vocabulary), take(n[1], shape.context), take(n[2], shape.slots), take_shape(n, shape);
  take(n[kShapeNumbers], run->lesson.rule.is_causal), take(n[kShapeNumbers + 1], run->lesson.rule.scales);
  run->lesson.task = Task::text;  // each token is to be answered with the next
  Buffer saved;
  Error error = run->trainer.start(shape, 1);
  if (!error) error = run->trainer.save(saved);
  const std::size_t count = run->trainer.parameter_count();
  if (!error && weights != count) error = attention::error(Rule::train_state);
  if (!error) {
    const std::size_t before = saved.floats().size() - 3 * count;
    std::memcpy(saved.floats().data() + before, n + kShapeNumbers + 2, count * sizeof(float));
    error = run->trainer.restore(saved.floats());
  }
  if (answer(error) != 0) return nullptr;
  return run.release();
}

// Task, texts, length, steps, parameters; the promise's four; the seed; the rule's numbers and the shape's.
EMSCRIPTEN_KEEPALIVE void training_describe(const Run* run) {
  const Lesson& l = run->lesson;
  begin();
  say({static_cast<double>(l.task), static_cast<double>(l.texts), static_cast<double>(l.settings.length),
       static_cast<double>(l.steps), static_cast<double>(run->trainer.parameter_count()), l.promise.reaches,
       static_cast<double>(l.promise.by_step), l.promise.never_passes, static_cast<double>(l.promise.seeds),
       static_cast<double>(run->seed)});
  say_rule(l.rule);
  say_shape(run->trainer.shape());
}

// A third of a step: forward, backward or update. Said after the last: its report, and four numbers a head.
EMSCRIPTEN_KEEPALIVE int training_step_part(Run* run) {
  begin();
  StepReport report;
  if (run->next == StepPart::forward) {
    const Error error = make_batch(run->lesson.task, run->lesson.settings, run->lesson.texts, run->seed,
                                   run->trainer.steps(), run->batch);
    if (error) return answer(error);
  }
  const Error error = run->trainer.step_part(run->batch.view(), run->lesson.rule, report, run->next);
  if (error) return answer(error);
  if (run->next != StepPart::forward) return 0;
  say(report);
  for (const HeadScore& s : head_scores(run->trainer, run->batch)) say({s.first, s.second, s.decided, s.derivative});
  return 0;
}

EMSCRIPTEN_KEEPALIVE std::uint32_t training_steps(const Run* run) { return run->trainer.steps(); }

// Given: the rule's numbers.
EMSCRIPTEN_KEEPALIVE int training_set_rule(Run* run) {
  TrainerRule rule = run->lesson.rule;
  take_rule(given<double>(kRuleNumbers).data(), rule);
  StepReport report;
  if (const Error error = run->trainer.measure(run->shown.view(), rule, report)) return answer(error);
  run->lesson.rule = rule;
  run->next = StepPart::forward;
  return 0;
}

// The task's own text n, or the ids that are given, each to be answered with the next.
EMSCRIPTEN_KEEPALIVE int training_show(Run* run, std::uint32_t n, std::size_t tokens) {
  TaskBatch shown;
  if (tokens == 0) {
    if (n >= 256) return answer(error(Rule::task_setting, "number of texts", {0, 255}));
    if (const Error error = make_shown(*run, n, shown)) return answer(error);
  } else {
    const auto ids = given<std::int32_t>(tokens);
    const std::size_t slots = run->trainer.shape().slots;
    shown.texts = 1;
    shown.tokens.assign(ids.begin(), ids.end());
    shown.targets.assign(tokens * slots, -1);
    const bool follows = run->lesson.task == Task::text || run->lesson.task == Task::repeat || run->lesson.task == Task::dice;
    for (std::size_t i = 0; follows && i + 1 < tokens; ++i) shown.targets[i] = ids[i + 1];
    shown.first_places.assign(tokens, -1);
    shown.second_places.assign(tokens, -1);
  }
  StepReport report;
  if (const Error error = run->trainer.measure(shown.view(), run->lesson.rule, report)) return answer(error);
  run->shown = std::move(shown);
  run->next = StepPart::forward;
  return 0;
}
// Given: what the displayed text's tokens should be answered with, [T, slots], -1 = not asked.
EMSCRIPTEN_KEEPALIVE int training_answer(Run* run, std::size_t targets) {
  TaskBatch shown = run->shown;
  const auto ids = given<std::int32_t>(targets);
  shown.targets.assign(ids.begin(), ids.end());
  StepReport report;
  if (const Error error = run->trainer.measure(shown.view(), run->lesson.rule, report)) return answer(error);
  run->shown = std::move(shown);
  run->next = StepPart::forward;
  return 0;
}
// Counts of the five lists, and the lists.
EMSCRIPTEN_KEEPALIVE void training_shown(const Run* run) {
  begin();
  const TaskBatch& s = run->shown;
  const std::vector<std::int32_t>* const lists[] = {&s.tokens, &s.second, &s.targets, &s.first_places, &s.second_places};
  for (const auto* list : lists) say({static_cast<double>(list->size())});
  for (const auto* list : lists) say(*list);
}

// Weights of the displayed text, [layers, heads, T, T]: as they are, or 255 for 1.
EMSCRIPTEN_KEEPALIVE int training_map(Run* run, bool as_bytes) {
  if (const Error error = measure_shown(*run)) return answer(error);
  begin();
  each_weight(*run, [&](std::span<const float> row) {
    if (!as_bytes) return say(row);
    for (const float weight : row) said_bytes.push_back(static_cast<std::byte>(static_cast<int>(weight * 255 + 0.5f)));
  });
  return 0;
}

EMSCRIPTEN_KEEPALIVE int training_save(const Run* run) {
  Buffer saved;
  if (const Error error = run->trainer.save(saved)) return answer(error);
  begin();
  say(std::span<const float>(saved.floats()));
  return 0;
}
// Given: what was said.
EMSCRIPTEN_KEEPALIVE int training_restore(Run* run, std::size_t numbers) {
  run->next = StepPart::forward;
  return answer(run->trainer.restore(given<float>(numbers)));
}

EMSCRIPTEN_KEEPALIVE void training_hash(const Run* run) {
  begin();
  const std::uint64_t hash = weights_hash(run->trainer);
  say({static_cast<double>(hash >> 32), static_cast<double>(hash & 0xFFFFFFFF)});
}

// Names, rows and columns, a line an array.
EMSCRIPTEN_KEEPALIVE void training_arrays(const Run* run) {
  begin();
  for (const TrainedArray& array : run->trainer.arrays()) {
    const std::string line = array.name + " " + std::to_string(array.rows) + " " + std::to_string(array.columns) + "\n";
    say(std::span<const char>(line));
  }
}
// Weights of all arrays, and their gradients, which are those of the last step or trace.
EMSCRIPTEN_KEEPALIVE void training_numbers(const Run* run, bool of_gradients) {
  begin();
  for (const TrainedArray& array : run->trainer.arrays()) say(of_gradients ? array.gradients : array.weights);
}

// The displayed text forwards and backwards. Said: its report; of each layer x, normed, query, key, value,
// products, scores, weights, context and output, and with an MLP between, normed_2, up, hidden and its output, values and
// then gradients of each; then residual, normed and logits alike.
EMSCRIPTEN_KEEPALIVE int training_trace(Run* run) {
  TracedPass pass;
  StepReport report;
  run->next = StepPart::forward;
  if (const Error error = run->trainer.trace(run->shown.view(), run->lesson.rule, report, pass)) return answer(error);
  begin();
  say(report);
  for (const TracedLayer& l : pass.layers) {
    say(l.x), say(l.normed), say(l.query), say(l.key), say(l.value);
    say(l.products), say(l.scores), say(l.weights), say(l.context), say(l.output);
    if (!l.up.values.empty()) say(l.between), say(l.normed_2), say(l.up), say(l.hidden), say(l.mlp_output);
  }
  say(pass.residual), say(pass.normed), say(pass.logits);
  return 0;
}

// On texts that no step reads: each prefix alone; of sentences whose asked word needs all of them, each as it is.
EMSCRIPTEN_KEEPALIVE int training_fair(Run* run) {
  run->next = StepPart::forward;
  TaskBatch batch;
  TaskSettings settings = run->lesson.settings;
  settings.is_held_out = true;
  const bool is_whole = run->lesson.task >= Task::stands_for;
  Error error = make_batch(run->lesson.task, settings, is_whole ? 256 : kTestedTexts, run->seed, kTested, batch);
  StepReport report;
  if (!error) {
    error = is_whole ? run->trainer.measure(batch.view(), run->lesson.rule, report)
                     : fair_test(run->trainer, batch, run->lesson.rule, report);
  }
  if (error) return answer(error);
  begin();
  say(report);
  return 0;
}
// Given: ids, -1 where a word has none. Each prefix alone, in windows that do not overlap.
EMSCRIPTEN_KEEPALIVE int training_held_out(Run* run, std::size_t tokens) {
  run->next = StepPart::forward;
  const auto ids = given<std::int32_t>(tokens);
  const std::size_t length = run->trainer.shape().context, slots = run->trainer.shape().slots;
  StepReport all;
  for (std::size_t from = 0; from + 1 < tokens; from += length) {
    TaskBatch part;
    part.texts = 1;
    for (std::size_t i = from; i < std::min(from + length, tokens - 1); ++i) {
      part.tokens.push_back(std::max(ids[i], 0));
      part.targets.resize(part.tokens.size() * slots, -1);
      part.targets[(part.tokens.size() - 1) * slots] = ids[i + 1];
    }
    StepReport some;
    if (const Error error = fair_test(run->trainer, part, run->lesson.rule, some)) return answer(error);
    all.loss += some.loss * some.asked;
    all.asked += some.asked;
    all.right += some.right;
  }
  if (all.asked > 0) all.loss /= all.asked;
  begin();
  say(all);
  return 0;
}

// Given: the prompt's ids. Said: the new ones, then their probabilities.
EMSCRIPTEN_KEEPALIVE int training_continue(Run* run, std::size_t tokens, std::size_t count, float temperature,
                                           std::uint32_t seed) {
  run->next = StepPart::forward;
  Continuation made;
  const std::vector<std::int32_t> prompt(given<std::int32_t>(tokens).begin(), given<std::int32_t>(tokens).end());
  const Error error = continue_text(run->trainer, run->lesson.rule, prompt, count, temperature, seed, made);
  if (error) return answer(error);
  begin();
  say(made.tokens), say(made.probabilities);
  return 0;
}

// [T, width] rows as softmax makes them, from numbers that are given.
EMSCRIPTEN_KEEPALIVE void training_softmax(std::size_t rows, std::size_t width) {
  std::vector<float> made(rows * width);
  softmax(given<float>(rows * width).data(), rows, width, made.data());
  begin();
  say(made);
}

}  // extern "C"
