// The surface of the small engine that one script carries for its first figure: a run, and its numbers.
// Plain exports of numbers and addresses: Embind's glue and the values that it passes on, which the whole
// engine has, would double what this one weighs. web/src/first-engine.ts is its only caller.
#include <emscripten/emscripten.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/form.h"
#include "attention/parameters.h"
#include "attention/session.h"
#include "attention/settings.h"
#include "attention/stages.h"

namespace {

using namespace attention;

// In the order in which first-engine.ts writes them.
constexpr double WantedSettings::*kNumbers[] = {
    &WantedSettings::d_model,     &WantedSettings::num_heads,    &WantedSettings::num_kv_heads,
    &WantedSettings::d_k,         &WantedSettings::d_v,          &WantedSettings::window_left,
    &WantedSettings::window_right, &WantedSettings::scale_factor, &WantedSettings::softcap,
    &WantedSettings::temperature, &WantedSettings::value_rank,   &WantedSettings::dropout,
    &WantedSettings::dropout_seed, &WantedSettings::seed};
constexpr bool WantedSettings::*kSwitches[] = {&WantedSettings::biases, &WantedSettings::out_proj,
                                               &WantedSettings::residual};
constexpr std::string WantedSettings::*kWords[] = {&WantedSettings::mask, &WantedSettings::scale,
                                                   &WantedSettings::positions, &WantedSettings::tie};

// What JavaScript writes before a call: doubles, which keep all that follows aligned.
std::vector<double> room;
// What summed() answers.
std::vector<float> sums;

// Texts in UTF-8, one behind the other, after their lengths.
class Texts {
 public:
  Texts(const double* at, std::size_t count)
      : lengths_(reinterpret_cast<const std::uint32_t*>(at)), bytes_(reinterpret_cast<const char*>(lengths_ + count)) {}

  std::string next() {
    const std::string text(bytes_, *lengths_);
    bytes_ += *lengths_++;
    return text;
  }
  std::vector<std::string> next(std::size_t count) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(next());
    return texts;
  }

 private:
  const std::uint32_t* lengths_;
  const char* bytes_;
};

// Where the numbers of a stage lie until the next run, null for texts and parameters; and the extents of
// either, 0 for no further axis.
struct Found {
  const float* numbers;
  std::array<std::uint32_t, 3> extents;
};

std::array<std::uint32_t, 3> extents_of(std::span<const Axis> axes, const Shape& shape) {
  std::array<std::uint32_t, 3> list{};
  std::size_t count = 0;
  for (const Axis axis : axes) {
    if (axis != Axis::none) list[count++] = static_cast<std::uint32_t>(extent(axis, shape));
  }
  return list;
}

}  // namespace

extern "C" {

// At least `bytes` to write to, valid until the next call.
EMSCRIPTEN_KEEPALIVE double* room_for(std::size_t bytes) {
  room.resize(bytes / sizeof(double) + 1);
  return room.data();
}

EMSCRIPTEN_KEEPALIVE Session* open_session() { return new Session; }
EMSCRIPTEN_KEEPALIVE void close_session(Session* session) { delete session; }

// The room holds kNumbers, kSwitches, and as texts kWords, `tokens` tokens and, unless it is negative,
// `key_tokens` of the second text. An ErrorCode; 0 when all went well.
EMSCRIPTEN_KEEPALIVE int run(Session* session, int tokens, int key_tokens) {
  const double* next = room.data();
  WantedSettings wanted;
  for (const auto field : kNumbers) wanted.*field = *next++;
  for (const auto field : kSwitches) wanted.*field = *next++ != 0;
  const bool is_cross = key_tokens >= 0;
  Texts texts(next, std::size(kWords) + static_cast<std::size_t>(tokens + (is_cross ? key_tokens : 0)));
  for (const auto field : kWords) wanted.*field = texts.next();

  Settings settings;
  if (const Error error = exact(wanted, settings)) return static_cast<int>(error.code());
  Request request;
  request.tokens = texts.next(static_cast<std::size_t>(tokens));
  if (is_cross) request.key_tokens = texts.next(static_cast<std::size_t>(key_tokens));
  return static_cast<int>(session->run(std::move(request), settings).code());
}

// Its members, in their order.
EMSCRIPTEN_KEEPALIVE const Shape* shape(const Session* session) { return &session->trace().shape; }
EMSCRIPTEN_KEEPALIVE float factor(const Session* session) { return session->trace().factor; }

// The stage or parameter of the last run whose id, with a 0 behind it, is in the room; null for what the
// run does not have.
EMSCRIPTEN_KEEPALIVE const Found* find(const Session* session) {
  static Found found;
  const std::string_view id = reinterpret_cast<const char*>(room.data());
  const Shape& shape = session->trace().shape;
  if (const Stage* stage = find_stage(id)) {
    if (!is_present(*stage, session->settings(), session->request().is_cross())) return nullptr;
    found = {stage->buffer == nullptr ? nullptr : (session->trace().*stage->buffer).data(), extents_of(stage->axes, shape)};
    return &found;
  }
  const ParameterArray* array = find_parameter(id);
  if (array == nullptr || !is_present(*array, session->settings())) return nullptr;
  found = {nullptr, extents_of(array->axes, shape)};
  return &found;
}

// The sum [S] of rows of weights, whose `count` numbers are in the room; null outside the last run.
EMSCRIPTEN_KEEPALIVE const float* summed(const Session* session, int head, std::size_t count) {
  const int* rows = reinterpret_cast<const int*>(room.data());
  return session->summed_weights(head, {rows, count}, sums) ? nullptr : sums.data();
}

}
