#include "attention/multi_head.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "attend_paths.h"
#include "checks.h"
#include "kernels.h"
#include "shared_work.h"

namespace attention {

namespace {

// One call, with defaults for what the input leaves out.
struct Call {
  const MultiHead& layer;
  const Rows &x, &keys, &values;
  std::size_t B, T, S, H, H_kv, d_k, d_v;
  KeyValueCache* cache;
  std::size_t before;  // keys of the cache
  std::span<const std::int64_t> positions, key_positions;
  AttendOptions options;  // counted from the first key
  const GivenHeads& given;
  const HeadChanges& changes;

  std::size_t keys_in_all() const { return before + S; }
  bool has_value_down() const { return layer.value_down.weight != nullptr; }
  bool has_out_proj() const { return layer.out_proj.weight != nullptr; }

  // In the stage that keeps them, or in memory.
  Heads<float> heads(float* stage, float* memory, std::size_t rows, std::size_t count, std::size_t width,
                     HeadLayout layout) const {
    float* const data = stage != nullptr ? stage : memory;
    return layout == HeadLayout::first ? heads_first(data, B, count, rows, width)
                                       : heads_last(data, B, rows, count, width);
  }
};

// H, H_kv, d_k and d_v divide nothing here that check_head_counts() has not seen.
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
            in.given,
            in.changes};
  // Such a large offset is rejected later.
  if (options.offset < std::numeric_limits<std::int64_t>::max() / 2) {
    call.options.offset += static_cast<std::int64_t>(before);
  }
  return call;
}

Error check_head_counts(const MultiHead& l) {
  const bool even = l.heads != 0 && l.key_heads != 0 && l.heads % l.key_heads == 0 &&
                    l.query.out % l.heads == 0 && l.key.out % l.key_heads == 0 &&
                    l.value.out % l.key_heads == 0 &&
                    l.query.out / l.heads == l.key.out / l.key_heads;
  if (even) return {};
  return error(Rule::layer_heads);
}

