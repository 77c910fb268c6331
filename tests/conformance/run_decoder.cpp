// A whole decoder, shaped as GPT-2 and named as its published parameters: wte, wpe, h<i>.ln_1.g,
// …b, h<i>.attn.c_attn.w (in, out), …, ln_f.g, and lm_head (vocabulary, D) where the output is not
// tied. Output Y: logits (n, vocabulary). Computed at once, token by token, and in double.
#include "attention/decoder.h"

#include <list>

#include "operators.h"

namespace conformance {

namespace {

// Reads parameters by name and keeps their memory.
class Parameters {
 public:
  explicit Parameters(const Case& wanted) : wanted_(wanted) {}

  // The numbers of an input of `count`; null, and a refusal, when there is none such.
  const float* numbers(const std::string& name, std::size_t count, Refusal& refusal) {
    const Tensor* tensor = wanted_.input(name);
    if (tensor == nullptr || tensor->count != count) {
      if (!refusal)
        refusal = {"Input '" + name + "' must have " + std::to_string(count) + " numbers."};
      return nullptr;
    }
    return memory_.emplace_back(tensor->floats()).data();
  }
  attention::LayerNorm norm(const std::string& name, std::size_t D, Refusal& refusal) {
    return {numbers(name + ".g", D, refusal), numbers(name + ".b", D, refusal), D};
  }
  attention::Linear conv(const std::string& name, std::size_t in, std::size_t out,
                         Refusal& refusal) {
    return {numbers(name + ".w", in * out, refusal), numbers(name + ".b", out, refusal), in, out};
  }

 private:
  const Case& wanted_;
  std::list<std::vector<float>> memory_;
};

}  // namespace

Refusal run_decoder(const Case& wanted, Results& results) {
  std::int64_t layers = 0, heads = 0;
  if (Refusal refusal = get(wanted, "layers", layers)) return refusal;
  if (Refusal refusal = get(wanted, "num_heads", heads)) return refusal;
  if (layers < 1 || layers > 100 || heads < 1)
    return {"layers must be from 1 to 100, and num_heads at least 1."};
  Matrix embeddings, positions;
  if (Refusal refusal = read_matrix(wanted, "wte", embeddings)) return refusal;
  if (Refusal refusal = read_matrix(wanted, "wpe", positions)) return refusal;
  const std::size_t D = embeddings.width, V = embeddings.rows;
  if (positions.width != D) return {"wte and wpe must have one width."};

  Refusal refusal;
  Parameters parameters(wanted);
  std::vector<attention::Block> blocks(static_cast<std::size_t>(layers));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string h = "h" + std::to_string(i);
    const Tensor* up = wanted.input(h + ".mlp.c_fc.b");
    const std::size_t hidden = up != nullptr ? up->count : 0;
    attention::Block& block = blocks[i];
    block.norm_1 = parameters.norm(h + ".ln_1", D, refusal);
    block.norm_2 = parameters.norm(h + ".ln_2", D, refusal);
    const attention::Linear packed = parameters.conv(h + ".attn.c_attn", D, 3 * D, refusal);
    block.attention.query = attention::slice(packed, 0, 3);
    block.attention.key = attention::slice(packed, 1, 3);
    block.attention.value = attention::slice(packed, 2, 3);
    block.attention.out_proj = parameters.conv(h + ".attn.c_proj", D, D, refusal);
    block.attention.heads = block.attention.key_heads = static_cast<std::size_t>(heads);
    block.up = parameters.conv(h + ".mlp.c_fc", D, hidden, refusal);
    block.down = parameters.conv(h + ".mlp.c_proj", hidden, D, refusal);
  }
  attention::Decoder decoder;
  decoder.embeddings = embeddings.numbers.data();
  decoder.vocabulary = V;
  decoder.d_model = D;
  decoder.positions = positions.numbers;
  decoder.blocks = blocks;
  decoder.final_norm = parameters.norm("ln_f", D, refusal);
  if (wanted.input("lm_head") != nullptr) {
    decoder.output = {parameters.numbers("lm_head", V * D, refusal), nullptr, D, V,
                      attention::Layout::out_in};
  }
  const Tensor* ids = wanted.input("tokens");
  const auto* given =
      ids != nullptr ? std::get_if<std::vector<std::int64_t>>(&ids->numbers) : nullptr;
  if (given == nullptr) return {"tokens must be i64 (n)."};
  if (refusal) return refusal;
  const std::vector<std::int32_t> tokens(given->begin(), given->end());

  const auto read = [&](const std::string& way, std::size_t step) -> Refusal {
    std::vector<float> logits(tokens.size() * V);
    attention::DecoderState state;
    if (attention::Error error = state.reserve(decoder, tokens.size())) return {message(error)};
    for (std::size_t first = 0; first < tokens.size(); first += step) {
      const auto some = std::span(tokens).subspan(first, std::min(step, tokens.size() - first));
      if (attention::Error error = attention::run(decoder, some, state, &logits[first * V])) {
        return {message(error)};
      }
    }
    results.push_back({"Y", way, {tokens.size(), V}, as_doubles(logits)});
    return {};
  };
  if (Refusal wrong = read("at once", tokens.size())) return wrong;
  if (Refusal wrong = read("token by token", 1)) return wrong;
  results.push_back({"Y_f64",
                     std::string(kReference),
                     {tokens.size(), V},
                     attention::reference_logits(decoder, tokens)});
  return {};
}

}  // namespace conformance
