// What both forms of cases share, and cases in folders.
#include "case_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

namespace conformance {

namespace {

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

constexpr std::uint64_t kMaxCaseFileBytes = std::uint64_t{1} << 20;

template <class T>
Numbers copy(std::span<const std::byte> bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

Numbers dequantise(std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size());
  std::transform(bytes.begin(), bytes.end(), numbers.begin(), [](std::byte byte) {
    return static_cast<float>(static_cast<std::int8_t>(byte)) / 1024.0f;
  });
  return numbers;
}

const NumberType* find_type(std::string_view name) {
  const auto found = std::find_if(
      kNumberTypes.begin(), kNumberTypes.end(),
      [&](const NumberType& type) { return type.name == name || type.long_name == name; });
  return found == kNumberTypes.end() ? nullptr : &*found;
}

template <class Items>
auto find(const Items& items, std::string_view name) -> decltype(items.data()) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

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

// Cuts off what stands before the next `mark`, and the mark.
std::string_view until(char mark, std::string_view& rest) {
  const std::string_view first = rest.substr(0, rest.find(mark));
  rest.remove_prefix(std::min(rest.size(), first.size() + 1));
  return first;
}

// Reads case.txt record by record; each function is given what follows its record's first word.
class CaseText {
 public:
  CaseText(const Load& load, Case& parsed) : load_(load), parsed_(parsed) {}

  void read_record(std::string_view record, std::string_view rest) {
    if (record == "case") {
      read_head(rest);
    } else if (record == "attr") {
      read_attribute(rest);
    } else if (record == "in") {
      read_tensor(rest, parsed_.inputs);
    } else if (record == "out") {
      read_tensor(rest, parsed_.outputs);
    } else if (record == "tol") {
      read_tolerances(rest);
    } else {
      throw Refusal("a record is case, attr, in, out or tol, not " + in_quotes(record));
    }
  }

  void finish() {
    if (parsed_.name.empty()) throw Refusal("there is no case record");
    if (parsed_.outputs.empty()) throw Refusal("there is no output to hold results against");
    if (!rtol_ && !atol_) throw Refusal("there is no tolerance");
    parsed_.rtol = rtol_.value_or(0);
    parsed_.atol = atol_.value_or(0);
  }

 private:
  void read_head(std::string_view rest) {
    if (!parsed_.name.empty()) throw Refusal("there is a second case record; a file holds one");
    parsed_.name = trim(until('|', rest));
    if (parsed_.name.empty()) throw Refusal("the case has no name");
    while (!trim(rest).empty()) {
      std::string_view field = until('|', rest);
      const std::string_view key = word(field);
      std::string* place = key == "suite"        ? &parsed_.suite
                           : key == "op"         ? &parsed_.op
                           : key == "categories" ? &parsed_.categories
                                                 : nullptr;
      if (place == nullptr)
        throw Refusal("a case has suite, op and categories, not " + in_quotes(key));
      if (!place->empty()) throw Refusal(in_quotes(key) + " is given twice");
      *place = field;
    }
    if (parsed_.op.empty()) throw Refusal("the case names no op");
  }

  void read_attribute(std::string_view rest) {
    const std::string_view name = word(rest), kind = word(rest);
    if (name.empty() || rest.empty()) throw Refusal("an attribute is NAME int|float|str VALUE");
    if (parsed_.attribute(name)) throw Refusal("attribute " + in_quotes(name) + " is given twice");
    Attribute attribute{std::string(name), {}};
    if (kind == "int") {
      attribute.value = integer(rest);
    } else if (kind == "float") {
      attribute.value = number(rest);
    } else if (kind == "str") {
      attribute.value = std::string(rest);
    } else {
      throw Refusal("an attribute's type is int, float or str, not " + in_quotes(kind));
    }
    parsed_.attributes.push_back(std::move(attribute));
  }

  void read_tensor(std::string_view rest, std::vector<Tensor>& tensors) {
    Tensor tensor;
    tensor.name = word(rest);
    if (find(tensors, tensor.name))
      throw Refusal("tensor " + in_quotes(tensor.name) + " is given twice");
    const std::string_view type_name = word(rest);
    const NumberType* type = find_type(type_name);
    if (type == nullptr)
      throw Refusal("a tensor's type is f32, f64, i64, u8 or q8, not " + in_quotes(type_name));
    word(rest);  // the author's type
    const std::int64_t rank = integer(word(rest));
    if (rank < 0 || static_cast<std::uint64_t>(rank) > kMaxRank)
      throw Refusal("a rank is an integer from 0 to " + std::to_string(kMaxRank));
    std::vector<std::int64_t> extents(static_cast<std::size_t>(rank));
    for (std::int64_t& extent : extents) extent = integer(word(rest));
    if (rest.empty()) throw Refusal("a tensor is NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE");
    set_extents(*type, extents, tensor);

    const std::string_view ending = rest.substr(rest.rfind('.') + 1);
    if (const NumberType* stored = find_type(ending); stored != nullptr && stored != type) {
      // Numbers of type f32 may lie quantised in a .q8 file.
      if (stored->name != "q8" || type->name != "f32") {
        throw Refusal("tensor " + in_quotes(tensor.name) + " is " + std::string(type->name) +
                      " and its file ." + std::string(ending));
      }
      type = stored;
    }
    tensor.numbers =
        type->decode(load_(std::string(rest), std::uint64_t{type->bytes} * tensor.count));
    tensors.push_back(std::move(tensor));
  }

