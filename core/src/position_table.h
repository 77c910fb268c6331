// One line a position encoding.
#pragma once

#include <cstddef>

#include "attention/settings.h"

namespace attention {

// Writes P, [rows, D].
using FillPositions = void (*)(float* out, std::size_t rows, std::size_t D);

FillPositions fill_positions(Positions positions);

}  // namespace attention
