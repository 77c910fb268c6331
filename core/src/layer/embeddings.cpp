#include "embeddings.h"

#include <algorithm>
#include <array>
#include <bit>

#include "attention/attend.h"
#include "attention/generator.h"
#include "attention/positions.h"

namespace attention {

namespace {

constexpr std::size_t kFewPlaces = 64;

using FillAdded = void (*)(float* out, std::size_t rows, std::size_t width, std::uint32_t seed);

void fill_zeros(float* out, std::size_t rows, std::size_t width, std::uint32_t) {
  std::fill_n(out, rows * width, 0.0f);
}

void fill_waves(float* out, std::size_t rows, std::size_t width, std::uint32_t) {
  fill_sinusoids(out, rows, width);
}

void fill_random(float* out, std::size_t rows, std::size_t width, std::uint32_t seed) {
  for (std::size_t row = 0; row < rows; ++row) {
    fill_normal({out + row * width, width}, seed, Drawn::P, static_cast<std::uint32_t>(row));
  }
}

// What is added to the content, in the order of the enumerators of Positions.
constexpr std::array<FillAdded, 5> kAdded{fill_zeros, fill_waves, fill_random, fill_zeros, fill_zeros};

// RoPE's angles are the sinusoids' of as many columns: cosines and sines, [places, half] each, taken
// from a table of them that stands behind.
void fill_turns(std::span<float> out, std::size_t places, std::size_t half) {
  const std::size_t count = places * half;
  const std::span<float> waves = out.last(2 * count);
  fill_sinusoids(waves.data(), places, 2 * half);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = waves[2 * i + 1];
    out[count + i] = waves[2 * i];
  }
}

}  // namespace

Error PositionTables::fill(const Settings& s, const Shape& shape, Parameters& parameters) {
  const std::size_t n = shape.places(), places = std::bit_ceil(std::max(n, kFewPlaces));
  const Origin added{s.positions, s.seed, shape.D, places};
  if (added != added_origin_) {
    added_origin_ = {};
    if (!added_.resize(places * shape.D)) return error(Rule::position_memory, {n});
    kAdded[static_cast<std::size_t>(s.positions)](added_.floats().data(), places, shape.D, s.seed);
    added_origin_ = added;
  }
  parameters.P = added_.floats().first(n * shape.D);

  parameters.cos = parameters.sin = parameters.slopes = {};
  if (s.positions == Positions::rope) {
    const std::size_t half = shape.d_k / 2;
    const Origin turns{s.positions, 0, half, places};
    if (turns != turns_origin_) {
      turns_origin_ = {};
      if (!turns_.resize(4 * places * half)) return error(Rule::position_memory, {n});
      fill_turns(turns_.floats(), places, half);
      turns_origin_ = turns;
    }
    parameters.cos = turns_.floats().first(n * half);
    parameters.sin = turns_.floats().subspan(places * half, n * half);
  }
  if (s.positions == Positions::alibi) {
    if (!slopes_.resize(shape.H)) return error(Rule::position_memory, {n});
    fill_alibi_slopes(slopes_.floats());
    parameters.slopes = slopes_.floats();
  }
  return {};
}

void WordRows::prepare(std::uint32_t seed, std::size_t width) {
  if (seed == seed_ && width == width_) return;
  seed_ = seed;
  width_ = width;
  taken_.fill(false);
  if (!memory_.resize(kPlaces * width)) width_ = 0;
}

void WordRows::copy(std::string_view word, std::span<float> row) {
  const std::uint64_t id = token_hash(word);
  if (width_ != row.size()) return fill_normal(row, seed_, Drawn::content, 0, id);
  const std::size_t place = id % kPlaces;
  const std::span<float> kept = memory_.floats().subspan(place * width_, width_);
  if (!taken_[place] || words_[place] != id) {
    fill_normal(kept, seed_, Drawn::content, 0, id);
    words_[place] = id;
    taken_[place] = true;
  }
  std::copy(kept.begin(), kept.end(), row.begin());
}

}  // namespace attention
