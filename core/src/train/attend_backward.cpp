// The gradients of softmax, of the rotation, and of the whole attention: a block of queries at a time, whose rows of
// weights are computed again.
#include <algorithm>
#include <array>
#include <cmath>

#include "attend_paths.h"
#include "attention/backward.h"
#include "checks.h"
#include "train/gradient_kernels.h"

namespace attention {

namespace {

float dot(const float* x, const float* y, std::size_t count) {
  Lanes sums(0.0f);
  kernels::each_register(count, [&](auto load, auto) { sums = sums + load(x) * load(y); });
  return sum_of(sums);
}

}  // namespace

ATTENTION_KERNEL void kernels::softmax_backward_row(const float* y, const float* dy, std::size_t count, float factor,
                                                    float* dx) {
  const Lanes sum(dot(y, dy, count));
  each_register(count, [&](auto load, auto store) { store(load(y) * (load(dy) - sum) * factor, dx); });
}

void softmax_backward(const float* y, const float* dy, std::size_t rows, std::size_t width, float* dx) {
  for (std::size_t r = 0; r < rows; ++r, y += width, dy += width, dx += width) {
    const Lanes sum(dot(y, dy, width));
    kernels::each_register(width, [&](auto load, auto store) {
      store(load(dx) + load(y) * (load(dy) - sum), dx);
    });
  }
}

namespace {

// (a, b) was turned to (a·c - b·s, b·c + a·s); pair i of a row is (in[i · step], in[i · step + gap]).
void turn_row_back(const float* in, float* out, const float* cosines, const float* sines, std::size_t half,
                   RotaryPairs pairs) {
  const std::size_t step = pairs == RotaryPairs::interleaved ? 2 : 1;
  const std::size_t gap = pairs == RotaryPairs::interleaved ? 1 : half;
  for (std::size_t i = 0; i < half; ++i) {
    const float first = in[i * step], second = in[i * step + gap];
    out[i * step] = first * cosines[i] + second * sines[i];
    out[i * step + gap] = second * cosines[i] - first * sines[i];
  }
}

}  // namespace

Error rotate_backward(Heads<const float> dout, Heads<float> din, std::span<const float> cosines,
                      std::span<const float> sines, std::size_t half,
                      std::span<const std::int64_t> positions, RotaryPairs pairs) {
  if (Error error = check_rotate(dout, din, cosines, sines, half, positions)) return error;
  for (std::size_t image = 0; image < dout.batch * dout.heads * dout.rows; ++image) {
    const std::size_t r = image % dout.rows, h = image / dout.rows % dout.heads;
    const std::size_t b = image / dout.rows / dout.heads;
    const std::size_t at = positions.empty() ? r : static_cast<std::size_t>(positions[b * dout.rows + r]);
    const float* const from = dout.row(b, h, r);
    float* const to = din.row(b, h, r);
    if (to != from) std::copy(from + 2 * half, from + dout.width, to + 2 * half);
    turn_row_back(from, to, &cosines[at * half], &sines[at * half], half, pairs);
  }
  return {};
}

namespace {

using kernels::ConstMatrix;
using kernels::Matrix;
using kernels::Sums;
using kernels::Turned;

constexpr std::size_t kBlockRows = 64 / kernels::kTileRows * kernels::kTileRows;

// One block: queries [row, row + rows) of head h, over all keys.
struct QueryBlock {
  const AttendProblem& p;
  std::size_t b, h, row, rows;

  std::size_t keys() const { return p.key.rows; }
  std::size_t key_head() const { return p.key_head_of(h); }
  ScoreRow score_row(std::size_t r, float* scores) const { return {b, h, row + r, 0, keys(), scores + r * keys()}; }
  KeyRange seen(std::size_t r) const { return key_range(p.options, b, row + r, keys()); }

  // The block's rows, or all of a key head's, of a view.
  template <class T>
  auto queries(Heads<T> view) const { return matrix(view, view.row(b, h, row), rows); }
  template <class T>
  auto all_keys(Heads<T> view) const { return matrix(view, view.row(b, key_head(), 0), keys()); }

 private:
  static ConstMatrix matrix(Heads<const float> v, const float* data, std::size_t count) {
    return {data, count, v.width, v.row_stride};
  }
  static Matrix matrix(Heads<float> v, float* data, std::size_t count) { return {data, count, v.width, v.row_stride}; }
};

// Which keys a tile of the block's rows reaches, and which rows reach a tile of keys: nothing else is
// multiplied.
struct Reach {
  std::array<KeyRange, kBlockRows / kernels::kTileRows> keys;  // of each tile of rows
  KeyRange* rows;                                              // of each tile of keys

