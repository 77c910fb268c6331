// Numbers and lists as text in sentences.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attention {

// Rounded to a thousandth, without trailing zeros: "-10000", "0.95".
std::string decimal(double number);

// A whole number with a comma between thousands.
std::string grouped(double whole);

// All that divide a whole number from 1 on: "1, 2, 4".
std::string divisors(double whole);

std::string listed(std::span<const std::string_view> ids);

}  // namespace attention
