// The rules of what layers are given.
#pragma once

#include <string_view>

#include "attention/error.h"
#include "attention/block.h"
#include "attention/linear.h"

namespace attention {

// Ok when `linear`, called `name` in the sentence, has a matrix and leads from `in` numbers to at least
// one; with `out` given, to that many.
Error check_linear(std::string_view name, const Linear& linear, std::size_t in, std::size_t out = 0);

// Ok when `norm`, called `name`, has a gain and that width, and an epsilon of at least 0.
Error check_norm(std::string_view name, const LayerNorm& norm, std::size_t width);

}  // namespace attention
