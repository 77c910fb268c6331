// What others gave: arithmetic on sizes, which stops at kMaxFloats + 1 instead of wrapping round, and pointers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace attention {

// Of a tensor or of scratch memory: what can be addressed, and far beyond any memory.
inline constexpr std::uint64_t kMaxFloats =
    std::min<std::uint64_t>(std::uint64_t{1} << 40, SIZE_MAX / sizeof(float));

constexpr std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t all = 1;
  for (const std::uint64_t n : factors)
    all = n != 0 && all > kMaxFloats / n ? kMaxFloats + 1 : all * n;
  return all;
}

constexpr std::uint64_t sum(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t all = 0;
  for (const std::uint64_t n : terms)
    all = std::min(all + std::min(n, kMaxFloats + 1), kMaxFloats + 1);
  return all;
}

template <class T>
bool is_misaligned(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0;
}

}  // namespace attention
