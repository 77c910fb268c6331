// The memory of a session between runs.
#pragma once

#include <algorithm>

#include "attention/layer/session.h"
#include "attention/multi_head.h"
#include "embeddings.h"
#include "mask_rule.h"

namespace attention {

// Checks that given numbers have the right shapes, and that nothing in the request is infinite, NaN or unknown.
Error check_request(const Request& request, const Settings& settings, const Shape& shape);

// Whether a number of `array`, or of a row of content, is one set by hand.
bool is_edited(const Request& request, const Settings& settings, const ParameterArray& array,
               std::size_t row, std::size_t column);
bool is_edited(const Request& request, std::string_view token, std::size_t column);

// The norm of each head's rows that was given as `id`, or none.
inline HeadNorm head_norm(const Request& request, std::string_view id, std::size_t d_k) {
  const float* const given = request.find_given(id);
  if (given == nullptr) return {};
  return {{given, d_k}, std::max(given[d_k], 0.0f)};
}

// Random parameters, then those given instead, then numbers set by hand.
class ParametersInUse {
 public:
  // `request` must have passed check_request().
  Error set(const Request& request, const Settings& settings, const Shape& shape);
  const Parameters& view() const { return view_; }

 private:
  RandomParameters random_;
  PositionTables tables_;
  std::array<Buffer, 14> own_;  // by place in parameter_arrays(); used where something is given or edited
  Parameters view_;
};

struct Session::Memory {
  ParametersInUse parameters;
  WordRows words;
  MaskRule mask;
  MultiHeadScratch scratch;
};

}  // namespace attention
