// The same layer in plain loops and double precision: what the fast kernels are held against.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "attention/parameters.h"
#include "attention/settings.h"
#include "attention/trace.h"

namespace attention {

// Field for field the doubles behind Trace.
struct ReferenceTrace {
  std::vector<double> content, position, embeddings, query, key, value, scores, scaled_scores,
      masked_scores, weights, context, concat, output, residual;

  const std::vector<double>* stage(std::string_view id) const;  // null when there is no such stage
};

// Reads the same float32 parameters and content vectors as the engine, and computes every later
// stage from its own doubles. `settings` and `shape` must be those of a run that succeeded.
ReferenceTrace run_reference(const Settings& settings, const Shape& shape,
                             const Parameters& parameters, std::span<const float> content);

}  // namespace attention
