// ONNX's Attention (opset 23-25).
#include "operators.h"

namespace conformance {

namespace {

// A query, key or value with its numbers; 4-D is (B, H, n, d), 3-D (B, n, H * d), 2-D (n, H * d).
struct Split {
  std::vector<float> numbers;
  attention::Heads<const float> heads;
};

Refusal split(const Case& wanted, std::string_view name, std::int64_t heads, Split& out) {
  const Tensor* tensor = wanted.input(name);
  if (tensor == nullptr) return {"Input '" + std::string(name) + "' is missing."};
  out.numbers = tensor->floats();
  std::vector<std::size_t> dims = tensor->dims;
  if (dims.size() == 4) {
    out.heads =
        attention::heads_first<const float>(out.numbers.data(), dims[0], dims[1], dims[2], dims[3]);
    return {};
  }
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  if (dims.size() != 3) return {"Input '" + std::string(name) + "' must have 2, 3 or 4 axes."};
  if (heads < 1 || dims[2] % static_cast<std::uint64_t>(heads) != 0) {
    return {"The width of '" + std::string(name) + "' must be a multiple of its heads."};
  }
  const auto H = static_cast<std::size_t>(heads);
  out.heads =
      attention::heads_last<const float>(out.numbers.data(), dims[0], dims[1], H, dims[2] / H);
  return {};
}

// past and then new keys (or values), (B, H, past + n, d); the numbers move.
Refusal join(const Tensor* past, Split& now) {
  const auto [data, B, H, n, d, batch_stride, head_stride, row_stride] = now.heads;
  std::size_t before = 0;
  if (past != nullptr) {
    const auto& dims = past->dims;
    if (dims.size() != 4 || dims[0] != B || dims[1] != H || dims[3] != d) {
      return {"'" + past->name + "' must be (B, H, past, d) with the new ones' B, H and d."};
    }
    before = dims[2];
  }
  std::size_t count = 0;
  if (Refusal refusal = count_elements({B, H, before + n, d}, count)) return refusal;
  const std::vector<float> old = past != nullptr ? past->floats() : std::vector<float>();
  std::vector<float> joined;
  joined.reserve(count);
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      const auto from = old.begin() + static_cast<std::ptrdiff_t>((b * H + h) * before * d);
      joined.insert(joined.end(), from, from + static_cast<std::ptrdiff_t>(before * d));
      for (std::size_t r = 0; r < n; ++r) {
        const float* row = now.heads.row(b, h, r);
        joined.insert(joined.end(), row, row + d);
      }
    }
  }
  now.numbers = std::move(joined);
  now.heads = attention::heads_first<const float>(now.numbers.data(), B, H, before + n, d);
  return {};
}

}  // namespace

Refusal run_attention(const Case& wanted, Results& results) {
  if (Refusal refusal = check_names(
          wanted,
          {"Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen",
           "alibi_slopes"},
          {"is_causal", "scale", "softcap", "q_num_heads", "kv_num_heads", "qk_matmul_output_mode",
           "softmax_precision", "left_window_size", "right_window_size", "causal_align"})) {
    return refusal;
  }
  std::int64_t q_heads = 1;
  if (Refusal refusal = get(wanted, "q_num_heads", q_heads)) return refusal;
  std::int64_t kv_heads = q_heads;
  if (Refusal refusal = get(wanted, "kv_num_heads", kv_heads)) return refusal;
  Split query, key, value;
  if (Refusal refusal = split(wanted, "Q", q_heads, query)) return refusal;
  if (Refusal refusal = split(wanted, "K", kv_heads, key)) return refusal;
  if (Refusal refusal = split(wanted, "V", kv_heads, value)) return refusal;

  const Tensor* past_key = wanted.input("past_key");
  const Tensor* past_value = wanted.input("past_value");
  if ((past_key == nullptr) != (past_value == nullptr)) {
    return {"past_key and past_value must be given together."};
  }
  const bool wants_present = wanted.output("present_key") || wanted.output("present_value");
  if (past_key != nullptr || wants_present) {
    if (Refusal refusal = join(past_key, key)) return refusal;
    if (Refusal refusal = join(past_value, value)) return refusal;
    const auto dims = [](const Split& s) {
      return std::vector<std::size_t>{s.heads.batch, s.heads.heads, s.heads.rows, s.heads.width};
    };
    results.push_back({"present_key", "joined", dims(key), as_doubles(key.numbers)});
    results.push_back({"present_value", "joined", dims(value), as_doubles(value.numbers)});
  }

  const std::size_t B = query.heads.batch, H = query.heads.heads, T = query.heads.rows;
  const std::size_t d_v = value.heads.width;
  const std::array<std::size_t, 4> scores{B, H, T, key.heads.rows};
  Options options;
  if (Refusal refusal = read_options(wanted, scores, past_key != nullptr ? past_key->dims[2] : 0,
                                     LastAxis::pads, options)) {
    return refusal;
  }
  KeptStages kept;
  if (Refusal refusal = kept.prepare(wanted, scores)) return refusal;
  std::size_t count = 0;
  if (Refusal refusal = count_elements({B, H, T, d_v}, count)) return refusal;

  // Of (B, H, T, d_v): the context, and Y in the inputs' layout.
  const bool heads_first = wanted.input("Q")->dims.size() == 4;
  const auto append = [&](const std::string& way, const std::string& Y,
                          std::vector<double> context) {
    std::vector<double> concat = exchange(context, B, H, T, d_v);
    if (heads_first) {
      results.push_back({Y, way, {B, H, T, d_v}, std::move(context)});
    } else {
      results.push_back({Y, way, {B, T, H * d_v}, concat});
    }
    if (wants(wanted, {"context"})) {
      results.push_back({"context", way, {B, T, H * d_v}, std::move(concat)});
    }
  };
  const auto attend = [&](const std::string& way,
                          const attention::AttendStages& stages) -> Refusal {
    std::vector<float> context(count);
    attention::Buffer scratch;
    const auto out = attention::heads_first(context.data(), B, H, T, d_v);
    if (attention::Error error = attention::attend(query.heads, key.heads, value.heads,
                                                   options.attend, out, scratch, stages)) {
      return {message(error)};
    }
    append(way, "Y", as_doubles(context));
    return {};
  };
  if (Refusal refusal = attend("fused", {})) return refusal;
  if (kept.runs()) {
    if (Refusal refusal = attend("staged", kept.stages())) return refusal;
    kept.append(wanted, results);
  }
  if (wants(wanted, {"Y_f64"}) &&
      scores[0] * scores[1] * scores[2] * scores[3] <= kMaxReferenceScores) {
    append(
        std::string(kReference), "Y_f64",
        attention::reference_attend(query.heads, key.heads, value.heads, options.attend).context);
  }
  return {};
}

}  // namespace conformance
