// What the paths of attend() and its reference share: its rules, and which keys a query may see.
#pragma once

#include "attention/attend.h"

namespace attention {

// Which keys a query may look at before the mask tensor has its say.
KeyRange key_range(const AttendOptions& options, std::size_t batch, std::size_t query,
                   std::size_t keys);

// Where a query stands among the keys.
std::int64_t place_of(const AttendOptions& options, std::size_t batch, std::size_t query);

// Row (b, h, q) of a mask of `elements`; null when there is none.
template <class T>
const T* mask_row(const MaskTensor& mask, const T* elements, std::size_t b, std::size_t h,
                  std::size_t q) {
  if (elements == nullptr) return nullptr;
  const auto& n = mask.extents;
  const auto at = [&](std::size_t axis, std::size_t i) { return n[axis] == 1 ? 0 : i; };
  return elements + ((at(0, b) * n[1] + at(1, h)) * n[2] + at(2, q)) * n[3];
}

float scale_of(const AttendOptions& options, std::size_t key_width);

// Whether any stage is to be kept.
bool any(const AttendStages& stages);

// Ok, or what a view, called `name` in the sentence, has that no memory has.
Error check_heads(std::string_view name, Heads<const float> view);

// Ok when no two numbers of a view that check_heads() accepted share a place: what is written must not.
Error check_apart(std::string_view name, Heads<const float> view);

// Ok, or which rule of attend() these break.
Error check_attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                   const AttendOptions& options, Heads<const float> context,
                   const AttendStages& stages = {});

}  // namespace attention
