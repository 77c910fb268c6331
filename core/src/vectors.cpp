// For builds with one set of kernels; builds with several use set_in_use.cpp instead.
#include "attention/vectors.h"

#include "lanes.h"

namespace attention {

Vectors vectors() { return static_cast<Vectors>(kLanes); }

bool has_vectors(Vectors wanted) { return wanted == vectors(); }

bool use_vectors(Vectors wanted) { return wanted == vectors(); }

std::string_view simd_architecture() { return Lanes::arch_type::name(); }

int simd_lanes() { return static_cast<int>(kLanes); }

}  // namespace attention
