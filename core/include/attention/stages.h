// The stages of an attention layer in the order they run: the one table that the engine, its
// bindings, the page and the tests all read.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "attention/parameters.h"
#include "attention/request.h"
#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

class MaskRule;
class WordRows;

// What a stage may read besides the trace.
struct Inputs {
  const Settings& settings;
  const Parameters& parameters;
  const Request& request;
  const MaskRule& mask;
  WordRows& words;
};

struct Stage {
  std::string_view id;       // the Trace field, the page's id, the name in a link
  std::string_view label;    // for people
  std::string_view symbol;   // as in the formula of the next stage
  std::string_view formula;  // plain text
  std::array<Axis, 3> axes;  // leading axes first, Axis::none after the last
  std::span<float> Trace::* buffer;           // null for texts
  void (*compute)(const Inputs&, Trace&);     // null for texts, which are given
  bool (*present)(const Settings&, bool is_cross);  // whether a run has it; null = always
};

std::span<const Stage> stages();

// The stage with this id, or null.
const Stage* find_stage(std::string_view id);

bool is_present(const Stage& stage, const Settings& settings, bool is_cross);
std::size_t count_of(const Stage& stage, const Shape& shape);

// Each stage reads only buffers that stand above it in the table, and writes its own.
void compute_content(const Inputs&, Trace&);          // E[token] ~ N(0, 1), the same for the same word
void compute_position(const Inputs&, Trace&);         // P[position]
void compute_embeddings(const Inputs&, Trace&);       // X = E + P
void compute_key_content(const Inputs&, Trace&);      // the same of the second text, in cross-attention
void compute_key_position(const Inputs&, Trace&);
void compute_key_embeddings(const Inputs&, Trace&);   // X'; X itself in self-attention
void compute_query(const Inputs&, Trace&);            // Q = X·W_Q + b_Q
void compute_key(const Inputs&, Trace&);              // K = X'·W_K + b_K
void compute_rotated_query(const Inputs&, Trace&);    // pairs (2i, 2i + 1) turned by place · 10000^(-2i/d_k)
void compute_rotated_key(const Inputs&, Trace&);
void compute_value_down(const Inputs&, Trace&);       // X'·W_V_down
void compute_value(const Inputs&, Trace&);            // V = X'·W_V + b_V, or value_down·W_V_up + b_V
void compute_scores(const Inputs&, Trace&);           // Q·K^T
void compute_scaled_scores(const Inputs&, Trace&);    // scores * factor
void compute_capped_scores(const Inputs&, Trace&);    // softcap · tanh(scaled_scores / softcap)
void compute_masked_scores(const Inputs&, Trace&);    // + slope · (key - query); -infinity where not allowed
void compute_weights(const Inputs&, Trace&);          // softmax(masked_scores / temperature), row by row
void compute_dropped_weights(const Inputs&, Trace&);  // some set to 0, the others / (1 - dropout)
void compute_context(const Inputs&, Trace&);          // weights·V
void compute_concat(const Inputs&, Trace&);           // heads side by side
void compute_output(const Inputs&, Trace&);           // concat·W_O + b_O, or concat
void compute_residual(const Inputs&, Trace&);         // X + output

}  // namespace attention
