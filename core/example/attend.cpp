// The operator: the context of four queries over four keys, causally, for a batch of one and two heads.
#include <cstdio>
#include <vector>

#include "attention/attend.h"
#include "attention/generator.h"
#include "attention/vectors.h"

namespace {

std::vector<float> normal(std::size_t count, std::uint32_t stream) {
  std::vector<float> numbers(count);
  attention::fill_normal(numbers, 1, attention::Drawn::content, stream);
  return numbers;
}

}  // namespace

int main() {
  constexpr std::size_t B = 1, H = 2, T = 4, S = 4, d = 8;
  const std::vector<float> q = normal(B * H * T * d, 1), k = normal(B * H * S * d, 2), v = normal(B * H * S * d, 3);
  std::vector<float> context(B * H * T * d);

  attention::AttendOptions options;  // scale 1/√d_k, no mask
  options.is_causal = true;
  attention::Buffer scratch;  // reused from call to call; one a thread
  const attention::Error error = attention::attend(
      attention::heads_first(q.data(), B, H, T, d), attention::heads_first(k.data(), B, H, S, d),
      attention::heads_first(v.data(), B, H, S, d), options,
      attention::heads_first(context.data(), B, H, T, d), scratch);
  if (error) return std::fprintf(stderr, "%s\n", attention::message(error).c_str()), 1;

  for (std::size_t row = 0; row < H * T; ++row) {
    std::printf("head %zu, query %zu:", row / T, row % T);
    for (std::size_t i = 0; i < 4; ++i) std::printf(" %6.3f", context[row * d + i]);
    std::printf(" …\n");
  }
}
