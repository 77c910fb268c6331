// Sentences out of parts, in one place: made inline, they would be a tenth of the module.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace attention {

#ifdef ATTENTION_BRIEF  // an engine that leaves its sentences to the whole one: errors are codes alone
inline std::string join(std::initializer_list<std::string_view>) { return {}; }
inline std::string text(std::int64_t) { return {}; }
inline std::string decimal(float) { return {}; }
#else
std::string join(std::initializer_list<std::string_view> parts);

// In digits.
std::string text(std::int64_t whole);
// 0 or more, to a thousandth.
std::string decimal(float number);
#endif

}  // namespace attention
