#include <cstdint>
#include <limits>
#include <vector>

#include "../mask_table.h"
#include "attention/stages.h"

namespace attention {

void compute_masked_scores(const Inputs& in, Trace& t) {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  const auto [T, S, D, H, d_k, d_v] = t.shape;
  const Allows allowed = allows(in.settings.mask);
  std::vector<std::uint8_t> allowed_keys(S);  // the same for every head
  for (std::size_t q = 0; q < T; ++q) {
    for (std::size_t k = 0; k < S; ++k) allowed_keys[k] = allowed(q, k);
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t row = (h * T + q) * S;
      for (std::size_t k = 0; k < S; ++k) {
        // Selected, not added: an infinite score plus -infinity would be NaN.
        t.masked_scores[row + k] = allowed_keys[k] ? t.scaled_scores[row + k] : kMasked;
      }
    }
  }
}

}  // namespace attention
