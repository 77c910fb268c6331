// The table of stages, and the memory for them.
#include "attention/layer/trace.h"


namespace attention {

namespace {

using A = Axis;

bool in_cross(const Settings&, bool is_cross) { return is_cross; }
bool with_rope(const Settings& s, bool) { return s.positions == Positions::rope; }
bool with_rank(const Settings& s, bool) { return s.value_rank > 0; }
bool with_softcap(const Settings& s, bool) { return s.softcap > 0; }
bool with_dropout(const Settings& s, bool) { return s.dropout > 0; }
bool with_residual(const Settings& s, bool) { return s.residual; }

// In the order of the formula.
constexpr std::array kStages = std::to_array<Stage>({
    {"tokens", "Tokens", "tokens", "segment(text)", {A::T}, nullptr, nullptr},
    {"key_tokens", "Tokens of the second text", "tokens′", "segment(second text)", {A::S}, nullptr, in_cross},
    {"content", "Content", "E", "E[token]", {A::T, A::D}, &Trace::content, nullptr},
    {"position", "Position", "P", "P[position]", {A::T, A::D}, &Trace::position, nullptr},
    {"embeddings", "Embeddings", "X", "E + P", {A::T, A::D}, &Trace::embeddings, nullptr},
    {"key_content", "Content of the second text", "E′", "E[token′]", {A::S, A::D}, &Trace::key_content, in_cross},
    {"key_position", "Position in the second text", "P′", "P[position′]", {A::S, A::D},
     &Trace::key_position, in_cross},
    {"key_embeddings", "Embeddings of the second text", "X′", "E′ + P′", {A::S, A::D},
     &Trace::key_embeddings, in_cross},
    {"query", "Query", "Q", "X·W_Q + b_Q", {A::H, A::T, A::d_k}, &Trace::query, nullptr},
    {"key", "Key", "K", "X·W_K + b_K", {A::H_kv, A::S, A::d_k}, &Trace::key, nullptr},
    {"rotated_query", "Rotated query", "Q↻", "Q turned by its position", {A::H, A::T, A::d_k},
     &Trace::rotated_query, with_rope},
    {"rotated_key", "Rotated key", "K↻", "K turned by its position", {A::H_kv, A::S, A::d_k},
     &Trace::rotated_key, with_rope},
    {"value_down", "Value, narrow", "V↓", "X·W_V_down", {A::S, A::r}, &Trace::value_down, with_rank},
    {"value", "Value", "V", "X·W_V + b_V", {A::H_kv, A::S, A::d_v}, &Trace::value, nullptr},
    {"scores", "Scores", "S", "Q·Kᵀ", {A::H, A::T, A::S}, &Trace::scores, nullptr},
    {"scaled_scores", "Scaled scores", "S′", "S × factor", {A::H, A::T, A::S}, &Trace::scaled_scores, nullptr},
    {"capped_scores", "Capped scores", "S″", "cap · tanh(S′ / cap)", {A::H, A::T, A::S},
     &Trace::capped_scores, with_softcap},
    {"masked_scores", "Masked scores", "M", "S′, −∞ where not allowed", {A::H, A::T, A::S},
     &Trace::masked_scores, nullptr},
    {"weights", "Weights", "A", "softmax(M)", {A::H, A::T, A::S}, &Trace::weights, nullptr},
    {"dropped_weights", "Weights after dropout", "A°", "A, some set to 0", {A::H, A::T, A::S},
     &Trace::dropped_weights, with_dropout},
    {"context", "Context", "C", "A·V", {A::H, A::T, A::d_v}, &Trace::context, nullptr},
    {"concat", "Concatenated heads", "concat", "heads side by side", {A::T, A::H_d_v}, &Trace::concat, nullptr},
    {"output", "Output", "Y", "concat·W_O + b_O", {A::T, A::D}, &Trace::output, nullptr},
    {"residual", "Residual", "X + Y", "X + Y", {A::T, A::D}, &Trace::residual, with_residual},
});

}  // namespace

std::span<const Stage> stages() { return kStages; }

const Stage* find_stage(std::string_view id) {
  for (const Stage& stage : kStages) {
    if (stage.id == id) return &stage;
  }
  return nullptr;
}

bool is_present(const Stage& stage, const Settings& settings, bool is_cross) {
  return stage.present == nullptr || stage.present(settings, is_cross);
}

std::size_t count_of(const Stage& stage, const Shape& shape) {
  std::size_t count = 1;
  for (const Axis axis : stage.axes) count *= extent(axis, shape);
  return count;
}

namespace {

constexpr std::uint64_t kBytesPerMegabyte = 1'000'000;
constexpr std::size_t kPad = 16;  // floats: each buffer begins on a cache line

// Of a buffer, or 0 when the run has none; counted in 64 bits, so that no size wraps round.
std::uint64_t floats(const Stage& stage, const Shape& shape, const Settings& settings, bool is_cross) {
  if (stage.buffer == nullptr || !is_present(stage, settings, is_cross)) return 0;
  std::uint64_t count = 1;
  for (const Axis axis : stage.axes) count *= extent(axis, shape);
  return count;
}

std::uint64_t padded(std::uint64_t count) { return (count + kPad - 1) / kPad * kPad; }

std::uint64_t megabytes(std::uint64_t bytes) { return (bytes + kBytesPerMegabyte - 1) / kBytesPerMegabyte; }

// Of a run of T by S tokens that needs so many bytes.
Error too_large(const Shape& s, std::uint64_t bytes) {
  const std::uint64_t needed = megabytes(bytes), most = megabytes(kLimits.max_trace_bytes);
  if (s.S == s.T) return error(Rule::trace_limit, {s.T, s.H, needed, most});
  return error(Rule::cross_trace_limit, {s.T, s.S, s.H, needed, most});
}
Error no_memory(const Shape& s, std::uint64_t bytes) {
  if (s.S == s.T) return error(Rule::trace_memory, {s.T, s.H, megabytes(bytes)});
  return error(Rule::cross_trace_memory, {s.T, s.S, s.H, megabytes(bytes)});
}

}  // namespace

std::uint64_t trace_bytes(const Shape& shape, const Settings& settings, bool is_cross) {
  std::uint64_t count = 0;
  for (const Stage& stage : stages()) count += padded(floats(stage, shape, settings, is_cross));
  return count * sizeof(float);
}

Error Trace::allocate(const Shape& wanted, const Settings& settings, bool is_cross) {
  clear();
  const std::uint64_t bytes = trace_bytes(wanted, settings, is_cross);
  if (bytes > kLimits.max_trace_bytes) return too_large(wanted, bytes);
  if (!memory_.resize(static_cast<std::size_t>(bytes / sizeof(float)))) return no_memory(wanted, bytes);
  shape = wanted;
  float* next = memory_.floats().data();
  for (const Stage& stage : stages()) {
    const std::uint64_t count = floats(stage, shape, settings, is_cross);
    if (count == 0) continue;
    this->*stage.buffer = {next, static_cast<std::size_t>(count)};
    next += padded(count);
  }
  return {};
}

void Trace::clear() {
  shape = {};
  factor = 1;
  tokens = key_tokens = {};
  for (const Stage& stage : stages()) {
    if (stage.buffer != nullptr) this->*stage.buffer = {};
  }
}

}  // namespace attention
