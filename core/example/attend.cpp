// The attention operator: four queries over four keys, causally, in two heads.
#include <cstdio>
#include <vector>

#include "attention/attend.h"

int main() {
  constexpr std::size_t batch = 1, heads = 2, tokens = 4, width = 8;
  std::vector<float> q(batch * heads * tokens * width), k(q), v(q), context(q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = static_cast<float>(i * 7 % 11) / 4 - 1;
    k[i] = static_cast<float>(i * 5 % 13) / 5 - 1;
    v[i] = static_cast<float>(i % 9);
  }

  attention::AttendOptions options;  // scale 1/√width, no mask
  options.is_causal = true;
  attention::Buffer scratch;  // reused from call to call; one a thread
  const attention::Error error =
      attention::attend(attention::heads_first<const float>(q.data(), batch, heads, tokens, width),
                        attention::heads_first<const float>(k.data(), batch, heads, tokens, width),
                        attention::heads_first<const float>(v.data(), batch, heads, tokens, width), options,
                        attention::heads_first(context.data(), batch, heads, tokens, width), scratch);
  if (error) return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1;

  for (std::size_t i = 0; i < context.size(); ++i) std::printf("%6.2f%s", context[i], (i + 1) % width ? "" : "\n");
}
