// What may be changed in the attention of a model that runs, to see what it was for.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "attention/attend.h"

namespace attention {

// Weights of one head given by hand, in place of softmax's.
struct HeadPatch {
  std::size_t head = 0;
  // [T, keys], used as they are, in every batch; a weight of 0 brings nothing, whatever the value holds.
  const float* weights = nullptr;
};

// Between attention and the output projection.
struct HeadChanges {
  std::span<const float> gains;  // [H], times each head's context: 0 takes the head away; empty = 1
  std::span<const HeadPatch> patches;
};

// Of one block.
struct Intervention {
  // In place of causal attention; a block's ALiBi slopes stay, unless these bring others.
  std::optional<AttendOptions> options;
  HeadChanges heads;
};

}  // namespace attention
