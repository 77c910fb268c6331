// ONNX's Attention (opset 23-25), and MultiheadAttention: the same with its projections, by the
// library's layer.
#include <algorithm>
#include <optional>
#include <utility>

#include "attention/multi_head.h"
#include "operators.h"

namespace conformance {

namespace {

using attention::AttendOptions;

// Both ways are tried up to this; beyond, the one with stages runs only where a stage is asked for.
constexpr std::size_t kMaxStagedScores = std::size_t{1} << 22;
// The reference keeps six matrices of doubles: at most 0.8 GB here.
constexpr std::size_t kMaxReferenceScores = std::size_t{1} << 24;

// Attributes that set an option of attend() each.
struct OptionAttribute {
  std::string_view name;
  std::variant<bool AttendOptions::*, std::int64_t AttendOptions::*, float AttendOptions::*,
               std::optional<float> AttendOptions::*>
      option;
};
constexpr OptionAttribute kOptionAttributes[] = {
    {"is_causal", &AttendOptions::is_causal},
    {"scale", &AttendOptions::scale},
    {"softcap", &AttendOptions::softcap},
    {"temperature", &AttendOptions::temperature},
    {"left_window_size", &AttendOptions::window_left},
    {"right_window_size", &AttendOptions::window_right}};

// Those, others that both operators have, and `more`.
std::vector<std::string_view> attributes_with(std::vector<std::string_view> more) {
  for (const OptionAttribute& each : kOptionAttributes) more.push_back(each.name);
  more.insert(more.end(), {"causal_align", "qk_matmul_output_mode", "softmax_precision"});
  return more;
}

struct Set {
  const Case& wanted;
  std::string name;
  AttendOptions& options;

