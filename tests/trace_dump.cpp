// Runs the layer and writes its stages to standard output, for tests in other languages.
// usage: trace_dump [--reference] KEY=VALUE... -- TOKEN...
// Keys are the fields of WantedSettings. Output, little-endian: for each stage in table order a line
// "ID COUNT\n" and COUNT float32 (double with --reference). Errors go to standard error, status 2.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "attention/reference.h"
#include "attention/session.h"
#include "attention/stages.h"

namespace {

using namespace attention;

int fail(const std::string& message) {
  std::fprintf(stderr, "trace_dump: %s\n", message.c_str());
  return 2;
}

bool assign(WantedSettings& wanted, const std::string& key, const std::string& value) {
  struct Number { std::string_view key; double WantedSettings::* field; };
  struct Word { std::string_view key; std::string WantedSettings::* field; };
  struct Switch { std::string_view key; bool WantedSettings::* field; };
  using W = WantedSettings;
  static constexpr Number kNumbers[] = {
      {"d_model", &W::d_model}, {"num_heads", &W::num_heads}, {"num_kv_heads", &W::num_kv_heads},
      {"d_k", &W::d_k}, {"d_v", &W::d_v}, {"window_left", &W::window_left},
      {"window_right", &W::window_right}, {"scale_factor", &W::scale_factor},
      {"softcap", &W::softcap}, {"temperature", &W::temperature}, {"value_rank", &W::value_rank},
      {"dropout", &W::dropout}, {"dropout_seed", &W::dropout_seed}, {"seed", &W::seed}};
  static constexpr Word kWords[] = {{"mask", &W::mask}, {"scale", &W::scale},
                                    {"positions", &W::positions}, {"tie", &W::tie}};
  static constexpr Switch kSwitches[] = {
      {"biases", &W::biases}, {"out_proj", &W::out_proj}, {"residual", &W::residual}};
  for (const auto& [id, field] : kNumbers)
    if (id == key) return wanted.*field = std::strtod(value.c_str(), nullptr), true;
  for (const auto& [id, field] : kWords)
    if (id == key) return wanted.*field = value, true;
  for (const auto& [id, field] : kSwitches)
    if (id == key) return wanted.*field = value == "true" || value == "1", true;
  return false;
}

template <class Number>
void write(std::string_view id, const Number* data, std::size_t count) {
  std::printf("%.*s %zu\n", static_cast<int>(id.size()), id.data(), count);
  std::fwrite(data, sizeof(Number), count, stdout);
}

}  // namespace

int main(int argc, char** argv) {
  WantedSettings wanted;
  bool reference = false;
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument == "--reference") {
      reference = true;
    } else if (equals == std::string::npos ||
               !assign(wanted, argument.substr(0, equals), argument.substr(equals + 1))) {
      return fail("\"" + argument + "\" is not KEY=VALUE with a known key");
    }
  }
  const std::vector<std::string> tokens(argv + (i < argc ? i + 1 : i), argv + argc);

  Settings settings;
  if (const Error error = exact(wanted, settings)) return fail(error.message);
  Session session;
  if (const Error error = session.run(tokens, settings)) return fail(error.message);

  const Trace& trace = session.trace();
  if (!reference) {
    for (const Stage& stage : stages()) {
      if (stage.buffer == nullptr) continue;
      const std::span<float> data = trace.*stage.buffer;
      write(stage.id, data.data(), data.size());
    }
    return 0;
  }
  const ReferenceTrace expected =
      run_reference(settings, trace.shape, session.parameters(), trace.content);
  for (const Stage& stage : stages()) {
    if (const std::vector<double>* data = expected.stage(stage.id)) {
      write(stage.id, data->data(), data->size());
    }
  }
  return 0;
}
