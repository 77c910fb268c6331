// Trains a lesson's run natively and prints the hash of all its weights after each number of steps asked for:
// train_dump LESSON RUN SEED STEPS…
// Among the steps "mask=off", "mask=on", "scale=off" or "scale=on" changes the rule of the steps that follow.
// A run that learns a text reads it from the standard input: how many symbols there are, then the id of each.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "attention/lessons.h"

using namespace attention;

namespace {

/// Whether it was a change of the rule.
bool changed(std::string_view change, TrainerRule& rule) {
  const auto at = change.find('=');
  if (at == change.npos) return false;
  (change.starts_with("mask") ? rule.is_causal : rule.scales) = change.substr(at + 1) == "on";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return std::fputs("usage: train_dump LESSON RUN SEED STEPS...\n", stderr), 2;
  const Lesson* found = find_lesson(argv[1], argv[2]);
  if (!found) return std::fprintf(stderr, "There is no run %s of %s.\n", argv[2], argv[1]), 2;
  Lesson lesson = *found;
  std::vector<std::int32_t> text;
  if (lesson.task == Task::text) {
    std::uint32_t symbols = 0;
    if (std::scanf("%" SCNu32, &symbols) != 1) return std::fputs("The text is missing.\n", stderr), 2;
    for (std::int32_t id; std::scanf("%" SCNd32, &id) == 1;) text.push_back(id);
    lesson = with_text(lesson, text, symbols);
  }
  const auto seed = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  Trainer trainer;
  TaskBatch batch;
  StepReport report;
  Error error = trainer.start(lesson.shape, seed);
  for (int i = 4; i < argc && !error; ++i) {
    if (changed(argv[i], lesson.rule)) continue;
    for (const auto wanted = std::strtoul(argv[i], nullptr, 10); !error && trainer.steps() < wanted;) {
      error = make_batch(lesson.task, lesson.settings, lesson.texts, seed, trainer.steps(), batch);
      if (!error) error = trainer.step(batch.view(), lesson.rule, report);
    }
    if (!error) std::printf("%016" PRIx64 "\n", weights_hash(trainer));
  }
  return error ? (std::fprintf(stderr, "%s\n", message(error).c_str()), 1) : 0;
}
