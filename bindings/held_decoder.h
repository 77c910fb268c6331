// A whole decoder over tensors that JavaScript also owns; it holds a reference to each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "attend_options.h"
#include "attention/head_measures.h"
#include "attention/decoder.h"
#include "layer.h"
#include "tensor.h"

namespace attention::js {

class HeldNorm {
 public:
  Error set(FloatTensor gain, FloatTensor bias, float epsilon, bool is_rms) {
    const std::size_t width = gain->numbers().size();
    if (bias != nullptr && bias->numbers().size() != width) {
      return attention::error(Rule::js_norm_bias);
    }
    if (!(epsilon >= 0)) return attention::error(Rule::js_norm_epsilon);
    norm_ = {gain->numbers().data(), bias ? bias->numbers().data() : nullptr, width, epsilon, is_rms};
    gain_ = std::move(gain);
    bias_ = std::move(bias);
    return {};
  }
  const LayerNorm& norm() const { return norm_; }

 private:
  LayerNorm norm_;
  FloatTensor gain_, bias_;
};

class HeldBlock {
 public:
  Layer& attention() { return attention_; }

  // name: norm_1 or norm_2.
  Error set_norm(const std::string& name, FloatTensor gain, FloatTensor bias, float epsilon, bool is_rms) {
    if (name != "norm_1" && name != "norm_2") {
      return attention::error(Rule::js_block_norm, name);
    }
    return (name == "norm_1" ? norm_1_ : norm_2_).set(std::move(gain), std::move(bias), epsilon, is_rms);
  }

  // name: up, down, gate, or one of the layer's.
  Error set(const std::string& name, HeldWeight weight, FloatTensor bias, bool is_out_in, int part, int parts) {
    if (name == "up") return up_.set(std::move(weight), std::move(bias), is_out_in, part, parts);
    if (name == "down") return down_.set(std::move(weight), std::move(bias), is_out_in, part, parts);
    if (name == "gate") return gate_.set(std::move(weight), std::move(bias), is_out_in, part, parts);
    return attention_.set(name, std::move(weight), std::move(bias), is_out_in, part, parts);
  }

  void set_gelu(Gelu gelu) { gelu_ = gelu; }
  void set_shape(bool is_parallel, bool is_post_norm, bool is_causal) {
    is_parallel_ = is_parallel;
    is_post_norm_ = is_post_norm;
    is_causal_ = is_causal;
  }
  void set_slopes(std::vector<float> slopes) { slopes_ = std::move(slopes); }
  void set_query_key_positions(FloatTensor rows) { query_key_positions_ = std::move(rows); }

  Block block() const {
    Block block{norm_1_.norm(), norm_2_.norm(), attention_.layer(), up_.linear(), down_.linear(), gate_.linear(),
                gelu_, is_parallel_, is_post_norm_, is_causal_, slopes_, {}};
    if (query_key_positions_) block.query_key_positions = query_key_positions_->numbers();
    return block;
  }

 private:
  HeldNorm norm_1_, norm_2_;
  Layer attention_;
  HeldLinear up_, down_, gate_;
  Gelu gelu_ = Gelu::tanh;
  bool is_parallel_ = false, is_post_norm_ = false, is_causal_ = true;
  std::vector<float> slopes_;
  FloatTensor query_key_positions_;
};

// The changes of a run, with the numbers that they refer to.
class HeldInterventions {
 public:
  explicit HeldInterventions(std::size_t blocks) : held_(blocks), changes_(blocks) {}

  Error set_options(double block, const WantedAttendOptions& wanted) {
    Held* held = at(block);
    if (held == nullptr) return outside();
    if (Error error = held->options.read(wanted)) return error;
    change(block).options = held->options.options();
    return {};
  }
  Error set_gains(double block, std::vector<float> gains) {
    Held* held = at(block);
    if (held == nullptr) return outside();
    held->gains = std::move(gains);
    change(block).heads.gains = held->gains;
    return {};
  }
  // weights (tokens, keys), of as many tokens, which see as many keys.
  Error add_patch(double block, double head, FloatTensor weights) {
    Held* held = at(block);
    if (held == nullptr || !(head >= 0 && head < kMaxNumbers)) return outside();
    held->patches.push_back({static_cast<std::size_t>(head), weights->numbers().data()});
    held->weights.push_back(std::move(weights));
    change(block).heads.patches = held->patches;
    return {};
  }

