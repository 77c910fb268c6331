#include "attention/key_value_cache.h"

#include <algorithm>

#include "sizes.h"

namespace attention {

namespace {

constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 28;  // of a cache: a gigabyte

// To (batch, heads, capacity, width), the rows of each head from `first` on.
void scatter(Heads<const float> from, float* to, std::size_t capacity, std::size_t first) {
  for (std::size_t b = 0; b < from.batch; ++b) {
    for (std::size_t h = 0; h < from.heads; ++h) {
      for (std::size_t row = 0; row < from.rows; ++row) {
        std::copy_n(from.row(b, h, row), from.width,
                    to + ((b * from.heads + h) * capacity + first + row) * from.width);
      }
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

Error KeyValueCache::append(Heads<const float> key, Heads<const float> value) {
  const bool fits = key.batch == batch_ && value.batch == batch_ && key.heads == key_heads_ &&
                    value.heads == key_heads_ && key.width == key_width_ && value.width == value_width_ &&
                    key.rows == value.rows;
  if (!fits) {
    return error(Rule::cache_rows);
  }
  if (key.rows > capacity_ - length_) {
    return error(Rule::cache_room, {capacity_ - length_, key.rows});
  }
  float* const keys = memory_.floats().data();
  scatter(key, keys, capacity_, length_);
  scatter(value, keys + batch_ * key_heads_ * capacity_ * key_width_, capacity_, length_);
  length_ += key.rows;
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
