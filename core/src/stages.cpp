#include "attention/stages.h"

namespace attention {

namespace {

using enum Axis;

// A new stage is a file in stages/, a Trace field, and one line here.
constexpr std::array kStages = std::to_array<Stage>({
    {"tokens", "Tokens", "tokens", "segment(text)", {T}, nullptr, nullptr},
    {"content", "Content", "E", "E[token]", {T, D}, &Trace::content, compute_content},
    {"position", "Position", "P", "P[position]", {T, D}, &Trace::position, compute_position},
    {"embeddings", "Embeddings", "X", "E + P", {T, D}, &Trace::embeddings, compute_embeddings},
    {"query", "Query", "Q", "X·W_Q + b_Q", {H, T, d_k}, &Trace::query, compute_query},
    {"key", "Key", "K", "X·W_K + b_K", {H, S, d_k}, &Trace::key, compute_key},
    {"value", "Value", "V", "X·W_V + b_V", {H, S, d_v}, &Trace::value, compute_value},
    {"scores", "Scores", "S", "Q·Kᵀ", {H, T, S}, &Trace::scores, compute_scores},
    {"scaled_scores", "Scaled scores", "S′", "S × factor", {H, T, S}, &Trace::scaled_scores,
     compute_scaled_scores},
    {"masked_scores", "Masked scores", "M", "S′, −∞ where not allowed", {H, T, S},
     &Trace::masked_scores, compute_masked_scores},
    {"weights", "Weights", "A", "softmax(M)", {H, T, S}, &Trace::weights, compute_weights},
    {"context", "Context", "C", "A·V", {H, T, d_v}, &Trace::context, compute_context},
    {"concat", "Concatenated heads", "concat", "heads side by side", {T, H_d_v}, &Trace::concat,
     compute_concat},
    {"output", "Output", "Y", "concat·W_O + b_O", {T, D}, &Trace::output, compute_output},
    {"residual", "Residual", "X + Y", "X + Y", {T, D}, &Trace::residual, compute_residual},
});

}  // namespace

std::span<const Stage> stages() { return kStages; }

const Stage* find_stage(std::string_view id) {
  for (const Stage& stage : kStages) {
    if (stage.id == id) return &stage;
  }
  return nullptr;
}

std::string_view name(Axis axis) {
  switch (axis) {
    case none: return "";
    case H: return "H";
    case T: return "T";
    case S: return "S";
    case D: return "D";
    case d_k: return "d_k";
    case d_v: return "d_v";
    case H_d_v: return "H·d_v";
  }
  return "";
}

std::size_t extent(Axis axis, const Shape& shape) {
  switch (axis) {
    case none: return 1;
    case H: return shape.H;
    case T: return shape.T;
    case S: return shape.S;
    case D: return shape.D;
    case d_k: return shape.d_k;
    case d_v: return shape.d_v;
    case H_d_v: return shape.H * shape.d_v;
  }
  return 1;
}

}  // namespace attention
