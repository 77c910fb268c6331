// Any layer and input: run() refuses with a sentence and leaves everything as it was, or each stage is as near
// to double as its roundings allow, and a cache changes no bit.
#include "attention/multi_head.h"

#include <algorithm>

#include "draw.h"

using namespace attention;
using fuzz::extent;
using fuzz::require;

namespace {

struct Tables {
  std::vector<float> cosines, sines;
  std::vector<std::int64_t> positions;
};

void draw_rotary(FuzzedDataProvider& data, Tables& tables, MultiHead& layer,
                 MultiHeadInput& input) {
  const std::size_t half = data.ConsumeIntegralInRange<std::size_t>(1, 5);
  const std::size_t rows = data.ConsumeIntegralInRange<std::size_t>(0, 20);
  tables.cosines.resize(rows * half);
  tables.sines.resize(rows * half);
  require(!fill_rotary(tables.cosines, tables.sines, rows, 2 * half));
  layer.rotary = {tables.cosines, tables.sines, half,
                  data.ConsumeBool() ? RotaryPairs::halved : RotaryPairs::interleaved};
  if (!data.ConsumeBool()) return;
  const std::size_t count = data.ConsumeBool()
                                ? std::min<std::size_t>(input.x.batch * input.x.rows, 200)
                                : data.ConsumeIntegralInRange<std::size_t>(0, 9);
  for (std::size_t i = 0; i < count; ++i) tables.positions.push_back(fuzz::distance(data));
  input.positions = tables.positions;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  fuzz::Memory memory(data);
  const std::size_t B = extent(data, 3), T = extent(data, 9), D = extent(data, 9),
                    H_kv = extent(data, 3);
  const std::size_t group = extent(data, 3), d_k = extent(data, 7), d_v = extent(data, 7);
  const bool is_self = data.ConsumeBool();
  const std::size_t S = is_self ? T : extent(data, 9), D_key = is_self ? D : extent(data, 9);

  MultiHead layer;
  layer.heads = H_kv * group;
  layer.key_heads = H_kv;
  layer.query = memory.linear(data, D, layer.heads * d_k);
  layer.key = memory.linear(data, D_key, H_kv * d_k);
  const std::size_t rank = data.ConsumeBool() ? extent(data, 4) : 0;
  if (rank != 0) layer.value_down = memory.linear(data, D_key, rank);
  layer.value = memory.linear(data, rank != 0 ? rank : D_key, H_kv * d_v);
  if (data.ConsumeBool()) layer.out_proj = memory.linear(data, layer.heads * d_v, extent(data, 9));
  if (data.ConsumeIntegralInRange<int>(0, 9) == 0)
    layer.heads = data.ConsumeIntegralInRange<std::size_t>(0, 9);

  // Memory for what is small; the large must be refused before it is read.
  const bool fits = B <= 3 && T <= 9 && D <= 9 && S <= 9 && D_key <= 9;
  MultiHeadInput input;
  input.x = {memory.floats(fits ? B * T * D : 1), B, T, D};
  // Never null, which would stand for x.
  if (!is_self) input.keys = {memory.floats(fits ? std::max<std::size_t>(B * S * D_key, 1) : 1), B, S, D_key};
  Tables tables;
  if (data.ConsumeBool()) draw_rotary(data, tables, layer, input);
  AttendOptions options;
  options.is_causal = data.ConsumeBool();
  options.offset = fuzz::distance(data);
  options.window_left = fuzz::distance(data);
  if (data.ConsumeBool()) options.scale = data.ConsumeFloatingPointInRange(-2.0f, 2.0f);

  fuzz::draw_head_norms(data, memory, layer);

  const bool is_small = fits && H_kv <= 3 && group <= 3 && d_k <= 7 && d_v <= 7 && rank <= 4 &&
                        output_width(layer) <= 64;
  if (!is_small) {
    // Only what must be refused may be run without its memory: extents that overflow are.
    constexpr std::size_t kHuge = std::size_t{1} << 41;
    float y = 0;
    MultiHeadScratch scratch;
    if (B > kHuge || T > kHuge || (!is_self && S > kHuge)) {
      require(bool(run(layer, input, options, &y, scratch)));
      require(scratch.rows.floats().empty());
    }
    return 0;
  }
  std::vector<float> y(B * T * output_width(layer), 7), cached = y;
  const std::vector<float> untouched = y;
  static MultiHeadScratch scratch;
  if (const Error error = run(layer, input, options, y.data(), scratch)) {
    require(!message(error).empty() && y == untouched);
    return 0;
  }
  const std::size_t H = layer.heads;
  for (const bool keeps_scores : {false, true}) {
    std::vector<std::vector<float>> kept;
    const auto keep = [&](std::size_t count) { return kept.emplace_back(count).data(); };
    MultiHeadStages stages;
    stages.query = keep(B * T * layer.query.out);
    stages.rotated_query = keep(B * T * layer.query.out);
    stages.key = keep(B * S * layer.key.out);
    stages.rotated_key = keep(B * S * layer.key.out);
    stages.value = keep(B * S * layer.value.out);
    stages.concat = keep(B * T * H * (layer.value.out / layer.key_heads));
    const std::size_t cells = B * H * T * S;
    if (keeps_scores) {
      stages.attend = {keep(cells), keep(cells), keep(cells), keep(cells), keep(cells), keep(cells)};
    }
    std::vector<float> staged(y.size());
    require(!run(layer, input, options, staged.data(), scratch, stages));
    attention::test::LocalError error;
    error.multi_head(layer, input, options, stages, staged.data());
    require(error);
    require(keeps_scores || staged == y);
  }
  KeyValueCache cache;
  require(!cache.reserve(layer.key_heads, S + 1, d_k, d_v, B));
  input.cache = &cache;
  require(!run(layer, input, options, cached.data(), scratch));
  require(cache.length() == S && cached == y);
  const Error full = run(layer, input, options, cached.data(), scratch);
  require(cache.length() == (full ? S : 2 * S) && (S == 1 || full));
  return 0;
}
