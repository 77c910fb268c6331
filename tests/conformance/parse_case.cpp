// case.txt, record by record.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "case_reader.h"

namespace conformance {

namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Cuts the first word off `rest`.
std::string_view word(std::string_view& rest) {
  rest = trim(rest);
  const std::string_view first = rest.substr(0, rest.find_first_of(kBlank));
  rest = trim(rest.substr(first.size()));
  return first;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// Finite, in full; by strtod, as libc++ has no from_chars for floats yet.
std::optional<double> number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || !std::isfinite(value)) return {};
  return value;
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text.substr(0, 80)) + "'";
}

struct TypeName {
  std::string_view name, long_name;
  Stored stored;
  std::uint64_t bytes, bytes_in_memory;
};
constexpr std::array<TypeName, 5> kTypes{{{"f32", "float32", Stored::f32, 4, 4},
                                          {"f64", "float64", Stored::f64, 8, 8},
                                          {"i64", "int64", Stored::i64, 8, 8},
                                          {"u8", "bool", Stored::u8, 1, 1},
                                          {"q8", "int8", Stored::q8, 1, 4}}};

const TypeName* find_type(std::string_view name) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) {
    return t.name == name || t.long_name == name;
  });
  return found == kTypes.end() ? nullptr : &*found;
}

const TypeName& type_of(Stored stored) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [&](const TypeName& t) { return t.stored == stored; });
}

template <class Items>
bool has_name(const Items& items, std::string_view name) {
  return std::any_of(items.begin(), items.end(), [&](const auto& i) { return i.name == name; });
}

// Each returns what is wrong with the rest of its record, or nothing.
std::string parse_head(std::string_view rest, Case& parsed) {
  if (!parsed.name.empty()) return "there is a second case record; a file holds one";
  std::string_view name = rest.substr(0, rest.find('|'));
  rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  parsed.name = trim(name);
  if (parsed.name.empty()) return "the case has no name";
  while (!trim(rest).empty()) {
    std::string_view field = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
    const std::string_view key = word(field);
    std::string* place = key == "suite"        ? &parsed.suite
                         : key == "op"         ? &parsed.op
                         : key == "categories" ? &parsed.categories
                                               : nullptr;
    if (place == nullptr) return "a case has suite, op and categories, not " + in_quotes(key);
    if (!place->empty()) return in_quotes(key) + " is given twice";
    *place = field;
  }
  if (parsed.op.empty()) return "the case names no op";
  return {};
}

std::string parse_attribute(std::string_view rest, Case& parsed) {
  const std::string_view name = word(rest), kind = word(rest);
  if (name.empty() || rest.empty()) return "an attribute is NAME int|float|str VALUE";
  if (has_name(parsed.attributes, name)) return "attribute " + in_quotes(name) + " is given twice";
  Attribute attribute{std::string(name), {}};
  if (kind == "int") {
    const auto value = integer(rest);
    if (!value) return in_quotes(rest) + " is not an integer of 64 bits";
    attribute.value = *value;
  } else if (kind == "float") {
    const auto value = number(rest);
    if (!value) return in_quotes(rest) + " is not a finite number";
    attribute.value = *value;
  } else if (kind == "str") {
    attribute.value = std::string(rest);
  } else {
    return "an attribute's type is int, float or str, not " + in_quotes(kind);
  }
  parsed.attributes.push_back(std::move(attribute));
  return {};
}

