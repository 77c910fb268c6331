// Philox, and its words to standard normal numbers, four at a time, without libm.
#include <algorithm>

#include "attention/generator.h"
#include "kernels.h"
#include "lanes.h"

namespace attention {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // golden ratio, sqrt(3) - 1
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

std::uint64_t token_hash(std::string_view token) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const char byte : token) h = (h ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return h;
}

namespace {

// One Philox block fills four lanes; on wider machines too, so that the draw is the same there.
using Four = xsimd::make_sized_batch_t<float, 4>;

inline Four polynomial(Four x, float c0, float c1, float c2, float c3 = 0) {
  return ((Four(c3) * x + c2) * x + c1) * x + c0;
}

// Phi^-1(1 - tail) for 2^-33 <= tail <= 1/2. Wichura, "Algorithm AS 241: the percentage points of
// the normal distribution", Applied Statistics 37 (1988), PPND7. Its far-tail branch begins at
// tail < e^-25, which 32-bit words never reach.
inline Four upper_quantile(Four tail) {
  const Four q = 0.5f - tail;
  const Four r_central = 0.180625f - q * q;
  const Four central =
      q * polynomial(r_central, 3.3871327179f, 50.434271938f, 159.29113202f, 59.109374720f) /
      polynomial(r_central, 1.0f, 17.895169469f, 78.757757664f, 67.187563600f);
  const Four r_tail = xsimd::sqrt(-xsimd::log(tail)) - 1.6f;
  const Four outer = polynomial(r_tail, 1.4234372777f, 2.7568153900f, 1.3067284816f, 0.17023821103f) /
                     polynomial(r_tail, 1.0f, 0.73700164250f, 0.12021132975f);
  return xsimd::select(q <= 0.425f, central, outer);
}

ATTENTION_KERNEL void normal_block(float* out, const std::array<std::uint32_t, 4>& words) {
  // The top bit is the side, the other 31 bits, centred in their cell, the tail: the mirror image
  // keeps full relative precision far out on both sides.
  std::array<float, 4> tails;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const bool lower = words[lane] < 0x80000000u;
    const std::uint32_t below = lower ? words[lane] : ~words[lane];
    tails[lane] = (static_cast<float>(below) + 0.5f) * 0x1p-32f;
  }
  upper_quantile(Four::load_unaligned(tails.data())).store_unaligned(out);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    if (words[lane] < 0x80000000u) out[lane] = -out[lane];
  }
}

}  // namespace

void fill_normal(std::span<float> out, std::uint32_t seed, Drawn drawn, std::uint32_t row,
                 std::uint64_t salt) {
  const std::array<std::uint32_t, 2> key{seed, static_cast<std::uint32_t>(drawn)};
  std::array<float, 4> block;
  for (std::size_t c = 0; c < out.size(); c += 4) {
    normal_block(block.data(),
            philox({static_cast<std::uint32_t>(c / 4), row, static_cast<std::uint32_t>(salt),
                    static_cast<std::uint32_t>(salt >> 32)},
                   key));
    std::copy_n(block.begin(), std::min<std::size_t>(4, out.size() - c), out.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

}  // namespace attention
