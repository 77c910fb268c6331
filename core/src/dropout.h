// Which weights dropout sets to 0.
#pragma once

#include <array>
#include <cstdint>

#include "attention/generator.h"

namespace attention {

// Weight (b, h, q, k) is dropped when the word of Philox at its own place is below the rate.
class Dropout {
 public:
  Dropout(float rate, std::uint32_t seed)
      : seed_(seed),
        threshold_(static_cast<std::uint32_t>(static_cast<double>(rate) * 0x1p32)),
        factor_(1 / (1 - rate)) {}

  // Of keys 4·(key / 4) … + 3, of image b·H + h.
  std::array<std::uint32_t, 4> words(std::size_t image, std::size_t query, std::size_t key) const {
    return philox({static_cast<std::uint32_t>(key / 4), static_cast<std::uint32_t>(query),
                   static_cast<std::uint32_t>(image), 0},
                  {seed_, static_cast<std::uint32_t>(Drawn::dropout)});
  }
  bool keeps(std::uint32_t word) const { return word >= threshold_; }
  float apply(float weight, std::uint32_t word) const { return keeps(word) ? weight * factor_ : 0.0f; }
  float factor() const { return factor_; }

 private:
  std::uint32_t seed_, threshold_;
  float factor_;
};

}  // namespace attention
