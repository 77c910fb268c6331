#include "mask_rule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace attention {

namespace {

using Seen = KeyRange (*)(const Settings&, std::size_t query, std::size_t keys);

KeyRange see_all(const Settings&, std::size_t, std::size_t keys) { return {0, keys}; }

KeyRange see_causal(const Settings&, std::size_t query, std::size_t keys) {
  return {0, std::min(query + 1, keys)};
}

KeyRange see_window(const Settings& s, std::size_t query, std::size_t keys) {
  const auto left = static_cast<std::size_t>(s.window_left);
  const auto right = static_cast<std::size_t>(s.window_right);
  const std::size_t end = std::min(query + right + 1, keys);
  return {std::min(query > left ? query - left : 0, end), end};
}

KeyRange see_prefix(const Settings& s, std::size_t query, std::size_t keys) {
  return {0, std::min(std::max(query + 1, static_cast<std::size_t>(s.prefix_length)), keys)};
}

struct Kind {
  std::string_view id;
  Seen seen;
};

// In the order of the enumerators of Mask.
constexpr Kind kTable[] = {{"none", see_all}, {"causal", see_causal}, {"window", see_window}, {"prefix", see_prefix}};

constexpr MaskNumber kNumbers[] = {{"window_left", &Settings::window_left},
                                   {"window_right", &Settings::window_right},
                                   {"prefix_length", &Settings::prefix_length}};

constexpr auto kIds = [] {
  std::array<std::string_view, std::size(kTable)> ids;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kTable[i].id;
  return ids;
}();

}  // namespace

std::span<const std::string_view> mask_ids() {
  return kIds;
}
std::span<const MaskNumber> mask_numbers() {
  return kNumbers;
}

Error MaskRule::set(const Settings& settings, const Shape& shape, std::span<const MaskEdit> edits) {
  const Seen seen = kTable[static_cast<std::size_t>(settings.mask)].seen;
  keys_ = shape.S;
  turn(shape, edits);
  reach_ = std::vector<KeyRange>(shape.T);
  for (std::size_t q = 0; q < shape.T; ++q) reach_[q] = seen(settings, q, keys_);
  if (kept_ == 0) return {};

  if (!allowed_.resize((shape.T * keys_ + 3) / 4)) {
    return error(Rule::mask_memory);
  }
  auto* const allowed = reinterpret_cast<std::uint8_t*>(allowed_.floats().data());
  for (std::size_t q = 0; q < shape.T; ++q) {
    KeyRange& reach = reach_[q];
    std::uint8_t* const row = allowed + q * keys_;
    for (std::size_t k = 0; k < keys_; ++k) row[k] = reach.has(k);
    const auto cells = turned(q);
    for (const Cell& cell : cells) row[cell.key] ^= 1;
    if (cells.empty()) continue;
    const KeyRange by_hand{cells.front().key, cells.back().key + std::size_t{1}};
    const bool is_empty = reach.begin == reach.end;
    reach = is_empty ? by_hand : KeyRange{std::min(reach.begin, by_hand.begin), std::max(reach.end, by_hand.end)};
  }
  return {};
}

void MaskRule::turn(const Shape& shape, std::span<const MaskEdit> edits) {
  cells_ = std::vector<Cell>(edits.size());
  std::size_t count = 0;
  for (const auto& [query, key] : edits) {
    const Cell cell{static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(key)};
    if (cell.query >= shape.T || cell.key >= shape.S) continue;  // or below 0
    std::size_t at = count++;
    for (; at > 0 && cell < cells_[at - 1]; --at) cells_[at] = cells_[at - 1];
    cells_[at] = cell;
  }
  // Two edits of one cell cancel.
  kept_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept_ > 0 && cells_[kept_ - 1] == cells_[i]) --kept_;
    else cells_[kept_++] = cells_[i];
  }
}

std::span<const MaskRule::Cell> MaskRule::turned(std::size_t query) const {
  if (kept_ == 0) return {};
  const auto row = static_cast<std::uint32_t>(query);
  const Cell* const end = cells_.data() + kept_;
  return {std::lower_bound(cells_.data(), end, Cell{row, 0}),
          std::lower_bound(cells_.data(), end, Cell{row + 1, 0})};
}

const std::uint8_t* MaskRule::allowed() const {
  return kept_ == 0 ? nullptr : reinterpret_cast<const std::uint8_t*>(allowed_.floats().data());
}

bool MaskRule::allows(std::size_t query, std::size_t key) const {
  return kept_ == 0 ? reach_[query].has(key) : allowed()[query * keys_ + key] != 0;
}

}  // namespace attention
