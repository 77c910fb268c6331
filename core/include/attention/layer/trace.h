// The results of one run, stage by stage, and the table of stages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/layer/settings.h"

namespace attention {

// One buffer for each stage; the table below names them. Stages that a run does not have are empty. A view is valid
// until the next allocate(). After a move, the views of the moved-from trace belong to the new one until clear(). One
// thread at a time; several may read while none allocates or clears.
struct ATTENTION_API Trace {
  Shape shape;
  float factor = 1;  // scaled_scores = scores * factor

  std::span<const std::string> tokens;      // [T], UTF-8; the request's own
  std::span<const std::string> key_tokens;  // [S] in cross-attention

  std::span<float> content;          // [T, D]
  std::span<float> position;         // [T, D]
  std::span<float> embeddings;       // [T, D]
  std::span<float> key_content;      // [S, D] in cross-attention, as the two that follow
  std::span<float> key_position;     // [S, D]
  std::span<float> key_embeddings;   // [S, D]
  std::span<float> query;            // [H, T, d_k]
  std::span<float> key;              // [H_kv, S, d_k]
  std::span<float> rotated_query;    // as query, with RoPE
  std::span<float> rotated_key;      // as key, with RoPE
  std::span<float> value_down;       // [S, r], with a value_rank
  std::span<float> value;            // [H_kv, S, d_v]
  std::span<float> scores;           // [H, T, S]
  std::span<float> scaled_scores;    // [H, T, S]
  std::span<float> capped_scores;    // [H, T, S], with a softcap
  std::span<float> masked_scores;    // [H, T, S], -infinity where the key is not allowed
  std::span<float> weights;          // [H, T, S], rows sum to 1, or are 0 when fully masked
  std::span<float> dropped_weights;  // [H, T, S], with dropout
  std::span<float> context;          // [H, T, d_v]
  std::span<float> concat;           // [T, H*d_v]
  std::span<float> output;           // [T, D]
  std::span<float> residual;         // [T, D], unless left out

  // The input of a stage that may follow one of two others.
  std::span<const float> key_source() const { return or_else(key_embeddings, embeddings); }
  std::span<const float> turned_query() const { return or_else(rotated_query, query); }
  std::span<const float> turned_key() const { return or_else(rotated_key, key); }
  std::span<const float> unmasked_scores() const { return or_else(capped_scores, scaled_scores); }
  std::span<const float> used_weights() const { return or_else(dropped_weights, weights); }

  // Allocates a buffer for every stage that such a run has; settings must be valid. Rejects runs over
  // kLimits.max_trace_bytes before allocating; after an error the trace is empty.
  Error allocate(const Shape& shape, const Settings& settings, bool is_cross);
  void clear();

 private:
  static std::span<const float> or_else(std::span<const float> a, std::span<const float> b) {
    return a.empty() ? b : a;
  }

  Buffer memory_;
};

// Bytes that Trace::allocate() needs.
ATTENTION_API std::uint64_t trace_bytes(const Shape& shape, const Settings& settings, bool is_cross);

// --- the table of stages, in the order they run: what the engine, its bindings, the page and the tests read ---

struct Stage {
  std::string_view id;       // the Trace field, the page's id, the name in a link
  std::string_view label;    // for people
  std::string_view symbol;   // as in the formula of the next stage
  std::string_view formula;  // plain text
  std::array<Axis, 3> axes;  // leading axes first, Axis::none after the last
  std::span<float> Trace::* buffer;           // null for texts
  bool (*present)(const Settings&, bool is_cross);  // whether a run has it; null = always
};

ATTENTION_API std::span<const Stage> stages();

// The stage with this id, or null.
ATTENTION_API const Stage* find_stage(std::string_view id);

ATTENTION_API bool is_present(const Stage& stage, const Settings& settings, bool is_cross);
ATTENTION_API std::size_t count_of(const Stage& stage, const Shape& shape);

}  // namespace attention
