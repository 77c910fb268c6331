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

// A parameter matrix as a model's file brings it, of any type, in rows or interleaved.
class MatrixTensor {
 public:
  Error set_shape(NumberType type, Order order, const std::vector<double>& wanted) {
    if (wanted.size() != 2) return attention::error(Rule::js_weight);
    if (!(wanted[0] >= 1 && wanted[0] == std::floor(wanted[0]))) return attention::error(Rule::js_tensor_shape);
    type_ = type, order_ = order;
    std::vector<double> stored = wanted;
    if (is_interleaved()) stored[0] = std::ceil(wanted[0] / kGroupRows) * kGroupRows;
    if (type == NumberType::i8) {
      if (Error error = scales_.set_shape({stored[0]})) return error;
    }
    if (type == NumberType::q8_0) {
      if (std::fmod(wanted[1], kBlockNumbers) != 0) return attention::error(Rule::js_weight);
      stored[1] = wanted[1] / kBlockNumbers * kBlockBytes;
    }
    Error error = type == NumberType::f32 ? floats_.set_shape(stored) : are_halves() ? halves_.set_shape(stored) : bytes_.set_shape(stored);
    if (!error) shape_.assign(wanted.begin(), wanted.end());
    return error;
  }

  NumberType type() const { return type_; }
  bool is_interleaved() const { return order_ == Order::interleaved; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  // Of the numbers that the shape says; interleaved ones have more of their own.
  std::size_t byte_count() const { return shape_.empty() ? 0 : bytes_of(type_, shape_[0] * shape_[1]); }
  std::span<std::uint8_t> bytes() {
    const auto bytes = [](auto numbers) { return std::span{reinterpret_cast<std::uint8_t*>(numbers.data()), numbers.size_bytes()}; };
    return type_ == NumberType::f32 ? bytes(floats_.numbers()) : are_halves() ? bytes(halves_.numbers()) : bytes_.numbers();
  }
  std::span<float> scales() { return scales_.numbers().first(std::min(scales_.numbers().size(), shape_.empty() ? 0 : shape_[0])); }
  // What was written: whether it is finite decides how it is read.
  void note_written(std::span<const std::uint8_t> bytes) {
    if (type_ != NumberType::f16) return;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) is_finite_ &= (bytes[i + 1] & 0x7c) != 0x7c;
  }
  Weight weight() {
    Weight weight{bytes().data(), type_, type_ == NumberType::i8 ? scales_.numbers().data() : nullptr};
    weight.is_finite = &is_finite_;
    weight.order = order_;
    return weight;
  }

 private:
  bool are_halves() const { return type_ == NumberType::bf16 || type_ == NumberType::f16; }

  NumberType type_ = NumberType::bf16;
  Order order_ = Order::rows;
  bool is_finite_ = true;  // of f16, as long as no other number was ever written
  std::vector<std::size_t> shape_;
  Tensor<float> floats_, scales_;
  Tensor<std::uint16_t> halves_;
  Tensor<std::uint8_t> bytes_;
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
