// Runs the layer and writes its stages to standard output, for tests in other languages.
// usage: trace_dump [--reference] KEY=VALUE... -- TOKEN...
// Keys are the fields of WantedSettings, and those of a request:
//   keys=N                         the last N tokens are the second text
//   mask_edit=QUERY,KEY
//   edit=ARRAY,ROW,COLUMN,VALUE
//   word_edit=TOKEN,COLUMN,VALUE   of the word at that place in the tokens
//   given=ARRAY,FILE               float32 numbers
// Output, little-endian: for each stage that the run has, in table order, a line "ID COUNT\n" and COUNT
// float32 (double with --reference). Errors go to standard error, status 2.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "attention/form.h"
#include "attention/layer/reference.h"
#include "attention/layer/session.h"
#include "attention/layer/trace.h"

namespace {

using namespace attention;

int fail(const std::string& message) {
  std::fprintf(stderr, "trace_dump: %s\n", message.c_str());
  return 2;
}

bool assign(WantedSettings& wanted, const std::string& key, const std::string& value) {
  bool is_known = false;
  each_field([&](std::string_view name, auto field) {
    if (name != key) return;
    is_known = true;
    if constexpr (std::is_same_v<decltype(field), double WantedSettings::*>)
      wanted.*field = std::strtod(value.c_str(), nullptr);
    else if constexpr (std::is_same_v<decltype(field), bool WantedSettings::*>)
      wanted.*field = value == "true" || value == "1";
    else
      wanted.*field = value;
  });
  return is_known;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

std::vector<float> read_floats(const std::string& path) {
  std::vector<float> numbers;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    for (float x; std::fread(&x, sizeof x, 1, file) == 1;) numbers.push_back(x);
    std::fclose(file);
  }
  return numbers;
}

// What of a request stands before the tokens; words are still places among them.
struct Wishes {
  Request request;
  std::size_t keys = 0;
  std::vector<std::size_t> words;  // for each of request.edits; only those without an array count
};

bool assign(Wishes& wishes, const std::string& key, const std::string& value) {
  const auto parts = split(value);
  const auto whole = [&](std::size_t i) { return std::atoi(parts[i].c_str()); };
  const auto number = [&](std::size_t i) { return std::strtof(parts[i].c_str(), nullptr); };
  if (key == "keys") {
    wishes.keys = static_cast<std::size_t>(whole(0));
  } else if (key == "mask_edit" && parts.size() == 2) {
    wishes.request.mask_edits.push_back({whole(0), whole(1)});
  } else if (key == "edit" && parts.size() == 4) {
    wishes.request.edits.push_back({parts[0], "", whole(1), whole(2), number(3)});
    wishes.words.push_back(0);
  } else if (key == "word_edit" && parts.size() == 3) {
    wishes.request.edits.push_back({"", "", 0, whole(1), number(2)});
    wishes.words.push_back(static_cast<std::size_t>(whole(0)));
  } else if (key == "given" && parts.size() == 2) {
    wishes.request.given.push_back({parts[0], read_floats(parts[1])});
  } else {
    return false;
  }
  return true;
}

Request with_tokens(Wishes wishes, const std::vector<std::string>& tokens) {
  Request& request = wishes.request;
  const std::size_t keys = std::min(wishes.keys, tokens.size());
  const auto second = tokens.end() - static_cast<std::ptrdiff_t>(keys);
  request.tokens.assign(tokens.begin(), second);
  if (keys > 0) request.key_tokens.emplace(second, tokens.end());
  for (std::size_t i = 0; i < request.edits.size(); ++i) {
    if (request.edits[i].array.empty() && wishes.words[i] < tokens.size()) request.edits[i].token = tokens[wishes.words[i]];
  }
  return request;
}

template <class Number>
void write(std::string_view id, const Number* data, std::size_t count) {
  std::printf("%.*s %zu\n", static_cast<int>(id.size()), id.data(), count);
  std::fwrite(data, sizeof(Number), count, stdout);
}

}  // namespace

int main(int argc, char** argv) {
  WantedSettings wanted;
  Wishes wishes;
  bool reference = false;
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (argument == "--reference") {
      reference = true;
    } else if (equals == std::string::npos || !(assign(wanted, key, value) || assign(wishes, key, value))) {
      return fail("\"" + argument + "\" is not KEY=VALUE with a known key");
    }
  }
  const std::vector<std::string> tokens(argv + (i < argc ? i + 1 : i), argv + argc);

  Settings settings;
  if (const Error error = exact(wanted, settings)) return fail(message(error));
  Session session;
  if (const Error error = session.run(with_tokens(std::move(wishes), tokens), settings)) {
    return fail(message(error));
  }

  const Trace& trace = session.trace();
  const bool is_cross = session.request().is_cross();
  const ReferenceTrace expected = reference ? run_reference(session) : ReferenceTrace{};
  for (const Stage& stage : stages()) {
    if (stage.buffer == nullptr || !is_present(stage, settings, is_cross)) continue;
    if (reference) {
      const std::vector<double>& data = *expected.stage(stage.id);
      write(stage.id, data.data(), data.size());
    } else {
      const std::span<float> data = trace.*stage.buffer;
      write(stage.id, data.data(), data.size());
    }
  }
  return 0;
}
