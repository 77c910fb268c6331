// The part that Attention and MultiheadAttention share: masks, offsets, and the two ways of
// attend().
#include <algorithm>

#include "operators.h"

namespace conformance {

namespace {

// reference_attend() keeps six matrices of doubles: at most 0.8 GB here.
constexpr std::size_t kMaxReferenceScores = std::size_t{1} << 24;
// Both ways are tried up to this; beyond, the one with stages runs only where a stage is asked for.
constexpr std::size_t kMaxStagedScores = std::size_t{1} << 22;

Refusal read_mask(const Tensor& mask, const std::array<std::size_t, 4>& scores, Options& options) {
  const std::size_t rank = mask.dims.size();
  if (rank < 1 || rank > 4) return {"attn_mask must have from 1 to 4 axes."};
  auto& extents = options.attend.mask.extents;
  std::copy(mask.dims.begin(), mask.dims.end(), extents.end() - static_cast<std::ptrdiff_t>(rank));
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const bool fits = axis == 3 ? extents[axis] <= scores[axis]
                                : extents[axis] == 1 || extents[axis] == scores[axis];
    if (!fits || extents[axis] == 0) return {"attn_mask does not broadcast to the scores."};
  }
  if (const auto* allowed = std::get_if<std::vector<std::uint8_t>>(&mask.numbers)) {
    options.allowed = *allowed;
    options.attend.mask.allowed = options.allowed.data();
  } else {
    options.bias = mask.floats();
    options.attend.mask.bias = options.bias.data();
  }
  return {};
}

Refusal read_lengths(const Tensor& lengths, std::size_t queries, std::size_t past,
                     Options& options) {
  const auto* given = std::get_if<std::vector<std::int64_t>>(&lengths.numbers);
  if (given == nullptr) return {"nonpad_kv_seqlen must be i64."};
  options.key_lengths = *given;
  options.attend.key_lengths = options.key_lengths;
  if (past != 0) return {};
  for (const std::int64_t length : options.key_lengths) {
    if (length < 0 || static_cast<std::uint64_t>(length) > kMaxTensorBytes) {
      return {"nonpad_kv_seqlen holds a length that no tensor has."};
    }
    options.offsets.push_back(length - static_cast<std::int64_t>(queries));
  }
  options.attend.batch_offsets = options.offsets;
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

bool wants(const Case& wanted, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return wanted.output(name) != nullptr; });
}

}  // namespace

Refusal read_options(const Case& wanted, const std::array<std::size_t, 4>& scores, std::size_t past,
                     Options& options) {
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
  attend.softcap = static_cast<float>(softcap);
  attend.offset = static_cast<std::int64_t>(past);
  if (const Tensor* mask = wanted.input("attn_mask")) {
    if (Refusal refusal = read_mask(*mask, scores, options)) return refusal;
  }
  if (const Tensor* lengths = wanted.input("nonpad_kv_seqlen")) {
    if (Refusal refusal = read_lengths(*lengths, scores[2], past, options)) return refusal;
  }
  return read_alignment(wanted, scores[2], scores[3], attend);
}

Refusal run_attend(const Case& wanted, attention::Heads<const float> query,
                   attention::Heads<const float> key, attention::Heads<const float> value,
                   const Options& options, YLayout reference, std::vector<Context>& contexts,
                   Results& results) {
  const std::size_t B = query.batch, H = query.heads, T = query.rows, S = key.rows;
  std::int64_t mode = 0;
  if (Refusal refusal = get(wanted, "qk_matmul_output_mode", mode)) return refusal;
  if (mode < 0 || mode > 3) return {"qk_matmul_output_mode must be from 0 to 3."};
  std::size_t context_count = 0;
  if (Refusal refusal = count_elements({B, H, T, value.width}, context_count)) return refusal;

  const auto attend = [&](const std::string& way,
                          const attention::AttendStages& stages) -> Refusal {
    contexts.push_back({way, std::vector<float>(context_count)});
    const auto out = attention::heads_last(contexts.back().values.data(), B, T, H, value.width);
    attention::Buffer scratch;
    return {attention::attend(query, key, value, options.attend, out, scratch, stages).message};
  };
  if (Refusal refusal = attend("fused", {})) return refusal;

  std::size_t scores = 0;
  const bool wants_stages = wants(wanted, {"P", "attn", "qk_matmul_output"});
  const Refusal too_many = count_elements({B, H, T, S}, scores);
  if (wants_stages && too_many) return too_many;
  if (wants_stages || (!too_many && scores <= kMaxStagedScores)) {
    std::vector<float> weights(scores), logits(scores);
    attention::AttendStages stages;
    stages.weights = weights.data();
    if (mode == 0) stages.scaled_scores = logits.data();
    if (mode == 1) stages.capped_scores = logits.data();
    if (mode == 2) stages.masked_scores = logits.data();
    if (Refusal refusal = attend("staged", stages)) return refusal;
    for (const std::string_view name : {"P", "attn", "qk_matmul_output"}) {
      const std::vector<float>& stage = name == "qk_matmul_output" && mode < 3 ? logits : weights;
      if (!wants(wanted, {name})) continue;
      results.push_back({std::string(name), "staged", {B, H, T, S}, as_doubles(stage)});
    }
  }
  for (const Context& context : contexts) {
    if (!wants(wanted, {"context"})) break;
    results.push_back(
        {"context", context.way, {B, T, H * value.width}, as_doubles(context.values)});
  }

  if (reference == YLayout::none || !wants(wanted, {"Y_f64"})) return {};
  if (too_many || scores > kMaxReferenceScores) return {};
  std::vector<double> Y = attention::reference_attend(query, key, value, options.attend).context;
  const std::string way(kReference);
  if (reference == YLayout::heads_first) {
    results.push_back({"Y_f64", way, {B, H, T, value.width}, std::move(Y)});
  } else {
    results.push_back({"Y_f64", way, {B, T, H * value.width}, exchange(Y, B, H, T, value.width)});
  }
  return {};
}

}  // namespace conformance
