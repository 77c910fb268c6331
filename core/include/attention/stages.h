// The stages of an attention layer in the order they run: the one table that the engine, its
// bindings, the page and the tests all read.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

struct Stage {
  std::string_view id;       // the Trace field, the page's id, the name in a link
  std::string_view label;    // for people
  std::string_view symbol;   // as in the formula of the next stage
  std::string_view formula;  // plain text
  std::array<Axis, 3> axes;  // leading axes first, Axis::none after the last
  std::span<float> Trace::* buffer;           // null for texts
  bool (*present)(const Settings&, bool is_cross);  // whether a run has it; null = always
};

std::span<const Stage> stages();

// The stage with this id, or null.
const Stage* find_stage(std::string_view id);

bool is_present(const Stage& stage, const Settings& settings, bool is_cross);
std::size_t count_of(const Stage& stage, const Shape& shape);

}  // namespace attention
