// A block of query rows at a time: its scores against every key it may see, softmax, times the values.
// The block's rows stay in the cache between the steps, and no (T, S) matrix is ever held.
#include "attention/attend.h"

#include <algorithm>
#include <limits>

#include "attend_options.h"
#include "attention/generator.h"
#include "kernels.h"
#include "lanes.h"

namespace attention {

namespace {

constexpr std::size_t kBlockRows = 64;
constexpr float kMasked = -std::numeric_limits<float>::infinity();

struct Block {
  std::size_t b, h;           // of the query
  std::size_t row, rows;      // queries [row, row + rows)
  std::size_t key, keys;      // keys [key, key + keys): all that any of these rows may see
  float* scores;              // [rows, keys]

  float* row_of(std::size_t r) const { return scores + r * keys; }
};

kernels::ConstMatrix matrix(Heads<const float> t, std::size_t b, std::size_t h, std::size_t row,
                            std::size_t rows) {
  return {t.row(b, h, row), rows, t.width, t.row_stride};
}

// Copies the block into a stage that is kept, [B, H, T, S]; blocks then span all S keys.
void keep(float* stage, const Block& block, std::size_t H, std::size_t T, std::size_t S) {
  if (stage == nullptr) return;
  float* out = stage + ((block.b * H + block.h) * T + block.row) * S;
  std::copy_n(block.scores, block.rows * S, out);
}

void mask_row_scores(float* row, const Block& block, std::size_t query, std::size_t S,
                     const AttendOptions& options) {
  const KeyRange seen = key_range(options, block.b, query, S);
  const std::size_t begin = std::clamp(seen.begin, block.key, block.key + block.keys) - block.key;
  const std::size_t end = std::clamp(seen.end, block.key, block.key + block.keys) - block.key;
  std::fill(row, row + std::min(begin, end), kMasked);
  std::fill(row + end, row + block.keys, kMasked);
  if (!options.alibi_slopes.empty()) {
    const float slope = options.alibi_slopes[block.h];
    const std::int64_t place = place_of(options, block.b, query);
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t distance = static_cast<std::int64_t>(block.key + k) - place;
      row[k] += slope * static_cast<float>(distance);
    }
  }
  const MaskTensor& mask = options.mask;
  if (const float* bias = mask_row(mask, mask.bias, block.b, block.h, query); bias && begin < end) {
    kernels::add_bias(row + begin, row + begin, bias + block.key + begin, end - begin);
  }
  if (const std::uint8_t* allowed = mask_row(mask, mask.allowed, block.b, block.h, query)) {
    for (std::size_t k = begin; k < end; ++k) {
      if (allowed[block.key + k] == 0) row[k] = kMasked;
    }
  }
}

void drop_row(float* row, const Block& block, std::size_t query, std::size_t H,
              const AttendOptions& options) {
  const auto threshold = static_cast<std::uint32_t>(static_cast<double>(options.dropout) * 0x1p32);
  const float kept = 1 / (1 - options.dropout);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t k = 0; k < block.keys; ++k) {
    const std::size_t column = block.key + k;
    if (k == 0 || column % 4 == 0) {
      words = philox({static_cast<std::uint32_t>(column / 4), static_cast<std::uint32_t>(query),
                      static_cast<std::uint32_t>(block.b * H + block.h), 0},
                     {options.dropout_seed, static_cast<std::uint32_t>(Matrix::dropout)});
    }
    row[k] = words[column % 4] < threshold ? 0.0f : row[k] * kept;
  }
}

// The union of what the block's rows may see; its start on a whole register, so that the keys before
// it change neither the lanes in which softmax adds nor, being zeros, any bit.
KeyRange keys_of_block(const AttendOptions& options, std::size_t b, std::size_t row,
                       std::size_t rows, std::size_t S) {
  KeyRange all{S, 0};
  for (std::size_t r = row; r < row + rows; ++r) {
    const KeyRange seen = key_range(options, b, r, S);
    if (seen.begin == seen.end) continue;
    all = {std::min(all.begin, seen.begin), std::max(all.end, seen.end)};
  }
  if (all.begin >= all.end) return {0, 0};
  return {all.begin / kLanes * kLanes, all.end};
}

}  // namespace

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Buffer& scratch,
             const AttendStages& stages) {
  if (Error error = check_attend(query, key, value, options, context)) return error;
  const std::size_t H = query.heads, T = query.rows, S = key.rows;
  if (!scratch.resize(std::min(kBlockRows, T) * S)) {
    return {ErrorCode::out_of_memory, "There is no memory for " + std::to_string(kBlockRows) +
                                          " rows of scores. Use fewer keys."};
  }
  const bool keeps_stages = stages.scores || stages.scaled_scores || stages.capped_scores ||
                            stages.masked_scores || stages.weights || stages.dropped_weights;
  const float factor = scale_of(options, key.width);
  const std::size_t group = H / key.heads;

  for (std::size_t b = 0; b < query.batch; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t row = 0; row < T; row += kBlockRows) {
        const std::size_t rows = std::min(kBlockRows, T - row);
        const KeyRange range =
            keeps_stages ? KeyRange{0, S} : keys_of_block(options, b, row, rows, S);
        Block block{b, h, row, rows, range.begin, range.end - range.begin, scratch.floats().data()};
        const std::size_t count = block.rows * block.keys;

        kernels::matmul_nt({block.scores, rows, block.keys, block.keys},
                           matrix(query, b, h, row, rows),
                           matrix(key, b, h / group, block.key, block.keys));
        keep(stages.scores, block, H, T, S);

        kernels::scale(block.scores, block.scores, factor, count);
        keep(stages.scaled_scores, block, H, T, S);

        if (options.softcap > 0) kernels::softcap(block.scores, block.scores, options.softcap, count);
        keep(stages.capped_scores, block, H, T, S);

        for (std::size_t r = 0; r < rows; ++r) {
          mask_row_scores(block.row_of(r), block, row + r, S, options);
        }
        keep(stages.masked_scores, block, H, T, S);

        for (std::size_t r = 0; r < rows && block.keys > 0; ++r) {
          kernels::softmax_row(block.row_of(r), block.row_of(r), block.keys);
        }
        keep(stages.weights, block, H, T, S);

        for (std::size_t r = 0; r < rows && options.dropout > 0; ++r) {
          drop_row(block.row_of(r), block, row + r, H, options);
        }
        keep(stages.dropped_weights, block, H, T, S);

        const kernels::Matrix out{context.row(b, h, row), rows, context.width, context.row_stride};
        if (block.keys == 0) {
          for (std::size_t r = 0; r < rows; ++r) std::fill_n(context.row(b, h, row + r), out.cols, 0.0f);
        } else {
          kernels::matmul_nn(out, {block.scores, rows, block.keys, block.keys},
                             matrix(value, b, h / group, block.key, block.keys));
        }
      }
    }
  }
  return {};
}

}  // namespace attention