  // One or both tolerances; the second may repeat the record's name.
  void read_tolerances(std::string_view rest) {
    if (rest.empty()) throw Refusal("a tolerance is rtol X or atol Y");
    while (!rest.empty()) {
      std::string_view key = word(rest);
      if (key == "tol") key = word(rest);
      if (key != "rtol" && key != "atol")
        throw Refusal("a tolerance is rtol or atol, not " + in_quotes(key));
      std::optional<double>& place = key == "rtol" ? rtol_ : atol_;
      if (place) throw Refusal(in_quotes(key) + " is given twice");
      place = number(word(rest));
      if (*place < 0) throw Refusal("a tolerance is a number of 0 or more");
    }
  }

  const Load& load_;
  Case& parsed_;
  std::optional<double> rtol_, atol_;
};

}  // namespace

double Tensor::at(std::size_t i) const {
  return std::visit([&](const auto& values) { return static_cast<double>(values[i]); }, numbers);
}

std::vector<float> Tensor::floats() const {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(at(i));
  return values;
}

const Tensor* Case::input(std::string_view name) const {
  return find(inputs, name);
}
const Tensor* Case::output(std::string_view name) const {
  return find(outputs, name);
}
const Attribute* Case::attribute(std::string_view name) const {
  return find(attributes, name);
}

const std::array<NumberType, 5> kNumberTypes{{{"f32", "float32", "F32", 4, 4, copy<float>},
                                              {"f64", "float64", "F64", 8, 8, copy<double>},
                                              {"i64", "int64", "I64", 8, 8, copy<std::int64_t>},
                                              {"u8", "bool", "BOOL", 1, 1, copy<std::uint8_t>},
                                              {"q8", "int8", "I8", 1, 4, dequantise}}};

std::string in_quotes(std::string_view text) {
  return std::string("'").append(text.substr(0, 80)).append("'");
}

std::int64_t integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Refusal(in_quotes(text) + " is not an integer of 64 bits");
  return value;
}

// By strtod, as libc++ has no from_chars for floats yet.
double number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || !std::isfinite(value))
    throw Refusal(in_quotes(text) + " is not a finite number");
  return value;
}

void set_extents(const NumberType& type, std::span<const std::int64_t> extents, Tensor& tensor) {
  if (extents.size() > kMaxRank)
    throw Refusal("a tensor has at most " + std::to_string(kMaxRank) + " axes");
  const std::uint64_t most = kMaxTensorBytes / type.bytes_in_memory;
  std::uint64_t count = 1, without_zeros = 1;  // an extent of 0 must not hide an absurd one
  for (const std::int64_t extent : extents) {
    if (extent < 0) throw Refusal("an extent is an integer of 0 or more");
    const auto size = static_cast<std::uint64_t>(extent);
    if (size > most / without_zeros) {
      throw Refusal("tensor " + in_quotes(tensor.name) + " is larger than " +
                    std::to_string(kMaxTensorBytes) + " bytes");
    }
    without_zeros *= std::max<std::uint64_t>(size, 1);
    count *= size;
    tensor.dims.push_back(static_cast<std::size_t>(size));
  }
  tensor.count = static_cast<std::size_t>(count);
}

Bytes read_file(const std::filesystem::path& path,
                const std::function<void(std::uintmax_t size)>& check) {
  std::error_code error;
  const std::uintmax_t size =
      std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
  if (error || !std::filesystem::is_regular_file(path, error))
    throw Refusal("is not a file that can be read");
  check(size);
  Bytes bytes(static_cast<std::size_t>(size));
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream || static_cast<std::uintmax_t>(stream.gcount()) != size)
    throw Refusal("cannot be read in full");
  return bytes;
}

void parse_case(std::string_view text, const std::string& file, const Load& load, Case& parsed) {
  parsed = {};
  CaseText reader(load, parsed);
  std::size_t line = 0;
  try {
    while (!text.empty()) {
      ++line;
      std::string_view rest = until('\n', text);
      const std::string_view record = word(rest);
      if (!record.empty()) reader.read_record(record, rest);
    }
    line = 1;
    reader.finish();
  } catch (const Refusal& refusal) {
    throw Refusal(file + ":" + std::to_string(line) + ": " + refusal.what() + ".");
  }
}

void read_case(const std::filesystem::path& folder, Case& read) {
  const std::filesystem::path path = folder / kCaseFile;
  Bytes bytes;
  try {
    bytes = read_file(path, [](std::uintmax_t size) {
      if (size > kMaxCaseFileBytes)
        throw Refusal("has more than " + std::to_string(kMaxCaseFileBytes) + " bytes");
    });
  } catch (const Refusal& refusal) {
    throw Refusal(path.string() + " " + refusal.what() + ".");
  }
  const auto load = [&](const std::string& file, std::uint64_t wanted) {
    try {
      return read_file(folder / file, [&](std::uintmax_t size) {
        if (size != wanted) {
          throw Refusal("has " + std::to_string(size) + " bytes; its shape asks for " +
                        std::to_string(wanted));
        }
      });
    } catch (const Refusal& refusal) {
      throw Refusal(file + " " + refusal.what());
    }
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  parse_case(text, path.string(), load, read);
}

}  // namespace conformance