Error check_rows(std::string_view name, const Rows& rows) {
  if (rows.data == nullptr) return error(Rule::no_data, name);
  if (is_misaligned(rows.data)) {
    return error(Rule::misaligned, name);
  }
  if (rows.batch == 0 || rows.rows == 0 || rows.width == 0) {
    return error(Rule::rows_empty, name);
  }
  if (product({rows.batch, rows.rows, rows.width}) > kMaxFloats) {
    return error(Rule::rows_too_large, name);
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
  if (Error error = check_head_norm("The queries' norm", l.query_norm, c.d_k)) return error;
  if (Error error = check_head_norm("The keys' norm", l.key_norm, c.d_k)) return error;
  const std::size_t into_value = c.has_value_down() ? l.value_down.out : c.values.width;
  if (Error error = check_linear("value", l.value, into_value)) return error;
  if (!c.has_out_proj()) {
    if (l.out_proj.bias == nullptr) return {};
    return error(Rule::layer_out_proj);
  }
  return check_linear("out_proj", l.out_proj, c.H * c.d_v);
}

Error check_cache(const Call& c) {
  if (c.cache == nullptr) return {};
  const KeyValueCache& cache = *c.cache;
  if (cache.batch() != c.B || cache.key_heads() != c.H_kv || cache.key_width() != c.d_k ||
      cache.value_width() != c.d_v) {
    return error(Rule::layer_cache);
  }
  if (c.S > cache.capacity() - cache.length()) {
    return error(Rule::cache_room, {cache.capacity() - cache.length(), c.S});
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
    return error(Rule::layer_rotary_rows, {cosines.size() / half, before + heads.rows - 1});
  }
  return check_rotary(heads, cosines, sines, half, positions);
}

void turn(const Call& c, Heads<const float> from, Heads<float> to,
          std::span<const std::int64_t> positions) {
  const auto& [cosines, sines, half, pairs] = c.layer.rotary;
  const std::size_t before = positions.empty() ? c.before : 0;
  rotate_checked(from, to, from_row(cosines, half, before), from_row(sines, half, before), half,
                positions, pairs);
}

// y is written while the last projections are still read.
Error check_result(const Call& c, const float* y) {
  const Heads<const float> result = heads_first(y, 1, 1, c.B * c.T, output_width(c.layer));
  for (const Linear& l : {c.layer.query, c.layer.key, c.layer.value, c.layer.value_down, c.layer.out_proj}) {
    const bool is_in_out = l.layout == Layout::in_out;
    const std::size_t width = is_in_out ? l.out : l.in, rows = is_in_out ? l.in : l.out;
    const std::size_t stride = l.stride != 0 ? l.stride : width;
    if ((l.weight != nullptr && is_shared(result, l.weight, rows, stride, width)) ||
        (l.bias != nullptr && is_shared(result, heads_first(l.bias, 1, 1, 1, l.out)))) {
      return error(Rule::result_overlaps, "y");
    }
  }
  for (const HeadNorm& norm : {c.layer.query_norm, c.layer.key_norm}) {
    if (!norm.gain.empty() && is_shared(result, heads_first(norm.gain.data(), 1, 1, 1, norm.gain.size()))) {
      return error(Rule::result_overlaps, "y");
    }
  }
  return {};
}

Error check(const Call& c, const float* y, const MultiHeadStages& stages) {
  if (Error error = check_rows("x", c.x)) return error;
  if (Error error = check_rows("keys", c.keys)) return error;
  if (Error error = check_rows("values", c.values)) return error;
  if (y == nullptr) return error(Rule::no_data, "y");
  const auto& [layout, q, k, v, down, turned_q, turned_k, _, context_stage, concat] = stages;
  for (const float* const to : std::initializer_list<const float*>{y, q, k, v, down, turned_q, turned_k, context_stage, concat}) {
    if (is_misaligned(to)) return error(Rule::misaligned, "y or a stage");
  }
  for (const float* const from : {c.given.query, c.given.key, c.given.value}) {
    if (is_misaligned(from)) return error(Rule::misaligned, "A given stage");
  }
  if (c.keys.batch != c.B || c.values.batch != c.B || c.values.rows != c.S) {
    return error(Rule::layer_batch);
  }
  if (Error error = check_matrices(c)) return error;
  if (Error error = check_result(c, y)) return error;
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

// Memory for the intermediate results; each [rows, width] of its projection.
struct Memory {
  float *query, *key, *value, *value_down, *turned_query, *turned_key, *concat;
};

Error take(const Call& c, MultiHeadScratch& scratch, Memory& memory) {
  const std::uint64_t queries = c.B * c.T, keys = c.B * c.S;
  const std::uint64_t query = product({queries, c.layer.query.out}), key = product({keys, c.layer.key.out});
  const std::uint64_t counts[] = {query, key, product({keys, c.layer.value.out}),
                                  product({keys, c.has_value_down() ? c.layer.value_down.out : 0}),
                                  query, key, product({queries, c.H, c.d_v})};
  std::uint64_t needed = 0;
  for (const std::uint64_t count : counts) needed = sum({needed, count});
  if (needed > kMaxFloats || !scratch.rows.resize(static_cast<std::size_t>(needed))) {
    return error(Rule::layer_memory, {queries});
  }
  float* next = scratch.rows.floats().data();
  float** const parts[] = {&memory.query, &memory.key, &memory.value, &memory.value_down,
                           &memory.turned_query, &memory.turned_key, &memory.concat};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    *parts[i] = next;
    next += counts[i];
  }
  return {};
}

void copy(Heads<const float> from, Heads<float> to) {
  if (from.data == to.data) return;
  for (std::size_t b = 0; b < from.batch; ++b)
    for (std::size_t h = 0; h < from.heads; ++h)
      for (std::size_t row = 0; row < from.rows; ++row)
        std::copy_n(from.row(b, h, row), from.width, to.row(b, h, row));
}

// out = x·W + b, parted into heads; or what is given in its place, which lies as out does.
void project(const Linear& linear, const Rows& x, const float* given, Heads<float> out, Workers* workers) {
  const std::size_t rows = out.batch * out.rows;
  if (given != nullptr) {
    std::copy_n(given, rows * out.heads * out.width, out.data);
  } else if (out.head_stride == out.width) {  // side by side
    apply(linear, x.data, rows, out.data, workers);
  } else {
    for (std::size_t b = 0; b < out.batch; ++b)
      for (std::size_t h = 0; h < out.heads; ++h)
        apply(slice(linear, h, out.heads), x.data + b * x.rows * x.width, x.rows, out.row(b, h, 0), workers);
  }
}

// Each head of each row by itself, in place: in either layout they lie one behind another.
void norm_heads(const HeadNorm& norm, const float* given, Heads<float> heads) {
  if (norm.gain.empty() || given != nullptr) return;
  const std::size_t d = heads.width;
  float* const end = heads.data + heads.batch * heads.heads * heads.rows * d;
  for (float* row = heads.data; row != end; row += d) {
    const float scale = head_scale(norm, row, d);
    for (std::size_t i = 0; i < d; ++i) row[i] = row[i] * scale * norm.gain[i];
  }
}

// Where `heads` go once turned. `kept` and `kept_turned` are the stages before and after, or null.
Heads<float> turned(Heads<float> heads, const float* kept, float* kept_turned, float* memory, bool turns) {
  if (kept_turned != nullptr) heads.data = kept_turned;
  else if (turns && kept != nullptr) heads.data = memory;
  return heads;
}

// One row over the keys that its weights name: a weight of 0 brings nothing, whatever the value holds.
void mix_again(const HeadPatch& p, std::size_t b, std::size_t t, Heads<const float> value, Heads<float> context) {
  const std::size_t key_head = p.head / (context.heads / value.heads);
  float* const row = context.row(b, p.head, t);
  std::fill_n(row, context.width, 0.0f);
  for (std::size_t k = 0; k < value.rows; ++k) {
    const float* const weight = p.weights + t * value.rows + k;
    if (*weight == 0) continue;
    kernels::add_values(row, context.width, 1, weight, {value.row(b, key_head, k), 1, value.width, value.row_stride});
  }
}

void patch_head(const HeadPatch& p, std::size_t b, Heads<const float> value, Heads<float> context,
           const AttendStages& stages) {
  const std::size_t H = context.heads, T = context.rows, S = value.rows;
  const std::size_t key_head = p.head / (H / value.heads);
  kernels::matmul_nn({context.row(b, p.head, 0), T, context.width, context.row_stride},
                     {p.weights, T, S, S},
                     {value.row(b, key_head, 0), S, value.width, value.row_stride});
  for (std::size_t t = 0; t < T; ++t) {
    if (!kernels::is_finite(context.row(b, p.head, t), context.width)) mix_again(p, b, t, value, context);
  }
  for (float* stage : {stages.weights, stages.dropped_weights}) {
    if (stage != nullptr) std::copy_n(p.weights, T * S, stage + (b * H + p.head) * T * S);
  }
}

// context (B, H, T, d_v) as attend() left it becomes the changed one; kept weights follow the patches.
void change_heads(const HeadChanges& changes, Heads<const float> value, Heads<float> context,
                  const AttendStages& stages) {
  for (std::size_t b = 0; b < context.batch; ++b) {
    for (const HeadPatch& p : changes.patches) patch_head(p, b, value, context, stages);
    for (std::size_t h = 0; h < changes.gains.size(); ++h) {
      for (std::size_t t = 0; t < context.rows; ++t) {
        float* const row = context.row(b, h, t);
        kernels::scale(row, row, changes.gains[h], context.width);
      }
    }
  }
}

// By attend()'s fastest path, over the cache's keys where there is one, and with the changes to heads.
Error mix(const MultiHeadInput& input, Heads<const float> query, Heads<const float> key,
          Heads<const float> value, const AttendOptions& options, Heads<float> context, MultiHeadScratch& scratch,
          const AttendStages& stages) {
  KeyValueCache* const cache = input.cache;
  const std::size_t before = cache != nullptr ? cache->length() : 0;
  if (cache != nullptr) {
    if (Error error = cache->append(key, value)) return error;
    key = cache->keys();
    value = cache->values();
  }
  if (Error error = attend_shared(query, key, value, options, context, scratch.scores, stages, scratch.workers)) {
    if (cache != nullptr) cache->truncate(before);
    return error;
  }
  change_heads(input.changes, value, context, stages);
  return {};
}

}  // namespace