  void operator()(bool AttendOptions::*option) const {
    const std::int64_t value = get_int(wanted, name, options.*option);
    require(value == 0 || value == 1, name + " must be 0 or 1.");
    options.*option = value == 1;
  }
  void operator()(std::int64_t AttendOptions::*option) const {
    options.*option = get_int(wanted, name, options.*option);
  }
  template <class Float>
  void operator()(Float AttendOptions::*option) const {
    if (wanted.attribute(name)) options.*option = static_cast<float>(get_float(wanted, name, 0));
  }
};

// The options of attend() with the memory that they point to.
struct Options {
  AttendOptions attend;
  std::vector<std::uint8_t> allowed;
  std::vector<float> bias, slopes;
  std::vector<std::int64_t> key_lengths, offsets;
};

// (B, H, T, S)
using Scores = std::array<std::size_t, 4>;

// How a mask's last axis of 1 reads where there are more keys: ONNX's Attention pads it with masked
// keys, as any short mask; MultiheadAttention's masks broadcast along every axis.
enum class LastAxis { pads, broadcasts };

// Each entry `times` over.
template <class T>
std::vector<T> repeat(const std::vector<T>& entries, std::size_t times) {
  std::vector<T> repeated;
  repeated.reserve(entries.size() * times);
  for (const T entry : entries) repeated.insert(repeated.end(), times, entry);
  return repeated;
}

void read_mask(const Tensor& mask, const Scores& scores, LastAxis last_axis, Options& options) {
  std::vector<std::size_t> dims = mask.dims;
  if (dims.size() == 3 && dims[0] != 1 && dims[0] != scores[1] &&
      dims[0] == scores[0] * scores[1]) {
    dims = {scores[0], scores[1], dims[1], dims[2]};  // batch and heads as one, as PyTorch has them
  }
  require(dims.size() <= 4, "attn_mask must have at most 4 axes.");
  auto& extents = options.attend.mask.extents;
  std::copy(dims.begin(), dims.end(), extents.end() - static_cast<std::ptrdiff_t>(dims.size()));
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const bool fits = axis == 3 ? extents[axis] <= scores[axis]
                                : extents[axis] == 1 || extents[axis] == scores[axis];
    require(fits && extents[axis] != 0, "attn_mask does not broadcast to the scores.");
  }
  // A mask without an axis is one number for all keys.
  const bool repeats = extents[3] == 1 && (last_axis == LastAxis::broadcasts || dims.empty());
  const std::size_t times = repeats ? scores[3] : 1;
  if (repeats) {
    count_elements({extents[0], extents[1], extents[2], times});
    extents[3] = times;
  }
  if (const auto* allowed = std::get_if<std::vector<std::uint8_t>>(&mask.numbers)) {
    options.allowed = repeat(*allowed, times);
    options.attend.mask.allowed = options.allowed.data();
  } else {
    options.bias = repeat(mask.floats(), times);
    options.attend.mask.bias = options.bias.data();
  }
}

void read_lengths(const Tensor& lengths, const Scores& scores, std::size_t past, Options& options) {
  options.key_lengths = integers(lengths);
  require(lengths.count == scores[0] || lengths.count == 1,
          "nonpad_kv_seqlen must have one entry a batch.");
  options.key_lengths.resize(scores[0], options.key_lengths.front());
  for (std::int64_t& length : options.key_lengths) {
    require(length >= 0 && static_cast<std::uint64_t>(length) <= kMaxTensorBytes,
            "nonpad_kv_seqlen holds a length that no tensor has.");
    options.offsets.push_back(length - static_cast<std::int64_t>(scores[2]));
    length = std::min(length, static_cast<std::int64_t>(scores[3]));
  }
  options.attend.key_lengths = options.key_lengths;
  if (past == 0) options.attend.batch_offsets = options.offsets;
}

void read_alignment(const Case& wanted, const Scores& scores, AttendOptions& attend) {
  const std::string align = get_str(wanted, "causal_align", "");
  if (align.empty()) return;
  require(align == "top_left" || align == "bottom_right",
          "causal_align must be top_left or bottom_right, not '" + align + "'.");
  attend.batch_offsets = {};
  attend.offset = align == "top_left"
                      ? 0
                      : static_cast<std::int64_t>(scores[3]) - static_cast<std::int64_t>(scores[2]);
}

// The first `past` keys come from a cache.
void read_options(const Case& wanted, const Scores& scores, std::size_t past, LastAxis last_axis,
                  Options& options) {
  AttendOptions& attend = options.attend;
  for (const auto& [name, option] : kOptionAttributes)
    std::visit(Set{wanted, std::string(name), attend}, option);
  attend.softcap = std::max(attend.softcap, 0.0f);  // 0 and below are off
  attend.offset = static_cast<std::int64_t>(past);
  if (const Tensor* mask = wanted.input("attn_mask")) read_mask(*mask, scores, last_axis, options);
  if (const Tensor* lengths = wanted.input("nonpad_kv_seqlen"))
    read_lengths(*lengths, scores, past, options);
  if (const Tensor* slopes = wanted.input("alibi_slopes")) {
    options.slopes = slopes->floats();
    attend.alibi_slopes = options.slopes;
  }
  read_alignment(wanted, scores, attend);
}

// The stages of attend() that a case asks for.
class KeptStages {
 public:
  KeptStages(const Case& wanted, const Scores& scores) : dims_(scores.begin(), scores.end()) {
    mode_ = get_int(wanted, "qk_matmul_output_mode", 0);
    require(mode_ >= 0 && mode_ <= 3, "qk_matmul_output_mode must be from 0 to 3.");
    for (const char* name : {"P", "attn", "qk_matmul_output"}) {
      if (wants(wanted, {name})) names_.emplace_back(name);
    }
    const auto [B, H, T, S] = scores;
    if (!names_.empty()) count_elements({B, H, T, S});
    runs_ = !names_.empty() || product({B, H, T, S}) <= kMaxStagedScores;
    weights_.resize(runs_ ? B * H * T * S : 0);
    logits_.resize(weights_.size());
  }

  bool runs() const { return runs_; }  // false: they are too many, and the case asks for none

  attention::AttendStages stages() {
    attention::AttendStages stages;
    stages.weights = weights_.data();
    float** const logits[] = {&stages.scaled_scores, &stages.capped_scores, &stages.masked_scores};
    if (mode_ < 3) *logits[mode_] = logits_.data();
    return stages;
  }

  void append(Results& results) const {
    for (const std::string& name : names_) {
      const bool is_logits = name == "qk_matmul_output" && mode_ < 3;
      results.push_back({name, "staged", dims_, as_doubles(is_logits ? logits_ : weights_)});
    }
  }
  // The same of the reference.
  void append(const attention::ReferenceAttend& r, Results& results) const {
    const std::vector<double>* const logits[] = {&r.scaled_scores, &r.capped_scores,
                                                 &r.masked_scores, &r.weights};
    for (const std::string& name : names_)
      results.push_back({name, kReference, dims_, *logits[name == "qk_matmul_output" ? mode_ : 3]});
  }

