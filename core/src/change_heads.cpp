#include "change_heads.h"

#include <algorithm>
#include <cmath>

#include "attend_paths.h"
#include "kernels.h"
#include "sizes.h"

namespace attention {

namespace {

// One row over the keys that its weights name: a weight of 0 brings nothing, whatever the value holds.
void mix_again(const HeadPatch& p, std::size_t b, std::size_t t, Heads<const float> value, Heads<float> context) {
  const std::size_t key_head = p.head / (context.heads / value.heads);
  float* const row = context.row(b, p.head, t);
  std::fill_n(row, context.width, 0.0f);
  for (std::size_t k = 0; k < value.rows; ++k) {
    const float* const weight = p.weights + t * value.rows + k;
    if (*weight == 0) continue;
    kernels::add_values(row, context.width, 1, weight, {value.row(b, key_head, k), 1, value.width, value.row_stride});
  }
}

void patch(const HeadPatch& p, std::size_t b, Heads<const float> value, Heads<float> context,
           const AttendStages& stages) {
  const std::size_t H = context.heads, T = context.rows, S = value.rows;
  const std::size_t key_head = p.head / (H / value.heads);
  kernels::matmul_nn({context.row(b, p.head, 0), T, context.width, context.row_stride},
                     {p.weights, T, S, S},
                     {value.row(b, key_head, 0), S, value.width, value.row_stride});
  for (std::size_t t = 0; t < T; ++t) {
    if (!is_finite(context.row(b, p.head, t), context.width)) mix_again(p, b, t, value, context);
  }
  for (float* stage : {stages.weights, stages.dropped_weights}) {
    if (stage != nullptr) std::copy_n(p.weights, T * S, stage + (b * H + p.head) * T * S);
  }
}

}  // namespace

Error check_changes(const HeadChanges& changes, std::size_t heads) {
  const auto& gains = changes.gains;
  const auto is_patch_misaligned = [](const HeadPatch& patch) { return is_misaligned(patch.weights); };
  if (is_misaligned(gains.data()) ||
      std::any_of(changes.patches.begin(), changes.patches.end(), is_patch_misaligned)) {
    return error(Rule::head_misaligned);
  }
  const auto is_finite = [](float gain) { return std::isfinite(gain); };
  if ((!gains.empty() && gains.size() != heads) ||
      !std::all_of(gains.begin(), gains.end(), is_finite)) {
    return error(Rule::head_gains, {heads});
  }
  for (const HeadPatch& patch : changes.patches) {
    if (patch.head >= heads || patch.weights == nullptr) {
      return error(Rule::head_patch, {heads - 1});
    }
  }
  return {};
}

void change_heads(const HeadChanges& changes, Heads<const float> value, Heads<float> context,
                  const AttendStages& stages) {
  for (std::size_t b = 0; b < context.batch; ++b) {
    for (const HeadPatch& p : changes.patches) patch(p, b, value, context, stages);
    for (std::size_t h = 0; h < changes.gains.size(); ++h) {
      for (std::size_t t = 0; t < context.rows; ++t) {
        float* const row = context.row(b, h, t);
        kernels::scale(row, row, changes.gains[h], context.width);
      }
    }
  }
}

}  // namespace attention
