// The double references of layers, built from one another.
#pragma once

#include <vector>

#include "attention/multi_head.h"

namespace attention {

using DoubleRows = std::vector<double>;  // [rows, width]

// [rows, in] to [rows, out]; a Linear without a matrix changes nothing.
DoubleRows reference_apply(const Linear& linear, const DoubleRows& x);

// reference_attend() of what is already in double.
ReferenceAttend reference_attend(Heads<const double> query, Heads<const double> key,
                                 Heads<const double> value, const AttendOptions& options);

// reference_run() of what is already in double: x, keys and values are [batch, rows, their width].
struct ReferenceInput {
  std::size_t batch;
  const DoubleRows &x, &keys, &values;
  std::span<const std::int64_t> positions, key_positions;
  const HeadChanges& changes;
};
ReferenceMultiHead reference_run(const MultiHead& layer, const ReferenceInput& input,
                                 const AttendOptions& options);

}  // namespace attention
