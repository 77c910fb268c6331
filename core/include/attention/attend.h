// Scaled dot-product attention over given queries, keys and values; every layer is built on it. Conventions are those
// of ONNX's Attention operator (opset 23-25), except that the offset of the causal mask is always explicit: see
// AttendOptions.
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

// A mask over (B, H, T, S). An extent of 1 is repeated along its axis, except the last: with fewer columns than keys,
// the remaining keys are masked. Either pointer may be null; both apply when given.
struct MaskTensor {
  const std::uint8_t* allowed = nullptr;  // not 0 = the key takes part
  const float* bias = nullptr;            // added to the (capped) scaled scores; -infinity masks
  std::array<std::size_t, 4> extents{1, 1, 1, 1};
};

struct AttendOptions {
  std::optional<float> scale;  // factor of q·k; absent = 1 / sqrt(width of a key)
  float softcap = 0;           // scores become softcap · tanh(scores / softcap), before the mask; 0 = off
  bool is_causal = false;      // query i may look at key j when j <= i + offset
  // The number of keys before the first query, for is_causal and the window. Nothing is inferred: with 0 and fewer
  // queries than keys, the first query is aligned with the first key (top-left); S - T aligns the last query with the
  // last key (bottom-right), as in FlashAttention since 2.1, which is what decoding from a cache needs. ONNX, with
  // key_lengths, aligns each batch's last query with its last key: for that, set batch_offsets[b] = key_lengths[b] -
  // T.
  std::int64_t offset = 0;
  std::span<const std::int64_t> batch_offsets;  // [B]; replaces `offset` when given
  // Inclusive: query i may look at keys i + offset - window_left … i + offset + window_right.
  std::int64_t window_left = -1;   // -1 = open
  std::int64_t window_right = -1;  // -1 = open
  // [T], or empty: in every batch and head, query i may look only at keys in key_ranges[i] that the other rules also
  // allow. This expresses any mask of contiguous keys.
  std::span<const KeyRange> key_ranges;
  std::span<const std::int64_t> key_lengths;  // [B]; keys from there on are padding and masked; does not change the offset
  MaskTensor mask;
  // ALiBi (Press, Smith and Lewis 2021): subtracts alibi_slopes[h] · |key - query - offset| from head h's scores
  // before the mask; [H] finite numbers, or empty = off. The paper has only earlier keys; for later keys that the
  // mask allows, the distance counts in the same way, as in FlashAttention and x-transformers.
  std::span<const float> alibi_slopes;
  // weights = softmax(masked scores / temperature), after cap, bias and mask; 0 = arg-max: all weight on the largest
  // score, shared equally between ties.
  float temperature = 1;
  float dropout = 0;               // share of weights set to 0, the others times 1 / (1 - dropout)
  std::uint32_t dropout_seed = 0;  // weight (b, h, q, k) uses Philox's number for its own place
};

// Every stage is float32, and what exceeds its range becomes infinite: q·k, even if the scale would bring it back
// into range (then scale the queries), scale · q·k, a slope times a distance, or the sum with a bias. A softcap turns
// infinity into the cap, -infinity masks the key, and +infinity makes its row NaN.

// The paper's slopes: 2^(-8/n), 2^(-16/n), … for n heads, n a power of two. Otherwise n is the next lower power of
// two, and the remaining heads take every other slope of 2n heads.
ATTENTION_API void fill_alibi_slopes(std::span<float> slopes);

// Where to keep the intermediate stages, each (B, H, T, S) contiguous; null = not kept.
struct AttendStages {
  float* scores = nullptr;
  float* scaled_scores = nullptr;
  float* capped_scores = nullptr;
  float* masked_scores = nullptr;
  float* weights = nullptr;
  float* dropped_weights = nullptr;
};

// context = softmax(mask(softcap(scale · Q·K^T)) / temperature)·V, for every batch and head. A fully masked row gives
// zeros. A masked key changes only its own scores, even if it contains infinities or NaN. Safe to call from any
// number of threads, each with its own scratch memory.
//   query   (B, H, T, d_k)
//   key     (B, H_kv, S, d_k)    H a multiple of H_kv: head h reads key head h / (H / H_kv)
//   value   (B, H_kv, S, d_v)
//   context (B, H, T, d_v)       refused where it shares memory with an input; so is a stage
// Never stores a (T, S) matrix: `scratch` grows to a block of keys, a panel of scores and the context of one key
// head's queries, and is reused. A query's result does not depend on the other queries, to the bit. With `stages`,
// and at temperature 0, whole rows of scores are computed, 64 queries at a time, and the context is the product of
// the last stage and the values, which differs by rounding. Shapes that do not fit, sizes that overflow, a scale that
// is not finite and the like are rejected before anything is allocated or written.
ATTENTION_API Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                           const AttendOptions& options, Heads<float> context, Buffer& scratch,
                           const AttendStages& stages = {});

// The same in plain loops in double, from the same float32 inputs; every stage is kept.
struct ReferenceAttend {
  std::vector<double> scores, scaled_scores, capped_scores, masked_scores, weights,
      dropped_weights;          // (B, H, T, S)
  std::vector<double> context;  // (B, H, T, d_v)
};
// `query` … `options` as for attend(), which must have accepted them. Throws std::bad_alloc without memory.
ATTENTION_API ReferenceAttend reference_attend(Heads<const float> query, Heads<const float> key,
                                               Heads<const float> value, const AttendOptions& options);

}  // namespace attention
