// The counter-based generator of all random numbers: a number is a pure function of its place, so changing one
// setting does not change the others' numbers, and every build draws the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention/export.h"

namespace attention {

// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11).
ATTENTION_API std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key);

// The purpose of a number: the second word of the Philox key (the first is the seed).
enum class Drawn : std::uint32_t { content, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, dropout,
                                   W_V_down, W_V_up, P,
                                   sample,    // normals() of measures.h
                                   trained,   // the first weights of trainer.h
                                   batch };   // the texts of tasks.h

// Standard normal numbers for columns 0 … out.size()-1 of one row. Column c is lane c % 4 of
// Philox with counter {c / 4, row, salt low, salt high} and key {seed, drawn}; a word w becomes
// Phi^-1((w + 1/2) / 2^32) by Wichura's algorithm AS 241 (PPND7, relative error about 1e-6).
ATTENTION_API void fill_normal(std::span<float> out, std::uint32_t seed, Drawn drawn, std::uint32_t row,
                               std::uint64_t salt = 0);

// 64-bit FNV-1a of a token's UTF-8 bytes: the salt that gives each word its own content vector.
ATTENTION_API std::uint64_t token_hash(std::string_view token);

}  // namespace attention