 private:
  std::vector<std::size_t> dims_;
  std::vector<std::string> names_;
  std::int64_t mode_ = 0;
  bool runs_ = false;
  std::vector<float> weights_, logits_;
};

// A query, key or value with its numbers; 4-D is (B, H, n, d), 3-D (B, n, H * d), 2-D (n, H * d).
struct Split {
  std::vector<float> numbers;
  attention::Heads<const float> heads;
  std::vector<std::size_t> dims() const {
    return {heads.batch, heads.heads, heads.rows, heads.width};
  }
};

Split split(const Case& wanted, const std::string& name, std::int64_t heads) {
  const Tensor& tensor = input(wanted, name);
  Split out{tensor.floats(), {}};
  std::vector<std::size_t> dims = tensor.dims;
  if (dims.size() == 4) {
    out.heads =
        attention::heads_first<const float>(out.numbers.data(), dims[0], dims[1], dims[2], dims[3]);
    return out;
  }
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  require(dims.size() == 3, "Input '" + name + "' must have 2, 3 or 4 axes.");
  require(heads >= 1 && dims[2] % static_cast<std::uint64_t>(heads) == 0,
          "The width of '" + name + "' must be a multiple of its heads.");
  const auto H = static_cast<std::size_t>(heads);
  out.heads =
      attention::heads_last<const float>(out.numbers.data(), dims[0], dims[1], H, dims[2] / H);
  return out;
}

// past and then new keys (or values), (B, H, past + n, d).
Split join(const Tensor* past, const Split& now) {
  const auto [data, B, H, n, d, batch_stride, head_stride, row_stride] = now.heads;
  std::size_t before = 0;
  std::vector<float> old;
  if (past != nullptr) {
    const auto& dims = past->dims;
    require(dims.size() == 4 && dims[0] == B && dims[1] == H && dims[3] == d,
            "'" + past->name + "' must be (B, H, past, d) with the new ones' B, H and d.");
    before = dims[2];
    old = past->floats();
  }
  Split joined;
  joined.numbers.reserve(count_elements({B, H, before + n, d}));
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      const auto from = old.begin() + static_cast<std::ptrdiff_t>((b * H + h) * before * d);
      joined.numbers.insert(joined.numbers.end(), from,
                            from + static_cast<std::ptrdiff_t>(before * d));
      for (std::size_t r = 0; r < n; ++r) {
        const float* row = now.heads.row(b, h, r);
        joined.numbers.insert(joined.numbers.end(), row, row + d);
      }
    }
  }
  joined.heads = attention::heads_first<const float>(joined.numbers.data(), B, H, before + n, d);
  return joined;
}

// [B, H, T, width] -> [B, T, H, width]
std::vector<double> heads_last(const std::vector<double>& in, std::size_t B, std::size_t H,
                               std::size_t T, std::size_t width) {
  std::vector<double> out(in.size());
  for (std::size_t row = 0; row < B * H * T; ++row) {
    const std::size_t b = row / (H * T), h = row / T % H, t = row % T;
    std::copy_n(&in[row * width], width, &out[((b * T + t) * H + h) * width]);
  }
  return out;
}

}  // namespace

