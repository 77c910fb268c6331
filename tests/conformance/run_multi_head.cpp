// Multi-head attention with its projections; parameters are stored (out, in), as torch.nn.Linear's.
#include "attention/linear.h"
#include "operators.h"

namespace conformance {

namespace {

struct Projection {
  std::vector<float> weight, bias;
  std::size_t in = 0, out = 0;

  attention::Linear linear() const {
    return {weight.data(), bias.empty() ? nullptr : bias.data(), in, out,
            attention::Layout::out_in};
  }
};

Refusal read_projection(const Case& wanted, const std::string& letter, std::size_t in,
                        Projection& projection) {
  const Tensor* weight = wanted.input("W" + letter);
  const Tensor* bias = wanted.input("b" + letter);
  if (weight == nullptr) return {"Input 'W" + letter + "' is missing."};
  if (weight->dims.size() != 2 || weight->count == 0 || weight->dims[1] != in) {
    return {"W" + letter + " must be (out, " + std::to_string(in) + ")."};
  }
  projection.in = in;
  projection.out = weight->dims[0];
  projection.weight = weight->floats();
  if (bias == nullptr) return {};
  if (bias->count != projection.out) return {"b" + letter + " must have one number a row of W."};
  projection.bias = bias->floats();
  return {};
}

// (n, E) is a batch of one.
struct Rows {
  std::vector<float> numbers;
  std::size_t batch = 1, rows = 0, width = 0;
};

Refusal read_rows(const Tensor& tensor, Rows& rows) {
  std::vector<std::size_t> dims = tensor.dims;
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  if (dims.size() != 3 || tensor.count == 0) {
    return {"'" + tensor.name + "' must be (n, E) or (B, n, E), and not empty."};
  }
  rows = {tensor.floats(), dims[0], dims[1], dims[2]};
  return {};
}

// x · W^T + b, split into heads.
Refusal project(const Case& wanted, const std::string& letter, const Tensor& x, std::size_t heads,
                std::vector<float>& numbers, attention::Heads<const float>& split) {
  Rows rows;
  Projection projection;
  if (Refusal refusal = read_rows(x, rows)) return refusal;
  if (Refusal refusal = read_projection(wanted, letter, rows.width, projection)) return refusal;
  if (projection.out % heads != 0)
    return {"W" + letter + "'s rows must be a multiple of the heads."};
  std::size_t count = 0;
  if (Refusal refusal = count_elements({rows.batch, rows.rows, projection.out}, count))
    return refusal;
  numbers.resize(count);
  attention::apply(projection.linear(), rows.numbers.data(), rows.batch * rows.rows,
                   numbers.data());
  split = attention::heads_last<const float>(numbers.data(), rows.batch, rows.rows, heads,
                                             projection.out / heads);
  return {};
}

}  // namespace

Refusal run_multi_head(const Case& wanted, Results& results) {
  if (Refusal refusal = check_names(
          wanted,
          {"X", "XK", "XV", "Wq", "bq", "Wk", "bk", "Wv", "bv", "Wo", "bo", "attn_mask",
           "nonpad_kv_seqlen"},
          {"num_heads", "q_num_heads", "kv_num_heads", "is_causal", "causal_align", "scale",
           "softcap", "left_window_size", "right_window_size", "qk_matmul_output_mode"})) {
    return refusal;
  }
  std::int64_t heads = 0;
  if (Refusal refusal = get(wanted, "num_heads", heads)) return refusal;
  if (Refusal refusal = get(wanted, "q_num_heads", heads)) return refusal;
  std::int64_t kv_heads = heads;
  if (Refusal refusal = get(wanted, "kv_num_heads", kv_heads)) return refusal;
  if (heads < 1 || kv_heads < 1) return {"num_heads must be 1 or more."};
  if (static_cast<std::uint64_t>(heads) > kMaxTensorBytes ||
      static_cast<std::uint64_t>(kv_heads) > kMaxTensorBytes) {
    return {"num_heads is more than any tensor has."};
  }
  const Tensor* X = wanted.input("X");
  if (X == nullptr) return {"Input 'X' is missing."};
  const Tensor* XK = wanted.input("XK") ? wanted.input("XK") : X;
  const Tensor* XV = wanted.input("XV") ? wanted.input("XV") : XK;

  std::vector<float> q, k, v;
  attention::Heads<const float> query, key, value;
  const auto H = static_cast<std::size_t>(heads), H_kv = static_cast<std::size_t>(kv_heads);
  if (Refusal refusal = project(wanted, "q", *X, H, q, query)) return refusal;
  if (Refusal refusal = project(wanted, "k", *XK, H_kv, k, key)) return refusal;
  if (Refusal refusal = project(wanted, "v", *XV, H_kv, v, value)) return refusal;

  const std::size_t B = query.batch, T = query.rows;
  Options options;
  if (Refusal refusal = read_options(wanted, {B, H, T, key.rows}, 0, options)) return refusal;
  std::vector<Context> contexts;
  if (Refusal refusal =
          run_attend(wanted, query, key, value, options, YLayout::none, contexts, results)) {
    return refusal;
  }
  if (wanted.input("Wo") == nullptr && wanted.input("bo") == nullptr) {
    for (Context& context : contexts) {
      results.push_back({"Y", context.way, {B, T, H * value.width}, as_doubles(context.values)});
    }
    return {};
  }
  Projection out;
  if (Refusal refusal = read_projection(wanted, "o", H * value.width, out)) return refusal;
  std::size_t count = 0;
  if (Refusal refusal = count_elements({B, T, out.out}, count)) return refusal;
  for (const Context& context : contexts) {
    std::vector<float> Y(count);
    attention::apply(out.linear(), context.values.data(), B * T, Y.data());
    results.push_back({"Y", context.way, {B, T, out.out}, as_doubles(Y)});
  }
  return {};
}

}  // namespace conformance
