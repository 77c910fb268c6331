// Positions: a table with one row for each position, learned or sinusoidal, added to rows; or rotary positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/error.h"
#include "attention/export.h"
#include "attention/heads.h"

namespace attention {

// --- added ----------------------------------------------------------------------------------------

// out[t, 2i] = sin(t / 10000^(2i/width)), out[t, 2i+1] = cos(t / 10000^(2i/width)) for t < rows,
// columns < width; Vaswani et al. 2017, section 3.5. An odd width ends with a sine. Computed in
// double without libm, rounded once.
ATTENTION_API void fill_sinusoids(float* out, std::size_t rows, std::size_t width);

// out[b, r] = x[b, r] + table[p], p the row's position: positions[b, r], or first + r when those
// are empty (x the tokens after the first `first`).
//   x, out     [B, T, width]; out may be x's own memory
//   table      [table_rows, width]
//   positions  [B, T], or empty
// An empty x, a table that is no number of rows and a position outside it are refused, and nothing
// is written.
ATTENTION_API Error add_positions(const Rows& x, std::span<const float> table,
                                  std::span<const std::int64_t> positions, std::size_t first, float* out);

// --- rotary ---------------------------------------------------------------------------------------

// Pairs of a query's and a key's numbers turned by an angle that grows with the position, so that their
// dot product depends on the distance (Su et al. 2021).

// Which numbers of a head make a pair: (2i, 2i + 1), or (i, i + rotary_dim / 2).
enum class RotaryPairs { interleaved, halved };

// Slower rotation, for texts longer than those that a model was first trained on.
struct RotaryScaling {
  double factor = 1;  // divides every rate (Chen et al. 2023); 1 = off
  // Llama 3.1: with original_context above 0, rates of more than high_turns turns in that many tokens stay, those of
  // less than low_turns are divided, and between them the share divided falls in a straight line.
  double original_context = 0, low_turns = 1, high_turns = 4;
  // YaRN (Peng et al. 2023): the share falls over the pairs instead, from the one that makes low_turns turns to the one that
  // makes high_turns, with whole_pairs from whole pairs outside these; and all of both tables is times `amplitude`.
  bool by_pairs = false, whole_pairs = true;
  double amplitude = 1;
};

// cos and sin of position · base^(-2i / rotary_dim), rates and tables scaled, each [positions, rotary_dim / 2]; rotary_dim
// is even. Computed in double without libm, rounded once. Tables of other sizes, a base that is not a
// number above 0 (by pairs, above 1), scaling by less than 1 and angles from 2^20 on are refused, and nothing is written.
ATTENTION_API Error fill_rotary(std::span<float> cosines, std::span<float> sines, std::size_t positions,
                                std::size_t rotary_dim, double base = 10000, const RotaryScaling& scaling = {});

// Both tables as views, and how to apply them.
struct RotaryTables {
  std::span<const float> cosines, sines;  // [table_rows, half] each
  std::size_t half = 0;                   // pairs turned in every head; 0 = none
  RotaryPairs pairs = RotaryPairs::halved;
};

// Turns the first 2·half numbers of every row of `in`, and copies the rest (partial rotary).
//   cosines, sines  [table_rows, half]
//   positions       [B, rows] into the tables, or empty: row r of every batch reads table row r
// in and out have the same shape and may be the same memory; otherwise they must not overlap.
// Tables, positions and widths that do not fit are refused, and nothing is written.
ATTENTION_API Error rotate(Heads<const float> in, Heads<float> out, std::span<const float> cosines,
                           std::span<const float> sines, std::size_t half,
                           std::span<const std::int64_t> positions, RotaryPairs pairs);

}  // namespace attention
