// The parts of embeddings, kept from run to run: content rows, and the tables of positions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention/buffer.h"
#include "attention/layer/parameters.h"

namespace attention {

// E[token] ~ N(0, 1), the same for the same word. Keeps rows by the word's hash, which alone decides
// them; a word whose place is taken by another is drawn again.
class WordRows {
 public:
  // To be called before copy(), for rows of `width` numbers drawn from `seed`.
  void prepare(std::uint32_t seed, std::size_t width);
  void copy(std::string_view word, std::span<float> row);

 private:
  static constexpr std::size_t kPlaces = 1024;

  Buffer memory_;  // [kPlaces, width]; empty when there is no memory: then every row is drawn
  std::array<std::uint64_t, kPlaces> words_{};
  std::array<bool, kPlaces> taken_{};
  std::uint32_t seed_ = 0;
  std::size_t width_ = 0;
};

// One line a kind in embeddings.cpp. Owns P, cos, sin and slopes; grows them in powers of two, so that typing seldom computes them again.
class PositionTables {
 public:
  // Points the tables of `parameters` at places 0 … max(T, S) - 1.
  Error fill(const Settings& settings, const Shape& shape, Parameters& parameters);

 private:
  // The inputs of a table; equal inputs give equal tables.
  struct Origin {
    Positions kind = Positions::none;
    std::uint32_t seed = 0;
    std::size_t width = 0, places = 0;

    bool operator==(const Origin&) const = default;
  };

  Buffer added_, turns_, slopes_;
  Origin added_origin_, turns_origin_;
};

}  // namespace attention
