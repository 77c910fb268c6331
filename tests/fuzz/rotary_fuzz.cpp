// Any tables, positions and shapes: rotate() and add_positions() refuse with a sentence and write
// nothing, or do what their formulae say.
#include "attention/positions.h"
#include "draw.h"

using namespace attention;
using fuzz::require;

namespace {

std::vector<std::int64_t> draw_positions(FuzzedDataProvider& data, std::size_t usual) {
  std::vector<std::int64_t> positions(
      data.ConsumeBool() ? usual : data.ConsumeIntegralInRange<std::size_t>(0, 9));
  for (std::int64_t& position : positions) position = fuzz::distance(data);
  return positions;
}

void try_rotate(FuzzedDataProvider& data) {
  const auto small = [&](std::size_t most) {
    return data.ConsumeIntegralInRange<std::size_t>(0, most);
  };
  const std::size_t B = small(3), H = small(3), n = small(5), width = small(9),
                    half = fuzz::extent(data, 5);
  const std::vector<float> in = fuzz::numbers(data, B * H * n * width);
  const std::vector<float> cosines = fuzz::numbers(data, small(40));
  const std::vector<float> sines =
      fuzz::numbers(data, data.ConsumeBool() ? cosines.size() : small(40));
  const std::vector<std::int64_t> positions = draw_positions(data, B * n);
  const RotaryPairs pairs = data.ConsumeBool() ? RotaryPairs::halved : RotaryPairs::interleaved;
  std::vector<float> out(in.size(), 7), place = in;
  const std::vector<float> untouched = out;
  const auto from = heads_first(in.data(), B, H, n, width);
  const auto to = heads_first(out.data(), B, H, n, width);
  const auto over = heads_first(place.data(), B, H, n, width);
  const Error error = rotate(from, to, cosines, sines, half, positions, pairs);
  require(bool(rotate(over, over, cosines, sines, half, positions, pairs)) == bool(error));
  if (error) {
    require(!message(error).empty() && out == untouched && place == in);
    return;
  }
  require(out == place);
  for (std::size_t row = 0; row < B * H * n; ++row) {
    const std::size_t r = row % n, b = row / (H * n);
    const std::size_t p = positions.empty() ? r : static_cast<std::size_t>(positions[b * n + r]);
    for (std::size_t i = 2 * half; i < width; ++i)
      require(out[row * width + i] == in[row * width + i]);
    for (std::size_t i = 0; i < half; ++i) {
      const bool apart = pairs == RotaryPairs::halved;
      const std::size_t x = row * width + (apart ? i : 2 * i), y = x + (apart ? half : 1);
      const float c = cosines[p * half + i], s = sines[p * half + i];
      require(out[x] == in[x] * c - in[y] * s);
      require(out[y] == in[y] * c + in[x] * s);
    }
  }
}

void try_positions(FuzzedDataProvider& data) {
  const std::size_t B = fuzz::extent(data, 3), n = fuzz::extent(data, 5),
                    width = fuzz::extent(data, 6);
  const bool fits = B <= 3 && n <= 5 && width <= 6;
  const std::vector<float> x = fuzz::numbers(data, fits ? B * n * width : 1);
  const std::vector<float> table =
      fuzz::numbers(data, data.ConsumeIntegralInRange<std::size_t>(0, 60));
  const std::vector<std::int64_t> positions = draw_positions(data, fits ? B * n : 4);
  const std::size_t first = fuzz::extent(data, 6) - 1;
  std::vector<float> out(x.size(), 7);
  const std::vector<float> untouched = out;
  // Only what must be refused may be without its memory: rows beyond the tables, and what
  // overflows.
  if (!fits && n <= 60 && width <= 60 && B <= (std::size_t{1} << 41)) return;
  const Error error = add_positions({x.data(), B, n, width}, table, positions, first, out.data());
  if (error) {
    require(!message(error).empty() && out == untouched);
    return;
  }
  for (std::size_t row = 0; row < B * n; ++row) {
    const std::size_t p =
        positions.empty() ? first + row % n : static_cast<std::size_t>(positions[row]);
    for (std::size_t i = 0; i < width; ++i) {
      require(out[row * width + i] == x[row * width + i] + table[p * width + i]);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  data.ConsumeBool() ? try_rotate(data) : try_positions(data);
  return 0;
}
