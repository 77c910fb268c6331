// The vector types of the kernels, named once; the exponential of softmax, whose arguments are never above 0; and how numbers of
// other widths are widened.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
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

// --- numbers of other widths, widened -----------------------------------------------------------------------------

// Vectors of the compiler's own, which convert numbers of any width: of kLanes numbers, and filling a register.
using Bits __attribute__((vector_size(4 * kLanes))) = std::int32_t;
using Floats __attribute__((vector_size(4 * kLanes))) = float;
using Shorts __attribute__((vector_size(2 * kLanes))) = std::int16_t;
using Bytes __attribute__((vector_size(kLanes))) = std::int8_t;
using AllShorts __attribute__((vector_size(4 * kLanes))) = std::int16_t;
using AllBytes __attribute__((vector_size(4 * kLanes))) = std::int8_t;

template <class Vector>
inline Lanes as_lanes(Vector vector) { return std::bit_cast<Lanes::register_type>(vector); }
inline Bits as_bits(Lanes lanes) { return std::bit_cast<Bits>(static_cast<Lanes::register_type>(lanes)); }

template <class Vector>
constexpr std::size_t kNumbersOf = sizeof(Vector) / sizeof(std::declval<Vector&>()[0]);

// a[0] b[0] a[1] b[1] …, from number `kFirst` of each on.
template <std::size_t kFirst, class Vector, std::size_t... kAt>
inline Vector zip(Vector a, Vector b, std::index_sequence<kAt...>) {
  return __builtin_shufflevector(a, b, (kFirst + kAt / 2 + kAt % 2 * sizeof...(kAt))...);
}
template <class Vector>
inline Vector zip_lower(Vector a, Vector b) { return zip<0>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }
template <class Vector>
inline Vector zip_upper(Vector a, Vector b) { return zip<kNumbersOf<Vector> / 2>(a, b, std::make_index_sequence<kNumbersOf<Vector>>()); }

template <class To, class Vector, std::size_t... kAt>
inline std::array<To, 2> halves(Vector all, std::index_sequence<kAt...>) {
  return {__builtin_convertvector(__builtin_shufflevector(all, all, kAt...), To),
          __builtin_convertvector(__builtin_shufflevector(all, all, (sizeof...(kAt) + kAt)...), To)};
}
// Its lower and its upper numbers, each as a wider one.
template <class To, class Vector>
inline std::array<To, 2> halves(Vector all) { return halves<To>(all, std::make_index_sequence<kNumbersOf<Vector> / 2>()); }

// Of each type: widen() takes kLanes numbers, already of 32 bits; widen_all() those of a whole register, in order; part() the
// two or four that each 32 bits of a register hold, the lowest of all first. By what widen_all() and part() give a product
// multiplies factor(x) for x; number() is the number itself.
struct Bf16 {
  using Number = std::int16_t;
  using Vector = Shorts;
  using All = AllShorts;
  static Lanes widen(Bits bits, float) { return as_lanes(bits << 16); }
  static std::array<Lanes, 2> widen_all(All bits, Lanes) {
    const All zero{};
    return {as_lanes(zip_lower(zero, bits)), as_lanes(zip_upper(zero, bits))};
  }
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {as_lanes(two << 16), as_lanes(two & ~0xffff)}; }
  static Lanes factor(Lanes x) { return x; }
  static Lanes number(Lanes x) { return x; }
};
struct F16 {
  using Number = std::int16_t;
  using Vector = Shorts;
  using All = AllShorts;
  static Lanes widen(Bits half, float) { return from(half << 13); }
  // As from(), with half as many operations: the upper and lower 16 bits are made apart, infinite before the product.
  static std::array<Lanes, 2> widen_all(All half, Lanes) {
    const All size = half & 0x7fff, is_infinite = size > 0x7bff;
    const All upper = (half ^ size) | (size >> 3) | (is_infinite & 0x7f80), lower = size << 13;
    return {as_lanes(zip_lower(lower, upper)) * 0x1p112f, as_lanes(zip_upper(lower, upper)) * 0x1p112f};
  }
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {from((two << 16) >> 3), from(two >> 3)}; }
  static Lanes factor(Lanes x) { return x; }
  static Lanes number(Lanes x) { return x; }

 private:
  // Sign, exponent and fraction at their places in a float32, whose exponents count from another number: a product corrects
  // that, of subnormal numbers, too. Infinities and NaN have the largest exponent. Other bits are not looked at.
  static Lanes from(Bits placed) {
    constexpr auto kKept = static_cast<std::int32_t>(0x8fffe000u), kMost = 31 << 23, kInfinite = 255 << 23;
    const Bits bits = placed & kKept, is_infinite = (bits & kMost) == kMost;
    return as_lanes(std::bit_cast<Bits>(std::bit_cast<Floats>(bits) * 0x1p112f) | (is_infinite & kInfinite));
  }
};
// Where none is infinite or NaN, and what they are multiplied by is below kMost: the factor makes up for the exponent, so that
// each number need only have its bits at their places. A power of 2 rounds nothing.
struct FiniteF16 : F16 {
  static Lanes widen(Bits half, float) { return as_lanes(((half << 13) & kKept)) * 0x1p112f; }
  static std::array<Lanes, 2> widen_all(All half, Lanes) {
    const All upper = (half >> 3) & static_cast<std::int16_t>(0x8fff), lower = half << 13;
    return {as_lanes(zip_lower(lower, upper)), as_lanes(zip_upper(lower, upper))};
  }
  static std::array<Lanes, 2> part(Bits two, Lanes) { return {as_lanes(((two << 16) >> 3) & kKept), as_lanes((two >> 3) & kKept)}; }
  static Lanes factor(Lanes x) { return x * 0x1p112f; }
  static Lanes number(Lanes x) { return x * 0x1p112f; }
  // Times 2^112 it is within float32.
  static constexpr float kMost = 0x1p15f;

 private:
  static constexpr auto kKept = static_cast<std::int32_t>(0x8fffe000u);
};
struct I8 {
  using Number = std::int8_t;
  using Vector = Bytes;
  using All = AllBytes;
  static Lanes widen(Bits whole, float scale) { return as_lanes(__builtin_convertvector(whole, Floats)) * scale; }
  static std::array<Lanes, 4> widen_all(All whole, Lanes scale) {
    std::array<Lanes, 4> wide;
    const auto shorts = halves<AllShorts>(whole);
    for (std::size_t i = 0; i < 4; ++i) {
      wide[i] = as_lanes(__builtin_convertvector(halves<Bits>(shorts[i / 2])[i % 2], Floats)) * scale;
    }
    return wide;
  }
  static std::array<Lanes, 4> part(Bits four, Lanes scale) {
    std::array<Lanes, 4> wide;
    for (int i = 0; i < 4; ++i) wide[static_cast<std::size_t>(i)] = as_lanes(__builtin_convertvector((four << (24 - 8 * i)) >> 24, Floats)) * scale;
    return wide;
  }
  static Lanes factor(Lanes x) { return x; }
  static Lanes number(Lanes x) { return x; }
};

}  // namespace attention::inline ATTENTION_SET
