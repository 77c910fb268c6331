#include "attention/block.h"

#include <algorithm>
#include <string>

#include "kernels.h"

namespace attention {

namespace {

constexpr std::size_t kMaxFloats = std::size_t{1} << 28;  // of a cache: a gigabyte

Error invalid(std::string rule) { return {ErrorCode::invalid_shape, std::move(rule)}; }

Error check(const Block& b, std::size_t rows) {
  const std::size_t D = b.norm_1.width;
  const bool chain = b.norm_2.width == D && b.query.in == D && b.key.in == D && b.value.in == D &&
                     b.out_proj.out == D && b.up.in == D && b.down.in == b.up.out && b.down.out == D;
  if (D == 0 || rows == 0 || !chain) {
    return invalid("A block's matrices must lead from d_model back to d_model, for at least one row.");
  }
  if (b.heads == 0 || b.key_heads == 0 || b.heads % b.key_heads != 0 ||
      b.query.out % b.heads != 0 || b.key.out % b.key_heads != 0 ||
      b.value.out % b.key_heads != 0 || b.query.out / b.heads != b.key.out / b.key_heads ||
      b.out_proj.in != b.heads * (b.value.out / b.key_heads)) {
    return invalid("A block's heads must split query, key, value and out_proj evenly, with queries as "
                   "wide as keys.");
  }
  return {};
}

}  // namespace

Error KeyValueCache::reserve(std::size_t key_heads, std::size_t capacity, std::size_t key_width,
                             std::size_t value_width) {
  const std::size_t widths = key_width + value_width;
  *this = {};
  if (key_heads == 0 || capacity == 0 || widths == 0 || widths > kMaxFloats ||
      key_heads > kMaxFloats / widths || capacity > kMaxFloats / (key_heads * widths)) {
    return invalid("A cache holds from 1 to 2^28 numbers. Choose a smaller capacity.");
  }
  if (!memory_.resize(key_heads * capacity * widths)) {
    return {ErrorCode::out_of_memory, "There is no memory for a cache of " +
                                          std::to_string(capacity) + " tokens. Choose fewer."};
  }
  key_heads_ = key_heads;
  capacity_ = capacity;
  key_width_ = key_width;
  value_width_ = value_width;
  return {};
}

Error KeyValueCache::append(const float* key, const float* value, std::size_t rows) {
  if (rows > capacity_ - length_) {
    return invalid("The cache has room for " + std::to_string(capacity_ - length_) + " of " +
                   std::to_string(rows) + " tokens. Reserve a larger one, or start anew.");
  }
  float* keys = memory_.floats().data();
  float* values = keys + key_heads_ * capacity_ * key_width_;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t h = 0; h < key_heads_; ++h) {
      const std::size_t place = h * capacity_ + length_ + row;
      std::copy_n(key + (row * key_heads_ + h) * key_width_, key_width_, keys + place * key_width_);
      std::copy_n(value + (row * key_heads_ + h) * value_width_, value_width_,
                  values + place * value_width_);
    }
  }
  length_ += rows;
  return {};
}

Heads<const float> KeyValueCache::keys() const {
  auto view = heads_first(memory_.floats().data(), 1, key_heads_, capacity_, key_width_);
  view.rows = length_;
  return view;
}

Heads<const float> KeyValueCache::values() const {
  const float* data = memory_.floats().data() + key_heads_ * capacity_ * key_width_;
  auto view = heads_first(data, 1, key_heads_, capacity_, value_width_);
  view.rows = length_;
  return view;
}

Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
          BlockScratch& scratch, const AttendStages& stages) {
  if (Error error = check(block, rows)) return error;
  const std::size_t D = block.norm_1.width;
  const std::size_t key_width = block.key.out / block.key_heads;
  const std::size_t value_width = block.value.out / block.key_heads;
  const std::size_t context_width = block.heads * value_width;
  const std::size_t wide = std::max(block.query.out + block.key.out + block.value.out + context_width,
                                    block.up.out);
  if (!scratch.rows.resize(rows * (D + wide))) {
    return {ErrorCode::out_of_memory, "There is no memory for " + std::to_string(rows) +
                                          " rows of a block. Run fewer at a time."};
  }
  float* const normed = scratch.rows.floats().data();
  float* const query = normed + rows * D;
  float* const key = query + rows * block.query.out;
  float* const value = key + rows * block.key.out;
  float* const context = value + rows * block.value.out;

  apply(block.norm_1, x, rows, normed);
  apply(block.query, normed, rows, query);
  apply(block.key, normed, rows, key);
  apply(block.value, normed, rows, value);

  AttendOptions options;
  options.is_causal = true;
  options.offset = static_cast<std::int64_t>(cache.length());
  if (Error error = cache.append(key, value, rows)) return error;
  if (Error error = attend(heads_last<const float>(query, 1, rows, block.heads, key_width),
                           cache.keys(), cache.values(), options,
                           heads_last(context, 1, rows, block.heads, value_width), scratch.scores,
                           stages)) {
    return error;
  }
  apply(block.out_proj, context, rows, normed);
  kernels::add(x, x, normed, rows * D);

  float* const hidden = query;  // the attention's rows are done with
  apply(block.norm_2, x, rows, normed);
  apply(block.up, normed, rows, hidden);
  apply(block.gelu, hidden, rows * block.up.out, hidden);
  apply(block.down, hidden, rows, normed);
  kernels::add(x, x, normed, rows * D);
  return {};
}

}  // namespace attention
