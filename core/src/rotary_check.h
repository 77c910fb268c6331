// What rotate() asks of its tables, for whoever must know before there is anything to rotate.
#pragma once

#include "attention/rotary.h"

namespace attention {

// Reads the shape of `in` alone.
Error check_rotary(Heads<const float> in, std::span<const float> cosines, std::span<const float> sines,
                   std::size_t half, std::span<const std::int64_t> positions);

// rotate() of what is known to fit.
void rotate_checked(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                    std::span<const float> sines, std::size_t half,
                    std::span<const std::int64_t> positions, RotaryPairs pairs);

}  // namespace attention
