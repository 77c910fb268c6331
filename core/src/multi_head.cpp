#include "attention/multi_head.h"

#include <algorithm>
#include <limits>
#include <string>

#include "attend_options.h"
#include "change_heads.h"
#include "check_linear.h"
#include "rotary_check.h"
#include "sizes.h"

namespace attention {

namespace {

Error invalid(std::string rule) {
  return {ErrorCode::invalid_shape, std::move(rule)};
}

// One call, with what the input leaves out filled in.
struct Call {
  const MultiHead& layer;
  const Rows &x, &keys, &values;
  std::size_t B, T, S, H, H_kv, d_k, d_v;
  KeyValueCache* cache;
  std::size_t before;  // keys of the cache
  std::span<const std::int64_t> positions, key_positions;
  AttendOptions options;  // counted from the first key
  const HeadChanges& changes;

  std::size_t keys_in_all() const { return before + S; }
  bool has_value_down() const { return layer.value_down.weight != nullptr; }
  bool has_out_proj() const { return layer.out_proj.weight != nullptr; }
};

// H, H_kv, d_k and d_v divide nothing here that check_heads() has not seen.
Call read(const MultiHead& layer, const MultiHeadInput& in, const AttendOptions& options) {
  const Rows& keys = in.keys.data != nullptr ? in.keys : in.x;
  const Rows& values = in.values.data != nullptr ? in.values : keys;
  const bool is_self = in.keys.data == nullptr;
  const std::size_t before = in.cache != nullptr ? in.cache->length() : 0;
  Call call{layer,
            in.x,
            keys,
            values,
            in.x.batch,
            in.x.rows,
            keys.rows,
            layer.heads,
            layer.key_heads,
            layer.key.out / layer.key_heads,
            layer.value.out / layer.key_heads,
            in.cache,
            before,
            in.positions,
            is_self && in.key_positions.empty() ? in.positions : in.key_positions,
            options,
            in.changes};
  // An offset so large is refused as it is.
  if (options.offset < std::numeric_limits<std::int64_t>::max() / 2) {
    call.options.offset += static_cast<std::int64_t>(before);
  }
  return call;
}

Error check_heads(const MultiHead& l) {
  const bool even = l.heads != 0 && l.key_heads != 0 && l.heads % l.key_heads == 0 &&
                    l.query.out % l.heads == 0 && l.key.out % l.key_heads == 0 &&
                    l.value.out % l.key_heads == 0 &&
                    l.query.out / l.heads == l.key.out / l.key_heads;
  if (even) return {};
  return invalid(
      "The heads must be a multiple of the key heads and split query, key and value evenly, "
      "with queries as wide as keys.");
}

Error check_rows(const std::string& name, const Rows& rows) {
  if (rows.data == nullptr) return invalid(name + " has no data: its pointer is null.");
  if (is_misaligned(rows.data)) {
    return invalid(name + " is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  if (rows.batch == 0 || rows.rows == 0 || rows.width == 0) {
    return invalid(name + " is empty: batch, rows and width must each be at least 1.");
  }
  if (product({rows.batch, rows.rows, rows.width}) > kMaxFloats) {
    return invalid(name + " is larger than memory can be. Use fewer rows.");
  }
  return {};
}

Error check_matrices(const Call& c) {
  const MultiHead& l = c.layer;
  if (Error error = check_linear("query", l.query, c.x.width)) return error;
  if (Error error = check_linear("key", l.key, c.keys.width)) return error;
  if (c.has_value_down()) {
    if (Error error = check_linear("value_down", l.value_down, c.values.width)) return error;
  }
  const std::size_t into_value = c.has_value_down() ? l.value_down.out : c.values.width;
  if (Error error = check_linear("value", l.value, into_value)) return error;
  if (!c.has_out_proj()) {
    if (l.out_proj.bias == nullptr) return {};
    return invalid("out_proj has a bias and no matrix; give both, or neither.");
  }
  return check_linear("out_proj", l.out_proj, c.H * c.d_v);
}

Error check_cache(const Call& c) {
  if (c.cache == nullptr) return {};
  const KeyValueCache& cache = *c.cache;
  if (cache.batch() != c.B || cache.key_heads() != c.H_kv || cache.key_width() != c.d_k ||
      cache.value_width() != c.d_v) {
    return invalid(
        "The cache must be reserved for the layer's key heads and widths, and for the input's "
        "batch.");
  }
  if (c.S > cache.capacity() - cache.length()) {
    return invalid("The cache has room for " + std::to_string(cache.capacity() - cache.length()) +
                   " of " + std::to_string(c.S) + " tokens. Reserve a larger one, or start anew.");
  }
  return {};
}

// Without positions, rows stand one after another from `before` on.
std::span<const float> from_row(std::span<const float> table, std::size_t half,
                                std::size_t before) {
  return table.subspan(std::min(table.size(), before * half));
}

Error check_turn(const Call& c, Heads<const float> heads, std::span<const std::int64_t> positions) {
  const auto& [cosines, sines, half, pairs] = c.layer.rotary;
  if (half == 0) return {};
  const std::size_t before = positions.empty() ? c.before : 0;
  // Sizes first: a table cut at `before` must not look whole.
  if (cosines.size() / half < before + heads.rows && positions.empty()) {
    return invalid("The rotary tables have " + std::to_string(cosines.size() / half) +
                   " rows; these tokens reach position " + std::to_string(before + heads.rows - 1) +
                   ".");
  }
  return check_rotary(heads, cosines, sines, half, positions);
}

Error turn(const Call& c, Heads<float> heads, std::span<const std::int64_t> positions) {
  const auto& [cosines, sines, half, pairs] = c.layer.rotary;
  const std::size_t before = positions.empty() ? c.before : 0;
  return rotate(heads, heads, from_row(cosines, half, before), from_row(sines, half, before), half,
                positions, pairs);
}

Error check(const Call& c, const float* y, const MultiHeadStages& stages) {
  if (Error error = check_rows("x", c.x)) return error;
  if (Error error = check_rows("keys", c.keys)) return error;
  if (Error error = check_rows("values", c.values)) return error;
  if (y == nullptr) return invalid("y has no data: its pointer is null.");
  const auto& [q, k, v, turned_q, turned_k, _, concat] = stages;
  for (const float* const to : std::initializer_list<const float*>{y, q, k, v, turned_q, turned_k, concat}) {
    if (is_misaligned(to)) return invalid("y or a stage is misaligned: float32 data begins at a multiple of 4 bytes.");
  }
  if (c.keys.batch != c.B || c.values.batch != c.B || c.values.rows != c.S) {
    return invalid(
        "x, keys and values must have the same batch, and keys and values the same rows.");
  }
  if (Error error = check_matrices(c)) return error;
  if (Error error = check_cache(c)) return error;
  if (Error error = check_changes(c.changes, c.H)) return error;
  // Only shapes are read; x stands in for data that is not there yet.
  const float* const any = c.x.data;
  const auto query = heads_last(any, c.B, c.T, c.H, c.d_k);
  const auto new_keys = heads_last(any, c.B, c.S, c.H_kv, c.d_k);
  const auto key = heads_last(any, c.B, c.keys_in_all(), c.H_kv, c.d_k);
  const auto value = heads_last(any, c.B, c.keys_in_all(), c.H_kv, c.d_v);
  const auto context = heads_last(any, c.B, c.T, c.H, c.d_v);
  if (Error error = check_attend(query, key, value, c.options, context, stages.attend)) return error;
  if (Error error = check_turn(c, query, c.positions)) return error;
  return check_turn(c, new_keys, c.key_positions);
}

void keep(float* stage, const float* from, std::size_t count) {
  if (stage != nullptr) std::copy_n(from, count, stage);
}

}  // namespace

std::size_t output_width(const MultiHead& l) {
  if (l.out_proj.weight != nullptr) return l.out_proj.out;
  return l.key_heads == 0 ? 0 : l.heads * (l.value.out / l.key_heads);
}

Error run(const MultiHead& layer, const MultiHeadInput& input, const AttendOptions& options,
          float* y, MultiHeadScratch& scratch, const MultiHeadStages& stages) {
  if (Error error = check_heads(layer)) return error;
  const Call c = read(layer, input, options);
  if (Error error = check(c, y, stages)) return error;

  const std::size_t queries = c.B * c.T, keys = c.B * c.S;  // rows
  const std::size_t rank = c.has_value_down() ? layer.value_down.out : 0;
  const std::uint64_t needed = sum(
      {product({queries, layer.query.out}), product({keys, layer.key.out}),
       product({keys, layer.value.out}), product({keys, rank}), product({queries, c.H * c.d_v})});
  if (needed > kMaxFloats || !scratch.rows.resize(static_cast<std::size_t>(needed))) {
    return {ErrorCode::out_of_memory, "There is no memory for a layer of " +
                                          std::to_string(queries) + " rows. Run fewer at a time."};
  }
  float* const query = scratch.rows.floats().data();
  float* const key = query + queries * layer.query.out;
  float* const value = key + keys * layer.key.out;
  float* const low = value + keys * layer.value.out;
  float* const concat = low + keys * rank;

  apply(layer.query, c.x.data, queries, query);
  apply(layer.key, c.keys.data, keys, key);
  if (c.has_value_down()) apply(layer.value_down, c.values.data, keys, low);
  apply(layer.value, c.has_value_down() ? low : c.values.data, keys, value);
  keep(stages.query, query, queries * layer.query.out);
  keep(stages.key, key, keys * layer.key.out);
  keep(stages.value, value, keys * layer.value.out);

  const auto query_heads = heads_last(query, c.B, c.T, c.H, c.d_k);
  const auto key_heads = heads_last(key, c.B, c.S, c.H_kv, c.d_k);
  const auto value_heads = heads_last(value, c.B, c.S, c.H_kv, c.d_v);
  if (layer.rotary.half > 0) {
    if (Error error = turn(c, query_heads, c.positions)) return error;
    if (Error error = turn(c, key_heads, c.key_positions)) return error;
  }
  keep(stages.rotated_query, query, queries * layer.query.out);
  keep(stages.rotated_key, key, keys * layer.key.out);

  if (c.cache != nullptr) {
    if (Error error = c.cache->append(key, value, c.S)) return error;
  }
  float* const context = c.has_out_proj() ? concat : y;
  const auto contexts = heads_last(context, c.B, c.T, c.H, c.d_v);
  const Heads<const float> all_keys = c.cache != nullptr ? c.cache->keys() : key_heads;
  const Heads<const float> all_values = c.cache != nullptr ? c.cache->values() : value_heads;
  if (Error error = attend(query_heads, all_keys, all_values, c.options, contexts, scratch.scores,
                           stages.attend)) {
    if (c.cache != nullptr) c.cache->truncate(c.before);
    return error;
  }
  change_heads(c.changes, all_values, contexts, stages.attend);
  keep(stages.concat, context, queries * c.H * c.d_v);
  if (c.has_out_proj()) apply(layer.out_proj, context, queries, y);
  return {};
}

}  // namespace attention
