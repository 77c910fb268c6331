#include "attention/key_value_cache.h"

#include <algorithm>
#include <utility>

#include "checks.h"

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

KeyValueCache::KeyValueCache(KeyValueCache&& other) noexcept { *this = std::move(other); }

KeyValueCache& KeyValueCache::operator=(KeyValueCache&& other) noexcept {
  memory_ = std::move(other.memory_);
  extents_ = std::exchange(other.extents_, {});
  return *this;
}

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
  extents_ = {batch, key_heads, capacity, key_width, value_width, 0};
  return {};
}

Error KeyValueCache::append(Heads<const float> key, Heads<const float> value) {
  auto& [batch, key_heads, capacity, key_width, value_width, length] = extents_;
  if (Error error = check_heads("key", key)) return error;
  if (Error error = check_heads("value", value)) return error;
  const bool fits = key.batch == batch && value.batch == batch && key.heads == key_heads &&
                    value.heads == key_heads && key.width == key_width && value.width == value_width &&
                    key.rows == value.rows;
  if (!fits) return error(Rule::cache_rows);
  if (key.rows > capacity - length) return error(Rule::cache_room, {capacity - length, key.rows});
  float* const keys = memory_.floats().data();
  scatter(key, keys, capacity, length);
  scatter(value, keys + batch * key_heads * capacity * key_width, capacity, length);
  length += key.rows;
  return {};
}

void KeyValueCache::truncate(std::size_t length) {
  extents_.length = std::min(extents_.length, length);
}

Heads<const float> KeyValueCache::keys() const {
  const auto& [batch, key_heads, capacity, key_width, value_width, length] = extents_;
  auto view = heads_first(memory_.floats().data(), batch, key_heads, capacity, key_width);
  view.rows = length;
  return view;
}

Heads<const float> KeyValueCache::values() const {
  const auto& [batch, key_heads, capacity, key_width, value_width, length] = extents_;
  const float* data = memory_.floats().data() + batch * key_heads * capacity * key_width;
  auto view = heads_first(data, batch, key_heads, capacity, value_width);
  view.rows = length;
  return view;
}

}  // namespace attention
