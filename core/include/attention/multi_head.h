// Multi-head attention as a layer: projections, heads, attention and the output projection
// (Vaswani et al. 2017, section 3.2.2), with grouped key heads (Ainslie et al. 2023), rotary
// positions and a cache where wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/attend.h"
#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/key_value_cache.h"
#include "attention/ops.h"
#include "attention/positions.h"

namespace attention {

class Workers;  // workers.h

// RMSNorm of each head's query or key (Henry et al. 2020; Qwen 3): divided by the root of its mean square and epsilon, times gain.
struct HeadNorm {
  std::span<const float> gain;  // [d_k], or empty = none
  float epsilon = 1e-6f;
};

// The parameters, as views of memory that the caller keeps. They are only read, so any number of threads may share
// them. Head h reads columns h·d_k … of query, and key head h / (heads / key_heads). Query, key and value of a packed
// matrix are slices of it: see slice().
struct MultiHead {
  Linear query;       // D to H·d_k
  Linear key;         // D_key to H_kv·d_k
  Linear value;       // D_value to H_kv·d_v, or from value_down's rank
  Linear value_down;  // D_value to rank: W_V = value_down · value, of rank at most that; no weight
                      // = none
  Linear out_proj;    // H·d_v to D_out; no weight = none: the heads' contexts side by side are the
                      // result
  std::size_t heads = 0, key_heads = 0;  // must be set: 0 is rejected
  RotaryTables rotary;  // turns queries and keys; half = 0: not
  HeadNorm query_norm, key_norm;  // before they are turned
};

// Numbers of one row of the result: D_out, or H·d_v.
ATTENTION_API std::size_t output_width(const MultiHead& layer);

// How the heads of queries, keys and values lie in a stage: [B, rows, H·width], as projections give
// them, or [B, H, rows, width].
enum class HeadLayout { last, first };

// Queries, keys or values to use instead of those computed from x; null = not given. Like the stages of the same
// names: normed, before rotation, in the stages' layout.
struct GivenHeads {
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
};

// Weights of one head set by hand, instead of softmax's.
struct HeadPatch {
  std::size_t head = 0;
  // [T, keys], used unchanged in every batch; a weight of 0 contributes nothing, even if the value is not finite.
  const float* weights = nullptr;
};

// Between attention and the output projection.
struct HeadChanges {
  std::span<const float> gains;  // [H], times each head's context: 0 takes the head away; empty = 1
  std::span<const HeadPatch> patches;
};

struct MultiHeadInput {
  Rows x;       // [B, T, D]: what queries are made from
  Rows keys;    // [B, S, D_key]: what keys are made from; no data = x (self-attention)
  Rows values;  // [B, S, D_value]: what values are made from; no data = what keys are made from
  // Rows of the rotary tables: [B, T] for queries, [B, S] for keys (empty = the queries' in self-attention). Empty =
  // row r has position r, counted after the tokens in the cache.
  std::span<const std::int64_t> positions, key_positions;
  // When given, the S new keys and values are appended, and the queries see all that it then holds.
  // Of the layer's key heads and widths, and of B batches.
  KeyValueCache* cache = nullptr;
  GivenHeads given;
  HeadChanges changes;  // of the heads' weights and contexts
};

// Where to keep the intermediate stages, each contiguous; null = not kept.
struct MultiHeadStages {
  HeadLayout layout = HeadLayout::last;  // of the first three and of the rotated ones
  float* query = nullptr;          // [B, T, H·d_k], normed, before rotation
  float* key = nullptr;            // [B, S, H_kv·d_k], normed, before rotation; the new ones
  float* value = nullptr;          // [B, S, H_kv·d_v]; the new ones
  float* value_down = nullptr;     // [B, S, rank], when the layer has one
  float* rotated_query = nullptr;  // as query
  float* rotated_key = nullptr;    // as key
  AttendStages attend;             // [B, H, T, keys], keys = S, or the cache's length afterwards
  float* context = nullptr;        // [B, H, T, d_v]
  float* concat = nullptr;         // [B, T, H·d_v]
};

// Memory that layers reuse from call to call; it grows to the largest. One thread at a time.
struct MultiHeadScratch {
  Buffer rows, scores;
  // When given, projections and attention are divided among these threads, with the same bits as one thread; if
  // stages of attend() are kept, by key heads. The caller owns them; they run one call at a time, and have no effect
  // in WebAssembly.
  Workers* workers = nullptr;
};

// y [B, T, output_width] = out_proj(attend(query(x), key(keys), value(values))). y may be the
// memory of x, keys or values; it is refused where it shares memory with a parameter, and must not overlap cache or
// stages. `options` are
// attend()'s. With a cache, `options.offset` counts from the tokens that it held before
// (batch_offsets are taken as they are), so that is_causal alone decodes; key_lengths and mask are
// over all keys.
// Shapes that do not fit, options that break their rule and a cache without room are refused before
// anything is allocated or written. An error leaves the cache as it was.
ATTENTION_API Error run(const MultiHead& layer, const MultiHeadInput& input, const AttendOptions& options,
                        float* y, MultiHeadScratch& scratch, const MultiHeadStages& stages = {});

// The same in plain loops in double, from the same float32 parameters and inputs.
struct ReferenceMultiHead {
  std::vector<double> query, key, value, rotated_query, rotated_key, concat;  // as MultiHeadStages
  ReferenceAttend attend;
  std::vector<double> y;  // [B, T, output_width]
};
// `layer`, `input` and `options` as for run(), which must accept them; without a cache. Throws std::bad_alloc
// without memory.
ATTENTION_API ReferenceMultiHead reference_run(const MultiHead& layer, const MultiHeadInput& input,
                                               const AttendOptions& options);

}  // namespace attention
