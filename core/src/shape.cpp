#include "attention/shape.h"

namespace attention {

Shape shape_of(const Settings& s, std::size_t query_tokens, std::size_t key_tokens) {
  Shape shape;
  shape.T = query_tokens;
  shape.S = key_tokens;
  shape.D = static_cast<std::size_t>(s.d_model);
  shape.H = static_cast<std::size_t>(s.num_heads);
  shape.H_kv = static_cast<std::size_t>(key_heads(s));
  shape.d_k = static_cast<std::size_t>(key_width(s));
  shape.d_v = static_cast<std::size_t>(value_width(s));
  shape.r = static_cast<std::size_t>(s.value_rank);
  return shape;
}

std::string_view name(Axis axis) {
  switch (axis) {
    case Axis::none: return "";
    case Axis::H: return "H";
    case Axis::H_kv: return "H_kv";
    case Axis::T: return "T";
    case Axis::S: return "S";
    case Axis::D: return "D";
    case Axis::d_k: return "d_k";
    case Axis::d_v: return "d_v";
    case Axis::r: return "r";
    case Axis::H_d_k: return "H·d_k";
    case Axis::H_kv_d_k: return "H_kv·d_k";
    case Axis::H_d_v: return "H·d_v";
    case Axis::H_kv_d_v: return "H_kv·d_v";
    case Axis::places: return "max(T, S)";
    case Axis::half_d_k: return "⌊d_k/2⌋";
  }
  return "";
}

std::size_t extent(Axis axis, const Shape& s) {
  switch (axis) {
    case Axis::none: return 1;
    case Axis::H: return s.H;
    case Axis::H_kv: return s.H_kv;
    case Axis::T: return s.T;
    case Axis::S: return s.S;
    case Axis::D: return s.D;
    case Axis::d_k: return s.d_k;
    case Axis::d_v: return s.d_v;
    case Axis::r: return s.r;
    case Axis::H_d_k: return s.H * s.d_k;
    case Axis::H_kv_d_k: return s.H_kv * s.d_k;
    case Axis::H_d_v: return s.H * s.d_v;
    case Axis::H_kv_d_v: return s.H_kv * s.d_v;
    case Axis::places: return s.places();
    case Axis::half_d_k: return s.d_k / 2;
  }
  return 1;
}

}  // namespace attention
