// Any small decoder and any tokens: run() refuses with a sentence and leaves its state as it was,
// or each stage is what double makes of its own inputs, and the logits are the same bits whatever the steps
// in which the tokens are read. How far all stages together are from double has no bound: norms of nearly
// equal rows magnify what was rounded before them 27,000 times and more.
#include "attention/decoder.h"

#include <cmath>

#include "draw.h"

using namespace attention;
using fuzz::require;

namespace {

constexpr std::size_t kContext = 12;

std::span<const float> table(fuzz::Memory& memory, std::size_t D) {
  return {memory.floats(kContext * D), kContext * D};
}

Block draw_block(FuzzedDataProvider& data, fuzz::Memory& memory, std::size_t D) {
  const auto small = [&](std::size_t most) {
    return data.ConsumeIntegralInRange<std::size_t>(1, most);
  };
  const std::size_t H_kv = small(2), H = H_kv * small(2), d_k = small(4), d_v = small(4),
                    hidden = small(8);
  Block b;
  b.norm_1 = {memory.floats(D), memory.floats(D), D};
  b.norm_2 = {memory.floats(D), nullptr, D};
  b.attention.query = memory.linear(data, D, H * d_k);
  b.attention.key = memory.linear(data, D, H_kv * d_k);
  b.attention.value = memory.linear(data, D, H_kv * d_v);
  b.attention.out_proj =
      memory.linear(data, H * d_v, data.ConsumeIntegralInRange<int>(0, 20) == 0 ? D + 1 : D);
  b.attention.heads = H;
  b.attention.key_heads = data.ConsumeIntegralInRange<int>(0, 20) == 0 ? small(3) : H_kv;
  b.up = memory.linear(data, D, hidden);
  b.down = memory.linear(data, hidden, D);
  if (data.ConsumeBool()) b.gate = memory.linear(data, D, hidden);
  b.is_parallel = data.ConsumeBool();
  b.is_post_norm = data.ConsumeBool();  // both are refused
  b.is_causal = data.ConsumeBool();
  b.norm_1.is_rms = b.norm_2.is_rms = data.ConsumeBool();
  b.gelu = data.ConsumeBool() ? Gelu::erf : Gelu::tanh;
  if (data.ConsumeBool()) b.alibi_slopes = {memory.floats(H), H};
  if (data.ConsumeBool()) b.query_key_positions = table(memory, D);
  return b;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  fuzz::Memory memory(data);
  Decoder d;
  d.d_model = data.ConsumeIntegralInRange<std::size_t>(1, 8);
  d.vocabulary = data.ConsumeIntegralInRange<std::size_t>(1, 9);
  d.embeddings = memory.floats(d.vocabulary * d.d_model);
  if (data.ConsumeBool()) d.positions = table(memory, d.d_model);
  std::vector<Block> blocks;
  for (int i = data.ConsumeIntegralInRange(0, 2); i > 0; --i)
    blocks.push_back(draw_block(data, memory, d.d_model));
  d.blocks = blocks;
  if (data.ConsumeBool()) d.embeddings_norm = {memory.floats(d.d_model), memory.floats(d.d_model), d.d_model};
  if (data.ConsumeBool()) d.transform = memory.linear(data, d.d_model, d.d_model);
  if (data.ConsumeBool()) d.final_norm = {memory.floats(d.d_model), nullptr, d.d_model};
  if (data.ConsumeBool()) d.output = memory.linear(data, d.d_model, d.vocabulary);
  std::vector<std::int32_t> tokens;
  for (int i = data.ConsumeIntegralInRange(0, 15); i > 0; --i)
    tokens.push_back(data.ConsumeIntegralInRange(-1, 9));
  for (Block& block : blocks) fuzz::draw_head_norms(data, memory, block.attention);

  DecoderState state;
  if (const Error error = state.reserve(d, kContext)) {
    require(!message(error).empty() && state.length() == 0);
    return 0;
  }
  std::vector<float> logits(tokens.size() * d.vocabulary + 1, 7), parts = logits;
  const std::vector<float> untouched = logits;
  if (const Error error = run(d, tokens, state, logits.data())) {
    require(!message(error).empty() && state.length() == 0 && logits == untouched);
    return 0;
  }
  logits.pop_back();
  parts.pop_back();
  require(state.length() == tokens.size());
  attention::test::LocalError error;
  error.decoder(d, tokens, true);
  error.decoder(d, tokens, false);
  require(error);
  for (const Block& block : blocks) {
    if (!block.is_causal) return 0;  // read at once, or not at all
  }
  state.truncate(data.ConsumeIntegralInRange<std::size_t>(0, tokens.size() - 1));
  std::copy_n(logits.begin(), state.length() * d.vocabulary, parts.begin());
  while (state.length() < tokens.size()) {
    const std::size_t first = state.length();
    const std::size_t count = data.ConsumeIntegralInRange<std::size_t>(1, tokens.size() - first);
    require(!run(d, std::span(tokens).subspan(first, count), state, &parts[first * d.vocabulary]));
  }
  require(parts == logits || !std::isfinite(logits[0] * 0));
  return 0;
}
