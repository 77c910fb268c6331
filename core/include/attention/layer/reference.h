// The same layer in plain loops in double, to test the fast kernels against.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "attention/export.h"
#include "attention/layer/session.h"

namespace attention {

// The stages of Trace as doubles, under the same names.
struct ATTENTION_API ReferenceTrace {
  std::vector<double> content, position, embeddings, key_content, key_position, key_embeddings, query,
      key, rotated_query, rotated_key, value_down, value, scores, scaled_scores, capped_scores,
      masked_scores, weights, dropped_weights, context, concat, output, residual;

  const std::vector<double>* stage(std::string_view id) const;  // null when there is no such stage
};

// Reads the float32 parameters, content rows and given stages of the session's last run, which must
// have succeeded, and computes every later stage from its own doubles: sinusoids, rotary angles and
// slopes, too, by their formulae. Throws std::bad_alloc without memory.
ATTENTION_API ReferenceTrace run_reference(const Session& session);

}  // namespace attention
