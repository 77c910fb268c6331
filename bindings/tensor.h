// Tensors that stay in the module's memory between calls, so that a cache or a layer's parameters are
// copied in once.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "attention/buffer.h"
#include "attention/error.h"
#include "attention/heads.h"
#include "attention/ops.h"

namespace attention::js {

inline constexpr double kMaxNumbers = 1 << 28;  // of a tensor: a gigabyte of float32

// Row-major, of 1 to 4 extents; its shape is set once, so that a pointer to its numbers holds for life.
template <class T>
class Tensor {
 public:
  Error set_shape(const std::vector<double>& wanted) {
    if (size_ != 0) return attention::error(Rule::js_tensor_is_shaped);
    double count = wanted.empty() || wanted.size() > 4 ? 0 : 1;
    for (const double extent : wanted) {
      count = extent >= 1 && extent == std::floor(extent) ? count * extent : 0;
    }
    if (!(count >= 1 && count <= kMaxNumbers)) return attention::error(Rule::js_tensor_shape);
    const auto size = static_cast<std::size_t>(count);
    if (!memory_.resize((size * sizeof(T) + sizeof(float) - 1) / sizeof(float))) {
      return attention::error(Rule::js_tensor_memory);
    }
    std::ranges::fill(memory_.floats(), 0.0f);  // memory may have been another tensor's
    size_ = size;
    shape_.assign(wanted.begin(), wanted.end());
    return {};
  }

  std::span<T> numbers() { return {reinterpret_cast<T*>(memory_.floats().data()), size_}; }
  std::span<const T> numbers() const {
    return {reinterpret_cast<const T*>(memory_.floats().data()), size_};
  }
  const std::vector<std::size_t>& shape() const { return shape_; }

  // The extents as four, with 1 for those that are not given in front: (T, d) is (1, 1, T, d).
  std::array<std::size_t, 4> extents() const {
    std::array<std::size_t, 4> all{1, 1, 1, 1};
    std::copy(shape_.begin(), shape_.end(), all.end() - static_cast<std::ptrdiff_t>(shape_.size()));
    return all;
  }

  Heads<T> heads() {
    const auto [b, h, rows, width] = extents();
    return heads_first(numbers().data(), b, h, rows, width);
  }
  Heads<const T> heads() const {
    const auto [b, h, rows, width] = extents();
    return heads_first<const T>(numbers().data(), b, h, rows, width);
  }

 private:
  Buffer memory_;  // aligned, whatever T
  std::size_t size_ = 0;
  std::vector<std::size_t> shape_;
};

// A matrix of numbers that are narrower than float32, as a model's file brings them.
class NarrowTensor {
 public:
  Error set_shape(NumberType type, const std::vector<double>& wanted) {
    type_ = type;
    if (wanted.size() != 2) return attention::error(Rule::js_weight);
    if (type == NumberType::q8_0) {
      if (std::fmod(wanted[1], kBlockNumbers) != 0) return attention::error(Rule::js_weight);
      if (Error error = bytes_.set_shape({wanted[0], wanted[1] / kBlockNumbers * kBlockBytes})) return error;
      shape_.assign(wanted.begin(), wanted.end());
      return {};
    }
    if (type == NumberType::i8) {
      if (Error error = scales_.set_shape({wanted[0]})) return error;
    }
    if (Error error = type == NumberType::i8 ? bytes_.set_shape(wanted) : halves_.set_shape(wanted)) return error;
    shape_.assign(wanted.begin(), wanted.end());
    return {};
  }

  NumberType type() const { return type_; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  std::span<std::uint8_t> bytes() {
    const std::span<std::uint16_t> halves = halves_.numbers();
    const bool are_bytes = type_ == NumberType::i8 || type_ == NumberType::q8_0;
    return are_bytes ? bytes_.numbers() : std::span{reinterpret_cast<std::uint8_t*>(halves.data()), 2 * halves.size()};
  }
  std::span<float> scales() { return scales_.numbers(); }
  // What was written came to bytes() [first, end): whether it is finite decides how it is read.
  void note_written(std::size_t first, std::size_t end) {
    if (type_ != NumberType::f16) return;
    for (const std::uint16_t half : halves_.numbers().subspan(first / 2, (end - first) / 2)) is_finite_ &= (half & 0x7c00) != 0x7c00;
  }
  Weight weight() {
    Weight weight{bytes().data(), type_, type_ == NumberType::i8 ? scales().data() : nullptr};
    weight.is_finite = &is_finite_;
    return weight;
  }

 private:
  NumberType type_ = NumberType::bf16;
  bool is_finite_ = true;  // of f16, as long as no other number was ever written
  std::vector<std::size_t> shape_;
  Tensor<std::uint16_t> halves_;
  Tensor<std::uint8_t> bytes_;
  Tensor<float> scales_;
};

// A handle's reference; a layer holds one of its own to each of its parameters.
using FloatTensor = std::shared_ptr<Tensor<float>>;
using ByteTensor = std::shared_ptr<Tensor<std::uint8_t>>;

// A parameter matrix of any type, and what keeps its memory.
struct HeldWeight {
  std::shared_ptr<const void> memory;
  Weight weight;
  std::vector<std::size_t> shape;
};

}  // namespace attention::js
