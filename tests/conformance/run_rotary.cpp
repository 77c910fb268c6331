// ONNX's RotaryEmbedding (opset 23).
#include <numeric>
#include <utility>

#include "attention/rotary.h"
#include "operators.h"

namespace conformance {

namespace {

// Which row of the tables each row of each batch reads; empty for the row's own number.
Refusal read_positions(const Case& wanted, const Tensor& cosines, std::size_t batch,
                       std::size_t rows, std::vector<std::int64_t>& positions) {
  if (const Tensor* given = wanted.input("position_ids")) {
    const auto* ids = std::get_if<std::vector<std::int64_t>>(&given->numbers);
    const bool is_shared = given->count == rows;  // by every batch
    if (ids == nullptr || (given->count != batch * rows && !is_shared) ||
        cosines.dims.size() != 2) {
      return {"position_ids must be i64 (B, n), with tables of (positions, half)."};
    }
    const std::size_t times = batch * rows / given->count;
    for (std::size_t i = 0; i < times; ++i)
      positions.insert(positions.end(), ids->begin(), ids->end());
    return {};
  }
  if (cosines.dims.size() == 2) return {};
  if (cosines.dims.size() == 3 && cosines.dims[0] == 1 && cosines.dims[1] == rows) return {};
  if (cosines.dims.size() != 3 || cosines.dims[0] != batch || cosines.dims[1] != rows) {
    return {"Without position_ids the tables must be (B, n, half)."};
  }
  positions.resize(batch * rows);
  std::iota(positions.begin(), positions.end(), 0);
  return {};
}

}  // namespace

Refusal run_rotary(const Case& wanted, Results& results) {
  if (Refusal refusal =
          check_names(wanted, {"X", "input", "cos_cache", "sin_cache", "position_ids"},
                      {"interleaved", "num_heads", "rotary_embedding_dim"})) {
    return refusal;
  }
  const Tensor* X = wanted.input("X") ? wanted.input("X") : wanted.input("input");
  const Tensor* cosines = wanted.input("cos_cache");
  const Tensor* sines = wanted.input("sin_cache");
  if (X == nullptr || cosines == nullptr || sines == nullptr) {
    return {"RotaryEmbedding needs X, cos_cache and sin_cache."};
  }
  if (X->count == 0 || cosines->count == 0 || cosines->dims.empty() ||
      cosines->dims != sines->dims) {
    return {"X must not be empty, and cos_cache and sin_cache must have one shape."};
  }
  std::int64_t interleaved = 0, heads = 0, rotary_dim = 0;
  if (Refusal refusal = get(wanted, "interleaved", interleaved)) return refusal;
  if (Refusal refusal = get(wanted, "num_heads", heads)) return refusal;
  if (Refusal refusal = get(wanted, "rotary_embedding_dim", rotary_dim)) return refusal;

  const std::vector<float> numbers = X->floats();
  std::vector<float> turned(numbers.size()), in_place = numbers;
  const auto view = [&](auto* data) {
    const auto& dims = X->dims;
    const auto H = static_cast<std::size_t>(heads);
    return dims.size() == 4 ? attention::heads_first(data, dims[0], dims[1], dims[2], dims[3])
                            : attention::heads_last(data, dims[0], dims[1], H, dims[2] / H);
  };
  if (X->dims.size() == 3) {
    if (heads == 0 && rotary_dim == 0) {  // the tables say how wide a head is
      heads = static_cast<std::int64_t>(X->dims[2] / (2 * cosines->dims.back()));
    }
    if (heads < 1 || X->dims[2] % static_cast<std::uint64_t>(heads) != 0) {
      return {"X's width must be a multiple of num_heads."};
    }
  } else if (X->dims.size() != 4) {
    return {"X must be (B, H, n, d) or (B, n, H * d)."};
  }
  const auto in = view(numbers.data());
  const std::size_t half = cosines->dims.back();
  const std::uint64_t turned_width =
      rotary_dim == 0 ? in.width : static_cast<std::uint64_t>(rotary_dim);
  if (rotary_dim < 0 || turned_width % 2 != 0 || turned_width / 2 != half) {
    return {"The tables' last axis must be half of rotary_embedding_dim."};
  }
  std::vector<std::int64_t> positions;
  if (Refusal refusal = read_positions(wanted, *cosines, in.batch, in.rows, positions)) {
    return refusal;
  }
  const auto pairs =
      interleaved != 0 ? attention::RotaryPairs::interleaved : attention::RotaryPairs::halved;
  const std::vector<float> c = cosines->floats(), s = sines->floats();
  // rotate() promises both: into other memory, and over its own input.
  for (auto& [out, way] : {std::pair{&turned, "apart"}, std::pair{&in_place, "in place"}}) {
    const auto from = out == &in_place ? attention::Heads<const float>(view(in_place.data())) : in;
    if (attention::Error error =
            attention::rotate(from, view(out->data()), c, s, half, positions, pairs)) {
      return {message(error)};
    }
    results.push_back({"Y", way, X->dims, as_doubles(*out)});
  }
  return {};
}

}  // namespace conformance
