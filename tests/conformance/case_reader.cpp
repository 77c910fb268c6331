#include "case_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <system_error>

namespace conformance {

namespace {

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

constexpr std::uint64_t kMaxCaseFileBytes = std::uint64_t{1} << 20;

template <class T>
std::vector<T> copy(std::span<const std::byte> bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

template <class Items>
auto find(const Items& items, std::string_view name) -> decltype(items.data()) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

// What is wrong with the file, or nothing. `fits` judges its size before it is read.
template <class Fits>
std::string read_file(const std::filesystem::path& path, std::vector<std::byte>& bytes, Fits fits) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "is not a file that can be read";
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return "is not a file that can be read";
  if (std::string wrong = fits(size); !wrong.empty()) return wrong;
  bytes.resize(static_cast<std::size_t>(size));
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream || static_cast<std::uintmax_t>(stream.gcount()) != size)
    return "cannot be read in full";
  return {};
}

Refusal read_tensor(const std::filesystem::path& folder, const std::string& case_file,
                    Tensor& tensor) {
  std::vector<std::byte> bytes;
  const std::uint64_t wanted = stored_bytes(tensor);
  const std::string wrong = read_file(folder / tensor.file, bytes, [&](std::uintmax_t size) {
    return size == wanted ? std::string()
                          : "has " + std::to_string(size) + " bytes; its shape asks for " +
                                std::to_string(wanted);
  });
  if (!wrong.empty()) {
    return {case_file + ":" + std::to_string(tensor.line) + ": " + tensor.file + " " + wrong + "."};
  }
  decode(bytes, tensor);
  return {};
}

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

void decode(std::span<const std::byte> bytes, Tensor& tensor) {
  switch (tensor.stored) {
    case Stored::f32:
      tensor.numbers = copy<float>(bytes);
      break;
    case Stored::f64:
      tensor.numbers = copy<double>(bytes);
      break;
    case Stored::i64:
      tensor.numbers = copy<std::int64_t>(bytes);
      break;
    case Stored::u8:
      tensor.numbers = copy<std::uint8_t>(bytes);
      break;
    case Stored::q8: {
      std::vector<float> values(bytes.size());
      std::transform(bytes.begin(), bytes.end(), values.begin(), [](std::byte byte) {
        return static_cast<float>(static_cast<std::int8_t>(byte)) / 1024.0f;
      });
      tensor.numbers = std::move(values);
      break;
    }
  }
}

Refusal read_case(const std::filesystem::path& folder, Case& read) {
  const std::filesystem::path path = folder / kCaseFile;
  std::vector<std::byte> bytes;
  const std::string wrong = read_file(path, bytes, [](std::uintmax_t size) {
    return size <= kMaxCaseFileBytes
               ? std::string()
               : "has more than " + std::to_string(kMaxCaseFileBytes) + " bytes";
  });
  if (!wrong.empty()) return {path.string() + " " + wrong + "."};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (Refusal refusal = parse_case(text, path.string(), read)) return refusal;
  for (auto* tensors : {&read.inputs, &read.outputs}) {
    for (Tensor& tensor : *tensors) {
      if (Refusal refusal = read_tensor(folder, path.string(), tensor)) return refusal;
    }
  }
  return {};
}

}  // namespace conformance
