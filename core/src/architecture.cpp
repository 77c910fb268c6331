#include "attention/architecture.h"

#include "lanes.h"

namespace attention {

std::string_view simd_architecture() { return Lanes::arch_type::name(); }

int simd_lanes() { return static_cast<int>(kLanes); }

}  // namespace attention
