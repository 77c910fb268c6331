#include <algorithm>

#include "attention/backward.h"
#include "checks.h"

namespace attention {

namespace {

// (a, b) was turned to (a·c - b·s, b·c + a·s); pair i of a row is (in[i · step], in[i · step + gap]).
void turn_row_back(const float* in, float* out, const float* cosines, const float* sines, std::size_t half,
                   RotaryPairs pairs) {
  const std::size_t step = pairs == RotaryPairs::interleaved ? 2 : 1;
  const std::size_t gap = pairs == RotaryPairs::interleaved ? 1 : half;
  for (std::size_t i = 0; i < half; ++i) {
    const float first = in[i * step], second = in[i * step + gap];
    out[i * step] = first * cosines[i] + second * sines[i];
    out[i * step + gap] = second * cosines[i] - first * sines[i];
  }
}

}  // namespace

Error rotate_backward(Heads<const float> dout, Heads<float> din, std::span<const float> cosines,
                      std::span<const float> sines, std::size_t half,
                      std::span<const std::int64_t> positions, RotaryPairs pairs) {
  if (Error error = check_rotate(dout, din, cosines, sines, half, positions)) return error;
  for (std::size_t image = 0; image < dout.batch * dout.heads * dout.rows; ++image) {
    const std::size_t r = image % dout.rows, h = image / dout.rows % dout.heads;
    const std::size_t b = image / dout.rows / dout.heads;
    const std::size_t at = positions.empty() ? r : static_cast<std::size_t>(positions[b * dout.rows + r]);
    const float* const from = dout.row(b, h, r);
    float* const to = din.row(b, h, r);
    if (to != from) std::copy(from + 2 * half, from + dout.width, to + 2 * half);
    turn_row_back(from, to, &cosines[at * half], &sines[at * half], half, pairs);
  }
  return {};
}

}  // namespace attention
