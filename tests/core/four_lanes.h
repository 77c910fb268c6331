// Bits are promised for builds of four lanes: wider ones fuse a·b + c, and round once where those round twice.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "lanes.h"

namespace attention::test {

inline constexpr bool kHasFourLanes = kLanes == 4;

// Leaves the test out elsewhere.
inline void needs_four_lanes() {
  if (!kHasFourLanes) SKIP("This build fuses multiplication and addition over more than four lanes.");
}

}  // namespace attention::test