std::string parse_tensor(std::string_view rest, std::size_t line, std::vector<Tensor>& tensors) {
  Tensor tensor;
  tensor.line = line;
  tensor.name = word(rest);
  if (has_name(tensors, tensor.name)) return "tensor " + in_quotes(tensor.name) + " is given twice";
  const std::string_view type = word(rest);
  const TypeName* found = find_type(type);
  if (found == nullptr) return "a tensor's type is f32, f64, i64, u8 or q8, not " + in_quotes(type);
  tensor.stored = found->stored;
  tensor.original_type = word(rest);

  const std::string_view rank_text = word(rest);
  const auto rank = integer(rank_text);
  if (!rank || *rank < 0 || static_cast<std::uint64_t>(*rank) > kMaxRank) {
    return "a rank is an integer from 0 to " + std::to_string(kMaxRank) + ", not " +
           in_quotes(rank_text);
  }
  const std::uint64_t most = kMaxTensorBytes / found->bytes_in_memory;
  std::uint64_t count = 1, without_zeros = 1;  // an extent of 0 must not hide an absurd one
  for (std::int64_t axis = 0; axis < *rank; ++axis) {
    const std::string_view text = word(rest);
    const auto extent = integer(text);
    if (!extent || *extent < 0)
      return "an extent is an integer of 0 or more, not " + in_quotes(text);
    const auto size = static_cast<std::uint64_t>(*extent);
    if (size > most / without_zeros) {
      return "tensor " + in_quotes(tensor.name) + " is larger than " +
             std::to_string(kMaxTensorBytes) + " bytes";
    }
    without_zeros *= std::max<std::uint64_t>(size, 1);
    count *= size;
    tensor.dims.push_back(static_cast<std::size_t>(size));
  }
  tensor.count = static_cast<std::size_t>(count);
  tensor.file = rest;
  if (tensor.file.empty()) return "a tensor is NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE";
  const std::string_view ending = rest.substr(rest.rfind('.') + 1);
  if (const TypeName* stored = find_type(ending); stored != nullptr && stored != found) {
    // Numbers of type f32 may lie quantised in a .q8 file.
    if (stored->stored != Stored::q8 || tensor.stored != Stored::f32) {
      return "tensor " + in_quotes(tensor.name) + " is " + std::string(found->name) +
             " and its file ." + std::string(ending);
    }
    tensor.stored = Stored::q8;
  }
  tensors.push_back(std::move(tensor));
  return {};
}

struct Tolerances {
  std::optional<double> rtol, atol;
};

// One or both tolerances; the second may repeat the record's name.
std::string parse_tolerance(std::string_view rest, Tolerances& tolerances) {
  while (!rest.empty()) {
    std::string_view key = word(rest);
    if (key == "tol") key = word(rest);
    if (key != "rtol" && key != "atol") return "a tolerance is rtol or atol, not " + in_quotes(key);
    std::optional<double>& place = key == "rtol" ? tolerances.rtol : tolerances.atol;
    if (place) return in_quotes(key) + " is given twice";
    const std::string_view text = word(rest);
    place = number(text);
    if (!place || *place < 0) return in_quotes(text) + " is not a number of 0 or more";
  }
  return {};
}

}  // namespace

std::uint64_t stored_bytes(const Tensor& tensor) {
  return type_of(tensor.stored).bytes * tensor.count;
}

Refusal parse_case(std::string_view text, const std::string& file, Case& parsed) {
  parsed = {};
  Tolerances tolerances;
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), rest.size() + 1));
    const std::string_view record = word(rest);
    std::string wrong;
    if (record.empty()) {
      continue;
    } else if (record == "case") {
      wrong = parse_head(rest, parsed);
    } else if (record == "attr") {
      wrong = parse_attribute(rest, parsed);
    } else if (record == "in") {
      wrong = parse_tensor(rest, line, parsed.inputs);
    } else if (record == "out") {
      wrong = parse_tensor(rest, line, parsed.outputs);
    } else if (record == "tol") {
      wrong = rest.empty() ? "a tolerance is rtol X or atol Y" : parse_tolerance(rest, tolerances);
    } else {
      wrong = "a record is case, attr, in, out or tol, not " + in_quotes(record);
    }
    if (!wrong.empty()) return {file + ":" + std::to_string(line) + ": " + wrong + "."};
  }
  if (parsed.name.empty()) return {file + ":1: there is no case record."};
  if (parsed.outputs.empty()) return {file + ":1: there is no output to hold results against."};
  if (!tolerances.rtol && !tolerances.atol) return {file + ":1: there is no tolerance."};
  parsed.rtol = tolerances.rtol.value_or(0);
  parsed.atol = tolerances.atol.value_or(0);
  return {};
}

}  // namespace conformance
