// The learned matrices of one attention layer and its tables of positions, here drawn at random from a
// seed, given, or set by hand.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/generator.h"
#include "attention/layer/request.h"
#include "attention/layer/settings.h"

namespace attention {

// y = x·W + b. Matrices are row = input, column = output, row-major; head h owns columns
// h·d_k … (h+1)·d_k - 1 of W_Q (key head h those of W_K, W_V) and rows h·d_v … of W_O.
struct Parameters {
  std::span<const float> W_Q;               // [D, H·d_k]
  std::span<const float> W_K;               // [D, H_kv·d_k]
  std::span<const float> W_V;               // [D, H_kv·d_v]; empty with a value_rank
  std::span<const float> W_V_down, W_V_up;  // [D, r], [r, H_kv·d_v]; empty without
  std::span<const float> W_O;               // [H·d_v, D]
  std::span<const float> b_Q, b_K, b_V, b_O;  // one a column; zeros when Settings::biases is off
  std::span<const float> P;                 // [max(T, S), D], added by place; zeros where none is
  std::span<const float> cos, sin;          // [max(T, S), d_k/2] of RoPE, else empty
  std::span<const float> slopes;            // [H] of ALiBi, else empty
};

// One line of the table of parameters that the engine, its bindings, the page and the tests read.
struct ParameterArray {
  std::string_view id;  // the field of Parameters, the page's id
  std::array<Axis, 2> axes;  // rows, columns; a vector has Axis::none rows
  std::span<const float> Parameters::* view;
  Drawn drawn;                        // what its random numbers are drawn as
  bool (*present)(const Settings&);   // whether a run has it; null = always
};
ATTENTION_API std::span<const ParameterArray> parameter_arrays();

// The array with this id, or null.
ATTENTION_API const ParameterArray* find_parameter(std::string_view id);

ATTENTION_API std::size_t count_of(const ParameterArray& array, const Shape& shape);
ATTENTION_API bool is_present(const ParameterArray& array, const Settings& settings);

// Whether its numbers may be given or edited: neither a table that follows from the settings, nor a
// product (W_V with a value_rank).
ATTENTION_API bool is_settable(const ParameterArray& array, const Settings& settings);

// The array that holds its numbers: W_Q for a W_K that is tied to it, else itself.
ATTENTION_API const ParameterArray& holder(const ParameterArray& array, const Settings& settings);

// Owns the memory of random parameters. Entries are N(0, 1/d_model), so that with embeddings ~ N(0, 1)
// a query and a key have unit variance in each dimension and raw scores a variance of about d_k;
// those of W_V_up are N(0, 1/r), so that a low rank leaves values their size. An entry depends on its
// seed, matrix, row and column alone: splitting into more heads only slices the same matrices finer.
// One thread at a time; several may read while none draws.
class ATTENTION_API RandomParameters {
 public:
  RandomParameters() = default;
  RandomParameters(RandomParameters&& other) noexcept;  // which has then drawn nothing
  RandomParameters& operator=(RandomParameters&& other) noexcept;

  // Draws again only what the last call's settings, which are valid, do not already give. Positions are
  // not its part.
  Error draw(const Settings& settings);
  const Parameters& view() const { return view_; }

 private:
  Buffer memory_;
  Parameters view_;
  Settings drawn_for_;
  bool is_drawn_ = false;
};

}  // namespace attention
