// The multi-head layer over a given attend().
#pragma once

#include "attention/multi_head.h"

namespace attention {

using AttendFunction = Error (*)(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                                 const AttendOptions& options, Heads<float> context, Buffer& scratch,
                                 const AttendStages& stages);

// run() of attention/multi_head.h, which goes by attend().
Error run(AttendFunction attend, const MultiHead& layer, const MultiHeadInput& input,
          const AttendOptions& options, float* y, MultiHeadScratch& scratch, const MultiHeadStages& stages);

}  // namespace attention
