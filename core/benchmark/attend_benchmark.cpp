// attend(), the multi-head layer and a decoder at the sizes that the peers are measured at, by the vectors that the
// processor has and by one and two threads; OpenBLAS's product of matrices beside them as a measure of the processor.
#include <benchmark/benchmark.h>

#include <bit>
#include <deque>
#include <string>
#include <vector>

#include "attention/attention.h"

using namespace attention;

namespace {

std::vector<float> normal(std::size_t count, std::uint32_t seed) {
  std::vector<float> out(count);
  fill_normal(out, seed, Drawn::content, 0);
  return out;
}

// False, and skipped, where they are not to be had.
bool choose(benchmark::State& state, std::int64_t lanes) {
  if (use_vectors(static_cast<Vectors>(lanes))) return true;
  state.SkipWithError("this processor or build has none of these vectors");
  return false;
}

void check(benchmark::State& state, const Error& error) {
  if (error) state.SkipWithError(message(error).c_str());
}

constexpr std::size_t kHeads = 12, kWidth = 64, kModel = kHeads * kWidth;
std::int64_t widest() {
  for (const int lanes : {16, 8}) {
    if (has_vectors(static_cast<Vectors>(lanes))) return lanes;
  }
  return static_cast<std::int64_t>(vectors());
}

// 12 heads of 64; arguments: lanes, n, causality, threads.
void attend(benchmark::State& state) {
  if (!choose(state, state.range(0))) return;
  const auto n = static_cast<std::size_t>(state.range(1));
  const auto q = normal(n * kModel, 1), k = normal(n * kModel, 2), v = normal(n * kModel, 3);
  std::vector<float> context(n * kModel);
  AttendOptions options;
  options.is_causal = state.range(2) != 0;
  Workers workers(static_cast<std::size_t>(state.range(3)));
  const auto in = [n](const std::vector<float>& x) { return heads_first(x.data(), 1, kHeads, n, kWidth); };
  for (auto _ : state) {
    check(state, attention::attend(in(q), in(k), in(v), options, heads_first(context.data(), 1, kHeads, n, kWidth), workers));
    benchmark::DoNotOptimize(context.data());
  }
}
BENCHMARK(attend)
    ->ArgNames({"lanes", "n", "causal", "threads"})
    ->ArgsProduct({{4, 8, 16}, {128, 512, 1024}, {0, 1}, {1}})
    ->ArgsProduct({{4, 8, 16}, {1024}, {0}, {2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// GPT-2's smallest: 12 blocks of 768, 12 heads, an MLP of 3,072; a vocabulary of 8,192.
struct Model {
  static constexpr std::size_t kVocabulary = 8192;
  std::deque<std::vector<float>> memory;
  std::vector<Block> blocks;
  Decoder decoder;

  explicit Model(std::size_t layers) : blocks(layers) {
    for (Block& b : blocks) {
      b.norm_1 = b.norm_2 = norm();
      b.attention.query = b.attention.key = b.attention.value = b.attention.out_proj = linear(kModel, kModel);
      for (Linear* each : {&b.attention.key, &b.attention.value, &b.attention.out_proj}) *each = linear(kModel, kModel);
      b.attention.heads = b.attention.key_heads = kHeads;
      b.up = linear(kModel, 4 * kModel);
      b.down = linear(4 * kModel, kModel);
    }
    decoder.d_model = kModel;
    decoder.vocabulary = kVocabulary;
    decoder.embeddings = memory.emplace_back(normal(kVocabulary * kModel, 9)).data();
    decoder.blocks = blocks;
    decoder.final_norm = norm();
  }
  // Gives all matrices another type, with any numbers about as large; those of layers become (out, in) and interleaved, or stay
  // (in, out).
  void rewrite(NumberType type, bool is_interleaved) {
    for (Block& b : blocks) {
      for (Linear* each : {&b.attention.query, &b.attention.key, &b.attention.value, &b.attention.out_proj, &b.up, &b.down}) {
        each->layout = is_interleaved ? Layout::out_in : Layout::in_out;
        each->weight = rewritten(each->weight, each->in * each->out, type, is_interleaved);
      }
    }
    decoder.embeddings = rewritten(decoder.embeddings, kVocabulary * kModel, type, true);
  }
  // Its rows fill whole groups.
  Weight rewritten(const Weight& weight, std::size_t count, NumberType type, bool is_interleaved) {
    Weight made = converted(weight, count, type);
    if (is_interleaved) made.order = Order::interleaved;
    return made;
  }
  Weight converted(const Weight& weight, std::size_t count, NumberType type) {
    if (type == NumberType::f32) return weight;
    std::vector<float>& made = memory.emplace_back(bytes_of(type, count) / sizeof(float));
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(weight.floats()[i]);
      const std::uint32_t half = type == NumberType::bf16 ? bits >> 16 : (bits >> 16 & 0x83ff) | 0x2000;
      made[i] = std::bit_cast<float>(type == NumberType::i8 ? bits : half << 16 | half);
    }
    return {made.data(), type, memory.emplace_back(4 * kModel > kVocabulary ? 4 * kModel : kVocabulary, 0.0003f).data()};
  }
  LayerNorm norm() { return {memory.emplace_back(kModel, 1.0f).data(), memory.emplace_back(kModel, 0.0f).data(), kModel}; }
  Linear linear(std::size_t in, std::size_t out) {
    std::vector<float>& numbers = memory.emplace_back(normal(in * out, static_cast<std::uint32_t>(memory.size())));
    for (float& x : numbers) x *= 0.03f;
    return {numbers.data(), memory.emplace_back(out, 0.0f).data(), in, out};
  }
};

// Arguments: n, threads; on the widest vectors, as what follows.
void multi_head(benchmark::State& state) {
  if (!choose(state, widest())) return;
  const auto n = static_cast<std::size_t>(state.range(0));
  Model model(1);
  const auto x = normal(n * kModel, 1);
  std::vector<float> y(x.size());
  MultiHeadInput input;
  input.x = {x.data(), 1, n, kModel};
  AttendOptions options;
  options.is_causal = true;
  Workers workers(static_cast<std::size_t>(state.range(1)));
  MultiHeadScratch scratch;
  scratch.workers = &workers;
  for (auto _ : state) check(state, run(model.blocks[0].attention, input, options, y.data(), scratch));
}
BENCHMARK(multi_head)->ArgNames({"n", "threads"})->ArgsProduct({{512, 1024}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

void decoder_reads(benchmark::State& state) {
  if (!choose(state, widest())) return;
  const Model model(12);
  const auto n = static_cast<std::size_t>(state.range(0));
  Workers workers(static_cast<std::size_t>(state.range(1)));
  DecoderState text;
  check(state, text.reserve(model.decoder, n));
  text.use(&workers);
  const std::vector<std::int32_t> tokens(n, 7);
  std::vector<float> logits(Model::kVocabulary);
  for (auto _ : state) {
    text.truncate(0);
    check(state, run(model.decoder, tokens, text, logits.data(), LogitsOf::last_token));
  }
}
BENCHMARK(decoder_reads)->ArgNames({"n", "threads"})->ArgsProduct({{512}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

// One token after those of a cache: a layer, its norms and its MLP.
void decode(benchmark::State& state) {
  if (!choose(state, widest())) return;
  const Model model(1);
  const auto before = static_cast<std::size_t>(state.range(0));
  Workers workers(static_cast<std::size_t>(state.range(1)));
  KeyValueCache cache;
  check(state, cache.reserve(kHeads, before + 1, kWidth, kWidth));
  const auto keys = normal(before * kModel, 1), x = normal(kModel, 2);
  check(state, cache.append(heads_last(keys.data(), 1, before, kHeads, kWidth), heads_last(keys.data(), 1, before, kHeads, kWidth)));
  BlockScratch scratch;
  scratch.attention.workers = &workers;
  std::vector<float> row(kModel);
  for (auto _ : state) {
    cache.truncate(before);
    row = x;
    check(state, run(model.blocks[0], row.data(), 1, cache, scratch));
  }
}
BENCHMARK(decode)->ArgNames({"cache", "threads"})->ArgsProduct({{1024}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

// One token through the whole model: what its matrices take is read once. type as NumberType: f32, bf16, f16, int8.
void decode_token(benchmark::State& state) {
  if (!choose(state, state.range(0))) return;
  Model model(12);
  model.rewrite(static_cast<NumberType>(state.range(1)), state.range(2) != 0);
  DecoderState text;
  check(state, text.reserve(model.decoder, 2));
  std::vector<float> logits(Model::kVocabulary);
  for (auto _ : state) {
    text.truncate(0);
    check(state, run(model.decoder, std::vector<std::int32_t>{7}, text, logits.data()));
  }
}
BENCHMARK(decode_token)->ArgNames({"lanes", "type", "interleaved"})->ArgsProduct({{4, 8, 16}, {0, 1, 2, 3}, {0, 1}})->UseRealTime()->Unit(benchmark::kMillisecond);

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
BENCHMARK(sgemm)->ArgName("n")->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);
#endif

}  // namespace

BENCHMARK_MAIN();
