// Content rows, drawn once a word.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention/buffer.h"

namespace attention {

// E[token] ~ N(0, 1), the same for the same word. Keeps rows by the word's hash, which alone decides
// them; a word whose place is taken by another is drawn again.
class WordRows {
 public:
  // To be called before copy(), for rows of `width` numbers drawn from `seed`.
  void prepare(std::uint32_t seed, std::size_t width);
  void copy(std::string_view word, std::span<float> row);

 private:
  static constexpr std::size_t kPlaces = 1024;

  Buffer memory_;  // [kPlaces, width]; empty when there is no memory: then every row is drawn
  std::array<std::uint64_t, kPlaces> words_{};
  std::array<bool, kPlaces> taken_{};
  std::uint32_t seed_ = 0;
  std::size_t width_ = 0;
};

}  // namespace attention
