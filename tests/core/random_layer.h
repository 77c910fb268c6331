// Random layers and decoders with the memory behind their views.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <vector>

#include "attention/decoder.h"
#include "attention/multi_head.h"
#include "random.h"

namespace attention::test {

// How a matrix may be stored otherwise than as float32 in rows.
struct Stored {
  NumberType type;
  Order order = Order::rows;
};
inline constexpr Stored kStored[] = {{NumberType::bf16},
                                     {NumberType::f16},
                                     {NumberType::i8},
                                     {NumberType::q8_0},
                                     {NumberType::f32, Order::interleaved},
                                     {NumberType::bf16, Order::interleaved},
                                     {NumberType::f16, Order::interleaved},
                                     {NumberType::i8, Order::interleaved},
                                     {NumberType::q8_0, Order::interleaved}};

// A matrix stored so, near given numbers or of any bits, and the same as float32 in rows, widened and put in order here by
// other means than the core's.
struct StoredMatrix {
  std::vector<float> floats;
  std::vector<std::uint16_t> halves;
  std::vector<std::int8_t> bytes, blocks;
  std::vector<float> scales, widened;
  bool is_finite = true;
  Weight weight;

  // rows x width numbers.
  StoredMatrix(Stored stored, const float* numbers, std::size_t rows, std::size_t width) {
    const NumberType type = stored.type;
    floats.assign(numbers, numbers + rows * width);
    for (std::size_t i = 0; i < rows * width; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(numbers[i]);
      const std::uint32_t exponent = bits >> 23 & 0xff;
      const std::uint32_t half = exponent > 112 && exponent < 142 ? (exponent - 112) << 10 | (bits >> 13 & 0x3ff) : bits & 0x3ff;
      halves.push_back(static_cast<std::uint16_t>(type == NumberType::bf16 ? bits >> 16 : bits >> 31 << 15 | half));
      bytes.push_back(static_cast<std::int8_t>(bits >> 9));
      if (i % width == 0) scales.push_back(numbers[i] / 100);
    }
    finish(stored, width);
  }
  // All patterns of 16 bits, or of 8, in rows; of float32, of its upper 16. Scales of every other row are as small as they may be.
  StoredMatrix(Stored stored, std::size_t width) {
    for (std::uint32_t bits = 0; bits < 1 << 16; ++bits) {
      floats.push_back(std::bit_cast<float>(bits << 16));
      halves.push_back(static_cast<std::uint16_t>(bits));
      bytes.push_back(static_cast<std::int8_t>(bits));
      if (bits % width == 0) scales.push_back(std::ldexp(0.001f * static_cast<float>(bits), scales.size() % 2 == 0 ? 0 : -96));
    }
    finish(stored, width);
  }
  StoredMatrix(const StoredMatrix&) = delete;
  StoredMatrix(StoredMatrix&& other)
      : floats(std::move(other.floats)), halves(std::move(other.halves)), bytes(std::move(other.bytes)), blocks(std::move(other.blocks)), scales(std::move(other.scales)),
        widened(std::move(other.widened)), is_finite(other.is_finite), weight(other.weight) {
    if (weight.is_finite != nullptr) weight.is_finite = &is_finite;
  }

