// Small sums that people ask of the numbers they see.
#pragma once

#include <span>

namespace attention {

// out[i] = a[i] - b[i]; all equally long. out may be a or b.
void subtract(std::span<const float> a, std::span<const float> b, std::span<float> out);

// Of two equally long vectors. The dot product adds its terms in order, as a score does; norms and the
// cosine are taken in double, and the cosine is 0 when either vector is.
struct Comparison {
  float dot = 0, norm_a = 0, norm_b = 0, cosine = 0;
};
Comparison compare(std::span<const float> a, std::span<const float> b);

// -sum of w·log2(w) over numbers from 0 to 1, in bits; 0·log2(0) counts as 0.
float entropy(std::span<const float> weights);

}  // namespace attention