  Reach(const QueryBlock& block, KeyRange* of_keys) : rows(of_keys) {
    std::fill_n(rows, kernels::tiles_of(block.keys()), KeyRange{block.rows, 0});
    for (std::size_t tile = 0; tile * kernels::kTileRows < block.rows; ++tile) {
      KeyRange all{block.keys(), 0};
      const std::size_t first = tile * kernels::kTileRows, end = std::min(first + kernels::kTileRows, block.rows);
      for (std::size_t r = first; r < end; ++r) {
        const KeyRange seen = block.seen(r);
        if (seen.begin < seen.end) all = {std::min(all.begin, seen.begin), std::max(all.end, seen.end)};
      }
      keys[tile] = all.begin < all.end ? all : KeyRange{};
      for (std::size_t k = keys[tile].begin / kernels::kTileRows; k * kernels::kTileRows < keys[tile].end; ++k) {
        rows[k] = {std::min(rows[k].begin, first), std::max(rows[k].end, end)};
      }
    }
    for (std::size_t k = 0; k < kernels::tiles_of(block.keys()); ++k) {
      if (rows[k].begin >= rows[k].end) rows[k] = {};
    }
  }
  kernels::TileRanges columns() const { return {.columns = keys.data()}; }
  kernels::TileRanges along_keys() const { return {.depth = keys.data()}; }
  kernels::TileRanges along_rows() const { return {.depth = rows}; }
};

// 1 - tanh²(s) of s = scaled scores / cap, from what the cap left.
void softcap_slopes(float* out, const float* capped, float cap, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float t = capped[i] / cap;
    out[i] = 1 - t * t;
  }
}

// weights [rows, keys] as the forward path has them; slopes of the softcap where there is one.
void weigh(const QueryBlock& block, const Reach& reach, float* weights, float* slopes) {
  const AttendOptions& o = block.p.options;
  const std::size_t keys = block.keys(), count = block.rows * keys;
  std::fill_n(weights, count, 0.0f);
  kernels::matmul({weights, block.rows, keys, keys}, block.queries(block.p.query), block.all_keys(block.p.key),
                   Turned::right, Sums::begin, reach.columns());
  kernels::scale(weights, weights, block.p.factor, count);
  if (o.softcap > 0) {
    kernels::softcap(weights, weights, o.softcap, count);
    softcap_slopes(slopes, weights, o.softcap, count);
  }
  for (std::size_t r = 0; r < block.rows; ++r) {
    mask_scores(block.p, block.score_row(r, weights));
    weigh_row(weights + r * keys, weights + r * keys, keys, block.seen(r), o.temperature);
  }
}

void drop(const QueryBlock& block, float* rows) {
  if (block.p.options.dropout == 0) return;
  for (std::size_t r = 0; r < block.rows; ++r) drop_weights(block.p, block.score_row(r, rows));
}

void add_to_bias(const QueryBlock& block, const float* dscores, float* bias) {
  const MaskTensor& mask = block.p.options.mask;
  const std::size_t columns = mask.extents[3];
  for (std::size_t r = 0; r < block.rows; ++r) {
    float* const to = bias + (mask_row(mask, mask.bias, block.b, block.h, block.row + r) - mask.bias);
    // An extent of 1 with more keys is one column, and the keys beyond are masked.
    kernels::add(to, to, dscores + r * block.keys(), columns);
  }
}

struct Memory {
  float *weights, *dweights, *slopes;
  KeyRange* rows_of_keys;
};

void attend_block_backward(const QueryBlock& block, Heads<const float> dcontext, const AttendGradients& gradients,
                           const Memory& memory) {
  const AttendProblem& p = block.p;
  const std::size_t keys = block.keys(), count = block.rows * keys;
  const Reach reach(block, memory.rows_of_keys);
  const ConstMatrix rows{memory.dweights, block.rows, keys, keys};
  const ConstMatrix by = block.queries(dcontext);
  weigh(block, reach, memory.weights, memory.slopes);

  // dV = P^T·dcontext, of the weights that dropout left
  std::copy_n(memory.weights, count, memory.dweights);
  drop(block, memory.dweights);
  kernels::matmul(block.all_keys(gradients.value), rows, by, Turned::left, Sums::go_on, reach.along_rows());
  if (p.options.temperature == 0) return;

  // dP = dcontext·V^T, then dS
  std::fill_n(memory.dweights, count, 0.0f);
  kernels::matmul({memory.dweights, block.rows, keys, keys}, by, block.all_keys(p.value), Turned::right, Sums::begin,
                   reach.columns());
  drop(block, memory.dweights);
  for (std::size_t r = 0; r < block.rows; ++r) {
    kernels::softmax_backward_row(memory.weights + r * keys, memory.dweights + r * keys, keys,
                                  1 / p.options.temperature, memory.dweights + r * keys);
  }
  if (gradients.bias != nullptr) add_to_bias(block, memory.dweights, gradients.bias);
  if (p.options.softcap > 0) kernels::multiply(memory.dweights, memory.slopes, count);
  kernels::scale(memory.dweights, memory.dweights, p.factor, count);

  // dQ = dS·K, dK = dS^T·Q
  kernels::matmul(block.queries(gradients.query), rows, block.all_keys(p.key), Turned::none, Sums::go_on,
                   reach.along_keys());
  kernels::matmul(block.all_keys(gradients.key), rows, block.queries(p.query), Turned::left, Sums::go_on,
                   reach.along_rows());
}

// Whether products of these numbers stay finite: none is NaN, infinite or nearly so.
bool is_moderate(Heads<const float> view) {
  for (std::size_t row = 0; row < view.batch * view.heads * view.rows; ++row) {
    const std::size_t image = row / view.rows;
    const float* const x = view.row(image / view.heads, image % view.heads, row % view.rows);
    if (!std::all_of(x, x + view.width, [](float each) { return std::fabs(each) < 0x1p60f; })) return false;
  }
  return true;
}

// For one query: zeros stand for the keys and values that it may not see, so that nothing they hold changes anything.
AttendProblem seen_only(const AttendProblem& p, std::size_t b, std::size_t h, std::size_t query, float* memory) {
  const SeenKeys seen(p, b, h, query);
  const auto kept = [&](Heads<const float> all, float* to) {
    for (std::size_t k = 0; k < all.rows; ++k) {
      const float* const from = all.row(b, p.key_head_of(h), k);
      std::transform(from, from + all.width, to + k * all.width, [&](float x) { return seen.has(k) ? x : 0.0f; });
    }
    return Heads<const float>{to, all.batch, all.heads, all.rows, all.width, 0, 0, all.width};
  };
  return {p.query, kept(p.key, memory), kept(p.value, memory + p.key.rows * p.key.width), p.options, {}, p.factor};
}

Error check_gradient(std::string_view name, Heads<const float> of, Heads<const float> gradient) {
  if (Error error = check_heads(name, gradient)) return error;
  if (Error error = check_apart(name, gradient)) return error;
  const bool fits = of.batch == gradient.batch && of.heads == gradient.heads && of.rows == gradient.rows &&
                    of.width == gradient.width;
  return fits ? Error{} : error(Rule::gradient_shape, name);
}

}  // namespace

