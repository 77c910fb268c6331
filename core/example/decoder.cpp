// A whole decoder, two blocks with random parameters: it reads a prompt, then writes token by token from its cache.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <vector>

#include "attention/decoder.h"
#include "attention/generator.h"

namespace {

// Owns the parameters, of which a decoder is a view. Here they are drawn; a model's are read from its file.
class Parameters {
 public:
  const float* matrix(std::size_t rows, std::size_t columns, float deviation) {
    std::vector<float>& numbers = all_.emplace_back(rows * columns);
    attention::fill_normal(numbers, 1, attention::Drawn::content, static_cast<std::uint32_t>(all_.size()));
    for (float& x : numbers) x *= deviation;
    return numbers.data();
  }
  const float* ones(std::size_t count) { return all_.emplace_back(count, 1.0f).data(); }

 private:
  std::deque<std::vector<float>> all_;
};

// [block]
attention::Block make_block(Parameters& p, std::size_t d_model, std::size_t heads) {
  const auto linear = [&](std::size_t in, std::size_t out) {
    return attention::Linear{p.matrix(in, out, 0.2f), nullptr, in, out};
  };
  attention::Block block;
  block.norm_1 = {p.ones(d_model), nullptr, d_model};
  block.attention.query = linear(d_model, d_model);
  block.attention.key = linear(d_model, d_model);
  block.attention.value = linear(d_model, d_model);
  block.attention.out_proj = linear(d_model, d_model);
  block.attention.heads = block.attention.key_heads = heads;
  block.norm_2 = {p.ones(d_model), nullptr, d_model};
  block.up = linear(d_model, 4 * d_model);
  block.down = linear(4 * d_model, d_model);
  return block;
}
// [/block]

int fail(const attention::Error& error) { return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1; }

}  // namespace

int main() {
  constexpr std::size_t d_model = 32, vocabulary = 50, context = 64;
  Parameters parameters;
  // [decoder]
  const std::vector<attention::Block> blocks{make_block(parameters, d_model, 4), make_block(parameters, d_model, 4)};
  attention::Decoder decoder;
  decoder.vocabulary = vocabulary;
  decoder.d_model = d_model;
  decoder.embeddings = parameters.matrix(vocabulary, d_model, 1);
  decoder.positions = {parameters.matrix(context, d_model, 0.3f), context * d_model};
  decoder.blocks = blocks;
  decoder.final_norm = {parameters.ones(d_model), nullptr, d_model};
  decoder.output = {parameters.matrix(d_model, vocabulary, 1), nullptr, d_model, vocabulary};  // none: the embeddings'

  attention::DecoderState state;  // of one text: its keys and values, and memory
  if (auto error = state.reserve(decoder, context)) return fail(error);
  std::vector<float> logits(vocabulary);
  std::vector<std::int32_t> text{3, 14, 15, 9, 26};
  auto error = run(decoder, text, state, logits.data(), attention::LogitsOf::last_token);
  while (!error && text.size() < 12) {
    const auto likeliest = std::max_element(logits.begin(), logits.end()) - logits.begin();
    text.push_back(static_cast<std::int32_t>(likeliest));
    error = run(decoder, {&text.back(), 1}, state, logits.data());  // reads one token, after those of the cache
  }
  if (error) return fail(error);
  // [/decoder]
  for (const std::int32_t token : text) std::printf("%d ", token);
  std::printf("\n%zu tokens are in the cache\n", state.length());
}
