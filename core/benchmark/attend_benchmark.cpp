// attend() on one thread at the size that the peers are measured at, and OpenBLAS's product of matrices
// beside it as a measure of the processor.
#include <benchmark/benchmark.h>

#include <vector>

#include "attention/attend.h"
#include "attention/generator.h"

using namespace attention;

namespace {

std::vector<float> normal(std::size_t count, std::uint32_t seed) {
  std::vector<float> out(count);
  fill_normal(out, seed, Drawn::content, 0);
  return out;
}

// 12 heads of 64; argument 0 is n, argument 1 is causality.
void attend(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t H = 12, d = 64;
  const auto q = normal(H * n * d, 1), k = normal(H * n * d, 2), v = normal(H * n * d, 3);
  std::vector<float> context(H * n * d);
  AttendOptions options;
  options.is_causal = state.range(1) != 0;
  Buffer scratch;
  for (auto _ : state) {
    const Error error = attention::attend(
        heads_first(q.data(), 1, H, n, d), heads_first(k.data(), 1, H, n, d),
        heads_first(v.data(), 1, H, n, d), options, heads_first(context.data(), 1, H, n, d), scratch);
    if (error) state.SkipWithError(message(error).c_str());
    benchmark::DoNotOptimize(context.data());
  }
}
BENCHMARK(attend)->ArgNames({"n", "causal"})->ArgsProduct({{128, 512, 1024}, {0, 1}})->Unit(benchmark::kMillisecond);

#ifdef ATTENTION_OPENBLAS
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*,
                       const int*);

void sgemm(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto a = normal(count, 1), b = normal(count, 2);
  std::vector<float> c(count);
  const float one = 1, zero = 0;
  for (auto _ : state) {
    sgemm_("N", "N", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &n);
    benchmark::DoNotOptimize(c.data());
  }
}
BENCHMARK(sgemm)->ArgName("n")->Arg(1024)->Unit(benchmark::kMillisecond);
#endif

}  // namespace

BENCHMARK_MAIN();
