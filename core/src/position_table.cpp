#include "position_table.h"

#include <algorithm>
#include <array>

#include "attention/positions.h"

namespace attention {

namespace {

void fill_zeros(float* out, std::size_t rows, std::size_t D) { std::fill_n(out, rows * D, 0.0f); }

// In the order of the enumerators of Positions.
constexpr std::array<FillPositions, 5> kTable{fill_zeros, fill_sinusoids, fill_zeros, fill_zeros, fill_zeros};

}  // namespace

FillPositions fill_positions(Positions positions) {
  return kTable[static_cast<std::size_t>(positions)];
}

}  // namespace attention
