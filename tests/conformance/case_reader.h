// Reads cases of known answers: a folder with case.txt and raw tensor files. Files are doubted, not
// trusted: each size is held against the file's own before any memory is asked for.
//
//   case NAME | suite S | op Attention | categories a,b,c
//   attr NAME int|float|str VALUE
//   in   NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE
//   out  NAME DTYPE ORIG_DTYPE RANK d0 .. dN FILE
//   tol  rtol X   tol  atol Y          passes: |got - expected| <= atol + rtol · |expected|
//
// FILE is relative to the folder; little-endian, C order, no header. DTYPE is f32, f64, i64, u8 (a
// boolean, not 0 = true) or q8 (int8, value / 1024). ORIG_DTYPE says what the case's author used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace conformance {

// One sentence that names file and line; empty when all is well.
struct [[nodiscard]] Refusal {
  std::string sentence;
  explicit operator bool() const { return !sentence.empty(); }
};

enum class Stored { f32, f64, i64, u8, q8 };

struct Tensor {
  std::string name;
  Stored stored = Stored::f32;
  std::string original_type;
  std::vector<std::size_t> dims;
  std::size_t count = 1;  // product of dims
  std::string file;
  std::size_t line = 0;  // of case.txt
  // Filled by decode(): q8 becomes float.
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>,
               std::vector<std::uint8_t>>
      numbers;

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
inline constexpr std::string_view kCaseFile = "case.txt";

// The records of `text`; tensors hold no numbers yet. `file` is for the sentence.
Refusal parse_case(std::string_view text, const std::string& file, Case& parsed);

// Bytes that the tensor's file must have.
std::uint64_t stored_bytes(const Tensor& tensor);

// Fills tensor.numbers; bytes.size() must be stored_bytes(tensor).
void decode(std::span<const std::byte> bytes, Tensor& tensor);

// folder/case.txt with all its tensors.
Refusal read_case(const std::filesystem::path& folder, Case& read);

}  // namespace conformance
