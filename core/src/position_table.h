// The tables that tell places apart, one line a kind in position_table.cpp.
#pragma once

#include "attention/parameters.h"

namespace attention {

// Owns P, cos, sin and slopes; grows them in powers of two, so that typing seldom computes them anew.
class PositionTables {
 public:
  // Points the tables of `parameters` at places 0 … max(T, S) - 1.
  Error fill(const Settings& settings, const Shape& shape, Parameters& parameters);

 private:
  // What a table was made of; equal keys give equal tables.
  struct Key {
    Positions kind = Positions::none;
    std::uint32_t seed = 0;
    std::size_t width = 0, places = 0;

    bool operator==(const Key&) const = default;
  };

  Buffer added_, turns_, slopes_;
  Key added_key_, turns_key_;
};

}  // namespace attention
