#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "attention/buffer.h"

using attention::Buffer;

namespace {
std::atomic<std::size_t> floats_held = 0;  // of all buffers, whatever thread they are in
}

// Buffers alone ask for aligned memory without exceptions: counted, with its size in a line before it.
void* operator new(std::size_t bytes, std::align_val_t, const std::nothrow_t&) noexcept {
  const std::size_t line = 64, whole = (bytes + line - 1) / line * line + line;
  auto* const memory = static_cast<char*>(std::aligned_alloc(line, whole));
  if (memory == nullptr) return nullptr;
  *reinterpret_cast<std::size_t*>(memory) = bytes;
  floats_held += bytes / sizeof(float);
  return memory + line;
}
void operator delete(void* memory, std::align_val_t) noexcept {
  if (memory == nullptr) return;
  char* const start = static_cast<char*>(memory) - 64;
  floats_held -= *reinterpret_cast<std::size_t*>(start) / sizeof(float);
  std::free(start);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* const memory = operator new(bytes, alignment, std::nothrow);
  return memory != nullptr ? memory : throw std::bad_alloc();
}

// A refused allocation is what the test wants, not a report.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

TEST_CASE("a buffer gives aligned memory and keeps it when asked for less", "[buffer]") {
  Buffer buffer;
  REQUIRE(buffer.resize(1000));
  const float* first = buffer.floats().data();
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
  REQUIRE(buffer.resize(10));
  CHECK(buffer.floats().data() == first);
  CHECK(buffer.floats().size() == 10);
}

TEST_CASE("a buffer gives much too large memory back", "[buffer]") {
  constexpr std::size_t kLarge = std::size_t{1} << 22;
  const std::size_t before = floats_held;
  Buffer buffer;
  REQUIRE(buffer.resize(kLarge));
  CHECK(floats_held - before == kLarge);
  REQUIRE(buffer.resize(kLarge / 8));  // not too large yet
  CHECK(floats_held - before == kLarge);
  REQUIRE(buffer.resize(kLarge / 8 - 1));
  CHECK(floats_held - before == kLarge / 8 - 1);
  REQUIRE(buffer.resize(1));  // what is small in all is kept
  CHECK(floats_held - before == kLarge / 8 - 1);
  REQUIRE(buffer.resize(kLarge));
  REQUIRE(buffer.resize(1));
  CHECK(floats_held - before == 1);
  Buffer other = std::move(buffer);
  CHECK(other.floats().size() == 1);
  CHECK(buffer.floats().empty());
}

TEST_CASE("asking for more memory than there is fails without an exception", "[buffer]") {
  Buffer buffer;
  CHECK_FALSE(buffer.resize(SIZE_MAX / 8));
  CHECK_FALSE(buffer.resize(SIZE_MAX));
  CHECK(buffer.floats().empty());
  CHECK(buffer.resize(16));
}
