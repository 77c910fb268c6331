// Random layers and decoders with the memory behind their views.
#pragma once

#include <cmath>
#include <vector>

#include "attention/decoder.h"
#include "attention/multi_head.h"
#include "random.h"

namespace attention::test {

// Parameters that stay in place while more are drawn.
class Memory {
 public:
  explicit Memory(Random& random) : random_(random) {}
  const float* numbers(std::size_t count) {
    all_.push_back(random_.numbers(count));
    return all_.back().data();
  }
  // Either layout, with or without a bias.
  Linear linear(std::size_t in, std::size_t out) {
    return {numbers(in * out),
            random_.coin() ? numbers(out) : nullptr,
            in,
            out,
            random_.coin() ? Layout::in_out : Layout::out_in,
            0};
  }

 private:
  Random& random_;
  std::vector<std::vector<float>> all_;  // their numbers do not move when it grows
};

inline constexpr std::size_t kRotaryRows = 200;

struct Tables {
  std::vector<float> cosines, sines;
  RotaryTables view;

  void fill(std::size_t half, RotaryPairs pairs) {
    cosines.resize(kRotaryRows * half);
    sines.resize(kRotaryRows * half);
    if (fill_rotary(cosines, sines, kRotaryRows, 2 * half)) cosines.clear();  // which its users refuse
    view = {cosines, sines, half, pairs};
  }
};

// |got - expected| <= bound · the largest of expected, or of 1.
inline bool is_close(const std::vector<float>& got, const std::vector<double>& expected,
                     double bound) {
  double scale = 1;
  for (const double y : expected) scale = std::fmax(scale, std::fabs(y));
  bool all = got.size() == expected.size();
  for (std::size_t i = 0; i < got.size() && all; ++i) {
    all = std::fabs(static_cast<double>(got[i]) - expected[i]) <= bound * scale;
  }
  return all;
}

inline constexpr std::size_t kContext = 60;

struct RandomDecoder {
  Memory memory;
  std::vector<Block> blocks;
  std::vector<Tables> tables;
  Decoder decoder;

  // Whether all blocks are causal, so that a text may be read in parts.
  explicit RandomDecoder(Random& random, bool is_causal = true) : memory(random), tables(4), is_causal_(is_causal) {
    decoder.d_model = random.size(2, 24);
    decoder.vocabulary = random.size(1, 40);
    decoder.embeddings = memory.numbers(decoder.vocabulary * decoder.d_model);
    if (random.coin()) decoder.positions = table();
    if (random.coin()) decoder.embeddings_norm = norm(random);
    for (std::size_t i = random.size(1, 3); i > 0; --i) blocks.push_back(block(random));
    decoder.blocks = blocks;
    if (random.coin()) {
      decoder.transform = memory.linear(decoder.d_model, decoder.d_model);
      decoder.transform_gelu = random.coin() ? Gelu::tanh : Gelu::erf;
    }
    if (random.coin()) decoder.final_norm = norm(random);
    if (random.coin()) decoder.output = memory.linear(decoder.d_model, decoder.vocabulary);
  }

  std::span<const float> table() {
    return {memory.numbers(kContext * decoder.d_model), kContext * decoder.d_model};
  }
  LayerNorm norm(Random& random) {
    LayerNorm n{memory.numbers(decoder.d_model), memory.numbers(decoder.d_model), decoder.d_model};
    n.is_rms = random.coin();
    return n;
  }

  Block block(Random& random) {
    const std::size_t D = decoder.d_model, hidden = random.size(1, 40);
    const std::size_t H_kv = random.size(1, 2), H = H_kv * random.size(1, 2);
    const std::size_t d_k = random.size(2, 7), d_v = random.size(1, 7), rank = random.size(1, 5);
    Block b;
    b.norm_1 = norm(random);
    b.norm_2 = norm(random);
    const bool is_low = random.coin();
    if (is_low) b.attention.value_down = memory.linear(D, rank);
    b.attention.query = memory.linear(D, H * d_k);
    b.attention.key = memory.linear(D, H_kv * d_k);
    b.attention.value = memory.linear(is_low ? rank : D, H_kv * d_v);
    b.attention.out_proj = memory.linear(H * d_v, D);
    b.attention.heads = H;
    b.attention.key_heads = H_kv;
    b.up = memory.linear(D, hidden);
    b.down = memory.linear(hidden, D);
    if (random.coin()) b.gate = memory.linear(D, hidden);
    b.is_parallel = random.coin();
    b.is_post_norm = !b.is_parallel && random.coin();
    b.is_causal = is_causal_ || random.coin();
    b.gelu = random.coin() ? Gelu::tanh : Gelu::erf;
    if (random.coin()) {
      tables[blocks.size()].fill(random.size(1, static_cast<int>(d_k / 2)), RotaryPairs::halved);
      b.attention.rotary = tables[blocks.size()].view;
    }
    if (random.coin()) b.alibi_slopes = {memory.numbers(H), H};
    if (random.coin()) b.query_key_positions = table();
    return b;
  }

  std::vector<std::int32_t> tokens(Random& random, std::size_t count) const {
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(random.whole(0, static_cast<int>(decoder.vocabulary) - 1));
    return out;
  }

 private:
  bool is_causal_;
};

}  // namespace attention::test
