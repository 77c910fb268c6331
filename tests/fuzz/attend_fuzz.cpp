// Any shapes, strides, options and numbers: attend() refuses, or is as near to double, with stages and without,
// as its roundings allow.
#include "attention/attend.h"
#include "draw.h"

using namespace attention;
using fuzz::distance;
using fuzz::extent;
using fuzz::require;

namespace {

std::vector<float> numbers(FuzzedDataProvider& data, std::size_t count) {
  return fuzz::numbers(data, count, data.ConsumeBool() ? 1.0f : 1e4f);
}

bool fits(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  constexpr std::size_t kMost = 12;
  return a <= kMost && b <= kMost && c <= kMost && d <= kMost;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  const std::size_t B = extent(data), H_kv = extent(data), group = extent(data), T = extent(data);
  const std::size_t S = extent(data), d_k = extent(data), d_v = extent(data);
  const std::size_t H = H_kv * group;
  const bool small = fits(B, H_kv, group, T) && fits(S, d_k, d_v, 1);

  AttendOptions o;
  if (data.ConsumeBool()) o.scale = data.ConsumeFloatingPointInRange(-4.0f, 4.0f);
  if (data.ConsumeBool()) o.softcap = data.ConsumeFloatingPointInRange(-1.0f, 50.0f);
  o.is_causal = data.ConsumeBool();
  o.offset = distance(data);
  o.window_left = distance(data);
  o.window_right = distance(data);
  if (data.ConsumeBool()) o.dropout = data.ConsumeFloatingPointInRange(-0.1f, 1.1f);
  std::vector<std::int64_t> lengths, offsets;
  if (data.ConsumeBool()) {
    for (std::size_t b = 0; b < std::min<std::size_t>(B, 12); ++b)
      lengths.push_back(distance(data));
    o.key_lengths = lengths;
  }
  if (data.ConsumeBool()) {
    for (std::size_t b = 0; b < std::min<std::size_t>(B, 12); ++b)
      offsets.push_back(distance(data));
    o.batch_offsets = offsets;
  }

  if (data.ConsumeBool()) o.temperature = data.ConsumeBool() ? 0 : data.ConsumeFloatingPointInRange(-1.0f, 9.0f);
  std::vector<KeyRange> ranges;
  if (data.ConsumeBool()) {
    for (std::size_t q = 0; q < std::min<std::size_t>(T, 12); ++q) {
      ranges.push_back({data.ConsumeIntegralInRange<std::size_t>(0, 12), data.ConsumeIntegralInRange<std::size_t>(0, 12)});
    }
    o.key_ranges = ranges;
  }

  // Shapes too large for memory keep one float: they must be refused before it is read.
  const std::vector<float> q = numbers(data, small ? B * H * T * d_k : 1);
  const std::vector<float> k = numbers(data, small ? B * H_kv * S * d_k : 1);
  const std::vector<float> v = numbers(data, small ? B * H_kv * S * d_v : 1);
  std::vector<float> out(small ? B * H * T * d_v : 1);
  std::vector<std::uint8_t> allowed;
  if (small && data.ConsumeBool()) {
    o.mask.extents = {data.ConsumeBool() ? B : 1, data.ConsumeBool() ? H : 1,
                      data.ConsumeBool() ? T : 1,
                      data.ConsumeIntegralInRange<std::size_t>(0, S + 1)};
    const auto& n = o.mask.extents;
    for (std::size_t i = 0; i <= n[0] * n[1] * n[2] * n[3]; ++i)
      allowed.push_back(data.ConsumeBool());
    o.mask.allowed = allowed.data();
  }
  static Buffer scratch;
  const auto query = heads_first(q.data(), B, H, T, d_k);
  const auto key = heads_first(k.data(), B, H_kv, S, d_k);
  const auto value = heads_first(v.data(), B, H_kv, S, d_v);
  if (!small) {
    // Only what check_attend() refuses may be passed without its memory: an overflowing extent is.
    const bool huge =
        B > (std::size_t{1} << 41) || T > (std::size_t{1} << 41) || S > (std::size_t{1} << 41);
    if (huge)
      require(bool(attend(query, key, value, o, heads_first(out.data(), B, H, T, d_v), scratch)));
    return 0;
  }
  const Error error = attend(query, key, value, o, heads_first(out.data(), B, H, T, d_v), scratch);
  require(!error || !message(error).empty());
  if (error) return 0;
  if (B * H * T * S > 5'000) return 0;  // time is better spent on more inputs
  attention::test::LocalError local;
  local.attend(query, key, value, o, heads_first<const float>(out.data(), B, H, T, d_v));
  std::vector<std::vector<float>> kept(6, std::vector<float>(B * H * T * S));
  const AttendStages stages{kept[0].data(), kept[1].data(), kept[2].data(),
                            kept[3].data(), kept[4].data(), kept[5].data()};
  require(!attend(query, key, value, o, heads_first(out.data(), B, H, T, d_v), scratch, stages));
  local.attend_stages(query, key, value, o, stages, heads_first<const float>(out.data(), B, H, T, d_v));
  require(local);
  return 0;
}