Error attend_backward(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                      const AttendOptions& options, Heads<const float> dcontext,
                      const AttendGradients& gradients, Buffer& scratch) {
  if (Error error = check_attend(query, key, value, options, dcontext)) return error;
  if (Error error = check_gradient("The query's gradient", query, gradients.query)) return error;
  if (Error error = check_gradient("The key's gradient", key, gradients.key)) return error;
  if (Error error = check_gradient("The value's gradient", value, gradients.value)) return error;
  if (gradients.bias != nullptr && options.mask.bias == nullptr) return error(Rule::gradient_bias);
  if (is_misaligned(gradients.bias)) return error(Rule::misaligned, "The bias's gradient");

  // A key may be masked for one query and seen by the next: where 0 times it need not be 0, each query goes alone.
  const bool is_alone = !is_moderate(key) || !is_moderate(value);
  const std::size_t most_rows = is_alone ? 1 : std::min(kBlockRows, query.rows), S = key.rows;
  const std::uint64_t matrix = product({most_rows, S});
  const std::uint64_t of_keys = kernels::tiles_of(S) * (sizeof(KeyRange) / sizeof(float));
  const std::uint64_t seen = is_alone ? product({S, sum({key.width, value.width})}) : 0;
  const std::uint64_t floats = sum({product({matrix, 3}), of_keys, seen});
  if (floats > kMaxFloats || !scratch.resize(static_cast<std::size_t>(floats))) {
    return error(Rule::attend_memory, {floats});
  }
  float* const at = scratch.floats().data();  // ranges first: the buffer is aligned for them
  float* const matrices = at + of_keys;
  const Memory memory{matrices, matrices + matrix, matrices + 2 * matrix, reinterpret_cast<KeyRange*>(at)};
  // A context is asked for by the problem, and never written here.
  const AttendProblem problem{query, key, value, options, {}, scale_of(options, key.width)};
  for (std::size_t b = 0; b < query.batch; ++b) {
    for (std::size_t h = 0; h < query.heads; ++h) {
      for (std::size_t row = 0; row < query.rows; row += most_rows) {
        const AttendProblem own = is_alone ? seen_only(problem, b, h, row, matrices + 3 * matrix) : problem;
        const QueryBlock block{own, b, h, row, std::min(most_rows, query.rows - row)};
        attend_block_backward(block, dcontext, gradients, memory);
      }
    }
  }
  return {};
}

}  // namespace attention
