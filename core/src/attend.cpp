#include "attention/attend.h"

#include "attend_paths.h"

namespace attention {

namespace {

// From here on a panel, though partly empty, is faster than going query by query.
constexpr std::size_t kFewRows = 3;

}  // namespace

AttendPath path_of(const AttendProblem& problem, bool keeps_stages) {
  if (keeps_stages || problem.options.temperature == 0) return kPlainPath;
  if (problem.rows() < kFewRows) return {rows_scratch, attend_rows};
  return {panels_scratch, attend_panels};
}

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Buffer& scratch,
             const AttendStages& stages) {
  if (Error error = check_attend(query, key, value, options, context, stages)) return error;
  return attend_checked(query, key, value, options, context, scratch, stages);
}

Error attend_checked(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                     const AttendOptions& options, Heads<float> context, Buffer& scratch,
                     const AttendStages& stages) {
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};
  return attend_by(path_of(problem, any(stages)), problem, scratch, stages);
}

}  // namespace attention