  std::span<const Intervention> all() const { return changes_; }
  Error check(std::size_t blocks, std::size_t tokens, std::size_t keys) const {
    if (changes_.size() != blocks) return outside();
    for (const Held& held : held_) {
      for (const FloatTensor& weights : held.weights) {
        if (weights->extents() != std::array<std::size_t, 4>{1, 1, tokens, keys}) {
          return attention::error(Rule::js_patch);
        }
      }
    }
    return {};
  }

 private:
  struct Held {
    ReadAttendOptions options;
    std::vector<float> gains;
    std::vector<HeadPatch> patches;
    std::vector<FloatTensor> weights;
  };

  Held* at(double block) {
    const bool is_inside = block >= 0 && block < static_cast<double>(held_.size());
    return is_inside ? &held_[static_cast<std::size_t>(block)] : nullptr;
  }
  Intervention& change(double block) { return changes_[static_cast<std::size_t>(block)]; }
  static Error outside() { return attention::error(Rule::js_changed_block); }

  std::vector<Held> held_;
  std::vector<Intervention> changes_;
};

class HeldDecoder {
 public:
  HeldDecoder() { state_.scratch.attention.workers = workers(); }

  Error set_embeddings(HeldWeight rows) {
    if (rows.shape.size() != 2) {
      return attention::error(Rule::js_embeddings);
    }
    decoder_.embeddings = rows.weight;
    decoder_.vocabulary = rows.shape[0];
    decoder_.d_model = rows.shape[1];
    embeddings_ = std::move(rows.memory);
    return {};
  }
  void set_positions(FloatTensor rows) {
    decoder_.positions = rows->numbers();
    positions_ = std::move(rows);
  }
  Error set_embeddings_norm(FloatTensor gain, FloatTensor bias, float epsilon, bool is_rms) {
    if (Error error = embeddings_norm_.set(std::move(gain), std::move(bias), epsilon, is_rms)) return error;
    decoder_.embeddings_norm = embeddings_norm_.norm();
    return {};
  }
  Error set_transform(HeldWeight weight, FloatTensor bias, bool is_out_in, Gelu gelu) {
    if (Error error = transform_.set(std::move(weight), std::move(bias), is_out_in, 0, 1)) return error;
    decoder_.transform = transform_.linear();
    decoder_.transform_gelu = gelu;
    return {};
  }
  Error set_final_norm(FloatTensor gain, FloatTensor bias, float epsilon, bool is_rms) {
    if (Error error = final_norm_.set(std::move(gain), std::move(bias), epsilon, is_rms)) return error;
    decoder_.final_norm = final_norm_.norm();
    return {};
  }
  Error set_output(HeldWeight weight, FloatTensor bias, bool is_out_in) {
    if (Error error = output_.set(std::move(weight), std::move(bias), is_out_in, 0, 1)) return error;
    decoder_.output = output_.linear();
    return {};
  }
  // Later changes of the block's settings have no effect.
  void add(std::shared_ptr<HeldBlock> block) {
    blocks_.push_back(block->block());
    held_.push_back(std::move(block));
    decoder_.blocks = blocks_;
  }

  Error reserve(std::size_t capacity) { return state_.reserve(decoder_, capacity); }
  std::size_t length() const { return state_.length(); }
  void truncate(std::size_t length) { state_.truncate(length); }

  // logits (tokens, vocabulary), or (vocabulary) of the last token alone.
  Error run(const std::vector<std::int32_t>& tokens, Tensor<float>& logits, Tensor<float>* weights) {
    const std::size_t given = logits.numbers().size(), one = decoder_.vocabulary, all = tokens.size() * one;
    if (given != one && given != all) {
      return attention::error(Rule::js_logits);
    }
    std::vector<MultiHeadStages> layers;
    if (weights != nullptr) {
      if (Error error = part(*weights, tokens.size(), state_.length() + tokens.size(), layers)) return error;
    }
    return attention::run(decoder_, tokens, state_, logits.numbers().data(),
                          given == all ? LogitsOf::every_token : LogitsOf::last_token, {nullptr, layers, {}});
  }

