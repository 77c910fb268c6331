// Which keys each query may look at: a mask (mask_rule.cpp has one line for each) and the cells changed by hand.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/heads.h"
#include "attention/layer/request.h"
#include "attention/layer/settings.h"

namespace attention {

class MaskRule {
 public:
  struct Cell {
    std::uint32_t query = 0, key = 0;

    auto operator<=>(const Cell&) const = default;
  };

  // Edits outside T x S change nothing. Returns an error if there is no memory.
  Error set(const Settings& settings, const Shape& shape, std::span<const MaskEdit> edits);

  // For each query the smallest range with all keys that it may look at: attend()'s key_ranges.
  std::span<const KeyRange> reach() const { return reach_; }
  // [T, S], attend()'s mask.allowed; null if the ranges suffice.
  const std::uint8_t* allowed() const;
  // true = takes part, as in ONNX and scaled dot-product attention.
  bool allows(std::size_t query, std::size_t key) const;

 private:
  void turn(const Shape& shape, std::span<const MaskEdit> edits);
  std::span<const Cell> turned(std::size_t query) const;

  std::size_t keys_ = 0;
  std::vector<Cell> cells_;  // turned round, in order: the first kept_
  std::size_t kept_ = 0;
  std::vector<KeyRange> reach_;
  Buffer allowed_;
};

}  // namespace attention
