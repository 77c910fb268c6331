// Any settings, any tokens: Session refuses with a sentence or gives finite numbers whose rows sum
// to 1.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "attention/form.h"
#include "attention/layer/session.h"
#include "attention/layer/trace.h"

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
  const auto own = [&](int most) { return number(data.ConsumeIntegralInRange(0, most)); };
  WantedSettings w;
  w.d_model = number(data.ConsumeIntegralInRange(1, 40));
  w.num_heads = number(data.ConsumeIntegralInRange(1, 40));
  w.num_kv_heads = own(40);
  w.d_k = own(20);
  w.d_v = own(20);
  w.mask = id(mask_ids());
  for (const MaskNumber& each : mask_numbers()) w.*number_field(each.name) = own(20);
  w.scale = id(scale_ids());
  w.scale_factor = number(data.ConsumeFloatingPointInRange(-10000.0, 10000.0));
  w.softcap = number(data.ConsumeFloatingPointInRange(0.0, 50.0));
  w.temperature = number(data.ConsumeFloatingPointInRange(0.0, 5.0));
  w.positions = id(position_ids());
  w.tie = id(tie_ids());
  w.value_rank = own(20);
  w.biases = data.ConsumeBool();
  w.dropout = number(data.ConsumeFloatingPointInRange(0.0, 0.9));
  w.dropout_seed = number(data.ConsumeIntegral<std::uint32_t>());
  w.out_proj = data.ConsumeBool();
  w.residual = data.ConsumeBool();
  w.seed = number(data.ConsumeIntegral<std::uint32_t>());
  return w;
}

// Any edits; given numbers of the right shape, or of any.
Request request(FuzzedDataProvider& data, const Settings& s) {
  Request r;
  for (int i = data.ConsumeIntegralInRange(0, 4); i > 0; --i) {
    r.mask_edits.push_back({data.ConsumeIntegral<int>(), data.ConsumeIntegralInRange(-1, 9)});
  }
  const auto arrays = parameter_arrays();
  const auto array = [&]() -> const ParameterArray& {
    return arrays[data.ConsumeIntegralInRange<std::size_t>(0, arrays.size() - 1)];
  };
  for (int i = data.ConsumeIntegralInRange(0, 4); i > 0; --i) {
    const std::string id = data.ConsumeBool() ? std::string(array().id) : data.ConsumeRandomLengthString(6);
    r.edits.push_back({id, data.ConsumeRandomLengthString(8), data.ConsumeIntegralInRange(-1, 9),
                       data.ConsumeIntegral<int>(), data.ConsumeFloatingPoint<float>()});
  }
  if (data.ConsumeBool()) {
    const ParameterArray& given = array();
    const std::size_t fitting = count_of(given, shape_of(s, 3, 3));
    const std::size_t count = data.ConsumeBool() ? fitting : data.ConsumeIntegralInRange<std::size_t>(0, 4096);
    r.given.push_back({std::string(given.id), std::vector<float>(count, data.ConsumeFloatingPoint<float>())});
  }
  if (data.ConsumeBool()) {
    r.key_tokens.emplace();
    for (int i = data.ConsumeIntegralInRange(0, 9); i > 0; --i) r.key_tokens->push_back(data.ConsumeRandomLengthString(8));
  }
  while (data.remaining_bytes() > 0 && r.tokens.size() < 60) r.tokens.push_back(data.ConsumeRandomLengthString(8));
  return r;
}

void explain_some(const Session& session, FuzzedDataProvider& data) {
  Explanation e;
  for (const Stage& stage : stages()) {
    const std::size_t index = data.ConsumeIntegralInRange<std::size_t>(0, 5000);
    const std::size_t count = stage.buffer == nullptr ? 0 : (session.trace().*stage.buffer).size();
    require(bool(session.explain(stage.id, index, e)) == (index >= count));
  }
  for (const ParameterArray& array : parameter_arrays()) {
    const Error error = session.explain(array.id, data.ConsumeIntegralInRange<std::size_t>(0, 5000), e);
    require(!error || !message(error).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  static Session session;  // reused, as a page does
  const WantedSettings w = wanted(data);
  Settings settings;
  const Error refused = exact(w, settings);
  require(!refused || !message(refused).empty());
  if (refused) settings = clamp(w).settings;
  require(!validate(settings));
  const int widest = settings.num_heads * std::max(key_width(settings), value_width(settings));
  if (settings.d_model > 256 || widest > 1024) settings = Settings{};  // time is better spent on more inputs

  const Request wished = request(data, settings);
  const bool is_plain = wished.given.empty() && wished.edits.empty() && wished.mask_edits.empty();
  const bool is_worded = !wished.tokens.empty() && !wished.sources().empty();
  const Error error = session.run(wished, settings);
  require(!error || !message(error).empty());
  if (is_plain) require(bool(error) != is_worded);
  if (error) return 0;

  const Trace& t = session.trace();
  for (std::size_t row = 0; is_plain && row < t.shape.H * t.shape.T; ++row) {
    double sum = 0;
    bool is_masked = true;  // as a window is that lies past the end of a shorter second text
    for (std::size_t k = 0; k < t.shape.S; ++k) {
      sum += t.weights[row * t.shape.S + k];
      is_masked &= t.masked_scores[row * t.shape.S + k] == -std::numeric_limits<float>::infinity();
    }
    const double terms = static_cast<double>(t.shape.S);
    require(is_masked ? sum == 0 : std::fabs(sum - 1) < (8 + terms) * 0x1p-24);  // each rounds, and their sum did
  }
  for (const float x : t.output) require(!is_plain || std::isfinite(x));
  explain_some(session, data);
  const int head = data.ConsumeIntegralInRange(-1, 70), query = data.ConsumeIntegralInRange(-1, 70);
  const bool inside = head >= 0 && head < settings.num_heads && query >= 0 &&
                      query < static_cast<int>(wished.tokens.size());
  std::vector<float> values;
  require(bool(session.weighted_values(head, query, values)) != inside);
  return 0;
}
