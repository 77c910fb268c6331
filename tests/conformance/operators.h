// Each operator of a case, computed by the library. Whatever a case asks for that the operator does
// not know is refused: ignoring it would be a wrong answer.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "attention/error.h"
#include "attention/ops.h"
#include "case_reader.h"

namespace conformance {

// A result under the name of the output that it is held against. There may be several of one name,
// each computed in another way.
struct Computed {
  std::string name;
  std::string way;  // e.g. "fused"; "reference" is computed in double
  std::vector<std::size_t> dims;
  std::vector<double> values;
};
using Results = std::vector<Computed>;
inline constexpr const char* kReference = "reference";

Results run_attention(const Case& wanted);
Results run_multi_head(const Case& wanted);
Results run_rotary(const Case& wanted);
Results run_softmax(const Case& wanted);
Results run_layer_norm(const Case& wanted);
Results run_gelu(const Case& wanted);
Results run_positions(const Case& wanted);
Results run_decoder(const Case& wanted);
Results run_llama(const Case& wanted);
Results run_neox(const Case& wanted);
Results run_bert(const Case& wanted);

// What follows is shared between the operators; each throws a Refusal.

void require(bool condition, const std::string& rule);
void require(const attention::Error& error);  // that there is none

// Every input and attribute must be one of these.
void check_names(const Case& wanted, std::initializer_list<std::string_view> inputs,
                 const std::vector<std::string_view>& attributes);

// The attribute, or `otherwise` where there is none. A whole number may be written as a float.
std::int64_t get_int(const Case& wanted, std::string_view name, std::int64_t otherwise);
double get_float(const Case& wanted, std::string_view name, double otherwise);
std::string get_str(const Case& wanted, std::string_view name, const char* otherwise);

const Tensor& input(const Case& wanted, const std::string& name);
const std::vector<std::int64_t>& integers(const Tensor& tensor);  // must be i64

// The product; the largest number there is where it would be beyond that.
std::uint64_t product(std::initializer_list<std::size_t> factors);
// The same, refused over kMaxResultElements: small inputs may ask for huge results.
inline constexpr std::uint64_t kMaxResultElements = std::uint64_t{1} << 26;
std::size_t count_elements(std::initializer_list<std::size_t> factors);

// True when the case has an output of one of these names.
bool wants(const Case& wanted, std::initializer_list<std::string_view> names);

template <class T>
std::vector<double> as_doubles(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

// The floats of an input of two axes, which is not empty.
struct Table {
  std::vector<float> numbers;
  std::size_t rows = 0, width = 0;
};
Table read_table(const Case& wanted, const std::string& name);

// A parameter matrix (out, in) with its bias, as torch.nn.Linear keeps them.
struct Projection {
  Table weight;
  std::vector<float> bias;

  attention::Linear linear() const;
};
// Inputs W<letter> and b<letter>, the latter where there is one; its width must be `in`.
Projection read_projection(const Case& wanted, const std::string& letter, std::size_t in);

}  // namespace conformance
