// Attention weights of a sentence, head by head.
#include <cstdio>

#include "attention/session.h"

int main(int argc, char** argv) {
  const std::vector<std::string> tokens(argv + 1, argv + argc);
  attention::Settings settings;  // d_model 64, 4 heads, causal, 1/sqrt(d_k), seed 1
  attention::Session session;
  if (const attention::Error error = session.run(tokens, settings)) {
    std::fprintf(stderr, "%s\n", message(error).c_str());
    return 1;
  }
  const attention::Trace& trace = session.trace();
  const float* weight = trace.weights.data();  // [H, T, S], row = query, column = key
  for (std::size_t h = 0; h < trace.shape.H; ++h, std::puts(""))
    for (std::size_t q = 0; q < trace.shape.T; ++q, std::puts(""))
      for (std::size_t k = 0; k < trace.shape.S; ++k) std::printf("%6.2f", *weight++);
}
