// Sinusoidal positions without libm: xsimd's exp, sin and cos in double, rounded once to float.
#pragma once

#include <cstddef>

namespace attention {

// out[t, 2i] = sin(t / 10000^(2i/D)), out[t, 2i+1] = cos(t / 10000^(2i/D)) for t < rows, columns < D;
// Vaswani et al. 2017, section 3.5. Odd D ends with a sine.
void fill_sinusoids(float* out, std::size_t rows, std::size_t D);

}  // namespace attention
