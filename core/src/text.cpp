#include "text.h"

#include <cmath>
#include <cstdint>

namespace attention {

namespace {

std::string& comma(std::string& list) { return list.empty() ? list : list.append(", "); }

// Of a whole number, 0 or more.
std::string digits(double whole, bool is_grouped = false) {
  std::string backwards;
  do {
    if (is_grouped && backwards.size() % 4 == 3) backwards.push_back(',');
    const double tens = std::floor(whole / 10);
    backwards.push_back(static_cast<char>('0' + static_cast<int>(whole - 10 * tens)));
    whole = tens;
  } while (whole > 0);
  return {backwards.rbegin(), backwards.rend()};
}

}  // namespace

std::string decimal(double number) {
  double whole = std::floor(std::fabs(number));
  double thousandths = std::floor((std::fabs(number) - whole) * 1000 + 0.5);
  if (thousandths == 1000) whole += 1, thousandths = 0;
  std::string text(number < 0 ? "-" : "");
  text.append(digits(whole));
  if (thousandths == 0) return text;
  std::string fraction = digits(1000 + thousandths);
  fraction[0] = '.';
  while (fraction.back() == '0') fraction.pop_back();
  return text.append(fraction);
}

std::string grouped(double whole) { return digits(whole, true); }

std::string divisors(double whole) {
  std::string list;
  const auto number = static_cast<std::int64_t>(whole);
  for (std::int64_t divisor = 1; divisor <= number; ++divisor) {
    if (number % divisor == 0) comma(list).append(digits(static_cast<double>(divisor)));
  }
  return list;
}

std::string listed(std::span<const std::string_view> ids) {
  std::string list;
  for (const std::string_view id : ids) comma(list).append(id);
  return list;
}

}  // namespace attention
