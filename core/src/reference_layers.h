// The double references of layers, built from one another.
#pragma once

#include <vector>

#include "attention/attend.h"
#include "attention/linear.h"

namespace attention {

using Doubles = std::vector<double>;

// [rows, in] to [rows, out]; a Linear without a matrix changes nothing.
Doubles reference_apply(const Linear& linear, const Doubles& x);

// reference_attend() of what is already in double.
ReferenceAttend reference_attend(Heads<const double> query, Heads<const double> key,
                                 Heads<const double> value, const AttendOptions& options);

}  // namespace attention
