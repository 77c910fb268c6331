// Reads cases of known answers. Files are doubted, not trusted: each size is held against the
// file's own before any memory is asked for.
//
// Packed, as ours are: a safetensors file of many cases. Tensors are called CASE/in/NAME and
// CASE/out/NAME, and `__metadata__` says in JSON what else each case is:
//
//   "CASE": "{\"op\": \"Attention\", \"categories\": \"mask,past\",
//             \"attributes\": {\"is_causal\": 1}, \"rtol\": 2e-5, \"atol\": 2e-6}"
//
// Or each in a folder of its own, as suites from elsewhere are: case.txt, and a raw file a tensor.
//
//   case NAME | suite S | op Attention | categories a,b,c
//   attr NAME int|float|str VALUE
//   in   NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE
//   out  NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE
//   tol  rtol X   tol  atol Y
//
// FILE is relative to the folder; little-endian, C order, no header. ORIG_DTYPE says what the
// case's author used. A result passes when |got - expected| <= atol + rtol · |expected|.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace conformance {

// Thrown: one sentence, which names the place in the file where it is known.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Bytes = std::vector<std::byte>;
using Numbers = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>,
                             std::vector<std::uint8_t>>;

struct Tensor {
  std::string name;
  std::vector<std::size_t> dims;
  std::size_t count = 1;  // product of dims
  Numbers numbers;

  double at(std::size_t i) const;
  std::vector<float> floats() const;  // every type, rounded to float32
};

struct Attribute {
  std::string name;
  std::variant<std::int64_t, double, std::string> value;
};

struct Case {
  std::string name, suite, op, categories;
  std::vector<Attribute> attributes;
  std::vector<Tensor> inputs, outputs;
  double rtol = 0, atol = 0;

  const Tensor* input(std::string_view name) const;  // null when there is none
  const Tensor* output(std::string_view name) const;
  const Attribute* attribute(std::string_view name) const;
};

inline constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{1} << 31;  // of one tensor in memory
inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::string_view kCaseFile = "case.txt", kPackSuffix = ".safetensors";

// The records of a case.txt, which sentences call `file`. `load` gives the bytes of the file that a
// tensor names, exactly as many as it is told. What was read before a refusal stays in `parsed`.
using Load = std::function<Bytes(const std::string& file, std::uint64_t size)>;
void parse_case(std::string_view text, const std::string& file, const Load& load, Case& parsed);
// folder/case.txt with all its tensors.
void read_case(const std::filesystem::path& folder, Case& read);

// All cases of a safetensors file, which sentences call `file`.
std::vector<Case> parse_pack(std::span<const std::byte> bytes, const std::string& file);
std::vector<Case> read_pack(const std::filesystem::path& path);

// What both forms share.

// How numbers lie in a file. q8 is an int8 that stands for value / 1024; u8 a boolean, not 0 =
// true.
struct NumberType {
  std::string_view name, long_name;  // in case.txt
  std::string_view packed_name;      // in safetensors
  std::size_t bytes, bytes_in_memory;
  Numbers (*decode)(std::span<const std::byte> bytes);
};
extern const std::array<NumberType, 5> kNumberTypes;

std::string in_quotes(std::string_view text);
std::int64_t integer(std::string_view text);  // in full, of 64 bits
double number(std::string_view text);         // in full, and finite
// Sets dims and count; refused beyond kMaxRank and kMaxTensorBytes.
void set_extents(const NumberType& type, std::span<const std::int64_t> extents, Tensor& tensor);
// The whole file; `check` may refuse its size before memory is asked for.
Bytes read_file(const std::filesystem::path& path,
                const std::function<void(std::uintmax_t size)>& check);

}  // namespace conformance
