// The multi-head layer without its checks, with the step between projections left open.
#pragma once

#include "attention/multi_head.h"

namespace attention {

// Mixes values into contexts (B, H, T, d_v); key and value are the new ones.
using MixHeads = Error (*)(const MultiHeadInput& input, Heads<const float> query, Heads<const float> key,
                           Heads<const float> value, const AttendOptions& options, Heads<float> context,
                           Buffer& scratch, const AttendStages& stages);

// run() of attention/multi_head.h, of a layer, input and options that are known to fit: only memory can lack.
// A module that mixes by the plain path alone has no other path, and no cache, linked in.
Error run_checked(MixHeads mix, const MultiHead& layer, const MultiHeadInput& input,
                  const AttendOptions& options, float* y, MultiHeadScratch& scratch,
                  const MultiHeadStages& stages);

}  // namespace attention
