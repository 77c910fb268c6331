#include "attention/block.h"

#include <algorithm>

#include "attention/positions.h"
#include "checks.h"
#include "kernels.h"
#include "shared_work.h"

namespace attention {

namespace {

// Causal attention, or what an intervention puts in its place.
AttendOptions options_of(const Block& block, const Intervention& intervention) {
  AttendOptions options;
  options.is_causal = true;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  return options;
}

bool has_mlp(const Block& b) { return b.up.weight != nullptr || b.down.weight != nullptr; }

// Of the rows beside the normed ones.
std::size_t widest(const Block& b) { return std::max(has_mlp(b) ? b.up.out : 0, b.norm_1.width); }

Error check(const Block& b, const float* x, std::size_t rows) {
  const std::size_t D = b.norm_1.width;
  if (D == 0 || rows == 0) return error(Rule::block_rows);
  if (x == nullptr) return error(Rule::no_data, "x");
  if (is_misaligned(x)) return error(Rule::misaligned, "x");
  if (Error error = check_norm("A block's norm", b.norm_1, D)) return error;
  if (output_width(b.attention) != D) {
    return error(Rule::block_attention, {D});
  }
  if (has_mlp(b)) {
    if (Error error = check_norm("A block's second norm", b.norm_2, D)) return error;
    if (Error error = check_linear("up", b.up, D)) return error;
    if (Error error = check_linear("down", b.down, b.up.out, D)) return error;
  }
  if (product({rows, sum({D, widest(b)})}) > kMaxFloats) {
    return error(Rule::block_too_large);
  }
  return {};
}

}  // namespace

Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
          BlockScratch& scratch, const MultiHeadStages& stages, const Intervention& intervention) {
  if (Error error = check(block, x, rows)) return error;
  const std::size_t D = block.norm_1.width;
  const bool places_keys = !block.query_key_positions.empty();
  if (!scratch.rows.resize(rows * (D + widest(block)))) {
    return error(Rule::block_memory, {rows});
  }
  float* const normed = scratch.rows.floats().data();
  float* const hidden = normed + rows * D;

  const AttendOptions options = options_of(block, intervention);
  MultiHeadInput input;
  input.changes = intervention.heads;
  input.x = {normed, 1, rows, D};
  input.cache = &cache;
  apply(block.norm_1, x, rows, normed);
  if (places_keys) {
    float* const placed = hidden;  // the MLP's rows come later
    if (Error error =
            add_positions(input.x, block.query_key_positions, {}, cache.length(), placed)) {
      return error;
    }
    input.x.data = placed;
    input.values = {normed, 1, rows, D};
  }
  if (Error error = run(block.attention, input, options, normed, scratch.attention, stages))
    return error;
  kernels::add(x, x, normed, rows * D);
  if (!has_mlp(block)) return {};

  Workers* const workers = scratch.attention.workers;
  apply(block.norm_2, x, rows, normed);
  apply(block.up, normed, rows, hidden, workers);
  apply(block.gelu, hidden, rows * block.up.out, hidden, workers);
  apply(block.down, hidden, rows, normed, workers);
  kernels::add(x, x, normed, rows * D);
  return {};
}

}  // namespace attention