Results run_attention(const Case& wanted) {
  check_names(
      wanted,
      {"Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen", "alibi_slopes"},
      attributes_with({"q_num_heads", "kv_num_heads"}));
  const std::int64_t q_heads = get_int(wanted, "q_num_heads", 1);
  const std::int64_t kv_heads = get_int(wanted, "kv_num_heads", q_heads);
  const Split query = split(wanted, "Q", q_heads);
  Split key = split(wanted, "K", kv_heads), value = split(wanted, "V", kv_heads);

  Results results;
  const Tensor* past_key = wanted.input("past_key");
  const Tensor* past_value = wanted.input("past_value");
  require((past_key == nullptr) == (past_value == nullptr),
          "past_key and past_value must be given together.");
  if (past_key != nullptr || wants(wanted, {"present_key", "present_value"})) {
    key = join(past_key, key);
    value = join(past_value, value);
    results.push_back({"present_key", "joined", key.dims(), as_doubles(key.numbers)});
    results.push_back({"present_value", "joined", value.dims(), as_doubles(value.numbers)});
  }

  const std::size_t B = query.heads.batch, H = query.heads.heads, T = query.heads.rows;
  const std::size_t S = key.heads.rows, d_v = value.heads.width;
  Options options;
  read_options(wanted, {B, H, T, S}, past_key != nullptr ? past_key->dims[2] : 0, LastAxis::pads,
               options);
  KeptStages kept(wanted, {B, H, T, S});
  const std::size_t count = count_elements({B, H, T, d_v});

  // Of (B, H, T, d_v): the context, and Y in the inputs' layout.
  const bool heads_first = input(wanted, "Q").dims.size() == 4;
  const auto append = [&](const char* way, const char* Y, std::vector<double> context) {
    std::vector<double> concat = heads_last(context, B, H, T, d_v);
    if (heads_first) {
      results.push_back({Y, way, {B, H, T, d_v}, std::move(context)});
    } else {
      results.push_back({Y, way, {B, T, H * d_v}, concat});
    }
    if (wants(wanted, {"context"}))
      results.push_back({"context", way, {B, T, H * d_v}, std::move(concat)});
  };
  const auto attend = [&](const char* way, const attention::AttendStages& stages) {
    std::vector<float> context(count);
    attention::Buffer scratch;
    require(attention::attend(query.heads, key.heads, value.heads, options.attend,
                              attention::heads_first(context.data(), B, H, T, d_v), scratch,
                              stages));
    append(way, "Y", as_doubles(context));
  };
  attend("fused", {});
  if (kept.runs()) {
    attend("staged", kept.stages());
    kept.append(results);
  }
  if (wants(wanted, {"Y_f64"}) && product({B, H, T, S}) <= kMaxReferenceScores) {
    append(
        kReference, "Y_f64",
        attention::reference_attend(query.heads, key.heads, value.heads, options.attend).context);
  }
  return results;
}

namespace {

// (n, E) is a batch of one.
struct Source {
  std::vector<float> numbers;
  attention::Rows rows;
};

Source read_rows(const Case& wanted, const std::string& name) {
  const Tensor& tensor = input(wanted, name);
  std::vector<std::size_t> dims = tensor.dims;
  if (dims.size() == 2) dims.insert(dims.begin(), 1);
  require(dims.size() == 3 && tensor.count > 0,
          "'" + name + "' must be (n, E) or (B, n, E), and not empty.");
  Source source{tensor.floats(), {}};
  source.rows = {source.numbers.data(), dims[0], dims[1], dims[2]};
  return source;
}

// The layer with the memory behind its views.
struct Layer {
  Projection query, key, value, value_down, out, packed;
  std::vector<float> cosines, sines;
  std::vector<std::int64_t> positions;
  attention::MultiHead view;
};

// Parameters are stored (out, in), as torch.nn.Linear's: Wq, bq, …; or Wqkv and bqkv with the three
// packed; Wvd is the value's way down to a rank, before Wv.
void read_projections(const Case& wanted, const attention::MultiHeadInput& from, Layer& layer) {
  attention::MultiHead& view = layer.view;
  const std::size_t E = from.x.width;
  const std::size_t E_k = from.keys.data != nullptr ? from.keys.width : E;
  const std::size_t E_v = from.values.data != nullptr ? from.values.width : E_k;
  if (wanted.input("Wqkv") != nullptr) {
    layer.packed = read_projection(wanted, "qkv", E);
    require(layer.packed.weight.rows % 3 == 0, "Wqkv must have three equal parts of rows.");
    view.query = attention::slice(layer.packed.linear(), 0, 3);
    view.key = attention::slice(layer.packed.linear(), 1, 3);
    view.value = attention::slice(layer.packed.linear(), 2, 3);
    return;
  }
  view.query = (layer.query = read_projection(wanted, "q", E)).linear();
  view.key = (layer.key = read_projection(wanted, "k", E_k)).linear();
  std::size_t into_value = E_v;
  if (wanted.input("Wvd") != nullptr) {
    view.value_down = (layer.value_down = read_projection(wanted, "vd", E_v)).linear();
    into_value = view.value_down.out;
  }
  view.value = (layer.value = read_projection(wanted, "v", into_value)).linear();
}

void read_heads(const Case& wanted, attention::MultiHead& view) {
  std::int64_t heads = get_int(wanted, "q_num_heads", get_int(wanted, "num_heads", 0));
  const std::int64_t head_dim = get_int(wanted, "head_dim", 0);
  if (heads == 0 && head_dim > 0) heads = static_cast<std::int64_t>(view.query.out) / head_dim;
  const std::int64_t kv_heads = get_int(wanted, "kv_num_heads", heads);
  require(heads >= 1 && kv_heads >= 1, "num_heads must be 1 or more.");
  require(static_cast<std::uint64_t>(heads) <= view.query.out &&
              static_cast<std::uint64_t>(kv_heads) <= view.key.out,
          "There are more heads than rows of Wq or Wk.");
  view.heads = static_cast<std::size_t>(heads);
  view.key_heads = static_cast<std::size_t>(kv_heads);
  require(view.query.out % view.heads == 0 && view.key.out % view.key_heads == 0 &&
              view.value.out % view.key_heads == 0,
          "The rows of Wq, Wk and Wv must be multiples of the heads.");
  require(head_dim <= 0 || view.query.out / view.heads == static_cast<std::size_t>(head_dim),
          "head_dim must be Wq's rows over num_heads.");
}

void read_rotary(const Case& wanted, Layer& layer, attention::MultiHeadInput& into) {
  if (!wanted.input("cos_cache") && !wanted.input("sin_cache")) return;
  const Tensor &cosines = input(wanted, "cos_cache"), &sines = input(wanted, "sin_cache");
  require(cosines.dims.size() == 2 && cosines.count > 0 && cosines.dims == sines.dims,
          "cos_cache and sin_cache must both be (positions, half).");
  layer.cosines = cosines.floats();
  layer.sines = sines.floats();
  layer.view.rotary = {layer.cosines, layer.sines, cosines.dims[1],
                       get_int(wanted, "interleaved", 0) != 0 ? attention::RotaryPairs::interleaved
                                                              : attention::RotaryPairs::halved};
  if (const Tensor* ids = wanted.input("position_ids")) {
    layer.positions = integers(*ids);
    into.positions = layer.positions;
  }
}

}  // namespace

