#include "attention/rotary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "angles.h"
#include "kernels.h"
#include "checked.h"
#include "checks.h"

namespace attention {

namespace {

ATTENTION_KERNEL void rotary_columns(std::span<float> cosines, std::span<float> sines,
                                     std::size_t positions, std::size_t half, std::size_t first,
                                     double log_base) {
  const Doubles exponent = count_from(first) / static_cast<double>(half);
  const std::size_t columns = std::min(kDoubles, half - first);
  each_row_of_angles(exponent, log_base, positions,
                     [=](std::size_t p, const DoubleArray& s, const DoubleArray& c) {
                       for (std::size_t lane = 0; lane < columns; ++lane) {
                         cosines[p * half + first + lane] = static_cast<float>(c[lane]);
                         sines[p * half + first + lane] = static_cast<float>(s[lane]);
                       }
                     });
}

// Pair i of a row is (in[i · step], in[i · step + gap]).
void turn_row(const float* in, float* out, const float* cosines, const float* sines,
              std::size_t half, RotaryPairs pairs) {
  const std::size_t step = pairs == RotaryPairs::interleaved ? 2 : 1;
  const std::size_t gap = pairs == RotaryPairs::interleaved ? 1 : half;
  for (std::size_t i = 0; i < half; ++i) {
    const float first = in[i * step], second = in[i * step + gap];
    out[i * step] = first * cosines[i] - second * sines[i];
    out[i * step + gap] = second * cosines[i] + first * sines[i];
  }
}

}  // namespace

Error fill_rotary(std::span<float> cosines, std::span<float> sines, std::size_t positions,
                  std::size_t rotary_dim, double base) {
  const std::size_t half = rotary_dim / 2;
  if (rotary_dim % 2 != 0 || cosines.size() != sines.size() ||
      product({positions, half}) != cosines.size()) {
    return error(Rule::rotary_table_sizes);
  }
  if (!(base > 0) || std::isinf(base)) {
    return error(Rule::rotary_base);
  }
  if (static_cast<double>(positions) * std::fmax(1, 1 / base) > kMostAngle) {
    return error(Rule::rotary_angles);
  }
  const double log_base = xsimd::log(Doubles(base)).get(0);
  for (std::size_t first = 0; first < half; first += kDoubles) {
    rotary_columns(cosines, sines, positions, half, first, log_base);
  }
  return {};
}

Error rotate(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
             std::span<const float> sines, std::size_t half,
             std::span<const std::int64_t> positions, RotaryPairs pairs) {
  if (in.batch != out.batch || in.heads != out.heads || in.rows != out.rows ||
      in.width != out.width) {
    return error(Rule::rotary_shape);
  }
  if (Error error = check_heads("Rotary input", in)) return error;
  if (Error error = check_heads("Rotary output", out)) return error;
  if (Error error = check_apart("Rotary output", out)) return error;
  if (Error error = check_rotary(in, cosines, sines, half, positions)) return error;
  rotate_checked(in, out, cosines, sines, half, positions, pairs);
  return {};
}

void rotate_checked(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                    std::span<const float> sines, std::size_t half,
                    std::span<const std::int64_t> positions, RotaryPairs pairs) {
  for (std::size_t b = 0; b < in.batch; ++b) {
    for (std::size_t h = 0; h < in.heads; ++h) {
      for (std::size_t r = 0; r < in.rows; ++r) {
        const float* from = in.row(b, h, r);
        float* to = out.row(b, h, r);
        const std::size_t at =
            positions.empty() ? r : static_cast<std::size_t>(positions[b * in.rows + r]);
        if (to != from) std::copy(from + 2 * half, from + in.width, to + 2 * half);
        turn_row(from, to, &cosines[at * half], &sines[at * half], half, pairs);
      }
    }
  }
}

}  // namespace attention
