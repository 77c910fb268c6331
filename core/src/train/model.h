// The memory of a trainer: one array each for weights, gradients and moments, and the results of a pass over a batch.
#pragma once

#include <vector>

#include "attention/backward.h"
#include "attention/trainer.h"
#include "train/gradient_kernels.h"

namespace attention {

// Where a parameter's numbers begin, and how they lie.
struct Parameter {
  std::size_t at = 0, rows = 0, columns = 0;
  std::size_t count() const { return rows * columns; }
};

// Of one block; a part that the shape leaves out has no numbers.
struct LayerParameters {
  Parameter norm_1_gain, norm_1_bias, query, key, value, out_proj, norm_2_gain, norm_2_bias, up, down;
};

struct ModelParameters {
  Parameter embeddings, positions, final_gain, final_bias, output;
  std::vector<LayerParameters> layers;
};

// What the forward pass keeps of one block for the backward pass.
struct LayerActivations {
  float *x;                         // [N, D]: what came in
  float *normed, *placed;           // [N, D]; placed = normed, where no position is added
  kernels::NormStatistics *norm_1, *norm_2;
  float *query, *key, *value;       // [N, H·d_k], …, [N, D]
  float *weights, *context;         // [texts, H, length, stride], [N, D]
  float *between, *normed_2;        // [N, D]: after attention, and its norm
  float *slope, *hidden;            // [N, hidden]: of GELU, and what it made
};

// A pass over N = texts · length tokens.
struct Activations {
  std::size_t texts = 0, length = 0, stride = 0;  // stride of a row of weights
  std::vector<LayerActivations> layers;
  float *x, *normed, *logits;  // of the last block and the final norm, [N, D]; [N, slots · vocabulary]
  kernels::NormStatistics* final_norm;
  // Of the backward pass, shared by all layers.
  float *dx, *dnormed, *dquery, *dkey, *dvalue, *dcontext, *dhidden, *dweights;

  std::size_t rows() const { return texts * length; }
};

struct Trainer::Model {
  TrainerShape shape;
  ModelParameters parameters;
  std::vector<TrainedArray> arrays;
  std::vector<Block> blocks;  // as view() lends them
  Buffer weights, gradients, moments;  // [P], [P], [2, P]
  std::size_t count = 0;               // P
  std::uint32_t steps = 0;
  double power_1 = 1, power_2 = 1;  // of AdamW's shares, to the number of its steps
  // One for steps and one for measurements between them, which have fewer texts: neither reallocates the other's
  // memory.
  struct Pass {
    Buffer memory;
    Activations activations;
  };
  Pass passes[2];
  Pass* pass = &passes[0];  // the last
  CrossEntropy made;        // of the forward part of a step
  StepPart next = StepPart::forward;

  // Lays out parameters for `shape`, and draws them.
  Error start(const TrainerShape& wanted, std::uint32_t seed);
  // Makes room for a pass over so many texts, and `pass` that of steps or of the rest.
  Error reserve(bool is_step, std::size_t texts, std::size_t length);
  CrossEntropy forward(const TrainBatch& batch, const TrainerRule& rule, bool wants_gradient);
  // `traced` may be null.
  void backward(const TrainBatch& batch, const TrainerRule& rule, TracedPass* traced = nullptr);
  void update(const TrainerRule& rule, double gradient_norm);

  std::size_t D() const { return shape.d_model; }
  std::size_t d_k() const { return shape.d_k; }
  std::size_t d_v() const { return shape.d_model / shape.heads; }
  std::size_t queries_width() const { return d_k() * shape.heads; }
  std::size_t outputs() const { return std::size_t{shape.slots} * shape.vocabulary; }
  float* weight(const Parameter& p) { return weights.floats().data() + p.at; }
  float* gradient(const Parameter& p) { return gradients.floats().data() + p.at; }
  Linear linear(const Parameter& p) { return {weight(p), nullptr, p.rows, p.columns}; }
  // The output's, which may be the embeddings, transposed.
  Linear output_linear();
};

}  // namespace attention
