// Validation: the rules for all arguments of the operators.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "attention/attend.h"
#include "attention/block.h"
#include "attention/error.h"
#include "attention/multi_head.h"
#include "attention/ops.h"

namespace attention {

// --- sizes: saturating arithmetic up to kMaxFloats + 1; and pointers --------------------------------

// The most floats of a tensor or of scratch memory: what can be addressed, far more than any memory.
inline constexpr std::uint64_t kMaxFloats =
    std::min<std::uint64_t>(std::uint64_t{1} << 40, SIZE_MAX / sizeof(float));

constexpr std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t all = 1;
  for (const std::uint64_t n : factors)
    all = n != 0 && all > kMaxFloats / n ? kMaxFloats + 1 : all * n;
  return all;
}

constexpr std::uint64_t sum(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t all = 0;
  for (const std::uint64_t n : terms)
    all = std::min(all + std::min(n, kMaxFloats + 1), kMaxFloats + 1);
  return all;
}

template <class T>
bool is_misaligned(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0;
}

// The page's engine is built for float32 only: code for other types is removed there.
constexpr NumberType type_of([[maybe_unused]] const Weight& weight) {
#ifdef ATTENTION_FLOAT32_ONLY
  return NumberType::f32;
#else
  return weight.type;
#endif
}

// Float32, row after row.
constexpr bool is_float_rows([[maybe_unused]] const Weight& weight) {
#ifdef ATTENTION_FLOAT32_ONLY
  return true;
#else
  return weight.type == NumberType::f32 && weight.order == Order::rows;
#endif
}

inline bool is_misaligned(const Weight& weight) {
  return reinterpret_cast<std::uintptr_t>(weight.data) % std::max<std::size_t>(1, bytes_of(type_of(weight), 1)) != 0 || is_misaligned(weight.scales);
}

// Interleaved blocks are those of whole rows.
inline bool has_cut_blocks(const Weight& weight, std::size_t stride) {
  return weight.order == Order::interleaved && weight.type == NumberType::q8_0 && stride % kBlockNumbers != 0;
}

inline bool lacks_scales(const Weight& weight) { return type_of(weight) == NumberType::i8 && weight.scales == nullptr; }

// --- operators ---------------------------------------------------------------------------------

// Ok, or what a view, called `name` in the sentence, has that no memory has.
Error check_heads(std::string_view name, Heads<const float> view);

// Ok if no two numbers of a view that check_heads() accepted share a place, as is required of an output.
Error check_apart(std::string_view name, Heads<const float> view);

// Whether two views that check_heads() accepted share a place. Rows that take turns are told apart where both views
// step alike, as parts of one packed tensor do; others count as sharing once one begins before the other ends.
bool is_shared(Heads<const float> a, Heads<const float> b);

// Whether a matrix or its scales share a place with `a`.
bool is_shared(Heads<const float> a, const Weight& weight, std::size_t rows, std::size_t stride, std::size_t width);

// Ok if the outputs of attend() do not overlap its inputs.
Error check_results(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                    const MaskTensor& mask, Heads<const float> context, const AttendStages& stages);

// Ok, or which rule of attend() these break.
Error check_attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                   const AttendOptions& options, Heads<const float> context,
                   const AttendStages& stages = {});

// Ok, or which rule of rotate() its tables break; reads the shape of `in` alone, before there is anything to rotate.
Error check_rotary(Heads<const float> in, std::span<const float> cosines, std::span<const float> sines,
                   std::size_t half, std::span<const std::int64_t> positions);

// Ok, or which rule of rotate() these break.
Error check_rotate(Heads<const float> in, Heads<const float> out, std::span<const float> cosines,
                   std::span<const float> sines, std::size_t half, std::span<const std::int64_t> positions);

// Ok, or which rule of `changes` is broken for a layer of so many heads.
Error check_changes(const HeadChanges& changes, std::size_t heads);

// Ok when `linear`, called `name` in the sentence, has a matrix and leads from `in` numbers to at least
// one; with `out` given, to that many.
Error check_linear(std::string_view name, const Linear& linear, std::size_t in, std::size_t out = 0);

// Ok when `norm`, called `name`, has a gain and that width, and an epsilon of at least 0.
Error check_norm(std::string_view name, const LayerNorm& norm, std::size_t width);

// A number of a matrix in double, by plain arithmetic: for the references.
double number_of(const Weight& weight, std::size_t stride, std::size_t row, std::size_t column);

// Ok when `norm`, called `name`, is none, or has a gain of that width and an epsilon of at least 0.
Error check_head_norm(std::string_view name, const HeadNorm& norm, std::size_t width);

// Operators without checks, for arguments that are known to fit: they can only run out of memory.

// apply() into rows of `y_stride` numbers.
void apply_part(const Linear& linear, const float* x, std::size_t rows, float* y, std::size_t y_stride);

// Like rotate().
void rotate_checked(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                    std::span<const float> sines, std::size_t half,
                    std::span<const std::int64_t> positions, RotaryPairs pairs);

// The factor of a row [width] before its gain.
float head_scale(const HeadNorm& norm, const float* row, std::size_t width);

// Mixes values into contexts (B, H, T, d_v); key and value are the new ones.
using MixHeads = Error (*)(const MultiHeadInput& input, Heads<const float> query, Heads<const float> key,
                           Heads<const float> value, const AttendOptions& options, Heads<float> context,
                           MultiHeadScratch& scratch, const AttendStages& stages);

// run() of a multi-head layer, with the step between projections left open: a module that mixes by the plain
// path alone has no other path, and no cache, linked in.
Error run_checked(MixHeads mix, const MultiHead& layer, const MultiHeadInput& input,
                  const AttendOptions& options, float* y, MultiHeadScratch& scratch,
                  const MultiHeadStages& stages);

}  // namespace attention
