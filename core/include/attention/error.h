// Errors are values: a code for programs, a sentence for people. Nothing in the core throws.
#pragma once

#include <string>
#include <string_view>

namespace attention {

enum class ErrorCode {
  none,
  no_tokens,           // the token list is empty
  too_many_tokens,     // more tokens than kLimits.max_tokens
  trace_too_large,     // the stages of this run would need more than kLimits.max_trace_bytes
  out_of_memory,       // the machine could not give what an allowed run needs
  invalid_setting,     // a setting breaks its rule
  index_out_of_range,  // a head, query or key outside the last run
  invalid_shape,       // tensors that do not fit each other, or sizes that overflow
  invalid_option,      // an option of attend() breaks its rule
  invalid_request,     // what was given or set by hand does not fit the run
};

// The code's name as the page and tests see it, e.g. "too_many_tokens".
std::string_view name(ErrorCode code);

// `message` says what was wrong, what the rule is and what to do, in one or two sentences.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::none;
  std::string message;

  explicit operator bool() const { return code != ErrorCode::none; }
};

}  // namespace attention
