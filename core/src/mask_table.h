// One line a mask.
#pragma once

#include <cstddef>

#include "attention/settings.h"

namespace attention {

// Whether `query` may look at `key`; true = takes part, as in ONNX and scaled dot-product attention.
using Allows = bool (*)(std::size_t query, std::size_t key);

Allows allows(Mask mask);

}  // namespace attention
