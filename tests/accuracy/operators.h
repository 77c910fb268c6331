// Each public operator's largest error against the double reference, over random shapes.
#pragma once

#include <string_view>
#include <vector>

namespace accuracy {

struct Operator {
  std::string_view name;
  // What `measure` may not exceed in any build: |got - exact| over the largest |exact| of the same
  // result, in units of 2^-24, half a float32's last place at 1.
  double bound;
  double (*measure)();
};

const std::vector<Operator>& operators();

}  // namespace accuracy
