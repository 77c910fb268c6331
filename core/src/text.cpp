#include "text.h"

#include <array>

#ifndef ATTENTION_BRIEF

namespace attention {

std::string join(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all.append(part);
  return all;
}

std::string text(std::int64_t whole) {
  if (whole < 0) return join({"-", text(-whole)});
  std::array<char, 20> digits;
  std::size_t first = digits.size();
  for (std::int64_t rest = whole; first == digits.size() || rest > 0; rest /= 10) {
    digits[--first] = static_cast<char>('0' + rest % 10);
  }
  return {digits.begin() + first, digits.end()};
}

std::string decimal(float number) {
  const auto thousandths = static_cast<std::int64_t>(number * 1000 + 0.5f);
  std::string fraction = text(1000 + thousandths % 1000);
  fraction[0] = '.';
  while (fraction.back() == '0') fraction.pop_back();
  return join({text(thousandths / 1000), fraction == "." ? "" : fraction});
}

}  // namespace attention

#endif
