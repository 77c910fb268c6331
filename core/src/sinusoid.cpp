#include <algorithm>

#include "angles.h"
#include "attention/positions.h"
#include "kernels.h"

namespace attention {

namespace {

constexpr double kLog10000 = 9.210340371976184;

// The columns of kDoubles neighbouring frequencies, all rows.
ATTENTION_KERNEL void sinusoid_columns(float* out, std::size_t rows, std::size_t width,
                                       std::size_t first_pair) {
  const Doubles exponent = count_from(first_pair) * (2.0 / static_cast<double>(width));
  const std::size_t first_column = 2 * first_pair;
  const std::size_t columns = std::min(2 * kDoubles, width - first_column);
  each_row_of_angles(exponent, kLog10000, rows,
                     [=](std::size_t t, const DoubleArray& sines, const DoubleArray& cosines) {
                       float* row = out + t * width + first_column;
                       for (std::size_t c = 0; c < columns; ++c) {
                         row[c] = static_cast<float>(c % 2 == 0 ? sines[c / 2] : cosines[c / 2]);
                       }
                     });
}

}  // namespace

void fill_sinusoids(float* out, std::size_t rows, std::size_t width) {
  for (std::size_t pair = 0; 2 * pair < width; pair += kDoubles) {
    sinusoid_columns(out, rows, width, pair);
  }
}

}  // namespace attention
