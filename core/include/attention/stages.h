// The stages of an attention layer in the order they run: the one table that the engine, its
// bindings, the page and the tests all read.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "attention/parameters.h"
#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

// What a stage may read besides the trace.
struct Inputs {
  const Settings& settings;
  const Parameters& parameters;
};

// A dimension of a stage's buffer; `concat` has H·d_v columns.
enum class Axis { none, H, T, S, D, d_k, d_v, H_d_v };

struct Stage {
  std::string_view id;       // the Trace field, the page's id, the name in a link
  std::string_view label;    // for people
  std::string_view symbol;   // as in the formula of the next stage
  std::string_view formula;  // plain text
  std::array<Axis, 3> axes;  // leading axes first, Axis::none after the last
  std::span<float> Trace::* buffer;           // null for `tokens`, which is text
  void (*compute)(const Inputs&, Trace&);     // null for `tokens`, which is given
};

std::span<const Stage> stages();

// The stage with this id, or null.
const Stage* find_stage(std::string_view id);

std::string_view name(Axis axis);
std::size_t extent(Axis axis, const Shape& shape);

// Each stage reads only buffers that stand above it in the table, and writes its own.
void compute_content(const Inputs&, Trace&);        // E[token] ~ N(0, 1), the same for the same word
void compute_position(const Inputs&, Trace&);       // P[position]
void compute_embeddings(const Inputs&, Trace&);     // X = E + P
void compute_query(const Inputs&, Trace&);          // Q = X·W_Q + b_Q
void compute_key(const Inputs&, Trace&);            // K = X·W_K + b_K
void compute_value(const Inputs&, Trace&);          // V = X·W_V + b_V
void compute_scores(const Inputs&, Trace&);         // Q·K^T
void compute_scaled_scores(const Inputs&, Trace&);  // scores * factor
void compute_masked_scores(const Inputs&, Trace&);  // -infinity where the key is not allowed
void compute_weights(const Inputs&, Trace&);        // softmax over each query's row
void compute_context(const Inputs&, Trace&);        // weights·V
void compute_concat(const Inputs&, Trace&);         // heads side by side
void compute_output(const Inputs&, Trace&);         // concat·W_O + b_O
void compute_residual(const Inputs&, Trace&);       // X + output

}  // namespace attention
