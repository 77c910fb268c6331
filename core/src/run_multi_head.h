// The multi-head layer without its checks, over a given attend().
#pragma once

#include "attention/multi_head.h"

namespace attention {

using AttendFunction = Error (*)(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                                 const AttendOptions& options, Heads<float> context, Buffer& scratch,
                                 const AttendStages& stages);

// run() of attention/multi_head.h, of a layer, input and options that are known to fit: only memory can lack.
// `attend` need not check, either.
Error run_checked(AttendFunction attend, const MultiHead& layer, const MultiHeadInput& input,
          const AttendOptions& options, float* y, MultiHeadScratch& scratch, const MultiHeadStages& stages);

}  // namespace attention
