#include "operators.h"

#include <algorithm>

namespace conformance {

namespace {

Refusal attribute_is_not(std::string_view name, std::string_view type) {
  return {"Attribute '" + std::string(name) + "' must be " + std::string(type) + "."};
}

bool is_in(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Refusal check_names(const Case& wanted, std::initializer_list<std::string_view> inputs,
                    std::initializer_list<std::string_view> attributes) {
  for (const Tensor& input : wanted.inputs) {
    if (!is_in(inputs, input.name)) {
      return {"Input '" + input.name + "' is not one of " + wanted.op + "'s."};
    }
  }
  for (const Attribute& attribute : wanted.attributes) {
    if (!is_in(attributes, attribute.name)) {
      return {"Attribute '" + attribute.name + "' is not one of " + wanted.op + "'s."};
    }
  }
  return {};
}

Refusal get(const Case& wanted, std::string_view name, std::int64_t& value) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return {};
  const auto* given = std::get_if<std::int64_t>(&attribute->value);
  if (given == nullptr) return attribute_is_not(name, "an int");
  value = *given;
  return {};
}

Refusal get(const Case& wanted, std::string_view name, double& value) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return {};
  if (const auto* given = std::get_if<double>(&attribute->value)) {
    value = *given;
  } else if (const auto* integer = std::get_if<std::int64_t>(&attribute->value)) {
    value = static_cast<double>(*integer);
  } else {
    return attribute_is_not(name, "a float");
  }
  return {};
}

Refusal get(const Case& wanted, std::string_view name, std::string& value) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return {};
  const auto* given = std::get_if<std::string>(&attribute->value);
  if (given == nullptr) return attribute_is_not(name, "a str");
  value = *given;
  return {};
}

Refusal count_elements(std::initializer_list<std::size_t> factors, std::size_t& count) {
  std::uint64_t product = 1;
  for (const std::size_t factor : factors) {
    if (factor != 0 && product > kMaxResultElements / factor) {
      return {"A result would have more than " + std::to_string(kMaxResultElements) + " numbers."};
    }
    product *= factor;
  }
  count = static_cast<std::size_t>(product);
  return {};
}

}  // namespace conformance
