// Trains a lesson's run natively and prints the hash of all its weights after each number of steps asked for:
// train_dump LESSON RUN SEED STEPS…
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "attention/lessons.h"

using namespace attention;

int main(int argc, char** argv) {
  if (argc < 5) return std::fputs("usage: train_dump LESSON RUN SEED STEPS...\n", stderr), 2;
  const Lesson* lesson = find_lesson(argv[1], argv[2]);
  if (!lesson) return std::fprintf(stderr, "There is no run %s of %s.\n", argv[2], argv[1]), 2;
  const auto seed = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  Trainer trainer;
  TaskBatch batch;
  StepReport report;
  Error error = trainer.start(lesson->shape, seed);
  for (int i = 4; i < argc && !error; ++i) {
    for (const auto wanted = std::strtoul(argv[i], nullptr, 10); !error && trainer.steps() < wanted;) {
      error = make_batch(lesson->task, lesson->settings, lesson->texts, seed, trainer.steps(), batch);
      if (!error) error = trainer.step(batch.view(), lesson->rule, report);
    }
    if (!error) std::printf("%016" PRIx64 "\n", weights_hash(trainer));
  }
  return error ? (std::fprintf(stderr, "%s\n", message(error).c_str()), 1) : 0;
}
