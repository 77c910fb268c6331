// Whole models: Decoder (GPT-2's), Llama, GPTNeoX, BERT.
#include <algorithm>
#include <cmath>
#include <list>
#include <utility>

#include "attention/block.h"
#include "attention/decoder.h"
#include "attention/positions.h"
#include "operators.h"

namespace conformance {

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
  attention::LayerNorm layer_norm(const std::string& name, std::size_t D, float epsilon = 1e-5f) {
    return {numbers(name + ".weight", D), numbers(name + ".bias", D), D, epsilon};
  }
  attention::LayerNorm rms_norm(const std::string& name, std::size_t D) {
    return {numbers(name + ".weight", D), nullptr, D, 1e-5f, true};
  }
  // None where the case has none of this name.
  attention::HeadNorm head_norm(const std::string& name, std::size_t d) {
    if (wanted_.input(name + ".weight") == nullptr) return {};
    return {{numbers(name + ".weight", d), d}, 1e-5f};
  }
  attention::Linear linear(const std::string& name, std::size_t in, std::size_t out) {
    const bool has_bias = wanted_.input(name + ".bias") != nullptr;
    return {numbers(name + ".weight", in * out), has_bias ? numbers(name + ".bias", out) : nullptr, in, out,
            attention::Layout::out_in};
  }
  // Three packed matrices of `heads` heads, whose outputs lie head by head: its query's, its key's, its value's. Moved
  // to queries, keys, values.
  attention::Linear unmixed(const std::string& name, std::size_t in, std::size_t heads, std::size_t d) {
    const std::size_t out = 3 * heads * d;
    attention::Linear mixed = linear(name, in, out);
    const auto moved = [&](const float* from, std::size_t width) {
      std::vector<float>& to = memory_.emplace_back(out * width);
      for (std::size_t row = 0; row < out; ++row) {
        const std::size_t head = row / (3 * d), part = row / d % 3, i = row % d;
        std::copy_n(from + row * width, width, &to[((part * heads + head) * d + i) * width]);
      }
      return to.data();
    };
    mixed.weight = moved(mixed.weight.floats(), in);
    if (mixed.bias != nullptr) mixed.bias = moved(mixed.bias, 1);
    return mixed;
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

// Computed at once, token by token where blocks are causal, and in double.
Results logits_of(const Case& wanted, const attention::Decoder& decoder, std::span<const std::int64_t> places = {}) {
  const std::vector<std::int32_t> tokens = tokens_of(wanted);
  const std::size_t V = decoder.vocabulary;

  Results results;
  const auto read = [&](const char* way, std::size_t step) {
    std::vector<float> logits(tokens.size() * V);
    attention::DecoderState state;
    require(state.reserve(decoder, tokens.size()));
    for (std::size_t first = 0; first < tokens.size(); first += step) {
      const auto some = std::span(tokens).subspan(first, std::min(step, tokens.size() - first));
      require(attention::run(decoder, some, state, &logits[first * V], attention::LogitsOf::every_token, {}, {}, places));
    }
    results.push_back({"Y", way, {tokens.size(), V}, as_doubles(logits)});
  };
  read("at once", tokens.size());
  if (decoder.blocks[0].is_causal) read("token by token", 1);
  // The reference knows no places of their own.
  if (!places.empty()) return results;
  results.push_back(
      {"Y_f64", kReference, {tokens.size(), V}, attention::reference_logits(decoder, tokens)});
  return results;
}

// Of all layers and heads.
Computed weights_of(const Case& wanted, const attention::Decoder& decoder, std::span<const std::int64_t> places = {}) {
  const std::vector<std::int32_t> tokens = tokens_of(wanted);
  const std::size_t T = tokens.size(), layers = decoder.blocks.size(), heads = decoder.blocks[0].attention.heads;
  std::vector<float> weights(layers * heads * T * T);
  std::vector<attention::MultiHeadStages> kept(layers);
  for (std::size_t i = 0; i < layers; ++i) kept[i].attend.weights = &weights[i * heads * T * T];
  attention::DecoderState state;
  require(state.reserve(decoder, T));
  require(attention::run(decoder, tokens, state, nullptr, attention::LogitsOf::no_token, {nullptr, kept, {}}, {}, places));
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
  block.attention.query_norm = parameters.head_norm(at + "self_attn.q_norm", d);
  block.attention.key_norm = parameters.head_norm(at + "self_attn.k_norm", d);
  block.gate = parameters.linear(at + "mlp.gate_proj", D, hidden);
  block.up = parameters.linear(at + "mlp.up_proj", D, hidden);
  block.down = parameters.linear(at + "mlp.down_proj", hidden, D);
  return block;
}

// Llama's, or with a yarn_factor YaRN's: as transformers has it in words, with its amplitude made from these.
attention::RotaryScaling scaling_of(const Case& wanted) {
  const double factor = get_float(wanted, "yarn_factor", 0);
  if (factor == 0) {
    return {get_float(wanted, "factor", 1), get_float(wanted, "original_context", 0), get_float(wanted, "low_turns", 1),
            get_float(wanted, "high_turns", 4)};
  }
  const auto grown = [&](const char* name) { return 0.1 * get_float(wanted, name, 1) * std::log(factor) + 1; };
  const bool is_quotient = get_float(wanted, "yarn_mscale", 0) != 0;
  const double amplitude = is_quotient ? grown("yarn_mscale") / grown("yarn_mscale_all_dim") : grown("");
  return {factor,
          get_float(wanted, "yarn_original", 0),
          get_float(wanted, "yarn_beta_slow", 1),
          get_float(wanted, "yarn_beta_fast", 32),
          true,
          get_int(wanted, "yarn_truncate", 1) != 0,
          get_float(wanted, "yarn_attention_factor", amplitude)};
}

}  // namespace

// Shaped as Llama, or with norms of each head's queries and keys as Qwen 3. Output Y as a Decoder's, and weights (layers, heads, n, n).
Results run_llama(const Case& wanted) {
  const std::int64_t layers = get_int(wanted, "layers", 0), d = get_int(wanted, "head_dim", 0);
  require(layers >= 1 && layers <= 100 && d >= 2, "layers must be from 1 to 100, and head_dim at least 2.");
  const Table embeddings = read_table(wanted, "model.embed_tokens.weight");
  const std::size_t D = embeddings.width, V = embeddings.rows, half = static_cast<std::size_t>(d) / 2;
  const std::size_t rows = input(wanted, "tokens").count;
  std::vector<float> cosines(rows * half), sines(rows * half);
  const attention::RotaryScaling scaling = scaling_of(wanted);
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

namespace {

// Named as transformers stores them.
attention::Block read_neox_block(const Case& wanted, const std::string& at, std::size_t D, Parameters& parameters) {
  const auto H = static_cast<std::size_t>(get_int(wanted, "num_heads", 1));
  const std::size_t hidden = input(wanted, at + "mlp.dense_h_to_4h.weight").dims[0];
  attention::Block block;
  block.norm_1 = parameters.layer_norm(at + "input_layernorm", D);
  block.norm_2 = parameters.layer_norm(at + "post_attention_layernorm", D);
  const attention::Linear packed = parameters.unmixed(at + "attention.query_key_value", D, H, D / H);
  block.attention.query = attention::slice(packed, 0, 3);
  block.attention.key = attention::slice(packed, 1, 3);
  block.attention.value = attention::slice(packed, 2, 3);
  block.attention.out_proj = parameters.linear(at + "attention.dense", D, D);
  block.attention.heads = block.attention.key_heads = H;
  block.up = parameters.linear(at + "mlp.dense_h_to_4h", D, hidden);
  block.down = parameters.linear(at + "mlp.dense_4h_to_h", hidden, D);
  block.gelu = get_str(wanted, "approximate", "none") == "tanh" ? attention::Gelu::tanh : attention::Gelu::erf;
  block.is_parallel = get_int(wanted, "parallel", 1) != 0;
  return block;
}

}  // namespace

// Shaped as GPT-NeoX: the first rotary_dim numbers of each head are turned. Outputs as a Llama's.
Results run_neox(const Case& wanted) {
  const std::int64_t layers = get_int(wanted, "layers", 0), heads = get_int(wanted, "num_heads", 0);
  require(layers >= 1 && layers <= 100 && heads >= 1, "layers must be from 1 to 100, and num_heads at least 1.");
  const Table embeddings = read_table(wanted, "gpt_neox.embed_in.weight");
  const std::size_t D = embeddings.width, V = embeddings.rows, rows = input(wanted, "tokens").count;
  const std::size_t half = static_cast<std::size_t>(get_int(wanted, "rotary_dim", 2)) / 2;
  std::vector<float> cosines(rows * half), sines(rows * half);
  require(attention::fill_rotary(cosines, sines, rows, 2 * half, get_float(wanted, "base", 10000)));

  Parameters parameters(wanted);
  std::vector<attention::Block> blocks;
  for (std::int64_t i = 0; i < layers; ++i) {
    blocks.push_back(read_neox_block(wanted, "gpt_neox.layers." + std::to_string(i) + ".", D, parameters));
    blocks.back().attention.rotary = {cosines, sines, half, attention::RotaryPairs::halved};
  }
  attention::Decoder decoder;
  decoder.embeddings = embeddings.numbers.data();
  decoder.vocabulary = V;
  decoder.d_model = D;
  decoder.blocks = blocks;
  decoder.final_norm = parameters.layer_norm("gpt_neox.final_layer_norm", D);
  if (wanted.input("embed_out.weight") != nullptr) decoder.output = parameters.linear("embed_out", D, V);
  Results results = logits_of(wanted, decoder);
  results.push_back(weights_of(wanted, decoder));
  return results;
}

namespace {

// Named as transformers stores them.
attention::Block read_bert_block(const Case& wanted, const std::string& at, std::size_t D, Parameters& parameters) {
  const auto epsilon = static_cast<float>(get_float(wanted, "epsilon", 1e-12));
  const std::size_t hidden = input(wanted, at + "intermediate.dense.weight").dims[0];
  attention::Block block;
  block.norm_1 = parameters.layer_norm(at + "attention.output.LayerNorm", D, epsilon);
  block.norm_2 = parameters.layer_norm(at + "output.LayerNorm", D, epsilon);
  block.attention.query = parameters.linear(at + "attention.self.query", D, D);
  block.attention.key = parameters.linear(at + "attention.self.key", D, D);
  block.attention.value = parameters.linear(at + "attention.self.value", D, D);
  block.attention.out_proj = parameters.linear(at + "attention.output.dense", D, D);
  block.attention.heads = block.attention.key_heads = static_cast<std::size_t>(get_int(wanted, "num_heads", 1));
  block.up = parameters.linear(at + "intermediate.dense", D, hidden);
  block.down = parameters.linear(at + "output.dense", hidden, D);
  block.gelu = get_str(wanted, "approximate", "none") == "tanh" ? attention::Gelu::tanh : attention::Gelu::erf;
  block.is_post_norm = true;
  block.is_causal = false;
  return block;
}

}  // namespace

// Shaped as BERT, RoBERTa or DistilBERT, tokens from second_segment on of its second kind and all others of its first, or of none; places from row first_position on. Outputs as a Llama's, of the head that guesses hidden words where there is one.
Results run_bert(const Case& wanted) {
  const std::int64_t layers = get_int(wanted, "layers", 0);
  require(layers >= 1 && layers <= 100, "layers must be from 1 to 100.");
  const auto epsilon = static_cast<float>(get_float(wanted, "epsilon", 1e-12));
  const Table embeddings = read_table(wanted, "bert.embeddings.word_embeddings.weight");
  const bool has_kinds = wanted.input("bert.embeddings.token_type_embeddings.weight") != nullptr;
  const Table kinds = has_kinds ? read_table(wanted, "bert.embeddings.token_type_embeddings.weight") : Table{};
  Table positions = read_table(wanted, "bert.embeddings.position_embeddings.weight");
  const std::size_t D = embeddings.width, V = embeddings.rows;
  require(positions.width == D && (!has_kinds || kinds.width == D), "The tables of embeddings must have one width.");
  const std::size_t T = tokens_of(wanted).size(), rows = positions.numbers.size() / D;
  const auto second = static_cast<std::size_t>(get_int(wanted, "second_segment", static_cast<std::int64_t>(T)));
  // All places again, with the second kind.
  if (second < T) {
    require(kinds.rows == 2, "Two segments need two kinds of tokens.");
    positions.numbers.insert(positions.numbers.end(), positions.numbers.begin(), positions.numbers.end());
  }
  for (std::size_t i = 0; i < positions.numbers.size() && has_kinds; ++i) positions.numbers[i] += kinds.numbers[i / (rows * D) * D + i % D];
  std::vector<std::int64_t> places(second < T ? T : 0);
  for (std::size_t t = 0; t < places.size(); ++t) places[t] = static_cast<std::int64_t>(t < second ? t : rows + t);
  const auto first = static_cast<std::size_t>(get_int(wanted, "first_position", 0)) * D;
  require(first < positions.numbers.size(), "first_position must be a row of the places.");

  Parameters parameters(wanted);
  std::vector<attention::Block> blocks;
  for (std::int64_t i = 0; i < layers; ++i) {
    blocks.push_back(read_bert_block(wanted, "bert.encoder.layer." + std::to_string(i) + ".", D, parameters));
  }
  attention::Decoder decoder;
  decoder.embeddings = embeddings.numbers.data();
  decoder.vocabulary = V;
  decoder.d_model = D;
  decoder.positions = std::span(positions.numbers).subspan(first);
  decoder.embeddings_norm = parameters.layer_norm("bert.embeddings.LayerNorm", D, epsilon);
  decoder.blocks = blocks;
  if (wanted.input("cls.predictions.bias") != nullptr) {
    decoder.transform = parameters.linear("cls.predictions.transform.dense", D, D);
    const bool is_exact = get_str(wanted, "head_approximate", "tanh") == "none";
    decoder.transform_gelu = is_exact ? attention::Gelu::erf : blocks[0].gelu;
    decoder.final_norm = parameters.layer_norm("cls.predictions.transform.LayerNorm", D, epsilon);
    const bool is_own = wanted.input("cls.predictions.decoder.weight") != nullptr;
    decoder.output = {is_own ? attention::Weight(parameters.numbers("cls.predictions.decoder.weight", V * D)) : decoder.embeddings,
                      parameters.numbers("cls.predictions.bias", V), D, V, attention::Layout::out_in};
  }
  Results results = logits_of(wanted, decoder, places);
  results.push_back(weights_of(wanted, decoder, places));
  return results;
}

}  // namespace conformance
