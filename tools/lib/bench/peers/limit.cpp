// The most that one thread multiplies and adds: independent chains in registers, no memory at all; and the most that it
// reads. Built twice, with and without relaxed SIMD.
#include <wasm_simd128.h>

namespace {

v128_t step(v128_t sum, v128_t a, v128_t b) {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(sum, a, b);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(sum, a), b);
#endif
}

// start, a and b come from outside and the result depends on every sum: nothing can be left out.
template <int kChains>
__attribute__((noinline)) float chains(int steps, float start, float factor, float term) {
  const v128_t a = wasm_f32x4_splat(factor), b = wasm_f32x4_splat(term);
  v128_t sums[kChains];
#pragma clang loop unroll(full)
  for (int i = 0; i < kChains; ++i) sums[i] = wasm_f32x4_splat(start + static_cast<float>(i));
#pragma clang loop unroll(disable)
  for (int s = 0; s < steps; ++s) {
#pragma clang loop unroll(full)
    for (int i = 0; i < kChains; ++i) sums[i] = step(sums[i], a, b);
  }
  v128_t all = sums[0];
#pragma clang loop unroll(full)
  for (int i = 1; i < kChains; ++i) all = wasm_f32x4_add(all, sums[i]);
  return wasm_f32x4_extract_lane(all, 0) + wasm_f32x4_extract_lane(all, 3);
}

// As large as the matrices of a model of a hundred million numbers.
constexpr int kVectors = 24 << 20;
v128_t numbers[kVectors];

}  // namespace

extern "C" __attribute__((export_name("readBytes"))) int read_bytes() { return kVectors * 16; }

// The sum of all, read at so many places at once: a processor fetches ahead at each. The first call writes them.
extern "C" __attribute__((export_name("read"))) int read(int places) {
  static bool is_written = false;
  for (int i = 0; i < kVectors && !is_written; ++i) numbers[i] = wasm_i32x4_splat(i);
  is_written = true;
  v128_t sums[8] = {};
  const int part = kVectors / places;
  for (int i = 0; i < part; i += 8) {
    for (int place = 0; place < places; ++place) {
      const v128_t* const from = numbers + place * part + i;
      for (int j = 0; j < 8; ++j) sums[j] = wasm_i32x4_add(sums[j], from[j]);
    }
  }
  for (int j = 1; j < 8; ++j) sums[0] = wasm_i32x4_add(sums[0], sums[j]);
  return wasm_i32x4_extract_lane(sums[0], 0) + wasm_i32x4_extract_lane(sums[0], 3);
}

// Enough chains hide the latency of a multiplication and an addition; too many leave the registers.
// Which number is best differs between processors: the bench tries them all.
extern "C" __attribute__((export_name("run"))) float run(int number, int steps, float start,
                                                         float factor, float term) {
  switch (number) {
    case 10: return chains<10>(steps, start, factor, term);
    case 11: return chains<11>(steps, start, factor, term);
    case 12: return chains<12>(steps, start, factor, term);
    default: return chains<13>(steps, start, factor, term);
  }
}
