#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>

#include "attention/buffer.h"

using attention::Buffer;

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
  Buffer buffer;
  REQUIRE(buffer.resize(std::size_t{1} << 22));
  REQUIRE(buffer.resize(1));
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
