// Training of a small decoder: a lesson's model, task and rule, for thirty steps.
#include <cstdio>

#include "attention/lessons.h"

namespace {

int fail(const attention::Error& error) { return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1; }

}  // namespace

int main() {
  constexpr std::uint32_t seed = 1;
  const attention::Lesson& lesson = *attention::find_lesson("look_back", "two_layers");
  attention::Trainer trainer;    // owns weights, gradients and moments
  attention::TaskBatch batch;    // follows from task, settings, seed and step alone
  attention::StepReport report;  // loss in nats, asked, right, the gradient's norm
  if (auto error = trainer.start(lesson.shape, seed)) return fail(error);
  while (trainer.steps() < 30) {
    if (auto error = make_batch(lesson.task, lesson.settings, lesson.texts, seed, trainer.steps(), batch)) return fail(error);
    if (auto error = trainer.step(batch.view(), lesson.rule, report)) return fail(error);
    if (trainer.steps() % 10 == 0) std::printf("step %u: loss %.4f\n", trainer.steps(), report.loss);
  }
}
