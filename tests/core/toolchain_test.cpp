#include <catch2/catch_test_macros.hpp>

#include "attention/ops.h"

using namespace attention;

TEST_CASE("the kernels run on the instructions this build was made for", "[toolchain]") {
#if defined(ATTENTION_SCALAR)
  CHECK(simd_architecture() == "emulated");
#elif defined(__wasm__)
  CHECK(simd_architecture() == "wasm");
#else
  CHECK(simd_architecture() != "emulated");
#endif
  INFO(simd_architecture());
  CHECK(simd_lanes() >= 4);
}

TEST_CASE("default builds have four lanes, which is what makes their bits agree", "[toolchain]") {
#if !defined(__AVX__)
  CHECK(simd_lanes() == 4);
#endif
}
