// Bits are promised for builds of four lanes: wider ones fuse a·b + c, and round once where those round twice.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "attention/vectors.h"

namespace attention::test {

// Leaves the test out elsewhere.
inline void needs_four_lanes() {
  if (vectors() != Vectors::four_lanes) SKIP("Wider kernels fuse multiplication and addition.");
}

}  // namespace attention::test
