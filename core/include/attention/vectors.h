// Which SIMD registers the kernels use, and which bits are then guaranteed.
//
// On x86-64 the library contains its kernels three times, and a program uses the widest registers that its processor
// has, unless it chooses others. A build with ATTENTION_ARCH or ATTENTION_SCALAR, for ARM or for WebAssembly contains
// one set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "attention/export.h"

namespace attention {

// By the float32 numbers that a register holds.
enum class Vectors : std::uint8_t {
  // SSE2, WebAssembly, NEON. Every product and every sum rounds by itself: the same bits from every compiler, on
  // every x86-64 processor and in the browser, token by token or at once. What the page runs. NEON's functions in
  // GELU and softcap differ in the last digits.
  four_lanes = 4,
  // AVX2 with FMA, and AVX-512. a·b + c rounds once, and sums are taken in another order: within the same bounds of
  // the exact result (web/docs/accuracy.md), but the last digits are others. The same call gives the same bits on
  // every processor that has them, for any number of workers.
  eight_lanes = 8,
  sixteen_lanes = 16,
};
inline constexpr std::size_t kMostLanes = 16;

// The registers in use.
ATTENTION_API Vectors vectors();

// Whether this build has kernels for them and this processor can run them.
ATTENTION_API bool has_vectors(Vectors vectors);

// Makes all later calls of the program use these, on all threads; returns false, and changes nothing, if they are not
// available. Call it before the first operator: calls that are running may mix both, which affects only their last
// digits. Some code always uses four lanes, so its bits do not change: attention::train, random numbers, positions
// (tables and rotations), entropy() and the references in double.
[[nodiscard]] ATTENTION_API bool use_vectors(Vectors vectors);

// The instructions in use by xsimd's name, e.g. "sse2", "fma3+avx2", "avx512bw", "neon64", "wasm", "emulated".
ATTENTION_API std::string_view simd_architecture();

// Float32 numbers that a register in use holds: 4, 8 or 16.
ATTENTION_API int simd_lanes();

}  // namespace attention
