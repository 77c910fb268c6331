#include "attention/attend.h"

#include "attend_paths.h"

namespace attention {

namespace {

// From here on a panel, though partly empty, is faster than going query by query.
constexpr std::size_t kFewRows = 3;

}  // namespace

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Buffer& scratch,
             const AttendStages& stages) {
  if (Error error = check_attend(query, key, value, options, context, stages)) return error;
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};

  const bool keeps_stages = any(stages), is_few = problem.rows() < kFewRows;
  const std::uint64_t floats = keeps_stages ? stages_scratch(problem)
                               : is_few     ? rows_scratch(problem)
                                            : panels_scratch(problem);
  if (floats > SIZE_MAX / sizeof(float) || !scratch.resize(static_cast<std::size_t>(floats))) {
    return error(Rule::attend_memory, {floats});
  }
  float* const memory = scratch.floats().data();
  for (std::size_t b = 0; b < query.batch; ++b) {
    for (std::size_t g = 0; g < key.heads; ++g) {
      if (keeps_stages) {
        attend_stages(problem, b, g, memory, stages);
      } else if (is_few) {
        attend_rows(problem, b, g, memory);
      } else {
        attend_panels(problem, b, g, memory);
      }
    }
  }
  return {};
}

}  // namespace attention
