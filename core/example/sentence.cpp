// Attention weights of a sentence: a row for each query of each head.
#include <cstdio>

#include "attention/layer/session.h"

int main(int argc, char** argv) {
  const std::vector<std::string> tokens(argv + 1, argv + argc);
  attention::Settings settings;  // d_model 64, 4 heads, causal mask, scale 1/√d_k
  attention::Session session;
  const attention::Error error = session.run(tokens, settings);
  if (error) return std::fprintf(stderr, "%s\n", message(error).c_str()), 1;
  const auto& weights = session.trace().weights;  // [heads, queries, keys]
  for (std::size_t i = 0; i < weights.size(); ++i)
    std::printf("%6.2f%s", weights[i], (i + 1) % tokens.size() ? "" : "\n");
}
