// Softmax along any axis, by the kernel that attention uses.
#include "kernels.h"
#include "operators.h"

namespace conformance {

Refusal run_softmax(const Case& wanted, Results& results) {
  if (Refusal refusal = check_names(wanted, {"X", "x", "input"}, {"axis"})) return refusal;
  if (wanted.inputs.size() != 1) return {"Softmax has one input."};
  const Tensor& X = wanted.inputs.front();
  const std::vector<std::size_t> dims = X.dims.empty() ? std::vector<std::size_t>{1} : X.dims;
  const auto rank = static_cast<std::int64_t>(dims.size());
  std::int64_t axis = -1;
  if (Refusal refusal = get(wanted, "axis", axis)) return refusal;
  if (axis < -rank || axis >= rank) return {"axis must be from -rank to rank - 1."};
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);

  const std::size_t length = dims[at];
  std::size_t inner = 1;
  for (std::size_t i = at + 1; i < dims.size(); ++i) inner *= dims[i];
  std::vector<float> numbers = X.floats(), row(length);
  for (std::size_t first = 0; first < numbers.size(); first += length * inner) {
    for (std::size_t column = first; column < first + inner; ++column) {
      for (std::size_t i = 0; i < length; ++i) row[i] = numbers[column + i * inner];
      attention::kernels::softmax_row(row.data(), row.data(), length);
      for (std::size_t i = 0; i < length; ++i) numbers[column + i * inner] = row[i];
    }
  }
  results.push_back({"Y", "kernel", X.dims, as_doubles(numbers)});
  return {};
}

}  // namespace conformance
