// What the targets draw from their bytes.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <vector>

#include "attention/multi_head.h"
#include "local_error.h"

namespace fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Small, and now and then anything at all.
inline std::size_t extent(FuzzedDataProvider& data, std::size_t most = 12) {
  return data.ConsumeIntegralInRange<int>(0, 40) == 0
             ? data.ConsumeIntegral<std::size_t>()
             : data.ConsumeIntegralInRange<std::size_t>(1, most);
}

inline std::int64_t distance(FuzzedDataProvider& data) {
  return data.ConsumeIntegralInRange<int>(0, 40) == 0
             ? data.ConsumeIntegral<std::int64_t>()
             : data.ConsumeIntegralInRange<std::int64_t>(-1, 20);
}

inline std::vector<float> numbers(FuzzedDataProvider& data, std::size_t count, float size = 1) {
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(data.ConsumeIntegral<std::int8_t>()) / 64 * size;
  return out;
}

// Parameters that stay in place while more are drawn. They repeat a few drawn numbers, so that a
// few bytes make a large matrix.
class Memory {
 public:
  explicit Memory(FuzzedDataProvider& data) : some_(numbers(data, 16)) {}

  // At most 4,096: beyond, views are refused before their numbers are read.
  const float* floats(std::size_t count) {
    auto& memory = all_.emplace_back(std::min<std::size_t>(count, 4096));
    for (float& x : memory) {
      x = some_[at_ % some_.size()] + 0.01f * static_cast<float>(at_ % 7);
      ++at_;
    }
    return memory.data();
  }
  // Now and then with a stride of its own, be it one that fits or not.
  attention::Linear linear(FuzzedDataProvider& data, std::size_t in, std::size_t out) {
    attention::Linear linear{nullptr, data.ConsumeBool() ? floats(out) : nullptr, in, out};
    if (data.ConsumeBool()) linear.layout = attention::Layout::out_in;
    if (data.ConsumeIntegralInRange<int>(0, 20) == 0) {
      linear.stride = data.ConsumeIntegralInRange<std::size_t>(0, 40);
    }
    const bool is_in_out = linear.layout == attention::Layout::in_out;
    linear.weight = floats((is_in_out ? in : out) * std::max(linear.stride, is_in_out ? out : in));
    return linear;
  }

 private:
  std::vector<float> some_;
  std::size_t at_ = 0;
  std::list<std::vector<float>> all_;
};

// Of a layer's heads, now and then of a width that is refused. Drawn last, so that shorter inputs mean what they meant.
inline void draw_head_norms(FuzzedDataProvider& data, Memory& memory, attention::MultiHead& layer) {
  for (attention::HeadNorm* norm : {&layer.query_norm, &layer.key_norm}) {
    if (!data.ConsumeBool()) continue;
    const std::size_t d_k = layer.key_heads > 0 ? std::min<std::size_t>(layer.key.out / layer.key_heads, 64) : 1;
    const std::size_t width = data.ConsumeIntegralInRange<int>(0, 20) == 0 ? d_k + 1 : d_k;
    *norm = {{memory.floats(width), width}, data.ConsumeBool() ? 1e-6f : 0.1f};
  }
}

// Each stage is as near to double, from its own inputs, as its roundings allow.
inline void require(const attention::test::LocalError& error) {
  if (error.holds()) return;
  std::fprintf(stderr, "%.*s errs by %g times its bound\n", static_cast<int>(error.stage().size()),
               error.stage().data(), error.worst());
  std::abort();
}

}  // namespace fuzz
