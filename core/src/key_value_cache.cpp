#include "attention/key_value_cache.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sizes.h"

namespace attention {

namespace {

constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 28;  // of a cache: a gigabyte

Error invalid(std::string rule) {
  return {ErrorCode::invalid_shape, std::move(rule)};
}

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
    return invalid("A cache holds from 1 to 2^28 numbers. Choose a smaller capacity.");
  }
  if (!memory_.resize(static_cast<std::size_t>(numbers))) {
    return {ErrorCode::out_of_memory, "There is no memory for a cache of " +
                                          std::to_string(capacity) + " tokens. Choose fewer."};
  }
  extents_ = {batch, key_heads, capacity, key_width, value_width, 0};
  return {};
}

Error KeyValueCache::append(const float* key, const float* value, std::size_t rows) {
  auto& [batch, key_heads, capacity, key_width, value_width, length] = extents_;
  if (rows > capacity - length) {
    return invalid("The cache has room for " + std::to_string(capacity - length) + " of " +
                   std::to_string(rows) + " tokens. Reserve a larger one, or start anew.");
  }
  if (rows > 0 && (key == nullptr || value == nullptr)) {
    return invalid("key or value has no data: its pointer is null.");
  }
  if (is_misaligned(key) || is_misaligned(value)) {
    return invalid("key or value is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  const std::size_t places = key_heads * capacity;
  float* const keys = memory_.floats().data();
  float* const values = keys + batch * places * key_width;
  for (std::size_t b = 0; b < batch; ++b) {
    scatter(key + b * rows * key_heads * key_width, rows, key_heads, key_width,
            keys + b * places * key_width, capacity, length);
    scatter(value + b * rows * key_heads * value_width, rows, key_heads, value_width,
            values + b * places * value_width, capacity, length);
  }
  length += rows;
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
