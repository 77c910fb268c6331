// What stands beside attention: ONNX's RotaryEmbedding (opset 23), Softmax, LayerNormalization and
// Gelu; PositionEmbedding, X + table[position], where the table may be left out for the sinusoidal
// one. Whole models are in run_models.cpp.
#include <numeric>
#include <utility>

#include "attention/positions.h"
#include "kernels.h"
#include "operators.h"

namespace conformance {

namespace {

// `axis`, which may count from the end, of a tensor of `rank` axes.
std::size_t read_axis(const Case& wanted, std::size_t rank) {
  const auto axes = static_cast<std::int64_t>(rank);
  const std::int64_t axis = get_int(wanted, "axis", -1);
  require(axis >= -axes && axis < axes, "axis must be from -rank to rank - 1.");
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

// Which row of the tables each row of each batch reads; empty for the row's own number.
std::vector<std::int64_t> read_positions(const Case& wanted, const Tensor& cosines,
                                         std::size_t batch, std::size_t rows) {
  std::vector<std::int64_t> positions;
  if (const Tensor* given = wanted.input("position_ids")) {
    const bool is_shared = given->count == rows;  // by every batch
    require((given->count == batch * rows || is_shared) && cosines.dims.size() == 2,
            "position_ids must be i64 (B, n), with tables of (positions, half).");
    const std::vector<std::int64_t>& ids = integers(*given);
    for (std::size_t times = batch * rows / given->count; times > 0; --times)
      positions.insert(positions.end(), ids.begin(), ids.end());
    return positions;
  }
  const auto& dims = cosines.dims;
  if (dims.size() == 2 || (dims.size() == 3 && dims[0] == 1 && dims[1] == rows)) return positions;
  require(dims.size() == 3 && dims[0] == batch && dims[1] == rows,
          "Without position_ids the tables must be (B, n, half).");
  positions.resize(batch * rows);
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

}  // namespace

Results run_rotary(const Case& wanted) {
  check_names(wanted, {"X", "input", "cos_cache", "sin_cache", "position_ids"},
              {"interleaved", "num_heads", "rotary_embedding_dim"});
  const Tensor& X = input(wanted, wanted.input("X") || !wanted.input("input") ? "X" : "input");
  const Tensor &cosines = input(wanted, "cos_cache"), &sines = input(wanted, "sin_cache");
  require(X.count > 0 && cosines.count > 0 && !cosines.dims.empty() && cosines.dims == sines.dims,
          "X must not be empty, and cos_cache and sin_cache must have one shape.");
  const std::size_t half = cosines.dims.back();
  std::int64_t heads = get_int(wanted, "num_heads", 0);
  const std::int64_t rotary_dim = get_int(wanted, "rotary_embedding_dim", 0);
  const auto& dims = X.dims;
  require(dims.size() == 3 || dims.size() == 4, "X must be (B, H, n, d) or (B, n, H * d).");
  if (dims.size() == 3) {
    if (heads == 0 && rotary_dim == 0)  // the tables say how wide a head is
      heads = static_cast<std::int64_t>(dims[2] / (2 * half));
    require(heads >= 1 && dims[2] % static_cast<std::uint64_t>(heads) == 0,
            "X's width must be a multiple of num_heads.");
  }
  const auto view = [&](auto* data) {
    const auto H = static_cast<std::size_t>(heads);
    return dims.size() == 4 ? attention::heads_first(data, dims[0], dims[1], dims[2], dims[3])
                            : attention::heads_last(data, dims[0], dims[1], H, dims[2] / H);
  };
  const std::vector<float> numbers = X.floats();
  std::vector<float> turned(numbers.size()), in_place = numbers;
  const auto in = view(numbers.data());
  const std::uint64_t turned_width =
      rotary_dim == 0 ? in.width : static_cast<std::uint64_t>(rotary_dim);
  require(rotary_dim >= 0 && turned_width % 2 == 0 && turned_width / 2 == half,
          "The tables' last axis must be half of rotary_embedding_dim.");
  const auto positions = read_positions(wanted, cosines, in.batch, in.rows);
  const auto pairs = get_int(wanted, "interleaved", 0) != 0 ? attention::RotaryPairs::interleaved
                                                            : attention::RotaryPairs::halved;
  const std::vector<float> c = cosines.floats(), s = sines.floats();
  // rotate() promises both: into other memory, and over its own input.
  Results results;
  for (auto& [out, way] : {std::pair{&turned, "apart"}, std::pair{&in_place, "in place"}}) {
    const auto from = out == &in_place ? attention::Heads<const float>(view(in_place.data())) : in;
    require(attention::rotate(from, view(out->data()), c, s, half, positions, pairs));
    results.push_back({"Y", way, X.dims, as_doubles(*out)});
  }
  return results;
}

// By the kernel that attention uses.
Results run_softmax(const Case& wanted) {
  check_names(wanted, {"X", "x", "input"}, {"axis"});
  require(wanted.inputs.size() == 1, "Softmax has one input.");
  const Tensor& X = wanted.inputs.front();
  const std::vector<std::size_t> dims = X.dims.empty() ? std::vector<std::size_t>{1} : X.dims;
  const std::size_t axis = read_axis(wanted, dims.size()), length = dims[axis];
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  std::vector<float> numbers = X.floats(), row(length);
  for (std::size_t first = 0; first < numbers.size(); first += length * inner) {
    for (std::size_t column = first; column < first + inner; ++column) {
      for (std::size_t i = 0; i < length; ++i) row[i] = numbers[column + i * inner];
      attention::kernels::softmax_row(row.data(), row.data(), length);
      for (std::size_t i = 0; i < length; ++i) numbers[column + i * inner] = row[i];
    }
  }
  return {{"Y", "kernel", X.dims, as_doubles(numbers)}};
}

Results run_layer_norm(const Case& wanted) {
  check_names(wanted, {"X", "Scale", "B"}, {"axis", "epsilon", "stash_type"});
  const Tensor &X = input(wanted, "X"), &scale = input(wanted, "Scale");
  const Tensor* bias = wanted.input("B");
  require(X.count > 0, "X must not be empty.");
  std::size_t width = 1;  // of the axes from `axis` on
  for (std::size_t i = read_axis(wanted, X.dims.size()); i < X.dims.size(); ++i) width *= X.dims[i];
  require(scale.count == width && (bias == nullptr || bias->count == width),
          "Scale and B must have one number for each that is normalised.");
  const std::vector<float> gain = scale.floats();
  const std::vector<float> added = bias != nullptr ? bias->floats() : std::vector<float>();
  const attention::LayerNorm norm{gain.data(), added.empty() ? nullptr : added.data(), width,
                                  static_cast<float>(get_float(wanted, "epsilon", 1e-5))};
  std::vector<float> Y = X.floats();
  attention::apply(norm, Y.data(), X.count / width, Y.data());
  return {{"Y", "kernel", X.dims, as_doubles(Y)}};
}

Results run_gelu(const Case& wanted) {
  check_names(wanted, {"X"}, {"approximate"});
  const Tensor& X = input(wanted, "X");
  const std::string approximate = get_str(wanted, "approximate", "none");
  require(approximate == "none" || approximate == "tanh", "approximate must be none or tanh.");
  std::vector<float> Y = X.floats();
  attention::apply(approximate == "tanh" ? attention::Gelu::tanh : attention::Gelu::erf, Y.data(),
                   Y.size(), Y.data());
  return {{"Y", "kernel", X.dims, as_doubles(Y)}};
}

Results run_positions(const Case& wanted) {
  check_names(wanted, {"X", "table", "position_ids"}, {"first", "max_positions"});
  const Tensor& X = input(wanted, "X");
  require(X.dims.size() == 3 && X.count > 0, "X must be (B, n, E), and not empty.");
  const std::size_t width = X.dims[2];
  const std::int64_t first = get_int(wanted, "first", 0);
  const std::int64_t rows = get_int(wanted, "max_positions", 0);
  require(first >= 0 && rows >= 0 && rows <= 1 << 20,
          "first and max_positions must be from 0 to 2^20.");
  std::vector<float> table;
  if (wanted.input("table") != nullptr) {
    table = read_table(wanted, "table").numbers;
  } else {
    table.resize(count_elements({static_cast<std::size_t>(rows), width}));
    attention::fill_sinusoids(table.data(), static_cast<std::size_t>(rows), width);
  }
  const Tensor* ids = wanted.input("position_ids");
  const auto positions = ids != nullptr ? integers(*ids) : std::vector<std::int64_t>();
  std::vector<float> Y = X.floats();
  require(attention::add_positions({Y.data(), X.dims[0], X.dims[1], width}, table, positions,
                                   static_cast<std::size_t>(first), Y.data()));
  return {{"Y", "added", X.dims, as_doubles(Y)}};
}

}  // namespace conformance
