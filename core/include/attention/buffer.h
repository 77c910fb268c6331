// Memory for matrices: aligned to 64 bytes, allocated without exceptions. One thread at a time; this also holds for
// scratch memory made of buffers.
#pragma once

#include <cstddef>
#include <span>

#include "attention/export.h"

namespace attention {

class ATTENTION_API Buffer {
 public:
  Buffer() = default;
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Makes room for `count` floats; their contents are unspecified. Returns false, and is empty, if there is no
  // memory. Keeps its memory if that is large enough and less than eight times too large.
  [[nodiscard]] bool resize(std::size_t count);

  std::span<float> floats() { return {data_, size_}; }
  std::span<const float> floats() const { return {data_, size_}; }

 private:
  void free();

  float* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace attention
