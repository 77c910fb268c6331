// Training of a decoder, reproducible to the bit: the same seed, batches and rules give the same bits in every build
// with four lanes, so any state of a run can be computed again from its lesson, seed and step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attention/buffer.h"
#include "attention/decoder.h"
#include "attention/error.h"
#include "attention/export.h"
#include "attention/optimizer.h"

namespace attention {

struct CrossEntropy;

enum class PositionKind : std::uint8_t {
  none,
  added,               // a learned row a position, added to the embeddings
  in_queries_and_keys  // added to each block's norm where queries and keys are made, and not values
};

// A pre-norm decoder as in decoder.h. Only its norms have biases; values are d_model / heads wide.
struct TrainerShape {
  std::uint32_t vocabulary = 32, context = 32;
  std::uint32_t slots = 1;  // answers to each token: the output matrix is [d_model, slots · vocabulary]
  std::uint32_t d_model = 32, heads = 2;
  std::uint32_t d_k = 0;  // of a head; 0 = d_model / heads
  std::uint32_t layers = 2;
  std::uint32_t hidden = 0;  // of the MLP; 0 = none
  PositionKind positions = PositionKind::added;
  bool tied = false;  // the output matrix is the embeddings, transposed; of one slot
  // Times the deviation that W_Q and W_K are drawn with: d_k^(-1/4) makes scores begin as small without the
  // division by sqrt(d_k) as with it.
  float query_key_gain = 1;
  // Not 0: positions begin as sinusoids of this base, times 0.7, and are learned from there.
  float position_base = 0;

  bool operator==(const TrainerShape&) const = default;
};
inline constexpr std::uint32_t kMostTrained = 65536;  // of each size

// How a step is taken; may change from one step to the next.
struct TrainerRule {
  bool is_causal = true;
  bool scales = true;  // divides scores by sqrt(d_k)
  Optimizer optimizer = Optimizer::adamw;
  float rate = 3e-3f;
  float decay = 0.01f;         // of matrices; embeddings, positions and norms have none
  float clip = 1;              // the most that the gradient's norm may be; 0 = no limit
  std::uint32_t warm_up = 20;  // steps over which the rate grows to what it is
  std::uint32_t falls_over = 0;  // steps over which it falls, evenly, to a tenth; 0 = it does not
};

// Texts of equal length. Token i of a text may be two rows of the embeddings, added: a key and its value.
struct TrainBatch {
  std::span<const std::int32_t> tokens;   // [texts, length]
  std::span<const std::int32_t> second;   // [texts, length], -1 = none; empty = none at all
  std::span<const std::int32_t> targets;  // [texts, length, slots], -1 = not asked
  std::size_t texts = 0;
  // [texts], the tokens of each that are read, 1 or more; what follows them is filler that is not asked. Empty =
  // all are.
  std::span<const std::uint32_t> lengths{};
};

struct StepReport {
  double loss = 0;  // mean cross-entropy of what is asked, in nats
  std::uint32_t asked = 0, right = 0;
  float gradient_norm = 0;  // of all weights together, before clipping; 0 where none was taken
};

// A parameter: a matrix [rows, columns], or a vector of one row.
struct TrainedArray {
  std::string name;  // "embeddings", "positions", "block_0.query", "block_0.norm_1.gain", "output", …
  std::size_t rows = 0, columns = 0;
  std::span<const float> weights, gradients;  // gradients of the last step, before clipping
  bool decays = false;
};

// The stages of a forward pass on a text, and the derivatives of its loss; heads are side by side, as in the block.
struct TracedStage {
  std::vector<float> values, gradients;
};
// For T tokens. Products are q·k, scores those times the scale; of hidden keys both are minus infinity, with a
// gradient of 0.
struct TracedLayer {
  TracedStage x, normed;                  // [T, D]
  TracedStage query, key, value;          // [T, H · d_k], [T, H · d_k], [T, D]
  TracedStage products, scores, weights;  // [H, T, T]
  TracedStage context, output;            // [T, D]; output is what attention adds to x
  // Of the MLP; empty without one. `between` is x with the attention's output, `mlp_output` what the MLP adds to it.
  TracedStage between, normed_2;  // [T, D]
  TracedStage up, hidden;         // [T, hidden]: before GELU, and after it
  TracedStage mlp_output;         // [T, D]
};
struct TracedPass {
  std::vector<TracedLayer> layers;
  TracedStage residual, normed;  // [T, D]: of the last block, and the final norm of it
  TracedStage logits;            // [T, slots · vocabulary]
};

// The parts of a step, for callers that do other work in between.
enum class StepPart : std::uint8_t { forward, backward, update };

// Owns weights, gradients and moments. Every error leaves all as it was. One thread at a time; several may read what
// it lends while none steps, measures, starts or restores.
class ATTENTION_API Trainer {
 public:
  Trainer();
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // New weights, drawn from the seed and each array's name alone: embeddings and positions with a deviation of
  // 1/2 (positions in queries and keys: 1), a matrix with 1 / sqrt(its inputs), the output with 0.3 of that.
  Error start(const TrainerShape& shape, std::uint32_t seed);

