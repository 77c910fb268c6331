// The vector types of the kernels, named once.
#pragma once

#include <cstddef>
#include <xsimd/xsimd.hpp>

#if XSIMD_VERSION_MAJOR < 11
#error "attention needs xsimd 11 or newer. Set ATTENTION_XSIMD_INCLUDE to the folder that holds its xsimd/xsimd.hpp."
#endif

#include "set.h"

#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

namespace attention::inline ATTENTION_SET {

using Lanes = xsimd::batch<float>;
inline constexpr std::size_t kLanes = Lanes::size;

// Whether multiply_add() is one operation.
#if defined(__wasm_relaxed_simd__) || defined(ATTENTION_FUSED)
inline constexpr bool kFused = true;
#else
inline constexpr bool kFused = kLanes > 4;
#endif

// sum + a·b. Four lanes round twice, so that native and wasm bits agree; wider builds, and the wasm
// module built for relaxed SIMD, fuse where the processor can.
inline Lanes multiply_add(Lanes sum, Lanes a, Lanes b) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, sum);
#else
  if constexpr (kFused) return xsimd::fma(a, b, sum);
  return sum + a * b;
#endif
}

// The larger of two; `a` when either is NaN. One instruction, where wasm's f32x4.max takes six.
inline Lanes larger(Lanes a, Lanes b) {
#ifdef __wasm_simd128__
  return wasm_f32x4_pmax(a, b);
#else
  return xsimd::select(a < b, b, a);
#endif
}

// a / b, rounded once, as one number would be: xsimd's for NEON goes by an estimate of 1 / b.
inline Lanes quotient(Lanes a, Lanes b) {
#if defined(__aarch64__) && !defined(XSIMD_WITH_EMULATED)
  return vdivq_f32(a, b);
#else
  return a / b;
#endif
}
inline float quotient(float a, float b) { return a / b; }

}  // namespace attention::inline ATTENTION_SET
