// Who may look at whom: a mask, one line a kind in mask_rule.cpp, and the cells turned round by hand.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/request.h"
#include "attention/settings.h"
#include "attention/shape.h"

namespace attention {

// Keys begin … end - 1; empty when begin == end.
struct Keys {
  std::size_t begin = 0, end = 0;

  bool has(std::size_t key) const { return key >= begin && key < end; }
};

class MaskRule {
 public:
  struct Cell {
    std::uint32_t query = 0, key = 0;

    auto operator<=>(const Cell&) const = default;
  };

  // Edits outside T x S change nothing.
  void set(const Settings& settings, const Shape& shape, std::span<const MaskEdit> edits);

  // What the mask alone lets `query` see: neighbours, as every kind here has it.
  Keys seen(std::size_t query) const;
  // The cells of `query` that are turned round, in order.
  std::span<const Cell> turned(std::size_t query) const;
  // The least range that holds every key that `query` may look at.
  Keys reach(std::size_t query) const;
  // true = takes part, as in ONNX and scaled dot-product attention.
  bool allows(std::size_t query, std::size_t key) const;

 private:
  Settings settings_;
  std::size_t keys_ = 0;
  std::vector<Cell> cells_;  // turned round, in order: the first kept_
  std::size_t kept_ = 0;
};

}  // namespace attention
