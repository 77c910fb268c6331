// Random samples, measurements of them, and attend() with its intermediate stages kept in the caller's tensors.
#include <cmath>
#include <emscripten/bind.h>
#include <vector>

#include "attend_options.h"
#include "attention/attend.h"
#include "attention/head_measures.h"
#include "attention/measures.h"
#include "convert.h"
#include "tensor.h"
#include "values.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(MomentsObject)

namespace {

using namespace attention;
using attention::js::Tensor;
using attention::js::result;
using emscripten::val;

// All extents but the last are rows.
std::size_t rows_of(const Tensor<float>& tensor) { return tensor.numbers().size() / tensor.extents()[3]; }

MaybeError draw(std::uint32_t seed, std::uint32_t stream, std::uint32_t first_row, Tensor<float>& out) {
  normals(out.numbers().data(), rows_of(out), out.extents()[3], seed, stream, first_row);
  return result({});
}

MaybeError dot_tensors(const Tensor<float>& a, const Tensor<float>& b, double width, Tensor<float>& out) {
  const std::size_t stride = a.extents()[3], rows = rows_of(a);
  const bool is_width = width >= 1 && width <= static_cast<double>(stride) && width == std::floor(width);
  if (!is_width || b.extents()[3] != stride || rows_of(b) != rows || out.numbers().size() != rows) {
    return result(error(Rule::js_dots));
  }
  dot_rows(a.numbers().data(), b.numbers().data(), rows, static_cast<std::size_t>(width), stride,
           out.numbers().data());
  return result({});
}

MomentsObject moments_of(const Tensor<float>& x) {
  const Moments found = moments(x.numbers());
  val object = val::object();
  js::put(object, "mean", found.mean);
  js::put(object, "variance", found.variance);
  return MomentsObject(object);
}

MaybeError facts_of_rows(const Tensor<float>& weights, Tensor<float>& facts) {
  const std::size_t rows = rows_of(weights), width = weights.extents()[3];
  if (facts.extents()[3] != 3 || rows_of(facts) != rows) return result(error(Rule::js_row_facts));
  for (std::size_t r = 0; r < rows; ++r) {
    const RowFacts row = row_facts(weights.numbers().subspan(r * width, width));
    float* const to = &facts.numbers()[r * 3];
    to[0] = row.entropy;
    to[1] = row.largest;
    to[2] = row.jacobian_norm;
  }
  return result({});
}

// (heads, T, T), or (layers, heads, T, T).
bool is_of_heads(const Tensor<float>& weights) { return weights.extents()[2] == weights.extents()[3]; }

bool is_square(const Tensor<float>& tensor, std::size_t T) {
  return tensor.extents() == std::array<std::size_t, 4>{1, 1, T, T};
}

MaybeError facts_of_heads(const Tensor<float>& weights, const NumberList& tokens, Tensor<float>& facts) {
  const std::size_t T = weights.extents()[3], heads = weights.numbers().size() / (T * T);
  std::vector<std::int64_t> numbers;
  if (const Error error = js::whole(tokens, "tokens", numbers)) return result(error);
  if (!is_of_heads(weights) || numbers.size() != T || facts.extents()[3] != kHeadFacts || rows_of(facts) != heads) {
    return result(error(Rule::js_weights));
  }
  const std::vector<std::int32_t> ids(numbers.begin(), numbers.end());
  head_facts(weights.numbers().data(), heads, ids, facts.numbers().data());
  return result({});
}

double rows_of_induction(const NumberList& tokens) {
  std::vector<std::int64_t> numbers;
  if (js::whole(tokens, "tokens", numbers)) return 0;
  return static_cast<double>(induction_rows(std::vector<std::int32_t>(numbers.begin(), numbers.end())));
}

MaybeError roll_heads_out(const Tensor<float>& weights, const MaybeFloats& below, Tensor<float>& mean, Tensor<float>& out) {
  const std::size_t T = weights.extents()[3], heads = weights.numbers().size() / (T * T);
  const js::FloatTensor before = js::tensor_or_null(below);
  if (!is_of_heads(weights) || !is_square(mean, T) || !is_square(out, T) || (before && !is_square(*before, T))) {
    return result(error(Rule::js_weights));
  }
  mean_of_heads(weights.numbers().data(), heads, T, mean.numbers().data());
  roll_out(mean.numbers().data(), before ? before->numbers().data() : nullptr, T, out.numbers().data());
  return result({});
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_statistics) {
  using namespace emscripten;
  register_type<MomentsObject>("{ mean: number; variance: number }");
  function("normals(seed, stream, first_row, out)", &draw);
  function("dotRows(a, b, width, out)", &dot_tensors);
  function("moments(x)", &moments_of);
  function("rowFacts(weights, facts)", &facts_of_rows);
  function("headFacts(weights, tokens, facts)", &facts_of_heads);
  function("inductionRows(tokens)", &rows_of_induction);
  function("rollOut(weights, below, mean, out)", &roll_heads_out);
}

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
