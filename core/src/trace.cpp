#include "attention/trace.h"

#include "attention/stages.h"

namespace attention {

namespace {

constexpr std::uint64_t kBytesPerMegabyte = 1'000'000;
constexpr std::size_t kPad = 16;  // floats: each buffer begins on a cache line

// Of a buffer, or 0 when the run has none; counted in 64 bits, so that no size wraps round.
std::uint64_t floats(const Stage& stage, const Shape& shape, const Settings& settings, bool is_cross) {
  if (stage.buffer == nullptr || !is_present(stage, settings, is_cross)) return 0;
  std::uint64_t count = 1;
  for (const Axis axis : stage.axes) count *= extent(axis, shape);
  return count;
}

std::uint64_t padded(std::uint64_t count) { return (count + kPad - 1) / kPad * kPad; }

std::uint64_t megabytes(std::uint64_t bytes) { return (bytes + kBytesPerMegabyte - 1) / kBytesPerMegabyte; }

// Of a run of T by S tokens that needs so many bytes.
Error too_large(const Shape& s, std::uint64_t bytes) {
  const std::uint64_t needed = megabytes(bytes), most = megabytes(kLimits.max_trace_bytes);
  if (s.S == s.T) return error(Rule::trace_limit, {s.T, s.H, needed, most});
  return error(Rule::cross_trace_limit, {s.T, s.S, s.H, needed, most});
}
Error no_memory(const Shape& s, std::uint64_t bytes) {
  if (s.S == s.T) return error(Rule::trace_memory, {s.T, s.H, megabytes(bytes)});
  return error(Rule::cross_trace_memory, {s.T, s.S, s.H, megabytes(bytes)});
}

}  // namespace

std::uint64_t trace_bytes(const Shape& shape, const Settings& settings, bool is_cross) {
  std::uint64_t count = 0;
  for (const Stage& stage : stages()) count += padded(floats(stage, shape, settings, is_cross));
  return count * sizeof(float);
}

Error Trace::allocate(const Shape& wanted, const Settings& settings, bool is_cross) {
  clear();
  const std::uint64_t bytes = trace_bytes(wanted, settings, is_cross);
  if (bytes > kLimits.max_trace_bytes) return too_large(wanted, bytes);
  if (!memory_.resize(static_cast<std::size_t>(bytes / sizeof(float)))) return no_memory(wanted, bytes);
  shape = wanted;
  float* next = memory_.floats().data();
  for (const Stage& stage : stages()) {
    const std::uint64_t count = floats(stage, shape, settings, is_cross);
    if (count == 0) continue;
    this->*stage.buffer = {next, static_cast<std::size_t>(count)};
    next += padded(count);
  }
  return {};
}

void Trace::clear() {
  shape = {};
  factor = 1;
  tokens = key_tokens = {};
  for (const Stage& stage : stages()) {
    if (stage.buffer != nullptr) this->*stage.buffer = {};
  }
}

}  // namespace attention
