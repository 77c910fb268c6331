#include "attention/attend.h"

#include "attend_paths.h"

namespace attention {

namespace {

// From here on a panel, though partly empty, is faster than going query by query.
constexpr std::size_t kFewRows = 3;

}  // namespace

AttendPath path_of(const AttendProblem& problem, bool keeps_stages) {
  if (keeps_stages || problem.options.temperature == 0) return {plain_scratch, attend_plain};
  if (problem.rows() < kFewRows) return {rows_scratch, attend_rows};
  return {panels_scratch, attend_panels};
}

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Buffer& scratch,
             const AttendStages& stages) {
  if (Error error = check_attend(query, key, value, options, context, stages)) return error;
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};

  const AttendPath path = path_of(problem, any(stages));
  const std::uint64_t floats = path.scratch(problem);
  if (floats > SIZE_MAX / sizeof(float) || !scratch.resize(static_cast<std::size_t>(floats))) {
    return {ErrorCode::out_of_memory, "There is no memory for " + std::to_string(floats) +
                                          " numbers in between. Use narrower heads or fewer keys."};
  }
  float* const memory = scratch.floats().data();
  for (std::size_t b = 0; b < query.batch; ++b) {
    for (std::size_t g = 0; g < key.heads; ++g) path.run(problem, b, g, memory, stages);
  }
  return {};
}

}  // namespace attention
