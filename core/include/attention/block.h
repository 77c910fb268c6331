// The parts of a transformer block beside attention, and the block itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention/attend.h"
#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/linear.h"

namespace attention {

// Ba, Kiros and Hinton 2016: each row less its mean, over its standard deviation, times gain, plus bias.
struct LayerNorm {
  const float* gain = nullptr;  // [width]
  const float* bias = nullptr;  // [width], or null
  std::size_t width = 0;
  float epsilon = 1e-5f;
};
// in and out [rows, width], row-major; out may be in.
void apply(const LayerNorm& norm, const float* in, std::size_t rows, float* out);

// Hendrycks and Gimpel 2016: x·Phi(x), exactly by erf, or GPT-2's approximation by tanh.
enum class Gelu { erf, tanh };
// out may be in.
void apply(Gelu gelu, const float* in, std::size_t count, float* out);

// A pre-norm block: x += attention(norm_1(x)); x += down(gelu(up(norm_2(x)))).
struct Block {
  LayerNorm norm_1, norm_2;
  Linear query, key, value;  // D to H·d_k, H_kv·d_k, H_kv·d_v; may be slices of one packed matrix
  Linear out_proj;           // H·d_v to D
  Linear up, down;           // the MLP
  Gelu gelu = Gelu::tanh;
  std::size_t heads = 1, key_heads = 1;
};

// Keys and values of the tokens read so far, [key_heads, capacity, width] each.
class KeyValueCache {
 public:
  // Forgets what it holds. Sizes that overflow or that memory cannot give are refused.
  Error reserve(std::size_t key_heads, std::size_t capacity, std::size_t key_width,
                std::size_t value_width);
  std::size_t length() const { return length_; }
  std::size_t capacity() const { return capacity_; }

  // Appends `rows` tokens; key is [rows, key_heads * key_width], value alike. Refused when full.
  Error append(const float* key, const float* value, std::size_t rows);

  Heads<const float> keys() const;    // (1, key_heads, length, key_width)
  Heads<const float> values() const;  // (1, key_heads, length, value_width)

 private:
  Buffer memory_;
  std::size_t key_heads_ = 0, capacity_ = 0, key_width_ = 0, value_width_ = 0, length_ = 0;
};

// Memory that blocks of one shape share from call to call.
struct BlockScratch {
  Buffer rows, scores;
};

// Runs `rows` new tokens through the block, causally: x [rows, D] in place. Their keys and values are
// appended to `cache`, and they see all that it then holds, so that reading a text token by token and
// reading it at once give the same bits.
// `stages` (each [1, heads, rows, cache.length()]) keeps the attention's stages.
Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
          BlockScratch& scratch, const AttendStages& stages = {});

}  // namespace attention
