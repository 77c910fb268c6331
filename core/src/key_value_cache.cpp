#include "attention/key_value_cache.h"

#include <algorithm>

#include "sizes.h"

namespace attention {

namespace {

constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 28;  // of a cache: a gigabyte

// from [rows, heads, width] into [heads, capacity, width] at row `first`.
void scatter(const float* from, std::size_t rows, std::size_t heads, std::size_t width, float* to,
             std::size_t capacity, std::size_t first) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t h = 0; h < heads; ++h, from += width) {
      std::copy_n(from, width, to + (h * capacity + first + row) * width);
    }
  }
}

}  // namespace

Error KeyValueCache::reserve(std::size_t key_heads, std::size_t capacity, std::size_t key_width,
                             std::size_t value_width, std::size_t batch) {
  *this = {};
  const std::uint64_t tokens = product({batch, key_heads, capacity});
  const std::uint64_t numbers = sum({product({tokens, key_width}), product({tokens, value_width})});
  if (tokens == 0 || key_width == 0 || value_width == 0 || numbers > kMaxNumbers) {
    return error(Rule::cache_size);
  }
  if (!memory_.resize(static_cast<std::size_t>(numbers))) {
    return error(Rule::cache_memory, {capacity});
  }
  batch_ = batch;
  key_heads_ = key_heads;
  capacity_ = capacity;
  key_width_ = key_width;
  value_width_ = value_width;
  return {};
}

Error KeyValueCache::append(const float* key, const float* value, std::size_t rows) {
  if (rows > capacity_ - length_) {
    return error(Rule::cache_room, {capacity_ - length_, rows});
  }
  const std::size_t places = key_heads_ * capacity_;
  float* const keys = memory_.floats().data();
  float* const values = keys + batch_ * places * key_width_;
  for (std::size_t b = 0; b < batch_; ++b) {
    scatter(key + b * rows * key_heads_ * key_width_, rows, key_heads_, key_width_,
            keys + b * places * key_width_, capacity_, length_);
    scatter(value + b * rows * key_heads_ * value_width_, rows, key_heads_, value_width_,
            values + b * places * value_width_, capacity_, length_);
  }
  length_ += rows;
  return {};
}

void KeyValueCache::truncate(std::size_t length) {
  length_ = std::min(length_, length);
}

Heads<const float> KeyValueCache::keys() const {
  auto view = heads_first(memory_.floats().data(), batch_, key_heads_, capacity_, key_width_);
  view.rows = length_;
  return view;
}

Heads<const float> KeyValueCache::values() const {
  const float* data = memory_.floats().data() + batch_ * key_heads_ * capacity_ * key_width_;
  auto view = heads_first(data, batch_, key_heads_, capacity_, value_width_);
  view.rows = length_;
  return view;
}

}  // namespace attention
