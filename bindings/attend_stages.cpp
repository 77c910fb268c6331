// attend() that keeps what lies between, each stage in a tensor of the caller's.
#include <emscripten/bind.h>

#include "attend_options.h"
#include "attention/attend.h"
#include "tensor.h"
#include "values.h"

namespace {

using namespace attention;
using attention::js::FloatTensor;
using attention::js::ReadAttendOptions;
using attention::js::Tensor;
using attention::js::WantedAttendOptions;
using attention::js::result;
using attention::js::tensor_or_null;

// As AttendStages; null = not kept.
struct WantedStages {
  MaybeFloats scores{emscripten::val::null()}, scaled_scores{emscripten::val::null()},
      capped_scores{emscripten::val::null()}, masked_scores{emscripten::val::null()},
      weights{emscripten::val::null()}, dropped_weights{emscripten::val::null()};
};

// The tensor's memory, which its owner keeps; it must hold (B, H, T, S).
Error keep(const MaybeFloats& wanted, double count, float*& stage) {
  const FloatTensor tensor = tensor_or_null(wanted);
  if (tensor == nullptr) return {};
  if (static_cast<double>(tensor->numbers().size()) != count) {
    return error(Rule::js_stage);
  }
  stage = tensor->numbers().data();
  return {};
}

MaybeError attend_keeping(const Tensor<float>& query, const Tensor<float>& key,
                          const Tensor<float>& value, const WantedAttendOptions& wanted,
                          const WantedStages& kept, Tensor<float>& context) {
  ReadAttendOptions read;
  if (const Error error = read.read(wanted)) return result(error);
  const auto [batch, heads, rows, width] = query.extents();
  double count = 1;  // 32 bits would wrap round
  for (const std::size_t extent : {batch, heads, rows, key.extents()[2]}) count *= static_cast<double>(extent);
  AttendStages stages;
  for (const auto& [from, to] : {std::pair{&kept.scores, &stages.scores},
                                 std::pair{&kept.scaled_scores, &stages.scaled_scores},
                                 std::pair{&kept.capped_scores, &stages.capped_scores},
                                 std::pair{&kept.masked_scores, &stages.masked_scores},
                                 std::pair{&kept.weights, &stages.weights},
                                 std::pair{&kept.dropped_weights, &stages.dropped_weights}}) {
    if (const Error error = keep(*from, count, *to)) return result(error);
  }
  static Buffer scratch;
  return result(attend(query.heads(), key.heads(), value.heads(), read.options(), context.heads(), scratch,
                       stages));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_attend_stages) {
  using namespace emscripten;
  value_object<WantedStages>("WantedStages")
      .field("scores", &WantedStages::scores)
      .field("scaled_scores", &WantedStages::scaled_scores)
      .field("capped_scores", &WantedStages::capped_scores)
      .field("masked_scores", &WantedStages::masked_scores)
      .field("weights", &WantedStages::weights)
      .field("dropped_weights", &WantedStages::dropped_weights);
  function("attendKeeping(query, key, value, options, stages, context)", &attend_keeping);
}
