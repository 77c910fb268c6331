// Draws the next token of a text from a decoder's logits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/error.h"
#include "attention/export.h"

namespace attention {

struct SampleRule {
  float temperature = 1;  // logits are divided by it; 0 = only the likeliest token, the first of equals
  std::size_t top_k = 0;  // Fan, Lewis and Dauphin 2018: how many of the likeliest are kept; 0 = all
  float top_p = 1;        // Holtzman et al. 2020: of these, the fewest likeliest whose shares reach this part of 1
};

// shares[i] = softmax(logits / temperature) over the tokens that `rule` keeps, 0 for the others; zeros where every
// logit is -infinity. Of tokens with equal logits, the first are kept. `shares` has the size of `logits`, and may be it.
ATTENTION_API Error sample_shares(std::span<const float> logits, const SampleRule& rule, std::span<float> shares);

// The token that falls on the number of `seed` at `place`, tokens lying side by side as long as their shares. That
// number is the upper 24 bits of Philox at counter {place, 0, 0, 0} and key {seed, Drawn::sample}, over 2^24.
// `shares` may add up to anything; where they are all 0, the result is their size.
ATTENTION_API std::size_t draw_token(std::span<const float> shares, std::uint32_t seed, std::uint32_t place);

}  // namespace attention
