// Views of tensors: split into heads, or plain rows.
#pragma once

#include <cstddef>

namespace attention {

// Element (b, h, row, i) is data[b * batch_stride + h * head_stride + row * row_stride + i]; the last
// axis is contiguous. Strides count elements.
template <class T>
struct Heads {
  T* data = nullptr;
  std::size_t batch = 0, heads = 0, rows = 0, width = 0;
  std::size_t batch_stride = 0, head_stride = 0, row_stride = 0;

  T* row(std::size_t b, std::size_t h, std::size_t r) const {
    return data + b * batch_stride + h * head_stride + r * row_stride;
  }
  operator Heads<const T>() const {
    return {data, batch, heads, rows, width, batch_stride, head_stride, row_stride};
  }
};

// (batch, heads, rows, width), contiguous.
template <class T>
Heads<T> heads_first(T* data, std::size_t batch, std::size_t heads, std::size_t rows,
                     std::size_t width) {
  return {data, batch, heads, rows, width, heads * rows * width, rows * width, width};
}

// (batch, rows, heads * width), contiguous: what a projection gives.
template <class T>
Heads<T> heads_last(T* data, std::size_t batch, std::size_t rows, std::size_t heads,
                    std::size_t width) {
  return {data, batch, heads, rows, width, rows * heads * width, width, heads * width};
}

// Keys [begin, end); empty when begin == end.
struct KeyRange {
  std::size_t begin = 0, end = 0;

  bool has(std::size_t key) const { return key >= begin && key < end; }
  bool operator==(const KeyRange&) const = default;
};

// Rows of numbers, (batch, rows, width), contiguous.
struct Rows {
  const float* data = nullptr;
  std::size_t batch = 1, rows = 0, width = 0;
};

}  // namespace attention
