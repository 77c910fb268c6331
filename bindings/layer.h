// The multi-head layer over tensors that JavaScript also owns: the layer holds a reference to each of its parameters,
// so that none is freed while in use.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "attention/multi_head.h"
#include "attention/workers.h"
#include "tensor.h"

namespace attention::js {

// The threads for layers and decoders, or null.
#ifdef ATTENTION_THREADS
Workers* workers();
#else
inline Workers* workers() { return nullptr; }
#endif

class HeldLinear {
 public:
  // weight (in, parts · out), or (parts · out, in) when is_out_in; bias (parts · out), or null.
  Error set(HeldWeight weight, FloatTensor bias, bool is_out_in, int part, int parts) {
    if (weight.shape.size() != 2) {
      return attention::error(Rule::js_weight);
    }
    if (weight.weight.order == Order::interleaved && !is_out_in) return attention::error(Rule::linear_order, "The weight");
    const std::size_t in = weight.shape[is_out_in ? 1 : 0];
    const std::size_t out = weight.shape[is_out_in ? 0 : 1];
    if (bias != nullptr && bias->numbers().size() != out) {
      return attention::error(Rule::js_bias, {bias->numbers().size(), out});
    }
    if (parts < 1 || part < 0 || part >= parts || out % static_cast<std::size_t>(parts) != 0) {
      return attention::error(Rule::js_weight_part);
    }
    const Linear packed{weight.weight, bias ? bias->numbers().data() : nullptr, in, out,
                        is_out_in ? Layout::out_in : Layout::in_out};
    linear_ = slice(packed, static_cast<std::size_t>(part), static_cast<std::size_t>(parts));
    weight_ = std::move(weight.memory);
    bias_ = std::move(bias);
    return {};
  }

  const Linear& linear() const { return linear_; }

 private:
  Linear linear_;
  std::shared_ptr<const void> weight_;
  FloatTensor bias_;
};

// Ok when both are (positions, half).
inline Error check_tables(const Tensor<float>& cosines, const Tensor<float>& sines) {
  if (cosines.shape().size() == 2 && cosines.shape() == sines.shape()) return {};
  return attention::error(Rule::js_rotary_tables);
}

class Layer {
 public:
  Error set_heads(double heads, double key_heads) {
    for (const double count : {heads, key_heads}) {
      if (!(count >= 1 && count <= kMaxNumbers && count == std::floor(count))) {
        return attention::error(Rule::js_head_counts);
      }
    }
    layer_.heads = static_cast<std::size_t>(heads);
    layer_.key_heads = static_cast<std::size_t>(key_heads);
    return {};
  }

  // name: query, key, value, value_down or out_proj.
  Error set(const std::string& name, HeldWeight weight, FloatTensor bias, bool is_out_in, int part,
            int parts) {
    for (auto& [its_name, held, linear] : parameters_) {
      if (name != its_name) continue;
      if (Error error = held.set(std::move(weight), std::move(bias), is_out_in, part, parts)) return error;
      layer_.*linear = held.linear();
      return {};
    }
    return attention::error(Rule::js_layer_parameter, name);
  }

  // Queries and keys are turned by these tables, (positions, half) each.
  Error set_rotary(FloatTensor cosines, FloatTensor sines, RotaryPairs pairs) {
    if (Error error = check_tables(*cosines, *sines)) return error;
    layer_.rotary = {cosines->numbers(), sines->numbers(), cosines->shape()[1], pairs};
    cosines_ = std::move(cosines);
    sines_ = std::move(sines);
    return {};
  }

  // run() rejects what does not fit.
  void set_head_norm(bool is_key, FloatTensor gain, float epsilon) {
    (is_key ? layer_.key_norm : layer_.query_norm) = {gain->numbers(), epsilon};
    (is_key ? key_gain_ : query_gain_) = std::move(gain);
  }

  const MultiHead& layer() const { return layer_; }

  // x (B, T, D), keys (B, S, D_key) and values (B, S, D_value) or null, y (B, T, output width).
  // `input` may bring positions.
  Error run(const Tensor<float>& x, const Tensor<float>* keys, const Tensor<float>* values,
            KeyValueCache* cache, const AttendOptions& options, Tensor<float>& y,
            MultiHeadInput input = {}) {
    if (Error error = read(&x, "x", input.x)) return error;
    if (Error error = read(keys, "keys", input.keys)) return error;
    if (Error error = read(values, "values", input.values)) return error;
    input.cache = cache;
    if (y.numbers().size() != input.x.batch * input.x.rows * output_width(layer_)) {
      return attention::error(Rule::js_layer_result, {output_width(layer_)});
    }
    scratch_.workers = workers();
    return attention::run(layer_, input, options, y.numbers().data(), scratch_);
  }

 private:
  static Error read(const Tensor<float>* tensor, std::string_view name, Rows& rows) {
    if (tensor == nullptr) return {};
    const auto [one, batch, count, width] = tensor->extents();
    if (one != 1) return attention::error(Rule::js_rows, name);
    rows = {tensor->numbers().data(), batch, count, width};
    return {};
  }

  struct Parameter {
    const char* name;
    HeldLinear held;
    Linear MultiHead::* linear;
  };

  MultiHead layer_;
  Parameter parameters_[5] = {{"query", {}, &MultiHead::query},
                              {"key", {}, &MultiHead::key},
                              {"value", {}, &MultiHead::value},
                              {"value_down", {}, &MultiHead::value_down},
                              {"out_proj", {}, &MultiHead::out_proj}};
  FloatTensor cosines_, sines_, query_gain_, key_gain_;
  MultiHeadScratch scratch_;
};

}  // namespace attention::js
