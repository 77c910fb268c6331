// Operators of what is known to fit, without their checks: only memory can lack.
#pragma once

#include "attention/multi_head.h"

namespace attention {

// apply() into rows of `y_stride` numbers.
void apply_part(const Linear& linear, const float* x, std::size_t rows, float* y, std::size_t y_stride);

// rotate(), which see.
void rotate_checked(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                    std::span<const float> sines, std::size_t half,
                    std::span<const std::int64_t> positions, RotaryPairs pairs);

// Mixes values into contexts (B, H, T, d_v); key and value are the new ones.
using MixHeads = Error (*)(const MultiHeadInput& input, Heads<const float> query, Heads<const float> key,
                           Heads<const float> value, const AttendOptions& options, Heads<float> context,
                           MultiHeadScratch& scratch, const AttendStages& stages);

// run() of a multi-head layer, with the step between projections left open: a module that mixes by the plain
// path alone has no other path, and no cache, linked in.
Error run_checked(MixHeads mix, const MultiHead& layer, const MultiHeadInput& input,
                  const AttendOptions& options, float* y, MultiHeadScratch& scratch,
                  const MultiHeadStages& stages);

}  // namespace attention
