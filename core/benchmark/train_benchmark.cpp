// Steps of training on one thread, data included: a lesson's model, and one of 0.8 million parameters.
#include <benchmark/benchmark.h>

#include "attention/tasks.h"
#include "attention/trainer.h"

using namespace attention;

namespace {

void train(benchmark::State& state, const TrainerShape& shape, const TaskSettings& settings) {
  constexpr std::size_t kTexts = 16;
  Trainer trainer;
  TaskBatch batch;
  StepReport report;
  if (const Error error = trainer.start(shape, 1)) state.SkipWithError(message(error).c_str());
  for (auto _ : state) {
    Error error = make_batch(Task::repeat, settings, kTexts, 1, trainer.steps(), batch);
    if (!error) error = trainer.step(batch.view(), {}, report);
    if (error) state.SkipWithError(message(error).c_str());
  }
  state.counters["steps/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["parameters"] = static_cast<double>(trainer.parameter_count());
}

const TaskSettings kShort{.length = 32, .symbols = 32, .least_period = 6, .most_period = 16};
const TaskSettings kLong{.length = 64, .symbols = 64, .least_period = 8, .most_period = 32};

BENCHMARK_CAPTURE(train, d32_h2_l2_t32, TrainerShape{}, kShort)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, d128_h4_l4_mlp512_t64,
                  (TrainerShape{
                      .vocabulary = 64, .context = 64, .d_model = 128, .heads = 4, .layers = 4, .hidden = 512}),
                  kLong)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
