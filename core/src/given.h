// Stages whose numbers a request may bring along.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "attention/request.h"

namespace attention {

// Copies what is given for stage `id`; false when nothing is.
inline bool copy_given(const Request& request, std::string_view id, std::span<float> out) {
  const std::vector<float>* given = request.find_given(id);
  if (given != nullptr) std::copy(given->begin(), given->end(), out.begin());
  return given != nullptr;
}

}  // namespace attention
