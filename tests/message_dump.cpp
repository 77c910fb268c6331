// Prints every sentence of the core in English, for tests in other languages: a line each, its parts with tabs between.
//   rule NAME CODE SENTENCE     with the name "W_Q" and the numbers 12, 3456, 24, 0.95 and -7
//   notice FIELD USED SENTENCE  of settings that were clamped, with a number and with an id
#include <cstdio>

#include "attention/form.h"

using namespace attention;

namespace {

void print(std::string_view kind, std::string_view name, std::string_view about, const std::string& sentence) {
  for (const std::string_view part : {kind, name, about}) std::printf("%.*s\t", static_cast<int>(part.size()), part.data());
  std::printf("%s\n", sentence.c_str());
}

}  // namespace

int main() {
  for (const RuleText& line : rules().subspan(1)) {
    print("rule", line.name, name(line.code), message(error(line.rule, "W_Q", {12, 3456, 24, 0.95, -7})));
  }
  each_field([](std::string_view field, auto) {
    const Error broken = error(Rule::setting_heads_divide, {12});
    print("notice", field, "0.5", message(Notice{broken, field, 0.5, {}}));
    for (const std::string_view id : {"none", "on", "rope"}) print("notice", field, id, message(Notice{broken, field, 0, id}));
  });
}
