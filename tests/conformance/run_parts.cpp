// What stands beside attention: ONNX's RotaryEmbedding (opset 23), Softmax, LayerNormalization and
// Gelu; PositionEmbedding, X + table[position], where the table may be left out for the sinusoidal
// one; and whole models, Decoder and Llama.
#include <list>
#include <numeric>
#include <utility>

#include "attention/block.h"
#include "attention/decoder.h"
#include "attention/positions.h"
#include "kernels.h"
#include "operators.h"

namespace conformance {

namespace {

// `axis`, which may count from the end, of a tensor of `rank` axes.
std::size_t read_axis(const Case& wanted, std::size_t rank) {
  const auto axes = static_cast<std::int64_t>(rank);
  const std::int64_t axis = get_int(wanted, "axis", -1);
  require(axis >= -axes && axis < axes, "axis must be from -rank to rank - 1.");
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

// Which row of the tables each row of each batch reads; empty for the row's own number.
std::vector<std::int64_t> read_positions(const Case& wanted, const Tensor& cosines,
                                         std::size_t batch, std::size_t rows) {
  std::vector<std::int64_t> positions;
  if (const Tensor* given = wanted.input("position_ids")) {
    const bool is_shared = given->count == rows;  // by every batch
    require((given->count == batch * rows || is_shared) && cosines.dims.size() == 2,
            "position_ids must be i64 (B, n), with tables of (positions, half).");
    const std::vector<std::int64_t>& ids = integers(*given);
    for (std::size_t times = batch * rows / given->count; times > 0; --times)
      positions.insert(positions.end(), ids.begin(), ids.end());
    return positions;
  }
  const auto& dims = cosines.dims;
  if (dims.size() == 2 || (dims.size() == 3 && dims[0] == 1 && dims[1] == rows)) return positions;
  require(dims.size() == 3 && dims[0] == batch && dims[1] == rows,
          "Without position_ids the tables must be (B, n, half).");
  positions.resize(batch * rows);
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

}  // namespace

Results run_rotary(const Case& wanted) {
  check_names(wanted, {"X", "input", "cos_cache", "sin_cache", "position_ids"},
              {"interleaved", "num_heads", "rotary_embedding_dim"});
  const Tensor& X = input(wanted, wanted.input("X") || !wanted.input("input") ? "X" : "input");
  const Tensor &cosines = input(wanted, "cos_cache"), &sines = input(wanted, "sin_cache");
  require(X.count > 0 && cosines.count > 0 && !cosines.dims.empty() && cosines.dims == sines.dims,
          "X must not be empty, and cos_cache and sin_cache must have one shape.");
  const std::size_t half = cosines.dims.back();
  std::int64_t heads = get_int(wanted, "num_heads", 0);
  const std::int64_t rotary_dim = get_int(wanted, "rotary_embedding_dim", 0);
  const auto& dims = X.dims;
  require(dims.size() == 3 || dims.size() == 4, "X must be (B, H, n, d) or (B, n, H * d).");
  if (dims.size() == 3) {
    if (heads == 0 && rotary_dim == 0)  // the tables say how wide a head is
      heads = static_cast<std::int64_t>(dims[2] / (2 * half));
    require(heads >= 1 && dims[2] % static_cast<std::uint64_t>(heads) == 0,
            "X's width must be a multiple of num_heads.");
  }
  const auto view = [&](auto* data) {
    const auto H = static_cast<std::size_t>(heads);
    return dims.size() == 4 ? attention::heads_first(data, dims[0], dims[1], dims[2], dims[3])
                            : attention::heads_last(data, dims[0], dims[1], H, dims[2] / H);
  };
  const std::vector<float> numbers = X.floats();
  std::vector<float> turned(numbers.size()), in_place = numbers;
  const auto in = view(numbers.data());
  const std::uint64_t turned_width =
      rotary_dim == 0 ? in.width : static_cast<std::uint64_t>(rotary_dim);
  require(rotary_dim >= 0 && turned_width % 2 == 0 && turned_width / 2 == half,
          "The tables' last axis must be half of rotary_embedding_dim.");
  const auto positions = read_positions(wanted, cosines, in.batch, in.rows);
  const auto pairs = get_int(wanted, "interleaved", 0) != 0 ? attention::RotaryPairs::interleaved
                                                            : attention::RotaryPairs::halved;
  const std::vector<float> c = cosines.floats(), s = sines.floats();
  // rotate() promises both: into other memory, and over its own input.
  Results results;
  for (auto& [out, way] : {std::pair{&turned, "apart"}, std::pair{&in_place, "in place"}}) {
    const auto from = out == &in_place ? attention::Heads<const float>(view(in_place.data())) : in;
    require(attention::rotate(from, view(out->data()), c, s, half, positions, pairs));
    results.push_back({"Y", way, X.dims, as_doubles(*out)});
  }
  return results;
}

// By the kernel that attention uses.
Results run_softmax(const Case& wanted) {
  check_names(wanted, {"X", "x", "input"}, {"axis"});
  require(wanted.inputs.size() == 1, "Softmax has one input.");
  const Tensor& X = wanted.inputs.front();
  const std::vector<std::size_t> dims = X.dims.empty() ? std::vector<std::size_t>{1} : X.dims;
  const std::size_t axis = read_axis(wanted, dims.size()), length = dims[axis];
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  std::vector<float> numbers = X.floats(), row(length);
  for (std::size_t first = 0; first < numbers.size(); first += length * inner) {
    for (std::size_t column = first; column < first + inner; ++column) {
      for (std::size_t i = 0; i < length; ++i) row[i] = numbers[column + i * inner];
      attention::kernels::softmax_row(row.data(), row.data(), length);
      for (std::size_t i = 0; i < length; ++i) numbers[column + i * inner] = row[i];
    }
  }
  return {{"Y", "kernel", X.dims, as_doubles(numbers)}};
}

Results run_layer_norm(const Case& wanted) {
  check_names(wanted, {"X", "Scale", "B"}, {"axis", "epsilon", "stash_type"});
  const Tensor &X = input(wanted, "X"), &scale = input(wanted, "Scale");
  const Tensor* bias = wanted.input("B");
  require(X.count > 0, "X must not be empty.");
  std::size_t width = 1;  // of the axes from `axis` on
  for (std::size_t i = read_axis(wanted, X.dims.size()); i < X.dims.size(); ++i) width *= X.dims[i];
  require(scale.count == width && (bias == nullptr || bias->count == width),
          "Scale and B must have one number for each that is normalised.");
  const std::vector<float> gain = scale.floats();
  const std::vector<float> added = bias != nullptr ? bias->floats() : std::vector<float>();
  const attention::LayerNorm norm{gain.data(), added.empty() ? nullptr : added.data(), width,
                                  static_cast<float>(get_float(wanted, "epsilon", 1e-5))};
  std::vector<float> Y = X.floats();
  attention::apply(norm, Y.data(), X.count / width, Y.data());
  return {{"Y", "kernel", X.dims, as_doubles(Y)}};
}

Results run_gelu(const Case& wanted) {
  check_names(wanted, {"X"}, {"approximate"});
  const Tensor& X = input(wanted, "X");
  const std::string approximate = get_str(wanted, "approximate", "none");
  require(approximate == "none" || approximate == "tanh", "approximate must be none or tanh.");
  std::vector<float> Y = X.floats();
  attention::apply(approximate == "tanh" ? attention::Gelu::tanh : attention::Gelu::erf, Y.data(),
                   Y.size(), Y.data());
  return {{"Y", "kernel", X.dims, as_doubles(Y)}};
}

Results run_positions(const Case& wanted) {
  check_names(wanted, {"X", "table", "position_ids"}, {"first", "max_positions"});
  const Tensor& X = input(wanted, "X");
  require(X.dims.size() == 3 && X.count > 0, "X must be (B, n, E), and not empty.");
  const std::size_t width = X.dims[2];
  const std::int64_t first = get_int(wanted, "first", 0);
  const std::int64_t rows = get_int(wanted, "max_positions", 0);
  require(first >= 0 && rows >= 0 && rows <= 1 << 20,
          "first and max_positions must be from 0 to 2^20.");
  std::vector<float> table;
  if (wanted.input("table") != nullptr) {
    table = read_table(wanted, "table").numbers;
  } else {
    table.resize(count_elements({static_cast<std::size_t>(rows), width}));
    attention::fill_sinusoids(table.data(), static_cast<std::size_t>(rows), width);
  }
  const Tensor* ids = wanted.input("position_ids");
  const auto positions = ids != nullptr ? integers(*ids) : std::vector<std::int64_t>();
  std::vector<float> Y = X.floats();
  require(attention::add_positions({Y.data(), X.dims[0], X.dims[1], width}, table, positions,
                                   static_cast<std::size_t>(first), Y.data()));
  return {{"Y", "added", X.dims, as_doubles(Y)}};
}

namespace {

// Reads parameters by name and keeps their memory.
class Parameters {
 public:
  explicit Parameters(const Case& wanted) : wanted_(wanted) {}

  const float* numbers(const std::string& name, std::size_t count) {
    const Tensor& tensor = input(wanted_, name);
    require(tensor.count == count,
            "Input '" + name + "' must have " + std::to_string(count) + " numbers.");
    return memory_.emplace_back(tensor.floats()).data();
  }
  attention::LayerNorm norm(const std::string& name, std::size_t D) {
    return {numbers(name + ".g", D), numbers(name + ".b", D), D};
  }
  attention::LayerNorm rms_norm(const std::string& name, std::size_t D) {
    return {numbers(name + ".weight", D), nullptr, D, 1e-5f, true};
  }
  attention::Linear linear(const std::string& name, std::size_t in, std::size_t out) {
    const bool has_bias = wanted_.input(name + ".bias") != nullptr;
    return {numbers(name + ".weight", in * out), has_bias ? numbers(name + ".bias", out) : nullptr, in, out,
            attention::Layout::out_in};
  }
  attention::Linear conv(const std::string& name, std::size_t in, std::size_t out) {
    return {numbers(name + ".w", in * out), numbers(name + ".b", out), in, out};
  }

 private:
  const Case& wanted_;
  std::list<std::vector<float>> memory_;
};

attention::Block read_block(const std::string& h, std::size_t D, std::size_t heads,
                            std::size_t hidden, Parameters& parameters) {
  attention::Block block;
  block.norm_1 = parameters.norm(h + ".ln_1", D);
  block.norm_2 = parameters.norm(h + ".ln_2", D);
  const attention::Linear packed = parameters.conv(h + ".attn.c_attn", D, 3 * D);
  block.attention.query = attention::slice(packed, 0, 3);
  block.attention.key = attention::slice(packed, 1, 3);
  block.attention.value = attention::slice(packed, 2, 3);
  block.attention.out_proj = parameters.conv(h + ".attn.c_proj", D, D);
  block.attention.heads = block.attention.key_heads = heads;
  block.up = parameters.conv(h + ".mlp.c_fc", D, hidden);
  block.down = parameters.conv(h + ".mlp.c_proj", hidden, D);
  return block;
}

std::vector<std::int32_t> tokens_of(const Case& wanted) {
  const std::vector<std::int64_t>& ids = integers(input(wanted, "tokens"));
  return {ids.begin(), ids.end()};
}

// Computed at once, token by token, and in double.
Results logits_of(const Case& wanted, const attention::Decoder& decoder) {
  const std::vector<std::int32_t> tokens = tokens_of(wanted);
  const std::size_t V = decoder.vocabulary;

  Results results;
  const auto read = [&](const char* way, std::size_t step) {
    std::vector<float> logits(tokens.size() * V);
    attention::DecoderState state;
    require(state.reserve(decoder, tokens.size()));
    for (std::size_t first = 0; first < tokens.size(); first += step) {
      const auto some = std::span(tokens).subspan(first, std::min(step, tokens.size() - first));
      require(attention::run(decoder, some, state, &logits[first * V]));
    }
    results.push_back({"Y", way, {tokens.size(), V}, as_doubles(logits)});
  };
  read("at once", tokens.size());
  read("token by token", 1);
  results.push_back(
      {"Y_f64", kReference, {tokens.size(), V}, attention::reference_logits(decoder, tokens)});
  return results;
}

// Of all layers and heads.
Computed weights_of(const Case& wanted, const attention::Decoder& decoder) {
  const std::vector<std::int32_t> tokens = tokens_of(wanted);
  const std::size_t T = tokens.size(), layers = decoder.blocks.size(), heads = decoder.blocks[0].attention.heads;
  std::vector<float> weights(layers * heads * T * T);
  std::vector<attention::MultiHeadStages> kept(layers);
  for (std::size_t i = 0; i < layers; ++i) kept[i].attend.weights = &weights[i * heads * T * T];
  attention::DecoderState state;
  require(state.reserve(decoder, T));
  require(attention::run(decoder, tokens, state, nullptr, attention::LogitsOf::no_token, {nullptr, kept, {}}));
  return {"weights", "at once", {layers, heads, T, T}, as_doubles(weights)};
}

}  // namespace

// Shaped as GPT-2 and named as its published parameters: wte, wpe, h<i>.ln_1.g, …b,
// h<i>.attn.c_attn.w (in, out), …, ln_f.g, and lm_head (vocabulary, D) where the output is not
// tied. Output Y: logits (n, vocabulary). Computed at once, token by token, and in double.
Results run_decoder(const Case& wanted) {
  const std::int64_t layers = get_int(wanted, "layers", 0), heads = get_int(wanted, "num_heads", 0);
  require(layers >= 1 && layers <= 100 && heads >= 1,
          "layers must be from 1 to 100, and num_heads at least 1.");
  const Table embeddings = read_table(wanted, "wte"), positions = read_table(wanted, "wpe");
  const std::size_t D = embeddings.width, V = embeddings.rows;
  require(positions.width == D, "wte and wpe must have one width.");

  Parameters parameters(wanted);
  std::vector<attention::Block> blocks;
  for (std::int64_t i = 0; i < layers; ++i) {
    const std::string h = std::string("h").append(std::to_string(i));
    blocks.push_back(read_block(h, D, static_cast<std::size_t>(heads),
                                input(wanted, h + ".mlp.c_fc.b").count, parameters));
  }
  attention::Decoder decoder;
  decoder.embeddings = embeddings.numbers.data();
  decoder.vocabulary = V;
  decoder.d_model = D;
  decoder.positions = positions.numbers;
  decoder.blocks = blocks;
  decoder.final_norm = parameters.norm("ln_f", D);
  if (wanted.input("lm_head") != nullptr) {
    decoder.output = {parameters.numbers("lm_head", V * D), nullptr, D, V,
                      attention::Layout::out_in};
  }
  return logits_of(wanted, decoder);
}

namespace {

// Named as transformers stores them.
attention::Block read_llama_block(const Case& wanted, const std::string& at, std::size_t D, Parameters& parameters) {
  const auto H = static_cast<std::size_t>(get_int(wanted, "num_heads", 0));
  const auto H_kv = static_cast<std::size_t>(get_int(wanted, "num_kv_heads", 0));
  const auto d = static_cast<std::size_t>(get_int(wanted, "head_dim", 0));
  const std::size_t hidden = input(wanted, at + "mlp.up_proj.weight").dims[0];
  attention::Block block;
  block.norm_1 = parameters.rms_norm(at + "input_layernorm", D);
  block.norm_2 = parameters.rms_norm(at + "post_attention_layernorm", D);
  block.attention.query = parameters.linear(at + "self_attn.q_proj", D, H * d);
  block.attention.key = parameters.linear(at + "self_attn.k_proj", D, H_kv * d);
  block.attention.value = parameters.linear(at + "self_attn.v_proj", D, H_kv * d);
  block.attention.out_proj = parameters.linear(at + "self_attn.o_proj", H * d, D);
  block.attention.heads = H;
  block.attention.key_heads = H_kv;
  block.gate = parameters.linear(at + "mlp.gate_proj", D, hidden);
  block.up = parameters.linear(at + "mlp.up_proj", D, hidden);
  block.down = parameters.linear(at + "mlp.down_proj", hidden, D);
  return block;
}

}  // namespace

// Shaped as Llama. Output Y as a Decoder's, and weights (layers, heads, n, n).
Results run_llama(const Case& wanted) {
  const std::int64_t layers = get_int(wanted, "layers", 0), d = get_int(wanted, "head_dim", 0);
  require(layers >= 1 && layers <= 100 && d >= 2, "layers must be from 1 to 100, and head_dim at least 2.");
  const Table embeddings = read_table(wanted, "model.embed_tokens.weight");
  const std::size_t D = embeddings.width, V = embeddings.rows, half = static_cast<std::size_t>(d) / 2;
  const std::size_t rows = input(wanted, "tokens").count;
  std::vector<float> cosines(rows * half), sines(rows * half);
  const attention::RotaryScaling scaling{get_float(wanted, "factor", 1), get_float(wanted, "original_context", 0),
                                         get_float(wanted, "low_turns", 1), get_float(wanted, "high_turns", 4)};
  require(attention::fill_rotary(cosines, sines, rows, 2 * half, get_float(wanted, "base", 10000), scaling));
  const auto pairs = get_int(wanted, "interleaved", 0) != 0 ? attention::RotaryPairs::interleaved : attention::RotaryPairs::halved;

  Parameters parameters(wanted);
  std::vector<attention::Block> blocks;
  for (std::int64_t i = 0; i < layers; ++i) {
    blocks.push_back(read_llama_block(wanted, "model.layers." + std::to_string(i) + ".", D, parameters));
    blocks.back().attention.rotary = {cosines, sines, half, pairs};
  }
  attention::Decoder decoder;
  decoder.embeddings = embeddings.numbers.data();
  decoder.vocabulary = V;
  decoder.d_model = D;
  decoder.blocks = blocks;
  decoder.final_norm = parameters.rms_norm("model.norm", D);
  if (wanted.input("lm_head.weight") != nullptr) decoder.output = parameters.linear("lm_head", D, V);
  Results results = logits_of(wanted, decoder);
  results.push_back(weights_of(wanted, decoder));
  return results;
}

}  // namespace conformance