Results run_multi_head(const Case& wanted) {
  check_names(
      wanted,
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
      attributes_with({"num_heads", "q_num_heads", "kv_num_heads", "head_dim", "interleaved"}));
  Source x = read_rows(wanted, "X"), keys, values;
  attention::MultiHeadInput from;
  from.x = x.rows;
  if (wanted.input("XK") != nullptr) from.keys = (keys = read_rows(wanted, "XK")).rows;
  if (wanted.input("XV") != nullptr) from.values = (values = read_rows(wanted, "XV")).rows;
  Layer layer;
  read_projections(wanted, from, layer);
  read_heads(wanted, layer.view);
  read_rotary(wanted, layer, from);
  const std::size_t B = from.x.batch, T = from.x.rows, H = layer.view.heads;
  const std::size_t S = from.keys.data != nullptr ? from.keys.rows : T;
  const std::size_t concat_width = H * (layer.view.value.out / layer.view.key_heads);
  if (wanted.input("Wo") || wanted.input("bo"))
    layer.view.out_proj = (layer.out = read_projection(wanted, "o", concat_width)).linear();

  Options options;
  read_options(wanted, {B, H, T, S}, 0, LastAxis::broadcasts, options);
  KeptStages kept(wanted, {B, H, T, S});
  const std::size_t width = output_width(layer.view);
  const std::size_t count = count_elements({B, T, width});
  const std::size_t concat_count = count_elements({B, T, concat_width});

  Results results;
  const auto append = [&](const char* way, const char* Y, std::vector<double> y,
                          std::vector<double> concat) {
    results.push_back({Y, way, {B, T, width}, std::move(y)});
    if (wants(wanted, {"context"}))
      results.push_back({"context", way, {B, T, concat_width}, std::move(concat)});
  };
  const auto run = [&](const char* way, attention::MultiHeadStages stages) {
    std::vector<float> y(count), concat(concat_count);
    attention::MultiHeadScratch scratch;
    stages.concat = concat.data();
    require(attention::run(layer.view, from, options.attend, y.data(), scratch, stages));
    append(way, "Y", as_doubles(y), as_doubles(concat));
  };
  run("fused", {});
  if (kept.runs()) {
    attention::MultiHeadStages stages;
    stages.attend = kept.stages();
    run("staged", stages);
    kept.append(results);
  }
  if (product({B, H, T, S}) <= kMaxReferenceScores) {
    attention::ReferenceMultiHead reference =
        attention::reference_run(layer.view, from, options.attend);
    append(kReference, "Y_f64", std::move(reference.y), std::move(reference.concat));
    kept.append(reference.attend, results);
  }
  return results;
}

}  // namespace conformance
