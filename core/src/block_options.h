// What a block and its reference share.
#pragma once

#include "attention/block.h"

namespace attention {

// Causal attention, or what an intervention puts in its place.
inline AttendOptions options_of(const Block& block, const Intervention& intervention) {
  AttendOptions options;
  options.is_causal = true;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  return options;
}

}  // namespace attention
