#include "word_rows.h"

#include <algorithm>

#include "attention/generator.h"

namespace attention {

void WordRows::prepare(std::uint32_t seed, std::size_t width) {
  if (seed == seed_ && width == width_) return;
  seed_ = seed;
  width_ = width;
  taken_.fill(false);
  if (!memory_.resize(kPlaces * width)) width_ = 0;
}

void WordRows::copy(std::string_view word, std::span<float> row) {
  const std::uint64_t id = hash(word);
  if (width_ != row.size()) return fill_normal(row, seed_, Matrix::content, 0, id);
  const std::size_t place = id % kPlaces;
  const std::span<float> kept = memory_.floats().subspan(place * width_, width_);
  if (!taken_[place] || words_[place] != id) {
    fill_normal(kept, seed_, Matrix::content, 0, id);
    words_[place] = id;
    taken_[place] = true;
  }
  std::copy(kept.begin(), kept.end(), row.begin());
}

}  // namespace attention
