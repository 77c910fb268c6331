#include "attention/decoder.h"

#include <algorithm>

#include "attention/positions.h"
#include "checks.h"
#include "shared_work.h"

namespace attention {

namespace {

Error check_parameters(const Decoder& d) {
  if (d.vocabulary == 0 || d.d_model == 0 || d.embeddings == nullptr || d.blocks.empty()) {
    return error(Rule::decoder_parameters);
  }
  for (const Block& block : d.blocks) {
    if (block.norm_1.width != d.d_model) {
      return error(Rule::decoder_block_width, {d.d_model});
    }
  }
  if (is_misaligned(d.embeddings) || is_misaligned(d.positions.data())) {
    return error(Rule::misaligned, "A table of the decoder");
  }
  if (lacks_scales(d.embeddings)) return error(Rule::linear_scales, "The embeddings");
  if (has_cut_blocks(d.embeddings, d.d_model)) return error(Rule::linear_order, "The embeddings");
  if (d.embeddings_norm.gain != nullptr) {
    if (Error error = check_norm("The embeddings' norm", d.embeddings_norm, d.d_model)) return error;
  }
  if (d.final_norm.gain != nullptr) {
    if (Error error = check_norm("The final norm", d.final_norm, d.d_model)) return error;
  }
  if (d.transform.weight != nullptr) {
    if (Error error = check_linear("transform", d.transform, d.d_model, d.d_model)) return error;
  }
  return check_linear("output", output_of(d), d.d_model, d.vocabulary);
}

Error check_tokens(const Decoder& d, std::span<const std::int32_t> tokens) {
  if (tokens.empty()) return error(Rule::decoder_no_tokens);
  for (const std::int32_t token : tokens) {
    if (token < 0 || static_cast<std::uint64_t>(token) >= d.vocabulary) {
      return error(Rule::decoder_token, {token, d.vocabulary - 1});
    }
  }
  return {};
}

Error check_state(const Decoder& d, const DecoderState& state) {
  const bool fits =
      state.caches.size() == d.blocks.size() &&
      std::all_of(state.caches.begin(), state.caches.end(),
                  [&](const KeyValueCache& cache) { return cache.length() == state.length(); });
  return fits ? Error{} : error(Rule::decoder_state);
}

// Tokens read before could not see the new ones.
Error check_whole(const Decoder& d, const DecoderState& state, std::span<const Intervention> interventions) {
  bool is_causal = true;
  for (std::size_t i = 0; i < d.blocks.size(); ++i) {
    const auto own = interventions.empty() ? std::nullopt : interventions[i].options;
    is_causal &= own ? own->is_causal : d.blocks[i].is_causal;
  }
  return is_causal || state.length() == 0 ? Error{} : error(Rule::decoder_whole_text, {state.length()});
}

Error check_stages(const Decoder& d, const DecoderStages& stages) {
  const std::size_t count = d.blocks.size();
  const bool fits = (stages.layers.empty() || stages.layers.size() == count) &&
                    (stages.residuals.empty() || stages.residuals.size() == count);
  if (!fits) return error(Rule::decoder_stages);
  const bool is_aligned = !is_misaligned(stages.embeddings) &&
                          std::none_of(stages.residuals.begin(), stages.residuals.end(), is_misaligned<float>);
  return is_aligned ? Error{} : error(Rule::misaligned, "A stage");
}

Error check_interventions(const Decoder& d, std::span<const Intervention> interventions) {
  const bool fits = interventions.empty() || interventions.size() == d.blocks.size();
  return fits ? Error{} : error(Rule::decoder_interventions);
}

Error read_blocks(const Decoder& d, std::size_t rows, DecoderState& state, float* x,
                  const DecoderStages& stages, std::span<const Intervention> interventions) {
  for (std::size_t layer = 0; layer < d.blocks.size(); ++layer) {
    const MultiHeadStages kept = stages.layers.empty() ? MultiHeadStages{} : stages.layers[layer];
    const Intervention change = interventions.empty() ? Intervention{} : interventions[layer];
    if (Error error =
            run(d.blocks[layer], x, rows, state.caches[layer], state.scratch, kept, change)) {
      return error;
    }
    float* const residual = stages.residuals.empty() ? nullptr : stages.residuals[layer];
    if (residual != nullptr) std::copy_n(x, rows * d.d_model, residual);
  }
  return {};
}

}  // namespace

Linear output_of(const Decoder& d) {
  if (d.output.weight != nullptr) return d.output;
  return {d.embeddings, nullptr, d.d_model, d.vocabulary, Layout::out_in};
}

Error DecoderState::reserve(const Decoder& d, std::size_t capacity) {
  caches.clear();
  std::vector<KeyValueCache> reserved(d.blocks.size());
  for (std::size_t layer = 0; layer < reserved.size(); ++layer) {
    const MultiHead& l = d.blocks[layer].attention;
    const std::size_t heads = l.key_heads;
    if (heads == 0 || l.key.out % heads != 0 || l.value.out % heads != 0) {
      return error(Rule::decoder_key_heads);
    }
    if (Error error =
            reserved[layer].reserve(heads, capacity, l.key.out / heads, l.value.out / heads)) {
      return error;
    }
  }
  caches = std::move(reserved);
  return {};
}

void DecoderState::truncate(std::size_t length) {
  for (KeyValueCache& cache : caches) cache.truncate(length);
}

Error run(const Decoder& d, std::span<const std::int32_t> tokens, DecoderState& state,
          float* logits, LogitsOf wanted, const DecoderStages& stages,
          std::span<const Intervention> interventions, std::span<const std::int64_t> places) {
  if (Error error = check_parameters(d)) return error;
  if (Error error = check_tokens(d, tokens)) return error;
  if (Error error = check_state(d, state)) return error;
  if (Error error = check_interventions(d, interventions)) return error;
  if (Error error = check_whole(d, state, interventions)) return error;
  if (Error error = check_stages(d, stages)) return error;
  if (logits == nullptr && wanted != LogitsOf::no_token) {
    return error(Rule::no_data, "logits");
  }
  if (is_misaligned(logits)) return error(Rule::misaligned, "logits");
  const std::size_t T = tokens.size(), D = d.d_model, before = state.length();
  const std::size_t sets = d.transform.weight != nullptr ? 2 : 1;  // of rows
  if (product({sets, T, D}) > kMaxFloats || !state.rows.resize(sets * T * D)) {
    return error(Rule::decoder_memory, {T});
  }
  float* const x = state.rows.floats().data();
  for (std::size_t t = 0; t < T; ++t) {
    widen(d.embeddings, D, static_cast<std::size_t>(tokens[t]), 0, D, x + t * D);
  }
  if (!d.positions.empty()) {
    if (Error error = add_positions({x, 1, T, D}, d.positions, places, before, x)) return error;
  }
  if (d.embeddings_norm.gain != nullptr) apply(d.embeddings_norm, x, T, x);
  if (stages.embeddings != nullptr) std::copy_n(x, T * D, stages.embeddings);
  const Error error = read_blocks(d, T, state, x, stages, interventions);
  if (error) state.truncate(before);
  if (error || wanted == LogitsOf::no_token) return error;
  const std::size_t first = wanted == LogitsOf::last_token ? T - 1 : 0, rows = T - first;
  Workers* const workers = state.scratch.attention.workers;
  float* last = x + first * D;
  if (d.transform.weight != nullptr) {
    float* const transformed = x + T * D;
    apply(d.transform, last, rows, transformed, workers);
    apply(d.transform_gelu, transformed, rows * D, transformed, workers);
    last = transformed;
  }
  if (d.final_norm.gain != nullptr) apply(d.final_norm, last, rows, last);
  apply(output_of(d), last, rows, logits, workers);
  return {};
}

}  // namespace attention
