#include "operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace conformance {

void require(bool condition, const std::string& rule) {
  if (!condition) throw Refusal(rule);
}

void require(const attention::Error& error) {
  if (error) throw Refusal(message(error));
}

void check_names(const Case& wanted, std::initializer_list<std::string_view> inputs,
                 const std::vector<std::string_view>& attributes) {
  const auto check = [&](const auto& items, const auto& names, const char* kind) {
    for (const auto& item : items) {
      require(std::find(names.begin(), names.end(), item.name) != names.end(),
              kind + (" '" + item.name) + "' is not one of " + wanted.op + "'s.");
    }
  };
  check(wanted.inputs, inputs, "Input");
  check(wanted.attributes, attributes, "Attribute");
}

double get_float(const Case& wanted, std::string_view name, double otherwise) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return otherwise;
  if (const auto* whole = std::get_if<std::int64_t>(&attribute->value))
    return static_cast<double>(*whole);
  const auto* given = std::get_if<double>(&attribute->value);
  require(given != nullptr, "Attribute '" + std::string(name) + "' must be a float.");
  return *given;
}

std::int64_t get_int(const Case& wanted, std::string_view name, std::int64_t otherwise) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return otherwise;
  if (const auto* given = std::get_if<std::int64_t>(&attribute->value)) return *given;
  const auto* given = std::get_if<double>(&attribute->value);
  require(given != nullptr && std::fabs(*given) <= 0x1p53 && std::trunc(*given) == *given,
          "Attribute '" + std::string(name) + "' must be an int.");
  return static_cast<std::int64_t>(*given);
}

std::string get_str(const Case& wanted, std::string_view name, const char* otherwise) {
  const Attribute* attribute = wanted.attribute(name);
  if (attribute == nullptr) return otherwise;
  const auto* given = std::get_if<std::string>(&attribute->value);
  require(given != nullptr, "Attribute '" + std::string(name) + "' must be a str.");
  return *given;
}

const Tensor& input(const Case& wanted, const std::string& name) {
  const Tensor* tensor = wanted.input(name);
  require(tensor != nullptr, "Input '" + name + "' is missing.");
  return *tensor;
}

const std::vector<std::int64_t>& integers(const Tensor& tensor) {
  const auto* given = std::get_if<std::vector<std::int64_t>>(&tensor.numbers);
  require(given != nullptr, tensor.name + " must be i64.");
  return *given;
}

std::uint64_t product(std::initializer_list<std::size_t> factors) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t product = 1;
  for (const std::size_t factor : factors)
    product = factor != 0 && product > most / factor ? most : product * factor;
  return product;
}

std::size_t count_elements(std::initializer_list<std::size_t> factors) {
  const std::uint64_t count = product(factors);
  require(count <= kMaxResultElements,
          "A result would have more than " + std::to_string(kMaxResultElements) + " numbers.");
  return static_cast<std::size_t>(count);
}

bool wants(const Case& wanted, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return wanted.output(name) != nullptr; });
}

Table read_table(const Case& wanted, const std::string& name) {
  const Tensor& tensor = input(wanted, name);
  require(tensor.dims.size() == 2 && tensor.count > 0,
          "'" + name + "' must have two axes, and not be empty.");
  return {tensor.floats(), tensor.dims[0], tensor.dims[1]};
}

attention::Linear Projection::linear() const {
  return {weight.numbers.data(), bias.empty() ? nullptr : bias.data(), weight.width, weight.rows,
          attention::Layout::out_in};
}

Projection read_projection(const Case& wanted, const std::string& letter, std::size_t in) {
  Projection projection{read_table(wanted, "W" + letter), {}};
  require(projection.weight.width == in,
          "W" + letter + " must be (out, " + std::to_string(in) + ").");
  if (const Tensor* bias = wanted.input("b" + letter)) {
    require(bias->count == projection.weight.rows,
            "b" + letter + " must have one number a row of W" + letter + ".");
    projection.bias = bias->floats();
  }
  return projection;
}

}  // namespace conformance
