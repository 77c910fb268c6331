// A transformer: a decoder as GPT-2 (Radford et al. 2019), or, with blocks that are not causal, an encoder as BERT
// (Devlin et al. 2019) with its masked-language-model head. Token embeddings, positions, blocks, a final norm and an
// output matrix, which turns each row into logits, one for each token of the vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "attention/block.h"
#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/key_value_cache.h"
#include "attention/ops.h"

namespace attention {

// The parameters, as views of memory that the caller keeps. They are only read, so any number of threads may share
// them. Each matrix may be stored in_out (GPT-2's Conv1D) or out_in (torch.nn.Linear), as its Linear says.
struct Decoder {
  Weight embeddings;  // [vocabulary, D]
  std::size_t vocabulary = 0, d_model = 0;
  std::span<const float>
      positions;  // [context, D], added to the embeddings; empty = none: the blocks'
                  // rotary tables, ALiBi slopes or query_key_positions place tokens
  LayerNorm embeddings_norm;      // of embeddings and positions; no gain = none
  std::span<const Block> blocks;  // each from D to D
  // Rows become gelu(transform(row)) before the final norm, as in BERT's head; D to D; no weight = off.
  Linear transform;
  Gelu transform_gelu = Gelu::erf;
  LayerNorm final_norm;           // of width D; no gain = none
  Linear output;                  // D to vocabulary; no weight = tied: the embeddings, transposed
};

// The matrix that computes the logits: `output`, or the embeddings.
ATTENTION_API Linear output_of(const Decoder& decoder);

// The state of one text between calls. One thread at a time; each text has its own state.
struct ATTENTION_API DecoderState {
  std::vector<KeyValueCache> caches;  // one a block
  Buffer rows;
  BlockScratch scratch;

  // Makes room for `capacity` tokens and forgets the tokens read. Blocks whose heads do not divide evenly, and sizes
  // for which there is no memory, are rejected; the state then has no room.
  Error reserve(const Decoder& decoder, std::size_t capacity);
  std::size_t length() const {
    return caches.empty() ? 0 : caches.front().length();
  }  // tokens read
  // Makes run() use `workers`, with the same bits as one thread; null = one thread. See MultiHeadScratch.
  void use(Workers* workers) { scratch.attention.workers = workers; }
  // Forgets the tokens from `length` on; more than it has read changes nothing.
  void truncate(std::size_t length);
};

enum class LogitsOf { every_token, last_token, no_token };

// Where to keep intermediate results; null, or empty, = not kept. T is the number of tokens of this call.
struct DecoderStages {
  float* embeddings = nullptr;              // [T, D], with the positions added, and normed
  std::span<const MultiHeadStages> layers;  // one a block, of a batch of one
  std::span<float* const> residuals;        // one a block: [T, D], its result
};

// Reads T `tokens` after those that `state` holds. Row t of logits is about what follows token t:
// [T, vocabulary], or [vocabulary] of the last token alone; null when no token's are wanted.
// Reading a text token by token and reading it at once give the same bits in builds of four lanes, logits
// and stages alike; with a stage of attention, and without one, bits differ. No tokens, a token outside the vocabulary, one beyond the position table or the
// state's room, and shapes that do not fit are refused. An error leaves the state and the logits as
// they were.
// `interventions`, one a block or none, change how these tokens are read; their masks and patches have a row for each, over
// all keys. A decoder whose blocks are not all causal, by themselves or by interventions, reads a whole text in one call: the
// state must hold no token.
// `places`, one a token or none, are the rows of `positions` that are added, where they are not those after the tokens that `state` holds:
// with rows for each kind of token, a text of two segments has its own.
ATTENTION_API Error run(const Decoder& decoder, std::span<const std::int32_t> tokens, DecoderState& state,
                        float* logits, LogitsOf wanted = LogitsOf::every_token, const DecoderStages& stages = {},
                        std::span<const Intervention> interventions = {}, std::span<const std::int64_t> places = {});

// A row before the blocks and behind them: its token, the row of `positions` that was added to it, and what the last block
// made of it [D].
struct DecoderRow {
  std::int32_t token = 0;
  std::size_t place = 0;
  const float* x = nullptr;
};

// How number `index` of one of the row's stages outside of the blocks came about, to the bits of run(). In their order:
//   placed (E + P; only where the embeddings are normed), embedding (of placed; or E + P, or E alone),
//   last (x), transformed, activated (both only with a transform), final (only with a final norm), logit [vocabulary],
//   chance [vocabulary] (softmax over the logits)
// Operands may also be of the parameters E [vocabulary, D], P [positions, D], gain_E, bias_E, W_T and b_T (the transform), gain_F,
// bias_F, W_U and b_U (the output); the matrices W counted as [in, out]. The decoder must be one that run() accepts.
ATTENTION_API Error explain(const Decoder& decoder, const DecoderRow& row, std::string_view stage, std::size_t index,
                            Explanation& out);

// Logits [T, vocabulary] of a whole text by plain loops in double, from the same float32
// parameters; run() must accept decoder and tokens. Throws std::bad_alloc without memory.
ATTENTION_API std::vector<double> reference_logits(const Decoder& decoder, std::span<const std::int32_t> tokens,
                                                   std::span<const Intervention> interventions = {});

}  // namespace attention
