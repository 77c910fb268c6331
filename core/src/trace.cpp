#include "attention/trace.h"

#include "attention/stages.h"

namespace attention {

namespace {

constexpr std::uint64_t kBytesPerMegabyte = 1'000'000;
constexpr std::size_t kPad = 16;  // floats: each buffer begins on a cache line

std::uint64_t floats(const Stage& stage, const Shape& shape) {
  std::uint64_t count = stage.buffer == nullptr ? 0 : 1;
  for (const Axis axis : stage.axes) {
    if (axis != Axis::none) count *= extent(axis, shape);
  }
  return count;
}

std::uint64_t padded(std::uint64_t count) { return (count + kPad - 1) / kPad * kPad; }

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + kBytesPerMegabyte - 1) / kBytesPerMegabyte) + " MB";
}

std::string demand(const Shape& shape) {
  return std::to_string(shape.T) + " tokens in " + std::to_string(shape.H) + " heads need " +
         megabytes(trace_bytes(shape)) + " to keep every stage";
}

}  // namespace

std::uint64_t trace_bytes(const Shape& shape) {
  std::uint64_t count = 0;
  for (const Stage& stage : stages()) count += padded(floats(stage, shape));
  return count * sizeof(float);
}

Error Trace::allocate(const Shape& wanted) {
  clear();
  if (trace_bytes(wanted) > kLimits.max_trace_bytes) {
    return {ErrorCode::trace_too_large, demand(wanted) + "; the limit is " +
                                            megabytes(kLimits.max_trace_bytes) +
                                            ". Shorten the text or choose fewer heads."};
  }
  if (!memory_.resize(static_cast<std::size_t>(trace_bytes(wanted) / sizeof(float)))) {
    return {ErrorCode::out_of_memory,
            demand(wanted) + ", more than is free here. Shorten the text or choose fewer heads."};
  }
  shape = wanted;
  float* next = memory_.floats().data();
  for (const Stage& stage : stages()) {
    if (stage.buffer == nullptr) continue;
    const std::uint64_t count = floats(stage, shape);
    this->*stage.buffer = {next, static_cast<std::size_t>(count)};
    next += padded(count);
  }
  return {};
}

void Trace::clear() {
  shape = {};
  factor = 1;
  tokens.clear();
  for (const Stage& stage : stages()) {
    if (stage.buffer != nullptr) this->*stage.buffer = {};
  }
}

}  // namespace attention