 private:
  void finish(Stored stored, std::size_t width) {
    const NumberType type = stored.type;
    if (type == NumberType::q8_0) return finish_blocks(stored.order, width);
    for (std::size_t i = 0; i < halves.size(); ++i) {
      widened.push_back(type == NumberType::f32    ? floats[i]
                        : type == NumberType::i8   ? static_cast<float>(bytes[i] * static_cast<double>(scales[i / width]))
                        : type == NumberType::bf16 ? std::bit_cast<float>(static_cast<std::uint32_t>(halves[i]) << 16)
                                                   : of_half(halves[i]));
    }
    for (const std::uint16_t half : halves) is_finite &= (half & 0x7c00) != 0x7c00;
    if (stored.order == Order::interleaved) {
      interleave(floats, width, std::numeric_limits<float>::quiet_NaN());
      interleave(halves, width, std::uint16_t{0x7fff});
      interleave(bytes, width, std::int8_t{99});
      scales.resize(scales.size() + 15, std::numeric_limits<float>::quiet_NaN());
    }
    if (type == NumberType::f32) weight = {floats.data(), type};
    else if (type == NumberType::i8) weight = {bytes.data(), type, scales.data()};
    else weight = {halves.data(), type};
    if (type == NumberType::f16) weight.is_finite = &is_finite;
    weight.order = stored.order;
  }
  // By sixteen rows, as attention/ops.h says; where rows are missing, `filling`.
  template <class Number>
  static void interleave(std::vector<Number>& numbers, std::size_t width, Number filling) {
    std::vector<Number> all;
    for (std::size_t group = 0; group < numbers.size(); group += 16 * width) {
      for (std::size_t column = 0; column < width; ++column) {
        for (std::size_t at = group + column; at < group + 16 * width; at += width) all.push_back(at < numbers.size() ? numbers[at] : filling);
      }
    }
    numbers = std::move(all);
  }
  // As llama.cpp lays them out; the numbers of a block's halves are its scales', none infinite.
  void finish_blocks(Order order, std::size_t width) {
    while (bytes.size() % 32 != 0) bytes.push_back(77);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto scale = static_cast<std::uint16_t>(halves[i / 32 * 32] & 0xbfff);
      if (i % 32 == 0) blocks.insert(blocks.end(), {static_cast<std::int8_t>(scale), static_cast<std::int8_t>(scale >> 8)});
      blocks.push_back(bytes[i]);
      if (i < halves.size()) widened.push_back(of_half(scale) * static_cast<float>(bytes[i]));
    }
    if (order == Order::interleaved) interleave_blocks(width / 32 * 34);
    weight = {blocks.data(), NumberType::q8_0};
    weight.order = order;
  }
  // Of sixteen rows, the scales of a block each, then their numbers.
  void interleave_blocks(std::size_t row_bytes) {
    std::vector<std::int8_t> all;
    const auto take = [&](std::size_t at) { all.push_back(at < blocks.size() ? blocks[at] : std::int8_t{0x7f}); };
    for (std::size_t group = 0; group < blocks.size(); group += 16 * row_bytes) {
      for (std::size_t block = group; block < group + row_bytes; block += 34) {
        for (std::size_t row = 0; row < 16; ++row) take(block + row * row_bytes), take(block + row * row_bytes + 1);
        for (std::size_t i = 2; i < 34; ++i) {
          for (std::size_t row = 0; row < 16; ++row) take(block + row * row_bytes + i);
        }
      }
    }
    blocks = std::move(all);
  }
  // IEEE 754-2019, 3.4.
  static float of_half(std::uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31) return std::bit_cast<float>((half & 0x8000u) << 16 | 0x7f800000u | static_cast<unsigned>(fraction) << 13);
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                     : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return half & 0x8000 ? -size : size;
  }
};

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

  // Whether all blocks are causal, so that a text may be read in parts; and whether rows are of whole blocks of Q8_0.
  explicit RandomDecoder(Random& random, bool is_causal = true, bool is_of_blocks = false)
      : memory(random), tables(4), is_causal_(is_causal), is_of_blocks_(is_of_blocks) {
    decoder.d_model = is_of_blocks ? kBlockNumbers * random.size(1, 2) : random.size(2, 24);
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
    const std::size_t D = decoder.d_model, hidden = is_of_blocks_ ? 2 * kBlockNumbers : random.size(1, 40);
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
    if (random.coin()) b.attention.query_norm = {{memory.numbers(d_k), d_k}, 1e-5f};
    if (random.coin()) b.attention.key_norm = {{memory.numbers(d_k), d_k}, 1e-5f};
    return b;
  }

  std::vector<std::int32_t> tokens(Random& random, std::size_t count) const {
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(random.whole(0, static_cast<int>(decoder.vocabulary) - 1));
    return out;
  }

 private:
  bool is_causal_, is_of_blocks_;
};

}  // namespace attention::test
