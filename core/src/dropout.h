// Which weights training would set to 0.
#pragma once

#include <array>
#include <cstdint>

#include "attention/generator.h"
#include "attention/settings.h"

namespace attention {

// Weight (h, q, k) is dropped when the word of Philox at its own place is below the rate, as attend() has it.
class Dropout {
 public:
  explicit Dropout(const Settings& s)
      : seed_(s.dropout_seed),
        threshold_(static_cast<std::uint32_t>(static_cast<double>(s.dropout) * 0x1p32)),
        factor_(1 / (1 - s.dropout)) {}

  // Of keys 4·(key / 4) … + 3.
  std::array<std::uint32_t, 4> words(std::size_t h, std::size_t q, std::size_t key) const {
    return philox({static_cast<std::uint32_t>(key / 4), static_cast<std::uint32_t>(q),
                   static_cast<std::uint32_t>(h), 0},
                  {seed_, static_cast<std::uint32_t>(Matrix::dropout)});
  }
  bool keeps(std::uint32_t word) const { return word >= threshold_; }
  float apply(float weight, std::uint32_t word) const { return keeps(word) ? weight * factor_ : 0.0f; }
  float factor() const { return factor_; }

 private:
  std::uint32_t seed_, threshold_;
  float factor_;
};

}  // namespace attention
