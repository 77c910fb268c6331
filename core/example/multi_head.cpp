// A multi-head layer with a packed matrix of queries, keys and values, as GPT-2 has it; then by two threads.
#include <cstdio>
#include <vector>

#include "attention/generator.h"
#include "attention/multi_head.h"
#include "attention/workers.h"

namespace {

std::vector<float> normal(std::size_t count, std::uint32_t stream) {
  std::vector<float> numbers(count);
  attention::fill_normal(numbers, 1, attention::Drawn::content, stream);
  return numbers;
}

}  // namespace

int main() {
  constexpr std::size_t batch = 1, tokens = 3, d_model = 48;
  const std::vector<float> x = normal(batch * tokens * d_model, 1), w_qkv = normal(d_model * 3 * d_model, 2),
                           w_o = normal(d_model * d_model, 3);
  std::vector<float> y(batch * tokens * d_model);

  const attention::Linear packed{w_qkv.data(), nullptr, d_model, 3 * d_model};  // in_out; torch.nn.Linear is out_in
  attention::MultiHead layer;
  layer.query = attention::slice(packed, 0, 3);
  layer.key = attention::slice(packed, 1, 3);
  layer.value = attention::slice(packed, 2, 3);
  layer.out_proj = {w_o.data(), nullptr, d_model, d_model};
  layer.heads = layer.key_heads = 12;

  attention::MultiHeadInput input;
  input.x = {x.data(), batch, tokens, d_model};
  attention::AttendOptions options;
  options.is_causal = true;
  attention::MultiHeadScratch memory;  // reused from call to call; one a thread
  attention::Error error = attention::run(layer, input, options, y.data(), memory);
  if (error) return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1;

  for (std::size_t t = 0; t < tokens; ++t) std::printf("token %zu: %7.2f %7.2f …\n", t, y[t * d_model], y[t * d_model + 1]);

  attention::Workers workers(2);  // threads that wait for work
  memory.workers = &workers;      // the same bits
  std::vector<float> by_two(y.size());
  error = attention::run(layer, input, options, by_two.data(), memory);
  if (error) return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1;
  std::printf("by two threads: %s\n", by_two == y ? "the same" : "different");
}
