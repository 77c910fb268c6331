// A transformer block.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/key_value_cache.h"
#include "attention/layer/explanation.h"
#include "attention/multi_head.h"
#include "attention/ops.h"

namespace attention {

// A pre-norm block (as in Radford et al. 2019, GPT-2): x += attention(norm_1(x)); x += mlp(norm_2(x)), where mlp(y) is
// down(gelu(up(y))), or with a `gate` down(silu(gate(y)) · up(y)), SwiGLU (Shazeer 2020; Llama).
// Without `up` and `down` it has no MLP, and no second norm. Post-norm (as in Vaswani et al. 2017; BERT, Devlin et al. 2019):
// x = norm_1(x + attention(x)); x = norm_2(x + mlp(x)), where mlp reads x as it is.
struct Block {
  LayerNorm norm_1, norm_2;
  MultiHead attention;  // D to D
  Linear up, down;      // the MLP: D to hidden to D; no weights = none
  Linear gate;          // as up; no weight = none
  Gelu gelu = Gelu::tanh;  // not with a gate
  // The MLP reads the same x as attention: x += attention(norm_1(x)) + mlp(norm_2(x)) (GPT-NeoX).
  bool is_parallel = false;  // not with is_post_norm
  bool is_post_norm = false;
  // False: every token sees all tokens, before it and after it (an encoder, as BERT).
  bool is_causal = true;
  std::span<const float> alibi_slopes;  // [heads], or empty = off
  // [positions, D], or empty = off: row p is added to norm_1 of token p where queries and keys are made
  // from it, and not where values are.
  std::span<const float> query_key_positions;
};

// Changes to a block's attention during a run, to see what it contributes.
struct Intervention {
  // Replaces the block's attention options; its ALiBi slopes stay, unless these options have slopes.
  std::optional<AttendOptions> options;
  HeadChanges heads;
};

// Memory that blocks reuse from call to call; it grows to the largest. One thread at a time.
struct BlockScratch {
  Buffer rows;
  MultiHeadScratch attention;
};

// Runs `rows` new tokens through the block: x [rows, D] in place. Their keys and values are appended to `cache`, and they
// see all that it then holds; causally, so that reading a text token by token and reading it at once give the same bits.
// Without is_causal all of a text's tokens come at once.
// `stages` keeps the attention's, of a batch of one; `intervention` changes it. An error leaves x and
// the cache as they were.
ATTENTION_API Error run(const Block& block, float* x, std::size_t rows, KeyValueCache& cache,
                        BlockScratch& scratch, const MultiHeadStages& stages = {},
                        const Intervention& intervention = {});

// One row in a block: its numbers before the block [D], and the contexts of the attention heads for it, side by side,
// as in MultiHeadStages::concat.
struct BlockRow {
  const float* x = nullptr;
  const float* contexts = nullptr;
};

// How number `index` of one of the row's stages came about, to the bits of run(). In their order:
//   x, norm_1, contexts, attention (contexts · W_O + b_O), sum_1 (x + attention), norm_2 (of sum_1, or of x beside attention),
//   gate, up, active (silu of gate, or gelu of up), hidden (up · active; only with a gate), mlp, sum_2 (sum_1 + mlp)
// Post-norm: norm_1 is that of sum_1 and what the MLP reads and sum_2 adds to; norm_2, of sum_2, ends the block.
// Operands may also be of the parameters W_O, b_O, gain_1, bias_1, gain_2, bias_2, W_gate, b_gate, W_up, b_up, W_down and b_down, each
// matrix counted as [in, out].
ATTENTION_API Error explain(const Block& block, const BlockRow& row, std::string_view stage, std::size_t index,
                            Explanation& out);

// The same block by plain loops in double, over all tokens at once: x [rows, D] in, and out. Throws std::bad_alloc
// without memory.
ATTENTION_API std::vector<double> reference_run(const Block& block, std::vector<double> x,
                                                const Intervention& intervention = {});

}  // namespace attention
