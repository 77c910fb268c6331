// Every kind of NaN: quiet and signalling, of either sign, with each bit of its payload set alone, and all.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace attention::test {

inline std::vector<float> nans() {
  constexpr std::uint32_t kExponent = 0x7f800000, kQuiet = 0x00400000, kPayload = 0x003fffff;
  std::vector<float> all;
  for (const std::uint32_t sign : {0u, 0x80000000u}) {
    for (const std::uint32_t quiet : {0u, kQuiet}) {
      for (int bit = 0; bit < 22; ++bit) {
        all.push_back(std::bit_cast<float>(sign | kExponent | quiet | (1u << bit)));
      }
      all.push_back(std::bit_cast<float>(sign | kExponent | quiet | kPayload));
      all.push_back(std::bit_cast<float>(sign | kExponent | quiet | (kPayload & 0x2a5a5a5u)));
    }
    all.push_back(std::bit_cast<float>(sign | kExponent | kQuiet));
  }
  return all;
}

}  // namespace attention::test
