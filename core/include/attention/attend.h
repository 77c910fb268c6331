// Scaled dot-product attention over given queries, keys and values; the operator beneath every layer.
// Conventions are those of ONNX's Attention operator (opset 23-25), but that causality's offset is always said:
// see AttendOptions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/heads.h"

namespace attention {

// A mask over (B, H, T, S). An extent of 1 repeats along its axis, but for the last: with fewer
// columns than keys, the keys beyond are masked. Either pointer may be null; both apply when given.
struct MaskTensor {
  const std::uint8_t* allowed = nullptr;  // not 0 = the key takes part
  const float* bias = nullptr;            // added to the (capped) scaled scores; -infinity masks
  std::array<std::size_t, 4> extents{1, 1, 1, 1};
};

struct AttendOptions {
  std::optional<float> scale;  // of q·k, which comes first; absent = 1 / sqrt(width of a key)
  float softcap = 0;           // scores become softcap · tanh(scores / softcap), before the mask; 0 = off
  bool is_causal = false;      // query i may look at key j when j <= i + offset
  // Of causality and window; the number of keys before the first query. Nothing is inferred: with 0 and fewer queries
  // than keys, the first query stands at the first key (top-left); S - T puts the last query at the last key
  // (bottom-right), as FlashAttention does since 2.1, which is what decoding from a cache needs. For ONNX's rule with
  // key_lengths, by which a batch's last query stands at its last key, give batch_offsets[b] = key_lengths[b] - T.
  std::int64_t offset = 0;
  std::span<const std::int64_t> batch_offsets;  // [B]; when given, in place of `offset`
  // Inclusive: query i may look at keys i + offset - window_left … i + offset + window_right.
  std::int64_t window_left = -1;   // -1 = open
  std::int64_t window_right = -1;  // -1 = open
  // [T], or empty: query i of every batch and head may look at no key outside key_ranges[i], and at
  // those inside as far as the other rules let it. Any mask of neighbouring keys can be said so.
  std::span<const KeyRange> key_ranges;
  std::span<const std::int64_t> key_lengths;  // [B]; keys from there on are padding, and masked; they move no offset
  MaskTensor mask;
  // ALiBi (Press, Smith and Lewis 2021): takes alibi_slopes[h] · |key - query - offset| off head h's scores before
  // the mask; [H] finite numbers, or empty = off. The paper has earlier keys alone; of later ones, where the mask
  // shows them, the distance counts in the same way, as in FlashAttention and x-transformers.
  std::span<const float> alibi_slopes;
  // weights = softmax(masked scores / temperature), after cap, bias and mask; 0 = arg-max: all weight on
  // the largest, equals share it.
  float temperature = 1;
  float dropout = 0;               // share of weights set to 0, the others times 1 / (1 - dropout)
  std::uint32_t dropout_seed = 0;  // weight (b, h, q, k) draws from Philox at its own place
};

// Every stage is float32, and what leaves its range becomes infinite: q·k that a scale would bring back (put
// the scale into the queries), scale · q·k, a slope times a distance, a bias on top. A softcap brings it
// back to the cap, -infinity masks, and +infinity makes its row NaN.

// The paper's slopes: 2^(-8/n), 2^(-16/n), … for n heads, n the power of two below; further heads take
// every other slope of twice as many.
ATTENTION_API void fill_alibi_slopes(std::span<float> slopes);

// Where to keep the stages between, each (B, H, T, S) contiguous; null = not kept.
struct AttendStages {
  float* scores = nullptr;
  float* scaled_scores = nullptr;
  float* capped_scores = nullptr;
  float* masked_scores = nullptr;
  float* weights = nullptr;
  float* dropped_weights = nullptr;
};

// Safe to call from any number of threads, each with a scratch memory of its own.
// context = softmax(mask(softcap(scale · Q·K^T)) / temperature)·V, for every batch and head. A fully
// masked row gives zeros. A masked key changes nothing but its own scores, whatever its numbers are,
// infinities and NaN included.
//   query   (B, H, T, d_k)
//   key     (B, H_kv, S, d_k)    H a multiple of H_kv: head h reads key head h / (H / H_kv)
//   value   (B, H_kv, S, d_v)
//   context (B, H, T, d_v)       refused where it shares memory with an input; so is a stage
// Never holds a (T, S) matrix of its own: `scratch` grows to a block of keys, a panel of scores and the
// context of one key head's queries, and is reused. A query's bits do not depend on those beside it.
// With `stages`, and at temperature 0, rows of scores are taken whole, 64 queries at a time, and the
// context is the last stage's product with the values, which differs by rounding.
// Shapes that do not fit, sizes that overflow, a scale that is not finite and the like are refused
// before anything is allocated or written.
ATTENTION_API Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                           const AttendOptions& options, Heads<float> context, Buffer& scratch,
                           const AttendStages& stages = {});

// The same by plain loops in double, from the same float32 inputs; every stage is kept.
struct ReferenceAttend {
  std::vector<double> scores, scaled_scores, capped_scores, masked_scores, weights,
      dropped_weights;          // (B, H, T, S)
  std::vector<double> context;  // (B, H, T, d_v)
};
// `query` … `options` as for attend(), which must have accepted them. Throws std::bad_alloc without memory.
ATTENTION_API ReferenceAttend reference_attend(Heads<const float> query, Heads<const float> key,
                                               Heads<const float> value, const AttendOptions& options);

}  // namespace attention
