// Random samples and what is measured of them, as the operators' surface gives it.
#include "attention/measures.h"

#include <emscripten/bind.h>

#include <cmath>

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

}  // namespace

EMSCRIPTEN_BINDINGS(attention_statistics) {
  using namespace emscripten;
  register_type<MomentsObject>("{ mean: number; variance: number }");
  function("normals(seed, stream, first_row, out)", &draw);
  function("dotRows(a, b, width, out)", &dot_tensors);
  function("moments(x)", &moments_of);
  function("rowFacts(weights, facts)", &facts_of_rows);
}
