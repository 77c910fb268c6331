#include "attention/error.h"

namespace attention {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::none: return "none";
    case ErrorCode::no_tokens: return "no_tokens";
    case ErrorCode::too_many_tokens: return "too_many_tokens";
    case ErrorCode::trace_too_large: return "trace_too_large";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::invalid_setting: return "invalid_setting";
    case ErrorCode::index_out_of_range: return "index_out_of_range";
    case ErrorCode::invalid_shape: return "invalid_shape";
    case ErrorCode::invalid_option: return "invalid_option";
    case ErrorCode::invalid_request: return "invalid_request";
  }
  return "none";
}

}  // namespace attention
