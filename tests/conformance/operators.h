// Each operator of a case, computed by the library.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "attention/attend.h"
#include "attention/linear.h"
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
inline constexpr std::string_view kReference = "reference";

Refusal run_attention(const Case& wanted, Results& results);
Refusal run_multi_head(const Case& wanted, Results& results);
Refusal run_rotary(const Case& wanted, Results& results);
Refusal run_softmax(const Case& wanted, Results& results);
Refusal run_layer_norm(const Case& wanted, Results& results);
Refusal run_gelu(const Case& wanted, Results& results);
Refusal run_positions(const Case& wanted, Results& results);
Refusal run_decoder(const Case& wanted, Results& results);

// What follows is shared between the operators.

// Refuses inputs and attributes that are not in the lists: ignoring one would be a wrong answer.
Refusal check_names(const Case& wanted, std::initializer_list<std::string_view> inputs,
                    std::initializer_list<std::string_view> attributes);

// The attribute, or `value` unchanged where there is none. Refuses another type.
Refusal get(const Case& wanted, std::string_view name, std::int64_t& value);
Refusal get(const Case& wanted, std::string_view name, double& value);
Refusal get(const Case& wanted, std::string_view name, std::string& value);

// The product of `factors`, refused over kMaxResultElements: small inputs may ask for huge results.
inline constexpr std::uint64_t kMaxResultElements = std::uint64_t{1} << 26;
Refusal count_elements(std::initializer_list<std::size_t> factors, std::size_t& count);

template <class T>
std::vector<double> as_doubles(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

// True when the case has an output of one of these names.
bool wants(const Case& wanted, std::initializer_list<std::string_view> names);

// x [rows, width] and the like: the floats of a tensor, its last axis `width`.
struct Matrix {
  std::vector<float> numbers;
  std::size_t rows = 0, width = 0;
};
// The input, of two axes; refused when it is missing or empty.
Refusal read_matrix(const Case& wanted, const std::string& name, Matrix& matrix);

// A parameter matrix (out, in) with its bias, as torch.nn.Linear keeps them.
struct Projection {
  Matrix weight;
  std::vector<float> bias;

  attention::Linear linear() const;
};
// Inputs W<letter> and b<letter>, the latter where there is one; its width must be `in`.
Refusal read_projection(const Case& wanted, const std::string& letter, std::size_t in,
                        Projection& projection);

// The options of attend() with the memory that they point to.
struct Options {
  attention::AttendOptions attend;
  std::vector<std::uint8_t> allowed;
  std::vector<float> bias, slopes;
  std::vector<std::int64_t> key_lengths, offsets;
};
// How a mask's last axis of 1 reads where there are more keys: ONNX's Attention pads it with masked
// keys, as any short mask; MultiheadAttention's masks broadcast along every axis.
enum class LastAxis { pads, broadcasts };
// For scores of (B, H, T, S), of which the first `past` keys come from a cache.
Refusal read_options(const Case& wanted, const std::array<std::size_t, 4>& scores, std::size_t past,
                     LastAxis last_axis, Options& options);

// The stages of attend() that the case asks for.
class KeptStages {
 public:
  // For scores of (B, H, T, S).
  Refusal prepare(const Case& wanted, const std::array<std::size_t, 4>& scores);
  bool runs() const { return runs_; }  // false: they are too many, and the case asks for none
  attention::AttendStages stages();
  // Appends P, attn and qk_matmul_output, as wanted.
  void append(const Case& wanted, Results& results) const;
  // The same of the reference.
  void append(const Case& wanted, const attention::ReferenceAttend& reference,
              Results& results) const;

 private:
  std::array<std::size_t, 4> scores_{};
  std::int64_t mode_ = 0;
  bool runs_ = false;
  std::vector<float> weights_, logits_;
};
// reference_attend() keeps six matrices of doubles: at most 0.8 GB here.
inline constexpr std::size_t kMaxReferenceScores = std::size_t{1} << 24;

// [B, n, m, width] -> [B, m, n, width]: from heads last to heads first, and back.
template <class T>
std::vector<T> exchange(const std::vector<T>& in, std::size_t B, std::size_t n, std::size_t m,
                        std::size_t width) {
  std::vector<T> out(in.size());
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const T* from = &in[((b * n + i) * m + j) * width];
        std::copy(from, from + width, &out[((b * m + j) * n + i) * width]);
      }
    }
  }
  return out;
}

}  // namespace conformance
