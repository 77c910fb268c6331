// Each operator of a case, computed by the library.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "attention/attend.h"
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

// The options of attend() with the memory that they point to.
struct Options {
  attention::AttendOptions attend;
  std::vector<std::uint8_t> allowed;
  std::vector<float> bias;
  std::vector<std::int64_t> key_lengths, offsets;
};
// For scores of (B, H, T, S), of which the first `past` keys come from a cache.
Refusal read_options(const Case& wanted, const std::array<std::size_t, 4>& scores, std::size_t past,
                     Options& options);

// One way of computing the context, [B, T, H * d_v].
struct Context {
  std::string way;
  std::vector<float> values;
};
// attend() without and with its stages kept; appends which of P, attn, qk_matmul_output and context
// the case asks for.
// With `reference`, appends reference_attend()'s Y_f64 in the given layout as well.
enum class YLayout { none, heads_first, heads_last };
Refusal run_attend(const Case& wanted, attention::Heads<const float> query,
                   attention::Heads<const float> key, attention::Heads<const float> value,
                   const Options& options, YLayout reference, std::vector<Context>& contexts,
                   Results& results);

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
