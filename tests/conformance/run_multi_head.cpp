// Multi-head attention with its projections, by the library's layer; parameters are stored (out,
// in), as torch.nn.Linear's. Beside the inputs of attention-semantics' MultiheadAttention: Wqkv and
// bqkv (query, key and value packed), Wvd (the value's way down to a rank, before Wv),
// alibi_slopes, and cos_cache, sin_cache and position_ids of a rotary embedding.
#include "attention/multi_head.h"

#include "operators.h"

namespace conformance {

namespace {

// (n, E) is a batch of one.
struct Source {
  std::vector<float> numbers;
  attention::Rows rows;
};

Refusal read_rows(const Case& wanted, const std::string& name, Source& source) {
  const Tensor* tensor = wanted.input(name);
  if (tensor == nullptr) return {"Input '" + name + "' is missing."};
  std::vector<std::size_t> dims = tensor->dims;
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  if (dims.size() != 3 || tensor->count == 0) {
    return {"'" + name + "' must be (n, E) or (B, n, E), and not empty."};
  }
  source.numbers = tensor->floats();
  source.rows = {source.numbers.data(), dims[0], dims[1], dims[2]};
  return {};
}

// The layer with the memory behind its views.
struct Layer {
  Projection query, key, value, value_down, out, packed;
  std::vector<float> cosines, sines;
  std::vector<std::int64_t> positions;
  attention::MultiHead view;
};

Refusal read_projections(const Case& wanted, const attention::MultiHeadInput& input, Layer& layer) {
  attention::MultiHead& view = layer.view;
  const std::size_t E = input.x.width;
  const std::size_t E_k = input.keys.data != nullptr ? input.keys.width : E;
  const std::size_t E_v = input.values.data != nullptr ? input.values.width : E_k;
  if (wanted.input("Wqkv") != nullptr) {
    if (Refusal refusal = read_projection(wanted, "qkv", E, layer.packed)) return refusal;
    if (layer.packed.weight.rows % 3 != 0) return {"Wqkv must have three equal parts of rows."};
    view.query = attention::slice(layer.packed.linear(), 0, 3);
    view.key = attention::slice(layer.packed.linear(), 1, 3);
    view.value = attention::slice(layer.packed.linear(), 2, 3);
  } else {
    const bool is_low = wanted.input("Wvd") != nullptr;
    if (Refusal refusal = read_projection(wanted, "q", E, layer.query)) return refusal;
    if (Refusal refusal = read_projection(wanted, "k", E_k, layer.key)) return refusal;
    if (is_low) {
      if (Refusal refusal = read_projection(wanted, "vd", E_v, layer.value_down)) return refusal;
      view.value_down = layer.value_down.linear();
    }
    const std::size_t into_value = is_low ? view.value_down.out : E_v;
    if (Refusal refusal = read_projection(wanted, "v", into_value, layer.value)) return refusal;
    view.query = layer.query.linear();
    view.key = layer.key.linear();
    view.value = layer.value.linear();
  }
  return {};
}

Refusal read_heads(const Case& wanted, attention::MultiHead& view) {
  std::int64_t heads = 0, head_dim = 0;
  if (Refusal refusal = get(wanted, "num_heads", heads)) return refusal;
  if (Refusal refusal = get(wanted, "q_num_heads", heads)) return refusal;
  if (Refusal refusal = get(wanted, "head_dim", head_dim)) return refusal;
  if (heads == 0 && head_dim > 0) {
    heads = static_cast<std::int64_t>(view.query.out) / head_dim;
  }
  std::int64_t kv_heads = heads;
  if (Refusal refusal = get(wanted, "kv_num_heads", kv_heads)) return refusal;
  if (heads < 1 || kv_heads < 1) return {"num_heads must be 1 or more."};
  if (static_cast<std::uint64_t>(heads) > view.query.out ||
      static_cast<std::uint64_t>(kv_heads) > view.key.out) {
    return {"There are more heads than rows of Wq or Wk."};
  }
  view.heads = static_cast<std::size_t>(heads);
  view.key_heads = static_cast<std::size_t>(kv_heads);
  if (view.query.out % view.heads != 0 || view.key.out % view.key_heads != 0 ||
      view.value.out % view.key_heads != 0) {
    return {"The rows of Wq, Wk and Wv must be multiples of the heads."};
  }
  if (head_dim > 0 && view.query.out / view.heads != static_cast<std::size_t>(head_dim)) {
    return {"head_dim must be Wq's rows over num_heads."};
  }
  return {};
}

Refusal read_rotary(const Case& wanted, Layer& layer, attention::MultiHeadInput& input) {
  const Tensor *cosines = wanted.input("cos_cache"), *sines = wanted.input("sin_cache");
  if (cosines == nullptr && sines == nullptr) return {};
  if (cosines == nullptr || sines == nullptr || cosines->dims.size() != 2 || cosines->count == 0 ||
      cosines->dims != sines->dims) {
    return {"cos_cache and sin_cache must both be (positions, half)."};
  }
  std::int64_t interleaved = 0;
  if (Refusal refusal = get(wanted, "interleaved", interleaved)) return refusal;
  layer.cosines = cosines->floats();
  layer.sines = sines->floats();
  layer.view.rotary = {
      layer.cosines, layer.sines, cosines->dims[1],
      interleaved != 0 ? attention::RotaryPairs::interleaved : attention::RotaryPairs::halved};
  const Tensor* ids = wanted.input("position_ids");
  if (ids == nullptr) return {};
  const auto* given = std::get_if<std::vector<std::int64_t>>(&ids->numbers);
  if (given == nullptr) return {"position_ids must be i64."};
  layer.positions = *given;
  input.positions = layer.positions;
  return {};
}

}  // namespace

Refusal run_multi_head(const Case& wanted, Results& results) {
  if (Refusal refusal =
          check_names(wanted,
                      {"X",
                       "XK",
                       "XV",
                       "Wq",
                       "bq",
                       "Wk",
                       "bk",
                       "Wv",
                       "bv",
                       "Wo",
                       "bo",
                       "Wqkv",
                       "bqkv",
                       "Wvd",
                       "bvd",
                       "attn_mask",
                       "nonpad_kv_seqlen",
                       "alibi_slopes",
                       "cos_cache",
                       "sin_cache",
                       "position_ids"},
                      {"num_heads", "q_num_heads", "kv_num_heads", "head_dim", "is_causal",
                       "causal_align", "scale", "softcap", "left_window_size", "right_window_size",
                       "qk_matmul_output_mode", "interleaved", "softmax_precision"})) {
    return refusal;
  }
  Source x, keys, values;
  attention::MultiHeadInput input;
  if (Refusal refusal = read_rows(wanted, "X", x)) return refusal;
  input.x = x.rows;
  if (wanted.input("XK") != nullptr) {
    if (Refusal refusal = read_rows(wanted, "XK", keys)) return refusal;
    input.keys = keys.rows;
  }
  if (wanted.input("XV") != nullptr) {
    if (Refusal refusal = read_rows(wanted, "XV", values)) return refusal;
    input.values = values.rows;
  }
  Layer layer;
  if (Refusal refusal = read_projections(wanted, input, layer)) return refusal;
  if (Refusal refusal = read_heads(wanted, layer.view)) return refusal;
  if (Refusal refusal = read_rotary(wanted, layer, input)) return refusal;
  const std::size_t B = input.x.batch, T = input.x.rows, H = layer.view.heads;
  const std::size_t S = input.keys.data != nullptr ? input.keys.rows : T;
  const std::size_t concat_width = H * (layer.view.value.out / layer.view.key_heads);
  if (wanted.input("Wo") != nullptr || wanted.input("bo") != nullptr) {
    if (Refusal refusal = read_projection(wanted, "o", concat_width, layer.out)) return refusal;
    layer.view.out_proj = layer.out.linear();
  }

  Options options;
  KeptStages kept;
  const std::size_t width = output_width(layer.view);
  std::size_t count = 0, concat_count = 0;
  if (Refusal refusal = read_options(wanted, {B, H, T, S}, 0, LastAxis::broadcasts, options))
    return refusal;
  if (Refusal refusal = kept.prepare(wanted, {B, H, T, S})) return refusal;
  if (Refusal refusal = count_elements({B, T, width}, count)) return refusal;
  if (Refusal refusal = count_elements({B, T, concat_width}, concat_count)) return refusal;

  const auto append = [&](const std::string& way, const std::string& Y, std::vector<double> y,
                          std::vector<double> concat) {
    results.push_back({Y, way, {B, T, width}, std::move(y)});
    if (wants(wanted, {"context"})) {
      results.push_back({"context", way, {B, T, concat_width}, std::move(concat)});
    }
  };
  const auto run = [&](const std::string& way, attention::MultiHeadStages stages) -> Refusal {
    std::vector<float> y(count), concat(concat_count);
    attention::MultiHeadScratch scratch;
    stages.concat = concat.data();
    if (attention::Error error =
            attention::run(layer.view, input, options.attend, y.data(), scratch, stages)) {
      return {message(error)};
    }
    append(way, "Y", as_doubles(y), as_doubles(concat));
    return {};
  };
  if (Refusal refusal = run("fused", {})) return refusal;
  if (kept.runs()) {
    attention::MultiHeadStages stages;
    stages.attend = kept.stages();
    if (Refusal refusal = run("staged", stages)) return refusal;
    kept.append(wanted, results);
  }
  if (B * H * T * S <= kMaxReferenceScores) {
    attention::ReferenceMultiHead reference =
        attention::reference_run(layer.view, input, options.attend);
    append(std::string(kReference), "Y_f64", std::move(reference.y), std::move(reference.concat));
    kept.append(wanted, reference.attend, results);
  }
  return {};
}

}  // namespace conformance