  // Forward, backward, update. If a loss or a gradient is not finite, an error is returned and nothing changes.
  Error step(const TrainBatch& batch, const TrainerRule& rule, StepReport& report);
  // The same in its three parts, one a call, all with the same batch and rule; `next` is what the next call
  // does, forward when the step is taken. What happens in between begins the step again.
  Error step_part(const TrainBatch& batch, const TrainerRule& rule, StepReport& report, StepPart& next);
  // Forward alone; changes nothing. Logits are [texts · length, slots · vocabulary], until the next pass.
  Error measure(const TrainBatch& batch, const TrainerRule& rule, StepReport& report);
  std::span<const float> logits() const;
  // Forward and backward of one text: arrays() then have its gradients. The weights stay as they are.
  Error trace(const TrainBatch& batch, const TrainerRule& rule, StepReport& report, TracedPass& pass);

  const TrainerShape& shape() const;
  std::uint32_t steps() const;         // taken
  std::size_t parameter_count() const;
  std::span<const TrainedArray> arrays() const;

  // The weights as they are: what Decoder can do, the model of this step can. Its output is that of one slot.
  // Valid until start() or the trainer's end. Attention that is not causal or not scaled is an Intervention on
  // every block; run() attends causally, and with the division, without one.
  Decoder view(std::size_t slot = 0) const;

  // The attention of the last forward pass: weights of (text, head, query, key), rows of `stride` numbers.
  struct Weights {
    const float* data = nullptr;
    std::size_t texts = 0, heads = 0, length = 0, stride = 0;
    const float* row(std::size_t text, std::size_t head, std::size_t query) const {
      return data + ((text * heads + head) * length + query) * stride;
    }
  };
  Weights attention(std::size_t layer) const;

  // Weights, moments and step, as 17 + 3·parameter_count() numbers; restore() takes them back to the bit into
  // a trainer that was started with the same shape. Copy them as bytes: some are no numbers but counts.
  Error save(Buffer& saved) const;
  Error restore(std::span<const float> saved);

  struct Model;  // what it owns

 private:
  // Checks what was given and computes the loss, in the memory of steps or that of the rest.
  Error forward(const TrainBatch& batch, const TrainerRule& rule, bool is_step, bool wants_gradient, CrossEntropy& made);

  std::unique_ptr<Model> model_;
};

// 64-bit FNV-1a hash of the bytes of all weights; equal weights have equal hashes.
ATTENTION_API std::uint64_t weights_hash(const Trainer& trainer);

// The loss of a batch and its gradient by plain loops in double. `weights`, and the gradients, are one array
// after another as arrays() has them; shape, batch and rule must be such as a trainer accepts, d_k not 0.
struct ReferenceStep {
  double loss = 0;
  std::vector<double> gradients;
};
ATTENTION_API ReferenceStep reference_gradients(const TrainerShape& shape, std::span<const double> weights, const TrainBatch& batch,
                                                const TrainerRule& rule);

}  // namespace attention
