// Bits are promised for builds of four lanes: wider ones fuse a·b + c, and round once where those round twice.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "attention/vectors.h"

namespace attention::test {

// Leaves the test out elsewhere.
inline void needs_four_lanes() {
  if (vectors() != Vectors::four_lanes) SKIP("Wider kernels fuse multiplication and addition.");
}

// Where xsimd's logarithm and tanh are used, bits are promised for x86-64 and the browser alone.
inline void leaves_neon_out() {
#if defined(__aarch64__)
  SKIP("On NEON, xsimd's logarithm and tanh fuse multiplication and addition.");
#endif
}

}  // namespace attention::test
