#include "attention/buffer.h"

#include <cstdint>
#include <new>
#include <utility>

namespace attention {

namespace {
constexpr std::align_val_t kAlignment{64};    // a cache line; more than any vector register needs
constexpr std::size_t kGenerousFactor = 8;    // above this much slack, memory is given back
constexpr std::size_t kSmall = std::size_t{1} << 20;  // floats; below this, slack does not matter
}  // namespace

Buffer::~Buffer() { free(); }

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void Buffer::free() {
  ::operator delete(data_, kAlignment);
  data_ = nullptr;
  size_ = capacity_ = 0;
}

bool Buffer::resize(std::size_t count) {
  const bool too_small = count > capacity_;
  const bool too_large = capacity_ > kSmall && count < capacity_ / kGenerousFactor;
  if (too_small || too_large) {
    free();  // before allocating again, so that old and new memory never exist together
    if (count > SIZE_MAX / sizeof(float)) return false;
    data_ = static_cast<float*>(::operator new(count * sizeof(float), kAlignment, std::nothrow));
    if (data_ == nullptr && count > 0) return false;
    capacity_ = count;
  }
  size_ = count;
  return true;
}

}  // namespace attention
