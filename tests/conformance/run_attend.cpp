// The part that Attention and MultiheadAttention share: masks, offsets and the stages between.
#include <algorithm>

#include "operators.h"

namespace conformance {

namespace {

// Both ways are tried up to this; beyond, the one with stages runs only where a stage is asked for.
constexpr std::size_t kMaxStagedScores = std::size_t{1} << 22;

// Each entry `times` over.
template <class T>
void repeat(std::vector<T>& entries, std::size_t times) {
  std::vector<T> repeated;
  repeated.reserve(entries.size() * times);
  for (const T entry : entries) repeated.insert(repeated.end(), times, entry);
  entries = std::move(repeated);
}

Refusal read_mask(const Tensor& mask, const std::array<std::size_t, 4>& scores, LastAxis last_axis,
                  Options& options) {
  std::vector<std::size_t> dims = mask.dims;
  if (dims.size() == 3 && dims[0] != 1 && dims[0] != scores[1] &&
      dims[0] == scores[0] * scores[1]) {
    dims = {scores[0], scores[1], dims[1], dims[2]};  // batch and heads as one, as PyTorch has them
  }
  if (dims.size() > 4) return {"attn_mask must have at most 4 axes."};
  auto& extents = options.attend.mask.extents;
  std::copy(dims.begin(), dims.end(), extents.end() - static_cast<std::ptrdiff_t>(dims.size()));
  // A mask without an axis is one number for all keys.
  const bool repeats = extents[3] == 1 && (last_axis == LastAxis::broadcasts || dims.empty());
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const bool fits = axis == 3 ? extents[axis] <= scores[axis]
                                : extents[axis] == 1 || extents[axis] == scores[axis];
    if (!fits || extents[axis] == 0) return {"attn_mask does not broadcast to the scores."};
  }
  if (repeats) {
    std::size_t count = 0;
    if (Refusal refusal = count_elements({extents[0], extents[1], extents[2], scores[3]}, count)) {
      return refusal;
    }
    extents[3] = scores[3];
  }
  const std::size_t times = repeats ? scores[3] : 1;
  if (const auto* allowed = std::get_if<std::vector<std::uint8_t>>(&mask.numbers)) {
    options.allowed = *allowed;
    repeat(options.allowed, times);
    options.attend.mask.allowed = options.allowed.data();
  } else {
    options.bias = mask.floats();
    repeat(options.bias, times);
    options.attend.mask.bias = options.bias.data();
  }
  return {};
}

Refusal read_lengths(const Tensor& lengths, const std::array<std::size_t, 4>& scores,
                     std::size_t past, Options& options) {
  const auto* given = std::get_if<std::vector<std::int64_t>>(&lengths.numbers);
  if (given == nullptr) return {"nonpad_kv_seqlen must be i64."};
  if (given->size() != scores[0] && given->size() != 1) {
    return {"nonpad_kv_seqlen must have one entry a batch."};
  }
  const std::size_t queries = scores[2];
  options.key_lengths = *given;
  options.key_lengths.resize(scores[0], given->front());
  for (const std::int64_t length : options.key_lengths) {
    if (length < 0 || static_cast<std::uint64_t>(length) > kMaxTensorBytes) {
      return {"nonpad_kv_seqlen holds a length that no tensor has."};
    }
    options.offsets.push_back(length - static_cast<std::int64_t>(queries));
  }
  for (std::int64_t& length : options.key_lengths) {
    length = std::min(length, static_cast<std::int64_t>(scores[3]));
  }
  options.attend.key_lengths = options.key_lengths;
  if (past == 0) options.attend.batch_offsets = options.offsets;
  return {};
}

Refusal read_alignment(const Case& wanted, std::size_t queries, std::size_t keys,
                       attention::AttendOptions& attend) {
  std::string align;
  if (Refusal refusal = get(wanted, "causal_align", align)) return refusal;
  if (align.empty()) return {};
  if (align != "top_left" && align != "bottom_right") {
    return {"causal_align must be top_left or bottom_right, not '" + align + "'."};
  }
  attend.batch_offsets = {};
  attend.offset = align == "top_left"
                      ? 0
                      : static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  return {};
}

}  // namespace

