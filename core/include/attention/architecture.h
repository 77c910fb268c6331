// Which instructions the kernels of this build run on.
#pragma once

#include <string_view>

namespace attention {

// xsimd's name for them, e.g. "wasm", "sse2", "neon64", "emulated".
std::string_view simd_architecture();

// Float32 numbers a register holds; 4-lane builds agree with each other bit for bit.
int simd_lanes();

}  // namespace attention
