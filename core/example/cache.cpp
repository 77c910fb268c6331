// Causality with a cache: the last query stands at the last key (bottom-right, as in FlashAttention 2.1 and later),
// which attend() is told by the number of keys before the first query.
#include <cstdio>
#include <vector>

#include "attention/attend.h"

int main() {
  constexpr std::size_t T = 2, S = 5;  // two new queries; five keys, theirs among them
  const std::vector<float> q(T, 0.0f), k(S, 0.0f), v{1, 2, 3, 4, 5};
  std::vector<float> context(T), weights(T * S);

  attention::AttendOptions options;
  options.is_causal = true;
  for (const std::int64_t offset : {std::int64_t{0}, static_cast<std::int64_t>(S - T)}) {
    options.offset = offset;  // S - T: bottom-right; 0: top-left
    attention::AttendStages stages;
    stages.weights = weights.data();
    attention::Buffer scratch;
    const attention::Error error = attention::attend(
        attention::heads_first(q.data(), 1, 1, T, 1), attention::heads_first(k.data(), 1, 1, S, 1),
        attention::heads_first(v.data(), 1, 1, S, 1), options, attention::heads_first(context.data(), 1, 1, T, 1),
        scratch, stages);
    if (error) return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1;
    std::printf("offset %d\n", static_cast<int>(offset));
    for (std::size_t i = 0; i < T * S; ++i) std::printf("%5.2f%s", weights[i], (i + 1) % S ? "" : "\n");
  }
}
