// Which tokens are kept is found without sorting: the smallest share that is kept, bit by bit. The
// bits of floats that are not negative are in the order of the floats.
#include "attention/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/generator.h"
#include "attention/ops.h"

namespace attention {

namespace {

double sum_of(std::span<const float> shares) {
  double sum = 0;
  for (const float share : shares) sum += static_cast<double>(share);
  return sum;
}

// Keeps the fewest likeliest tokens whose sizes add up to `wanted`; the others' shares become 0.
template <class Size>
void keep(std::span<float> shares, double wanted, Size size) {
  const auto size_from = [&](std::uint32_t least) {
    double sum = 0;
    for (const float share : shares) {
      if (std::bit_cast<std::uint32_t>(share) >= least) sum += size(share);
    }
    return sum;
  };
  std::uint32_t least = 0;
  for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if (size_from(least | bit) >= wanted) least |= bit;
  }
  double left = wanted - size_from(least + 1);
  for (float& share : shares) {
    const auto bits = std::bit_cast<std::uint32_t>(share);
    if (bits == least && left > 0) {
      left -= size(share);
    } else if (bits <= least) {
      share = 0;
    }
  }
}

}  // namespace

Error sample_shares(std::span<const float> logits, const SampleRule& rule,
                    std::span<float> shares) {
  if (!std::isfinite(rule.temperature) || rule.temperature < 0)
    return error(Rule::option_temperature);
  if (!(rule.top_p > 0 && rule.top_p <= 1)) return error(Rule::sample_top_p);
  if (logits.empty()) return {};
  const std::size_t likeliest =
      static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
  const float most = logits[likeliest];
  if (most == -INFINITY || rule.temperature == 0) {
    std::ranges::fill(shares, 0.0f);
    if (most != -INFINITY) shares[likeliest] = 1;
    return {};
  }
  // The largest first becomes 0, which no temperature makes infinite.
  for (std::size_t i = 0; i < logits.size(); ++i) shares[i] = (logits[i] - most) / rule.temperature;
  softmax(shares.data(), 1, shares.size(), shares.data());
  if (rule.top_k > 0) keep(shares, static_cast<double>(rule.top_k), [](float) { return 1.0; });
  if (rule.top_p < 1) {
    const double wanted = static_cast<double>(rule.top_p) * sum_of(shares);
    keep(shares, wanted, [](float share) { return static_cast<double>(share); });
  }
  const double sum = sum_of(shares);
  for (float& share : shares) share = static_cast<float>(static_cast<double>(share) / sum);
  return {};
}

std::size_t draw_token(std::span<const float> shares, std::uint32_t seed, std::uint32_t place) {
  const std::uint32_t word =
      philox({place, 0, 0, 0}, {seed, static_cast<std::uint32_t>(Drawn::sample)})[0];
  double left = static_cast<double>(word >> 8) * 0x1p-24 * sum_of(shares);
  std::size_t last = shares.size();  // of those that can be drawn
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    last = i;
    if (left < static_cast<double>(shares[i])) break;
    left -= static_cast<double>(shares[i]);
  }
  return last;
}

}  // namespace attention
