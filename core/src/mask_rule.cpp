#include "mask_rule.h"

#include <algorithm>
#include <array>

namespace attention {

namespace {

using Seen = Keys (*)(const Settings&, std::size_t query, std::size_t keys);

Keys see_all(const Settings&, std::size_t, std::size_t keys) { return {0, keys}; }

Keys see_causal(const Settings&, std::size_t query, std::size_t keys) {
  return {0, std::min(query + 1, keys)};
}

Keys see_window(const Settings& s, std::size_t query, std::size_t keys) {
  const auto left = static_cast<std::size_t>(s.window_left);
  const auto right = static_cast<std::size_t>(s.window_right);
  const std::size_t end = std::min(query + right + 1, keys);
  return {std::min(query > left ? query - left : 0, end), end};
}

// In the order of the enumerators of Mask.
constexpr std::array<Seen, 3> kTable{see_all, see_causal, see_window};

}  // namespace

void MaskRule::set(const Settings& settings, const Shape& shape, std::span<const MaskEdit> edits) {
  settings_ = settings;
  keys_ = shape.S;
  cells_ = std::vector<Cell>(edits.size());
  std::size_t count = 0;
  for (const auto& [query, key] : edits) {
    const Cell cell{static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(key)};
    if (cell.query >= shape.T || cell.key >= shape.S) continue;  // or below 0
    std::size_t at = count++;
    for (; at > 0 && cell < cells_[at - 1]; --at) cells_[at] = cells_[at - 1];
    cells_[at] = cell;
  }
  // Twice turned is turned back.
  kept_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept_ > 0 && cells_[kept_ - 1] == cells_[i]) --kept_;
    else cells_[kept_++] = cells_[i];
  }
}

Keys MaskRule::seen(std::size_t query) const {
  return kTable[static_cast<std::size_t>(settings_.mask)](settings_, query, keys_);
}

std::span<const MaskRule::Cell> MaskRule::turned(std::size_t query) const {
  if (kept_ == 0) return {};
  const auto row = static_cast<std::uint32_t>(query);
  const Cell* const end = cells_.data() + kept_;
  return {std::lower_bound(cells_.data(), end, Cell{row, 0}),
          std::lower_bound(cells_.data(), end, Cell{row + 1, 0})};
}

Keys MaskRule::reach(std::size_t query) const {
  const Keys keys = seen(query);
  const auto edits = turned(query);
  if (edits.empty()) return keys;
  const Keys by_hand{edits.front().key, edits.back().key + std::size_t{1}};
  if (keys.begin == keys.end) return by_hand;
  return {std::min(keys.begin, by_hand.begin), std::max(keys.end, by_hand.end)};
}

bool MaskRule::allows(std::size_t query, std::size_t key) const {
  bool is_turned = false;
  for (const Cell& cell : turned(query)) is_turned |= cell.key == key;
  return seen(query).has(key) != is_turned;
}

}  // namespace attention
