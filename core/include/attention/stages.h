// The stages of an attention layer in the order they run: the one table that the engine, its
// bindings, the page and the tests all read.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

#ifdef ATTENTION_BRIEF  // a build without sentences, which another one has
struct Words {
  consteval Words(const char*) {}
};
#else
using Words = std::string_view;
#endif

struct Stage {
  std::string_view id;       // the Trace field, the page's id, the name in a link
  Words label;               // for people
  Words symbol;              // as in the formula of the next stage
  Words formula;             // plain text
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