  // Tensors for intermediate results; null = not kept.
  struct Explored {
    Tensor<float>*embeddings, *residuals, *weights;  // (tokens, D), (blocks, tokens, D), (blocks, heads, tokens, after + tokens)
    Tensor<float>*values, *contexts;                 // (blocks, tokens, all heads' widths side by side)
  };
  // Blocks from `first` to before `last`: after the first, what they read is in kept.residuals.
  struct Part {
    std::size_t first, last;
  };
  // Reads tokens on from the first `after` that it holds. `changes` may be null, too. A text whose last part was not read is held
  // up to `after`. `places` are rows of the positions, one a token or none.
  Error explore(const std::vector<std::int32_t>& tokens, const HeldInterventions* changes, const Explored& kept, Part blocks,
                std::size_t after, std::span<const std::int64_t> places) {
    const auto [embeddings, residuals, weights, values, contexts] = kept;
    const auto [first, last] = blocks;
    const std::size_t rows = tokens.size() * decoder_.d_model, keys = after + tokens.size();
    const auto fits = [](const Tensor<float>* tensor, std::size_t count) {
      return tensor == nullptr || tensor->numbers().size() == count;
    };
    if (!fits(embeddings, rows) || !fits(residuals, blocks_.size() * rows) ||
        !fits(values, tokens.size() * sum_of(&value_numbers)) || !fits(contexts, tokens.size() * sum_of(&context_numbers))) {
      return attention::error(Rule::js_explored);
    }
    if (first >= last || last > blocks_.size() || (first > 0 && residuals == nullptr)) {
      return attention::error(Rule::js_explored);
    }
    std::vector<MultiHeadStages> layers;
    if (weights != nullptr) {
      if (Error error = part(*weights, tokens.size(), keys, layers)) return error;
    }
    layers.resize(weights != nullptr || values != nullptr || contexts != nullptr ? blocks_.size() : 0);
    float* value = values != nullptr ? values->numbers().data() : nullptr;
    float* context = contexts != nullptr ? contexts->numbers().data() : nullptr;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].value = value;
      layers[i].concat = context;
      if (value != nullptr) value += tokens.size() * value_numbers(blocks_[i].attention);
      if (context != nullptr) context += tokens.size() * context_numbers(blocks_[i].attention);
    }
    std::vector<float*> results;
    for (std::size_t i = 0; residuals != nullptr && i < blocks_.size(); ++i) {
      results.push_back(residuals->numbers().data() + i * rows);
    }
    if (changes != nullptr) {
      if (Error error = changes->check(blocks_.size(), tokens.size(), keys)) return error;
    }
    // A part is read on from what its own blocks hold: those before have read these tokens already.
    const std::span<KeyValueCache> own = std::span(state_.caches).subspan(first, first > 0 ? last - first : blocks_.size());
    for (KeyValueCache& cache : own) {
      if (cache.length() < after) return attention::error(Rule::js_after, {cache.length()});
      cache.truncate(after);
    }
    const DecoderStages stages{embeddings ? embeddings->numbers().data() : nullptr, layers, results};
    return read_part(tokens, stages, changes ? changes->all() : std::span<const Intervention>{}, first, last, places);
  }

  // Of one block: weighted (heads, tokens, tokens) from weights alike and values (tokens, all key heads' widths).
  Error weigh(double block, const Tensor<float>& weights, const Tensor<float>& values, Tensor<float>& weighted) const {
    if (!(block >= 0 && block < static_cast<double>(blocks_.size()))) return attention::error(Rule::js_changed_block);
    const MultiHead& layer = blocks_[static_cast<std::size_t>(block)].attention;
    const std::size_t T = weights.extents()[3];
    const std::array<std::size_t, 4> all{1, layer.heads, T, T};
    if (weights.extents() != all || weighted.extents() != all || values.numbers().size() != T * value_numbers(layer)) {
      return attention::error(Rule::js_weights);
    }
    Buffer norms;
    if (!norms.resize(layer.heads * T) || !value_norms(layer, values.numbers().data(), T, norms.floats().data())) {
      return attention::error(Rule::js_tensor_memory);
    }
    weigh_values(weights.numbers().data(), norms.floats().data(), layer.heads, T, weighted.numbers().data());
    return {};
  }

  // As many numbers as one logit has parts.
  std::size_t logit_parts() const { return logit_part_count(decoder_); }
  // Of one row: what explore() kept of it, embeddings (1, D), residuals (blocks, 1, D), contexts (blocks, 1, widths).
  Error take_apart(const Tensor<float>& embeddings, const Tensor<float>& residuals, const Tensor<float>& contexts, double token,
                   Tensor<float>& parts) const {
    const std::size_t D = decoder_.d_model, count = logit_parts();
    if (!(token >= 0 && token < static_cast<double>(decoder_.vocabulary))) {
      return attention::error(Rule::decoder_token, {token, decoder_.vocabulary - 1});
    }
    if (count == 0 || parts.numbers().size() != count || embeddings.numbers().size() != D ||
        residuals.numbers().size() != blocks_.size() * D || contexts.numbers().size() != sum_of(&context_numbers)) {
      return attention::error(Rule::js_explored);
    }
    const ReadText row{embeddings.numbers().data(), residuals.numbers().data(), contexts.numbers().data(), 1};
    const bool fits = attention::logit_parts(decoder_, row, 0, static_cast<std::int32_t>(token), parts.numbers().data());
    return fits ? Error{} : attention::error(Rule::js_tensor_memory);
  }

  // One number of a row on its way through a block: what explore() kept of it, x (D) before the block, contexts (widths) in it.
  Error explain(double block, const Tensor<float>& x, const Tensor<float>& contexts, const std::string& stage, double index,
                Explanation& out) const {
    if (!(block >= 0 && block < static_cast<double>(blocks_.size()))) return attention::error(Rule::js_changed_block);
    const Block& own = blocks_[static_cast<std::size_t>(block)];
    if (x.numbers().size() != decoder_.d_model || contexts.numbers().size() != context_numbers(own.attention)) {
      return attention::error(Rule::js_explored);
    }
    return attention::explain(own, {x.numbers().data(), contexts.numbers().data()}, stage, whole(index), out);
  }
  // The same outside of the blocks: x (D) is the row behind the last.
  Error explain_ends(double token, double place, const Tensor<float>& x, const std::string& stage, double index, Explanation& out) const {
    if (x.numbers().size() != decoder_.d_model) return attention::error(Rule::js_explored);
    const std::int32_t id = token >= 0 && token <= INT32_MAX ? static_cast<std::int32_t>(token) : -1;
    return attention::explain(decoder_, {id, whole(place), x.numbers().data()}, stage, whole(index), out);
  }

 private:
  // None of them where it is none.
  static std::size_t whole(double index) {
    return index >= 0 && index < kMaxNumbers ? static_cast<std::size_t>(index) : SIZE_MAX;
  }
  // Of one token, in a block.
  static std::size_t value_numbers(const MultiHead& layer) { return layer.value.out; }
  static std::size_t context_numbers(const MultiHead& layer) { return layer.heads * (layer.value.out / layer.key_heads); }
  std::size_t sum_of(std::size_t (*numbers)(const MultiHead&)) const {
    std::size_t sum = 0;
    for (const Block& block : blocks_) sum += numbers(block.attention);
    return sum;
  }

  // Some blocks as a decoder of their own, whose tokens are the rows that the block before has made.
  Error read_part(std::vector<std::int32_t> tokens, DecoderStages stages, std::span<const Intervention> changes,
                  std::size_t first, std::size_t last, std::span<const std::int64_t> places) {
    const std::size_t count = last - first;
    Decoder part = decoder_;
    part.blocks = decoder_.blocks.subspan(first, count);
    if (first > 0) {
      part.embeddings = stages.residuals[first - 1];
      part.vocabulary = tokens.size();
      part.positions = {};
      part.embeddings_norm = {};
      part.output = {};
      std::iota(tokens.begin(), tokens.end(), 0);
      stages.embeddings = nullptr;
    }
    if (!stages.layers.empty()) stages.layers = stages.layers.subspan(first, count);
    if (!stages.residuals.empty()) stages.residuals = stages.residuals.subspan(first, count);
    if (!changes.empty()) changes = changes.subspan(first, count);
    std::vector<KeyValueCache> all = std::move(state_.caches);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    state_.caches.assign(std::move_iterator(from), std::move_iterator(from + static_cast<std::ptrdiff_t>(count)));
    const Error error = attention::run(part, tokens, state_, nullptr, LogitsOf::no_token, stages, changes, places);
    std::move(state_.caches.begin(), state_.caches.end(), from);
    state_.caches = std::move(all);
    return error;
  }

  // Each block's part of (blocks, heads, tokens, keys).
  Error part(Tensor<float>& weights, std::size_t tokens, std::size_t keys, std::vector<MultiHeadStages>& layers) const {
    const std::size_t heads = blocks_.empty() ? 0 : blocks_[0].attention.heads;
    if (weights.extents() != std::array<std::size_t, 4>{blocks_.size(), heads, tokens, keys}) {
      return attention::error(Rule::js_weights);
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].attention.heads != heads) {
        return attention::error(Rule::js_kept_heads);
      }
      layers.emplace_back().attend.weights = weights.numbers().data() + i * heads * tokens * keys;
    }
    return {};
  }

  Decoder decoder_;
  std::vector<Block> blocks_;
  std::vector<std::shared_ptr<HeldBlock>> held_;
  std::shared_ptr<const void> embeddings_;
  FloatTensor positions_;
  HeldNorm embeddings_norm_, final_norm_;
  HeldLinear transform_, output_;
  DecoderState state_;
};

}  // namespace attention::js
