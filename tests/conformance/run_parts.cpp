// The parts of a transformer beside attention: ONNX's LayerNormalization and Gelu, and
// PositionEmbedding, X + table[position], where the table may be left out for the sinusoidal one.
#include "attention/block.h"
#include "attention/positions.h"
#include "operators.h"

namespace conformance {

Refusal run_layer_norm(const Case& wanted, Results& results) {
  if (Refusal refusal =
          check_names(wanted, {"X", "Scale", "B"}, {"axis", "epsilon", "stash_type"})) {
    return refusal;
  }
  const Tensor *X = wanted.input("X"), *scale = wanted.input("Scale"), *bias = wanted.input("B");
  if (X == nullptr || scale == nullptr || X->count == 0)
    return {"X and Scale are needed, and not empty."};
  const auto rank = static_cast<std::int64_t>(X->dims.size());
  std::int64_t axis = -1;
  double epsilon = 1e-5;
  if (Refusal refusal = get(wanted, "axis", axis)) return refusal;
  if (Refusal refusal = get(wanted, "epsilon", epsilon)) return refusal;
  if (axis < -rank || axis >= rank) return {"axis must be from -rank to rank - 1."};
  std::size_t width = 1;  // of the axes from `axis` on
  for (auto i = static_cast<std::size_t>(axis < 0 ? axis + rank : axis); i < X->dims.size(); ++i) {
    width *= X->dims[i];
  }
  if (scale->count != width || (bias != nullptr && bias->count != width)) {
    return {"Scale and B must have one number for each that is normalised."};
  }
  const std::vector<float> gain = scale->floats();
  const std::vector<float> added = bias != nullptr ? bias->floats() : std::vector<float>();
  const attention::LayerNorm norm{gain.data(), added.empty() ? nullptr : added.data(), width,
                                  static_cast<float>(epsilon)};
  std::vector<float> Y = X->floats();
  attention::apply(norm, Y.data(), X->count / width, Y.data());
  results.push_back({"Y", "kernel", X->dims, as_doubles(Y)});
  return {};
}

Refusal run_gelu(const Case& wanted, Results& results) {
  if (Refusal refusal = check_names(wanted, {"X"}, {"approximate"})) return refusal;
  const Tensor* X = wanted.input("X");
  if (X == nullptr) return {"Input 'X' is missing."};
  std::string approximate = "none";
  if (Refusal refusal = get(wanted, "approximate", approximate)) return refusal;
  if (approximate != "none" && approximate != "tanh") return {"approximate must be none or tanh."};
  std::vector<float> Y = X->floats();
  attention::apply(approximate == "tanh" ? attention::Gelu::tanh : attention::Gelu::erf, Y.data(),
                   Y.size(), Y.data());
  results.push_back({"Y", "kernel", X->dims, as_doubles(Y)});
  return {};
}

Refusal run_positions(const Case& wanted, Results& results) {
  if (Refusal refusal =
          check_names(wanted, {"X", "table", "position_ids"}, {"first", "max_positions"})) {
    return refusal;
  }
  const Tensor* X = wanted.input("X");
  if (X == nullptr || X->dims.size() != 3 || X->count == 0)
    return {"X must be (B, n, E), and not empty."};
  const std::size_t width = X->dims[2];
  std::int64_t first = 0, rows = 0;
  if (Refusal refusal = get(wanted, "first", first)) return refusal;
  if (Refusal refusal = get(wanted, "max_positions", rows)) return refusal;
  if (first < 0 || rows < 0 || rows > 1 << 20)
    return {"first and max_positions must be from 0 to 2^20."};
  std::vector<float> table;
  if (wanted.input("table") != nullptr) {
    Matrix given;
    if (Refusal refusal = read_matrix(wanted, "table", given)) return refusal;
    table = std::move(given.numbers);
  } else {
    std::size_t count = 0;
    if (Refusal refusal = count_elements({static_cast<std::size_t>(rows), width}, count))
      return refusal;
    table.resize(count);
    attention::fill_sinusoids(table.data(), static_cast<std::size_t>(rows), width);
  }
  std::span<const std::int64_t> positions;
  if (const Tensor* ids = wanted.input("position_ids")) {
    const auto* given = std::get_if<std::vector<std::int64_t>>(&ids->numbers);
    if (given == nullptr) return {"position_ids must be i64."};
    positions = *given;
  }
  std::vector<float> Y = X->floats();
  if (attention::Error error =
          attention::add_positions({Y.data(), X->dims[0], X->dims[1], width}, table, positions,
                                   static_cast<std::size_t>(first), Y.data())) {
    return {message(error)};
  }
  results.push_back({"Y", "added", X->dims, as_doubles(Y)});
  return {};
}

}  // namespace conformance
