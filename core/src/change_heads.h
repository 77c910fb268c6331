// Interventions between attention and the output projection.
#pragma once

#include "attention/attend.h"
#include "attention/interventions.h"

namespace attention {

// Ok, or which rule of `changes` is broken for a layer of so many heads.
Error check_changes(const HeadChanges& changes, std::size_t heads);

// context (B, H, T, d_v) as attend() left it becomes the changed one; kept weights follow the
// patches.
void change_heads(const HeadChanges& changes, Heads<const float> value, Heads<float> context,
                  const AttendStages& stages);

}  // namespace attention
