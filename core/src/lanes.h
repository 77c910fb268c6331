// The vector types of the kernels, named once; and the exponential of softmax, whose arguments are never above 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

// Lane by lane: the same order on every architecture of this width.
inline float sum_of(Lanes sums) {
  std::array<float, kLanes> lanes;
  sums.store_unaligned(lanes.data());
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

// Up to kLanes numbers; the other lanes have `beyond`.
inline Lanes load_up_to(const float* from, std::size_t count, float beyond = 0) {
  if (count >= kLanes) return Lanes::load_unaligned(from);
  std::array<float, kLanes> lanes;
  lanes.fill(beyond);
  std::copy_n(from, count, lanes.begin());
  return Lanes::load_unaligned(lanes.data());
}
inline void store_up_to(float* to, std::size_t count, Lanes from) {
  if (count >= kLanes) return from.store_unaligned(to);
  std::array<float, kLanes> lanes;
  from.store_unaligned(lanes.data());
  std::copy_n(lanes.begin(), count, to);
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

// exp(x) for x <= 0 within 1.3e-7 of its value; 0 below -86.6, where it is less than 2.5e-38; NaN stays
// NaN, whatever its bits. A third of the operations of a general exp: no infinity, no denormals, and 2^k
// without a conversion to integers. Range reduction after Cody and Waite, the polynomial is xsimd's.
template <std::size_t kCount>
[[gnu::always_inline]] inline std::array<Lanes, kCount> exp_nonpositive(const std::array<Lanes, kCount>& x) {
  using Bits = xsimd::batch<std::int32_t>;
  constexpr float kLeast = -86.6f;          // k >= -125, so that p·2^k is a normal number
  constexpr float kShift = 0x1.8p23f + 127;  // adding it rounds to an integer k, and leaves k + 127, the
                                            // exponent of 2^k as float32 has it, in the low bits
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;  // nine bits: k · kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  std::array<Lanes, kCount> shifted, r, p, y;
  const auto each = [](auto step) {
    for (std::size_t i = 0; i < kCount; ++i) step(i);
  };
  each([&](std::size_t i) { shifted[i] = multiply_add(Lanes(kShift), x[i], Lanes(kLog2E)); });
  each([&](std::size_t i) {
    const Lanes k = shifted[i] - kShift;
    r[i] = multiply_add(x[i], k, Lanes(-kLn2High));
    r[i] = multiply_add(r[i], k, Lanes(-kLn2Low));
  });
  // exp(r) = 1 + r + r^2 · p(r), p after Estrin: what waits for one another is what takes the time.
  each([&](std::size_t i) {
    const Lanes square = r[i] * r[i];
    const Lanes low = multiply_add(Lanes(0.5f), r[i], Lanes(1.6666277e-1f));
    const Lanes high = multiply_add(Lanes(4.1665401e-2f), r[i], Lanes(8.3955629e-3f));
    p[i] = multiply_add(low, multiply_add(high, square, Lanes(1.3997796e-3f)), square);
    p[i] = multiply_add(r[i], p[i], square) + 1.0f;
  });
  each([&](std::size_t i) {
    const Bits power = xsimd::bitwise_cast<std::int32_t>(shifted[i]) << 23;
    const Lanes y_i = p[i] * xsimd::bitwise_cast<float>(power);  // a product, which NaN survives
    y[i] = xsimd::select(x[i] < Lanes(kLeast), Lanes(0.0f), y_i);
  });
  return y;
}

[[gnu::always_inline]] inline Lanes exp_nonpositive(Lanes x) { return exp_nonpositive(std::array{x})[0]; }

}  // namespace attention::inline ATTENTION_SET
