// Random samples and what is measured of them, as the operators' surface gives it.
#include "attention/head_measures.h"
#include "attention/measures.h"

#include <emscripten/bind.h>

#include <cmath>
#include <vector>

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
