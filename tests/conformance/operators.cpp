#include "operators.h"

#include <algorithm>
#include <cmath>

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
  if (const auto* given = std::get_if<std::int64_t>(&attribute->value)) {
    value = *given;
    return {};
  }
  // A whole number may have been written as a float.
  const auto* given = std::get_if<double>(&attribute->value);
  if (given == nullptr || std::fabs(*given) > 0x1p53 || std::trunc(*given) != *given) {
    return attribute_is_not(name, "an int");
  }
  value = static_cast<std::int64_t>(*given);
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

bool wants(const Case& wanted, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return wanted.output(name) != nullptr; });
}

Refusal read_matrix(const Case& wanted, const std::string& name, Matrix& matrix) {
  const Tensor* tensor = wanted.input(name);
  if (tensor == nullptr) return {"Input '" + name + "' is missing."};
  if (tensor->dims.size() != 2 || tensor->count == 0) {
    return {"'" + name + "' must have two axes, and not be empty."};
  }
  matrix = {tensor->floats(), tensor->dims[0], tensor->dims[1]};
  return {};
}

attention::Linear Projection::linear() const {
  return {weight.numbers.data(), bias.empty() ? nullptr : bias.data(), weight.width, weight.rows,
          attention::Layout::out_in};
}

Refusal read_projection(const Case& wanted, const std::string& letter, std::size_t in,
                        Projection& projection) {
  if (Refusal refusal = read_matrix(wanted, "W" + letter, projection.weight)) return refusal;
  if (projection.weight.width != in) {
    return {"W" + letter + " must be (out, " + std::to_string(in) + ")."};
  }
  const Tensor* bias = wanted.input("b" + letter);
  if (bias == nullptr) return {};
  if (bias->count != projection.weight.rows) {
    return {"b" + letter + " must have one number a row of W" + letter + "."};
  }
  projection.bias = bias->floats();
  return {};
}

}  // namespace conformance