Refusal read_options(const Case& wanted, const std::array<std::size_t, 4>& scores, std::size_t past,
                     LastAxis last_axis, Options& options) {
  attention::AttendOptions& attend = options.attend;
  std::int64_t is_causal = 0;
  double scale = 0, softcap = 0;
  if (Refusal refusal = get(wanted, "is_causal", is_causal)) return refusal;
  if (Refusal refusal = get(wanted, "scale", scale)) return refusal;
  if (Refusal refusal = get(wanted, "softcap", softcap)) return refusal;
  if (Refusal refusal = get(wanted, "left_window_size", attend.window_left)) return refusal;
  if (Refusal refusal = get(wanted, "right_window_size", attend.window_right)) return refusal;
  if (is_causal != 0 && is_causal != 1) return {"is_causal must be 0 or 1."};
  attend.is_causal = is_causal == 1;
  if (wanted.attribute("scale") != nullptr) attend.scale = static_cast<float>(scale);
  attend.softcap = softcap > 0 ? static_cast<float>(softcap) : 0;  // 0 and below are off
  attend.offset = static_cast<std::int64_t>(past);
  if (const Tensor* mask = wanted.input("attn_mask")) {
    if (Refusal refusal = read_mask(*mask, scores, last_axis, options)) return refusal;
  }
  if (const Tensor* lengths = wanted.input("nonpad_kv_seqlen")) {
    if (Refusal refusal = read_lengths(*lengths, scores, past, options)) return refusal;
  }
  if (const Tensor* slopes = wanted.input("alibi_slopes")) {
    options.slopes = slopes->floats();
    attend.alibi_slopes = options.slopes;
  }
  return read_alignment(wanted, scores[2], scores[3], attend);
}

Refusal KeptStages::prepare(const Case& wanted, const std::array<std::size_t, 4>& scores) {
  scores_ = scores;
  if (Refusal refusal = get(wanted, "qk_matmul_output_mode", mode_)) return refusal;
  if (mode_ < 0 || mode_ > 3) return {"qk_matmul_output_mode must be from 0 to 3."};
  std::size_t count = 0;
  const bool is_asked = wants(wanted, {"P", "attn", "qk_matmul_output"});
  const Refusal too_many = count_elements({scores[0], scores[1], scores[2], scores[3]}, count);
  if (is_asked && too_many) return too_many;
  runs_ = is_asked || (!too_many && count <= kMaxStagedScores);
  if (runs_) {
    weights_.resize(count);
    logits_.resize(count);
  }
  return {};
}

attention::AttendStages KeptStages::stages() {
  attention::AttendStages stages;
  stages.weights = weights_.data();
  if (mode_ == 0) stages.scaled_scores = logits_.data();
  if (mode_ == 1) stages.capped_scores = logits_.data();
  if (mode_ == 2) stages.masked_scores = logits_.data();
  return stages;
}

void KeptStages::append(const Case& wanted, Results& results) const {
  const std::vector<std::size_t> dims(scores_.begin(), scores_.end());
  for (const std::string_view name : {"P", "attn", "qk_matmul_output"}) {
    const std::vector<float>& stage = name == "qk_matmul_output" && mode_ < 3 ? logits_ : weights_;
    if (wants(wanted, {name})) {
      results.push_back({std::string(name), "staged", dims, as_doubles(stage)});
    }
  }
}

void KeptStages::append(const Case& wanted, const attention::ReferenceAttend& r,
                        Results& results) const {
  const std::vector<std::size_t> dims(scores_.begin(), scores_.end());
  const std::array logits{&r.scaled_scores, &r.capped_scores, &r.masked_scores, &r.weights};
  for (const std::string_view name : {"P", "attn", "qk_matmul_output"}) {
    const auto mode = static_cast<std::size_t>(name == "qk_matmul_output" ? mode_ : 3);
    if (wants(wanted, {name})) {
      results.push_back({std::string(name), std::string(kReference), dims, *logits[mode]});
    }
  }
}

}  // namespace conformance
