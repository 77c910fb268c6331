// Any settings, any tokens: Session refuses with a sentence or gives finite numbers whose rows sum
// to 1.
#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdlib>

#include "attention/session.h"

using namespace attention;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

WantedSettings wanted(FuzzedDataProvider& data) {
  const auto number = [&](double usual) {
    return data.ConsumeBool() ? usual : data.ConsumeFloatingPoint<double>();
  };
  const auto id = [&](std::span<const std::string_view> ids) {
    return data.ConsumeBool()
               ? std::string(ids[data.ConsumeIntegralInRange<std::size_t>(0, ids.size() - 1)])
               : data.ConsumeRandomLengthString(12);
  };
  WantedSettings w;
  w.d_model = number(data.ConsumeIntegralInRange(1, 40));
  w.num_heads = number(data.ConsumeIntegralInRange(1, 40));
  w.mask = id(masks());
  w.scale = id(scales());
  w.scale_factor = number(data.ConsumeFloatingPointInRange(-10000.0, 10000.0));
  w.positions = id(positions());
  w.biases = data.ConsumeBool();
  w.seed = number(data.ConsumeIntegral<std::uint32_t>());
  return w;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  static Session session;  // reused, as a page does
  const WantedSettings w = wanted(data);
  Settings settings;
  const Error refused = exact(w, settings);
  require(!refused || !refused.message.empty());
  if (refused) settings = clamp(w).settings;
  require(!validate(settings));
  if (settings.d_model > 256) settings = Settings{};  // time is better spent on more inputs

  std::vector<std::string> tokens;
  while (data.remaining_bytes() > 0 && tokens.size() < 60) {
    tokens.push_back(data.ConsumeRandomLengthString(8));
  }
  const Error error = session.run(tokens, settings);
  require(bool(error) == tokens.empty());
  if (error) return 0;

  const Trace& t = session.trace();
  for (std::size_t row = 0; row < t.shape.H * t.shape.T; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < t.shape.S; ++k) sum += t.weights[row * t.shape.S + k];
    require(std::fabs(sum - 1) < 1e-4);
  }
  for (const float x : t.residual) require(std::isfinite(x));
  CellArithmetic cell;
  const int head = data.ConsumeIntegralInRange(-1, 70), query = data.ConsumeIntegralInRange(-1, 70);
  const bool inside = head >= 0 && head < settings.num_heads && query >= 0 &&
                      query < static_cast<int>(tokens.size());
  require(bool(session.cell(head, query, 0, cell)) != inside);
  return 0;
}
