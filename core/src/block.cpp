#include "attention/block.h"

#include <algorithm>

#include "attention/positions.h"
#include "checks.h"
#include "kernels.h"
#include "shared_work.h"

namespace attention {

namespace {

// The block's own attention, or what an intervention puts in its place.
AttendOptions options_of(const Block& block, const Intervention& intervention) {
  AttendOptions options;
  options.is_causal = block.is_causal;
  if (intervention.options) options = *intervention.options;
  if (options.alibi_slopes.empty()) options.alibi_slopes = block.alibi_slopes;
  return options;
}

bool has_mlp(const Block& b) { return b.up.weight != nullptr || b.down.weight != nullptr; }

bool has_gate(const Block& b) { return b.gate.weight != nullptr; }

// Of the rows beside the normed ones.
std::size_t widest(const Block& b) { return std::max(has_mlp(b) ? b.up.out : 0, b.norm_1.width); }

// Memory of one row: what is normed, the widest, what the gate makes, and what waits for attention's end.
std::uint64_t row_size(const Block& b) {
  const std::size_t D = b.norm_1.width;
  return sum({D, widest(b), has_gate(b) ? b.up.out : 0, b.is_parallel ? D : 0});
}

Error check(const Block& b, const float* x, std::size_t rows) {
  const std::size_t D = b.norm_1.width;
  if (D == 0 || rows == 0) return error(Rule::block_rows);
  if (x == nullptr) return error(Rule::no_data, "x");
  if (is_misaligned(x)) return error(Rule::misaligned, "x");
  if (Error error = check_norm("A block's norm", b.norm_1, D)) return error;
  if (output_width(b.attention) != D) {
    return error(Rule::block_attention, {D});
  }
  if (b.is_parallel && b.is_post_norm) return error(Rule::block_norms);
  if (has_mlp(b)) {
    if (Error error = check_norm("A block's second norm", b.norm_2, D)) return error;
    if (Error error = check_linear("up", b.up, D)) return error;
    if (Error error = check_linear("down", b.down, b.up.out, D)) return error;
    if (has_gate(b)) {
      if (Error error = check_linear("gate", b.gate, D, b.up.out)) return error;
    }
  }
  if (product({rows, row_size(b)}) > kMaxFloats) {
    return error(Rule::block_too_large);
  }
  return {};
}

// Memory for run_mlp().
struct MlpRows {
  float *normed, *hidden, *gated;
};

// y [rows, D] = mlp(norm_2(x)), or mlp(x) where norms come last. y may be the normed rows.
void run_mlp(const Block& b, const float* x, std::size_t rows, const MlpRows& memory, float* y, Workers* workers) {
  const auto [normed, hidden, gated] = memory;
  const std::size_t count = rows * b.up.out;
  const float* const read = b.is_post_norm ? x : normed;
  if (!b.is_post_norm) apply(b.norm_2, x, rows, normed);
  apply(b.up, read, rows, hidden, workers);
  if (has_gate(b)) {
    apply(b.gate, read, rows, gated, workers);
    silu(gated, count, gated);
    kernels::multiply(hidden, hidden, gated, count);
  } else {
    apply(b.gelu, hidden, count, hidden, workers);
  }
  apply(b.down, hidden, rows, y, workers);
}

}  // namespace

Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
          BlockScratch& scratch, const MultiHeadStages& stages, const Intervention& intervention) {
  if (Error error = check(block, x, rows)) return error;
  const std::size_t D = block.norm_1.width;
  const bool places_keys = !block.query_key_positions.empty();
  if (!scratch.rows.resize(static_cast<std::size_t>(rows * row_size(block)))) {
    return error(Rule::block_memory, {rows});
  }
  float* const normed = scratch.rows.floats().data();
  float* const hidden = normed + rows * D;
  float* const gated = hidden + rows * widest(block);
  float* const aside = gated + (has_gate(block) ? rows * block.up.out : 0);
  const bool is_parallel = block.is_parallel && has_mlp(block);
  Workers* const workers = scratch.attention.workers;

  const AttendOptions options = options_of(block, intervention);
  MultiHeadInput input;
  input.changes = intervention.heads;
  input.x = {normed, 1, rows, D};
  input.cache = &cache;
  if (is_parallel) run_mlp(block, x, rows, {normed, hidden, gated}, aside, workers);
  if (block.is_post_norm) std::copy_n(x, rows * D, normed);
  else apply(block.norm_1, x, rows, normed);
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
  if (block.is_post_norm) apply(block.norm_1, x, rows, x);
  if (!has_mlp(block)) return {};

  if (!is_parallel) run_mlp(block, x, rows, {normed, hidden, gated}, normed, workers);
  kernels::add(x, x, is_parallel ? aside : normed, rows * D);
  if (block.is_post_norm) apply(block.norm_2, x, rows, x);
  return {};
}

}  // namespace attention