// In double: the squares of any float32 have a sum there.
float head_scale(const HeadNorm& norm, const float* row, std::size_t width) {
  double squares = 0;
  for (std::size_t i = 0; i < width; ++i) squares += static_cast<double>(row[i]) * static_cast<double>(row[i]);
  return static_cast<float>(1 / std::sqrt(squares / static_cast<double>(width) + static_cast<double>(norm.epsilon)));
}

std::size_t output_width(const MultiHead& l) {
  if (l.out_proj.weight != nullptr) return l.out_proj.out;
  return l.key_heads == 0 ? 0 : l.heads * (l.value.out / l.key_heads);
}

Error run(const MultiHead& layer, const MultiHeadInput& input, const AttendOptions& options,
          float* y, MultiHeadScratch& scratch, const MultiHeadStages& stages) {
  if (Error error = check_head_counts(layer)) return error;
  if (Error error = check(read(layer, input, options), y, stages)) return error;
  return run_checked(mix, layer, input, options, y, scratch, stages);
}

Error run_checked(MixHeads mix, const MultiHead& layer, const MultiHeadInput& input,
                  const AttendOptions& options, float* y, MultiHeadScratch& scratch,
                  const MultiHeadStages& stages) {
  const Call c = read(layer, input, options);
  Memory memory;
  if (Error error = take(c, scratch, memory)) return error;

  // X·W + b, head by head, and normed where the layer does
  const auto query = c.heads(stages.query, memory.query, c.T, c.H, c.d_k, stages.layout);
  const auto key = c.heads(stages.key, memory.key, c.S, c.H_kv, c.d_k, stages.layout);
  const auto value = c.heads(stages.value, memory.value, c.S, c.H_kv, c.d_v, stages.layout);
  project(layer.query, c.x, c.given.query, query, scratch.workers);
  project(layer.key, c.keys, c.given.key, key, scratch.workers);
  for (const bool is_key : {false, true}) {
    norm_heads(is_key ? layer.key_norm : layer.query_norm, is_key ? c.given.key : c.given.query, is_key ? key : query);
  }
  Rows into_value = c.values;
  if (c.has_value_down()) {
    float* const down = stages.value_down != nullptr ? stages.value_down : memory.value_down;
    apply(layer.value_down, c.values.data, c.B * c.S, down, scratch.workers);
    into_value = {down, c.B, c.S, layer.value_down.out};
  }
  project(layer.value, into_value, c.given.value, value, scratch.workers);

  // rotary positions: in place, unless what was there before is kept
  const bool turns = layer.rotary.half > 0;
  const auto turned_query = turned(query, stages.query, stages.rotated_query, memory.turned_query, turns);
  const auto turned_key = turned(key, stages.key, stages.rotated_key, memory.turned_key, turns);
  if (turns) {
    turn(c, query, turned_query, c.positions);
    turn(c, key, turned_key, c.key_positions);
  } else {
    copy(query, turned_query);
    copy(key, turned_key);
  }

  // softmax(mask(softcap(scale · Q·K^T)) / temperature)·V
  float* const side_by_side = !c.has_out_proj() ? y : stages.concat != nullptr ? stages.concat : memory.concat;
  const auto concat = heads_last(side_by_side, c.B, c.T, c.H, c.d_v);
  const auto context = stages.context == nullptr ? concat : heads_first(stages.context, c.B, c.H, c.T, c.d_v);
  if (Error error = mix(input, turned_query, turned_key, value, c.options, context, scratch, stages.attend)) {
    return error;
  }

  // heads side by side, and out_proj
  copy(context, concat);
  const std::size_t rows = c.B * c.T;
  if (c.has_out_proj()) apply(layer.out_proj, side_by_side, rows, y, scratch.workers);
  else if (stages.concat != nullptr) std::copy_n(y, rows * c.H * c.d_v, stages.concat);
  return {};
}

}  // namespace attention
